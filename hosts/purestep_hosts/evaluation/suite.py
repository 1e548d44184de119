"""Reads a suite: a case a line, JSON, strictly. An error names the file, the line and the column."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

import purestep
from purestep import convert_to
from purestep_hosts.evaluation.case_state import faults_of_patch
from purestep_hosts.evaluation.cases import EvalCase, GoalUser, UserReply, WantedAnswer
from purestep_hosts.extras import MissingExtraError
from purestep_hosts.models.scripted import ScriptError, scripted_output
from purestep_hosts.regular_files import open_regular

MAX_LINE_BYTES: Final = 1024 * 1024
"""A case is a question and a few schemas; the core takes no larger definition either."""
MAX_CASES: Final = 1_000_000
"""So many ids are held in memory while a suite is read, about 100 bytes each."""
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


class SuiteError(Exception):
    """A suite cannot be used; `message` names the file, the line and the column."""

    code = "bad_suite"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SuiteLine(NamedTuple):
    """A case, the line that it stands in, from 1, and its text."""

    number: int
    case: EvalCase
    source: bytes


def read_suite(path: Path, limit: int | None = None) -> Iterator[SuiteLine]:
    """Yield the cases of a file in their order; `limit`: the most. Empty lines are left out. Raises SuiteError."""
    seen: dict[str, int] = {}
    try:
        with open_regular(path) as file:
            if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
                file.seek(0)
            for number, source in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES + 1), b""), 1):
                if limit is not None and len(seen) >= limit:
                    return
                if source.strip():
                    case = _case(source, f"{path}, line {number}")
                    _check_id(case.id, number, seen, path)
                    yield SuiteLine(number, case, source.strip())
    except OSError as error:
        raise SuiteError(f"{path} cannot be read ({error.strerror}); expected a file with a case a line") from None
    if not seen:
        raise SuiteError(f"{path} has no case; expected one JSON object a line")


def _check_id(name: str, number: int, seen: dict[str, int], path: Path) -> None:
    if name in seen:
        raise SuiteError(f"{path}, line {number}, column 1: the id {name!r:.80} is that of line {seen[name]} too")
    if len(seen) >= MAX_CASES:
        raise SuiteError(f"{path}, line {number}: expected at most {MAX_CASES:,} cases; divide the suite")
    seen[name] = number


def _case(source: bytes, where: str) -> EvalCase:
    if len(source) > MAX_LINE_BYTES:
        raise SuiteError(f"{where}: expected at most {MAX_LINE_BYTES:,} bytes in a line")
    value = decoded_line(source, where)
    try:
        case: EvalCase = convert_to(value, EvalCase)
    except msgspec.ValidationError as error:
        pointer, said = place_and_message(error)
        raise SuiteError(f"{placed(source, where, pointer)}: {said}") from None
    for pointer, message in faults_of_case(case):
        raise SuiteError(f"{placed(source, where, pointer)}: {message}")
    return case


def decoded_line(source: bytes, where: str) -> Any:
    """Return the JSON value of a line, whose names are not doubled; raises SuiteError."""
    try:
        purestep.decode_json(source.rstrip())  # its error says what is wrong, and where
    except purestep.PurestepError as error:
        raise SuiteError(f"{where}, {error.message.removeprefix('line 1, ')}") from None
    try:
        msgspec.json.decode(source)
    except msgspec.DecodeError:
        raise SuiteError(f"{where}: a text holds half of a character (a lone surrogate); remove it") from None

    def single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for at, name in enumerate(names) if name in names[:at])
            at = [found.start() for found in re.finditer(re.escape(json.dumps(twice, ensure_ascii=False)), text)]
            before = text[: at[-1]].rpartition("\n") if at else ("", "", "")
            line = f", line {before[0].count(chr(10)) + 2}" if before[1] else ""
            column = f", column {len(before[2]) + 1}" if at else ""
            raise SuiteError(f"{where}{line}{column}: the name {twice!r:.80} stands twice in an object; keep one")
        return dict(pairs)

    text = source.decode()
    return json.loads(text, object_pairs_hook=single)


def placed(source: bytes, where: str, pointer: str) -> str:
    """Return where in a line a member stands, or the one around it that is there."""
    try:
        from purestep_hosts.source_places import place_of
    except MissingExtraError:  # the reader of YAML comes with the command
        return f"{where}, {pointer}"
    place = place_of(source.decode(errors="replace"), pointer)
    return f"{where}, column {place.column if place else 1}"


def place_and_message(error: msgspec.ValidationError) -> tuple[str, str]:
    """Return the JSON pointer at which a value does not fit its type, and what is said of it."""
    said, _, place = str(error).partition(" - at ")
    said = said.replace("Object ", "the object ")
    return _pointer(place.strip("`"), said), f"{said[:1].lower()}{said[1:]}"


def _pointer(path: str, said: str) -> str:
    """Return the JSON pointer of a path such as `$.calls[0]`, down to a member that is too many."""
    tokens = [name or index for name, index in _STEP.findall(path)]
    unknown = re.search(r"unknown field `(.*?)`", said)
    return "".join(f"/{token}" for token in [*tokens, *([unknown[1]] if unknown else [])])


def faults_of_case(case: EvalCase) -> Iterator[tuple[str, str]]:
    """Yield what no type says: the member, and what was expected."""
    if not case.id.strip():
        yield "/id", "expected an id that is not empty"
    yield from _faults_of_user(case)
    yield from _faults_of_answer(case.wanted_answer(), "/answer")
    yield from _faults_of_checks(case.checks or [])
    if case.judge is not None and not case.judge.rubric.strip():
        yield "/judge/rubric", "expected a rubric: what the judge is asked about the answer"
    for pointer, judge_or_user in (("", case), ("/judge", case.judge), ("/user", case.user)):
        for index, value in enumerate(getattr(judge_or_user, "script", None) or []):
            if said := _wrong_output(value):
                yield f"{pointer}/script/{index}", said
    if case.end_state is not None and case.state is None:
        yield "/end_state", 'expected a state that it comes of, such as "state": {}'
    if isinstance(case.end_state, list):
        yield from ((f"/end_state{place}", said) for place, said in faults_of_patch(case.end_state, frozenset()))
    judges = (case.calls, case.end_state, case.answer, case.checks, case.judge)
    if all(each is None for each in judges):
        yield "", "expected at least one of calls, end_state, answer, checks and judge; without, nothing is judged"


def _faults_of_user(case: EvalCase) -> Iterator[tuple[str, str]]:
    if case.query is not None and case.turns is not None:
        yield "/turns", "expected either query or turns"
    if case.turns is not None and not case.turns:
        yield "/turns", "expected at least one turn"
    if not case.said() and not isinstance(case.user, GoalUser):
        yield "", "expected either query or turns; only a user with a goal speaks first"
    match case.user:
        case GoalUser(goal=goal) if not goal.strip():
            yield "/user/goal", "expected a goal: what the user wants, and what the user knows"
        case []:
            yield "/user", "expected at least one reply"
        case list(replies):
            for index, reply in enumerate(replies):
                if not (reply.say if isinstance(reply, UserReply) else reply).strip():
                    yield f"/user/{index}", "expected what the user says"
                if isinstance(reply, UserReply):
                    yield from _faults_of_answer(reply.wanted(), f"/user/{index}/when")


def _faults_of_answer(wanted: WantedAnswer | None, pointer: str) -> Iterator[tuple[str, str]]:
    if wanted is not None and wanted.pattern is not None and (said := _wrong_schema({"pattern": wanted.pattern})):
        yield f"{pointer}/pattern", said
    if wanted is not None and wanted.schema is not None and (said := _wrong_schema(wanted.schema)):
        yield f"{pointer}/schema", said


def _wrong_schema(schema: dict[str, Any]) -> str:
    found = msgspec.json.decode(purestep.check_value(msgspec.json.encode({"schema": schema, "value": None})))
    return str(found["error"]["message"]) if "error" in found else ""


def _wrong_output(value: Any) -> str:
    try:
        scripted_output(value, "the output")
    except ScriptError as error:
        return error.message
    return ""


def _faults_of_checks(checks: list[Any]) -> Iterator[tuple[str, str]]:
    try:
        purestep.Agent.load({"checks": checks})
    except purestep.PurestepError as error:
        path = error.path or "/checks"
        yield path, error.message.removeprefix(f"{path}: ")
