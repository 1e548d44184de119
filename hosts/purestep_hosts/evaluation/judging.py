"""What was wrong with a run, read off its log: the first of the calls, the state, the answer and its checks.

A judge model is asked after that, by the runner.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

import purestep
from purestep import events
from purestep_hosts.evaluation.case_tools import CaseTool
from purestep_hosts.evaluation.cases import EvalCase, WantedAnswer, WantedCall
from purestep_hosts.evaluation.matching import first_difference, fits, plain, same_arguments, same_value, stands_in

_SHOWN_CHARS = 200
"""Of a value in what was wrong: about two lines of a terminal."""


class MadeCall(NamedTuple):
    """A call that ran, with its result."""

    tool: str
    arguments: dict[str, Any]
    ok: bool
    output: Any

    def __str__(self) -> str:
        mark = "" if self.ok else " (failed)"
        return f"{self.tool}({_shown(self.arguments)}){mark}"


class Judgement(NamedTuple):
    """Whether a run was right; `cause` is a stable word where it was not, and `detail` says what came."""

    cause: str = ""
    detail: str = ""


class RunEnd(NamedTuple):
    """What a log says of a run: its calls, its answer, and why there is none."""

    calls: list[MadeCall]
    answer: str | None
    data: Any
    code: str
    message: str
    asks: bool
    said: str
    """What the user said last."""


def end_of(log: str | bytes) -> RunEnd:
    """Return the calls of a log and how its last exchange ended."""
    asked: dict[str, events.ToolCallEvent] = {}
    calls: list[MadeCall] = []
    answer, data, code, message, asks, said = None, UNSET, "not_ended", "the run has not ended", False, ""
    for _, event in purestep.read_events(log):
        match event:
            case events.UserMessageEvent(content=str(text)):
                said = text
            case events.ToolCallEvent():
                asked[event.call_id] = event
            case events.ToolResultEvent(asks=None) if event.call_id is not UNSET and event.call_id in asked:
                call = asked[event.call_id]
                if not call.checks:
                    ok = event.ok is not False
                    calls.append(MadeCall(call.tool_name, call.arguments, ok, event.output if ok else event.error))
            case events.FinalAnswer():
                answer, data, code, message, asks = event.content, event.data, "", "", event.question
            case events.RunFailed():
                answer, data, code, message, asks = None, UNSET, event.code, event.message, False
            case _:
                pass
    return RunEnd(calls, answer, data, code, message, asks, said)


def judged(
    case: EvalCase,
    tools: dict[str, CaseTool],
    log: str | bytes,
    definition: bytes,
    states: tuple[Any, Any] = (UNSET, UNSET),
) -> Judgement:
    """Return what was wrong with a run that has ended; an empty cause where nothing was.

    definition: that of the run, under which its log is driven again with the case's checks. states: the expected one,
    UNSET where any will do, and the one in the end.
    """
    end = end_of(log)
    if end.code == "model_error" or (end.code and not case.may_fail):
        return Judgement(end.code, end.message)
    checks: tuple[Callable[[], Judgement], ...] = (
        lambda: judged_calls(case, tools, end.calls),
        lambda: _judged_state(*states, _results(case, tools, end.calls)),
        lambda: _judged_answer(case, end),
        lambda: _judged_checks(case, log, definition),
    )
    return next((found for check in checks if (found := check()).cause), Judgement())


def judged_calls(case: EvalCase, tools: dict[str, CaseTool], made: Sequence[MadeCall]) -> Judgement:
    """Return what was wrong with the calls."""
    if case.calls is None:
        return Judgement()
    found, others = _matched(case, tools, made)
    unwanted = next((call for call in others if not _may_be_made(case, tools, call)), None)
    if unwanted is not None:
        return _unwanted(case, unwanted)
    missing = next((wanted for wanted, call in zip(case.calls, found, strict=True) if call is None), None)
    return Judgement() if missing is None else _missing(missing, made)


def _matched(
    case: EvalCase, tools: dict[str, CaseTool], made: Sequence[MadeCall]
) -> tuple[list[MadeCall | None], list[MadeCall]]:
    """Return which call is each of the expected ones, and the calls that are none of those."""
    wanted = case.calls or []
    found: list[MadeCall | None] = [None] * len(wanted)
    others = []
    for call in made:
        at = next((at for at in _open(case, found) if call.ok and _is_wanted(wanted[at], call, tools, found)), None)
        if at is None:
            others.append(call)
        else:
            found[at] = call
    return found, others


def _results(case: EvalCase, tools: dict[str, CaseTool], made: Sequence[MadeCall]) -> list[Any]:
    """Return what each of the expected calls gave."""
    return [None if call is None else call.output for call in _matched(case, tools, made)[0]]


def _judged_state(wanted: Any, state: Any, results: Sequence[Any]) -> Judgement:
    if wanted is UNSET or (found := first_difference(wanted, state, results)) is None:
        return Judgement()
    one, other = ("nothing" if value is UNSET else _shown(value) for value in (found.wanted, found.got))
    return Judgement("wrong_state", f"at {found.pointer or 'the root'}: expected {one}, got {other}")


def _open(case: EvalCase, found: Sequence[MadeCall | None]) -> list[int]:
    """Return which expected calls may come now: in their order the first one that is missing, else all of those."""
    missing = [at for at, call in enumerate(found) if call is None]
    return missing if case.order == "any" else missing[:1]


def _is_wanted(
    wanted: WantedCall, call: MadeCall, tools: dict[str, CaseTool], found: Sequence[MadeCall | None]
) -> bool:
    if wanted.tool != call.tool:
        return False
    if wanted.arguments is None:
        return True
    defaults = tools[call.tool].defaults() if wanted.defaults and call.tool in tools else {}
    results = [None if each is None else each.output for each in found]
    several = wanted.arguments if isinstance(wanted.arguments, list) else [wanted.arguments]
    return any(same_arguments(each, call.arguments, defaults, results) for each in several)


def _may_be_made(case: EvalCase, tools: dict[str, CaseTool], call: MadeCall) -> bool:
    if not case.calls or case.further_calls == "none":
        return False
    is_read_only = call.tool in tools and tools[call.tool].is_read_only
    return case.further_calls == "any" or is_read_only or not call.ok


def _unwanted(case: EvalCase, call: MadeCall) -> Judgement:
    if case.calls and any(wanted.tool == call.tool for wanted in case.calls):
        return Judgement("wrong_arguments", f"made {call}")
    return Judgement("unwanted_call", f"made {call}")


def _missing(wanted: WantedCall, made: Sequence[MadeCall]) -> Judgement:
    arguments = "" if wanted.arguments is None else _shown(wanted.arguments)
    cause = "wrong_arguments" if any(call.tool == wanted.tool for call in made) else "missing_call"
    came = "; ".join(map(str, made)) or "none"
    return Judgement(cause, f"expected {wanted.tool}({arguments}); calls made: {came}")


def _judged_answer(case: EvalCase, end: RunEnd) -> Judgement:
    wanted = case.wanted_answer()
    if wanted is None:
        return Judgement()
    answer = end.answer
    if answer is None or not answer.strip():
        return Judgement("no_answer", end.message or "the answer is empty")
    if plain(answer) == plain(end.said):
        return Judgement("wrong_answer", "the answer repeats the question")
    return next(iter(answer_faults(wanted, answer, end.data)), Judgement())


def answer_faults(wanted: WantedAnswer, answer: str, data: Any) -> list[Judgement]:
    """Return what of an answer is not as it should be; data: its value, UNSET where it is a text."""
    contains = [wanted.contains] if isinstance(wanted.contains, str) else wanted.contains or []
    lacks = [wanted.lacks] if isinstance(wanted.lacks, str) else wanted.lacks or []
    said = _shown(answer)
    value = _data_of(answer) if data is UNSET else data
    found = [
        Judgement("wrong_answer", f"{_shown(each)} does not stand in {said}")
        for each in contains
        if not any(stands_in(text, answer) for text in ([each] if isinstance(each, str) else each))
    ]
    found += [Judgement("wrong_answer", f"{each!r} stands in {said}") for each in lacks if stands_in(each, answer)]
    if wanted.pattern is not None and not fits({"type": "string", "pattern": wanted.pattern}, answer):
        found.append(Judgement("wrong_answer", f"{wanted.pattern} does not match {said}"))
    if wanted.equal is not UNSET and not _is_equal(wanted.equal, answer, value):
        found.append(Judgement("wrong_answer", f"expected {_shown(wanted.equal)}, got {said}"))
    if wanted.schema is not None and not fits(wanted.schema, value):
        found.append(Judgement("wrong_answer", f"{said} does not fit the schema"))
    return found


def _is_equal(wanted: Any, answer: str, value: Any) -> bool:
    if isinstance(wanted, str) and plain(wanted) == plain(answer):
        return True
    return same_value(wanted, value)


def _data_of(answer: str) -> Any:
    """Return the value that an answer is the JSON of; another text is itself."""
    try:
        return purestep.decode_json(answer.encode())
    except (purestep.PurestepError, UnicodeError):
        return answer


def _judged_checks(case: EvalCase, log: str | bytes, definition: bytes) -> Judgement:
    """Drive the run again under its definition with the case's checks: the core says whether it still ends so."""
    if not case.checks:
        return Judgement()
    members = msgspec.json.decode(definition)
    made = purestep.redrive(log, json.dumps({**members, "checks": [*members.get("checks", ()), *case.checks]}))
    if made.same:
        return Judgement()
    return Judgement("check", f"{_shown(end_of(log).answer)} does not pass {_shown(case.checks)}")


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"
