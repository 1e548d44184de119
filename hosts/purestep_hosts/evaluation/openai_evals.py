"""Reads evals of the OpenAI Evals registry whose answers are compared as texts: the classes Match and Includes.

An eval is a YAML file of the folder `evals` of a registry; its samples lie in the folder `data` beside that one, a line
each with `input`, a chat or a text, and `ideal`, the acceptable answers. By the rules of that project an answer begins
with one of them (Match), or has one of them in it (Includes).

Source: the repository openai/evals, and the form of its data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep import convert_to
from purestep_hosts.evaluation.cases import EvalCase
from purestep_hosts.evaluation.suite import MAX_LINE_BYTES, SuiteError, SuiteLine, decoded_line, faults_of_case
from purestep_hosts.regular_files import open_regular

_CLASSES: Final = {
    "evals.elsuite.basic.match:Match": "^(?:{})",
    "evals.elsuite.basic.includes:Includes": "(?:{})",
}
"""What is read, and the pattern of a right answer."""
_ARGUMENTS: Final = {"samples_jsonl", "max_tokens", "ignore_case", "num_few_shot", "few_shot_jsonl"}
_MAX_FILE_BYTES: Final = 1024 * 1024
_SYNTAX: Final = re.compile(r"[\\^$.*+?()\[\]{}|/]")


class _Chat(msgspec.Struct, frozen=True):
    role: str
    content: str


class _Sample(msgspec.Struct, frozen=True):
    input: str | list[_Chat]
    ideal: str | list[str]


class _Samples(msgspec.Struct, frozen=True, kw_only=True):
    """The samples of one eval: its name, their file, and the rule for answers."""

    name: str
    path: Path
    pattern: str
    ignores_case: bool


def read_openai_evals(path: Path, limit: int | None = None) -> Iterator[SuiteLine]:
    """Yield the cases of the evals in a file of a registry; raises SuiteError."""
    made = 0
    for samples in _evals(path):
        for number, source in _lines(samples.path):
            if made == limit:
                return
            yield _line(samples, number, source)
            made += 1
    if not made:
        raise SuiteError(f"{path} has no eval with samples; expected a file of the folder evals of a registry")


def _evals(path: Path) -> list[_Samples]:
    """Return the evals of a file; its other entries name one of them under another name."""
    from purestep_hosts.strict_yaml import YAMLError, load

    try:
        with open_regular(path) as file:
            entries = load(file.read(_MAX_FILE_BYTES).decode())
    except OSError as error:
        raise SuiteError(f"{path} cannot be read ({error.strerror}); expected an eval of a registry, in YAML") from None
    except (YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise SuiteError(f"{path} is no YAML ({' '.join(str(error).split()):.200})") from None
    found = entries.items() if isinstance(entries, dict) else ()
    return [_samples(path, name, entry) for name, entry in found if isinstance(entry, dict) and "class" in entry]


def _samples(path: Path, name: str, entry: dict[str, Any]) -> _Samples:
    arguments = entry.get("args")
    if entry["class"] not in _CLASSES:
        known = ", ".join(each.rpartition(":")[2] for each in _CLASSES)
        raise SuiteError(f"{path}: {name} is a {entry['class']!r:.80}; the classes that are read are {known}")
    if not isinstance(arguments, dict) or not isinstance(arguments.get("samples_jsonl"), str):
        raise SuiteError(f"{path}: {name} names no samples; expected args with samples_jsonl")
    unknown = [each for each in arguments if each not in _ARGUMENTS]
    if unknown or arguments.get("num_few_shot"):
        said = f"the argument {unknown[0]!r:.80}" if unknown else "examples (num_few_shot)"
        raise SuiteError(f"{path}: {name} has {said}, which is not read")
    data = path.absolute().parent.parent / "data"
    samples = (data / arguments["samples_jsonl"]).resolve()
    if not samples.is_relative_to(data.resolve()):
        raise SuiteError(f"{path}: the samples of {name} do not lie in the folder {data}")
    return _Samples(
        name=name,
        path=samples,
        pattern=_CLASSES[entry["class"]],
        ignores_case=arguments.get("ignore_case") is True,
    )


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with open_regular(path) as file:
            for number, source in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES + 1), b""), 1):
                if len(source) > MAX_LINE_BYTES:
                    raise SuiteError(f"{path}, line {number}: expected at most {MAX_LINE_BYTES:,} bytes in a line")
                if source.strip():
                    yield number, source
    except OSError as error:
        raise SuiteError(f"{path} cannot be read ({error.strerror}); expected the samples of an eval") from None


def _line(samples: _Samples, number: int, source: bytes) -> SuiteLine:
    where = f"{samples.path}, line {number}"
    try:
        sample = convert_to(decoded_line(source, where), _Sample)
    except msgspec.ValidationError as error:
        expected = 'expected {"input": a text or a chat of texts, "ideal": a text or a list of texts}'
        raise SuiteError(f"{where}, column 1: {expected} ({error})") from None
    instructions, query = _asked(sample.input, where)
    ideals = [sample.ideal] if isinstance(sample.ideal, str) else sample.ideal
    pattern = samples.pattern.format("|".join(_escaped(ideal, samples) for ideal in ideals))
    case = {
        "id": f"{samples.name} {number}",
        "query": query,
        "agent": {"instructions": instructions} if instructions else {},
        "tools": [],
        "answer": {"pattern": pattern},
    }
    made = convert_to(case, EvalCase)
    for _, message in faults_of_case(made):
        raise SuiteError(f"{where}, column 1: {message}")
    return SuiteLine(number, made, msgspec.json.encode(case))


def _asked(chat: str | list[_Chat], where: str) -> tuple[str, str]:
    """Return the instructions that a chat begins with, and all that follows as one message."""
    if isinstance(chat, str):
        return "", chat
    roles = {message.role for message in chat}
    if not roles <= {"system", "user"}:
        raise SuiteError(f"{where}, column 1: the chat has answers of an assistant in it, which are not read")
    begins = next((at for at, message in enumerate(chat) if message.role == "user"), 0)
    instructions, asked = chat[:begins], chat[begins:]
    return "\n\n".join(each.content for each in instructions), "\n\n".join(each.content for each in asked)


def _escaped(ideal: str, samples: _Samples) -> str:
    """Return a regular expression of JSON Schema that matches a text as it is, or in either case."""
    written = _SYNTAX.sub(r"\\\g<0>", ideal)
    return re.sub("[A-Za-z]", _either_case, written) if samples.ignores_case else written


def _either_case(found: re.Match[str]) -> str:
    return f"[{found[0].upper()}{found[0].lower()}]"
