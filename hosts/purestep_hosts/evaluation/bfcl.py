"""Reads single-turn categories of the Berkeley Function-Calling Leaderboard: questions, functions and answers.

A parameter's answer is a list of acceptable values, in which an empty text says that it may be left out. Values are
compared by the leaderboard's rules for its trees: texts without case, spaces and the characters `, . / - _ * ^`, whole
numbers where a `float` is wanted, and calls in any order. Its types become those of JSON Schema.

Source: Patil et al., The Berkeley Function Calling Leaderboard (2025), and the form of its data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep import convert_to
from purestep_hosts.evaluation.cases import EvalCase
from purestep_hosts.evaluation.suite import MAX_LINE_BYTES, SuiteError, SuiteLine, decoded_line
from purestep_hosts.regular_files import open_regular

CATEGORIES: Final = ("simple", "multiple", "parallel", "parallel_multiple", "irrelevance")
"""What is read: in each the user speaks once, and what is judged are the calls; also those that begin with `live_`."""
_TYPES: Final = {
    "dict": "object", "float": "number", "tuple": "array", "any": None,
    "string": "string", "integer": "integer", "boolean": "boolean", "array": "array", "number": "number",
    "object": "object",
}  # fmt: skip
_KEPT: Final = ("description", "enum", "default", "required")
_ANSWERS: Final = "possible_answer"
_TURNS: Final = 3
"""Outputs that a run may have besides one for each call: an answer, and two corrections."""
_ID_NUMBER: Final = "0123456789-_"


def read_bfcl(path: Path, answers: Path | None = None, limit: int | None = None) -> Iterator[SuiteLine]:
    """Yield the cases of a category; raises SuiteError.

    answers: the file of its answers, by default the one of this name in the folder `possible_answer` beside it.
    """
    known = _answers(answers or path.parent / _ANSWERS / path.name, given=answers is not None)
    made = 0
    for number, source in _lines(path):
        if made == limit:
            return
        where = f"{path}, line {number}"
        case = _case(decoded_line(source, where), known, where)
        yield SuiteLine(number, convert_to(case, EvalCase), msgspec.json.encode(case))
        made += 1
    if not made:
        raise SuiteError(f"{path} has no case; expected one JSON object a line")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with open_regular(path) as file:
            for number, source in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b""), 1):
                if source.strip():
                    yield number, source
    except OSError as error:
        raise SuiteError(f"{path} cannot be read ({error.strerror}); expected a category of BFCL") from None


def _answers(path: Path, *, given: bool) -> dict[str, list[dict[str, dict[str, list[Any]]]]]:
    """Return the answers by id; none where there is no such file, as irrelevance has none."""
    if not given and not path.exists():
        return {}
    found = {}
    for number, source in _lines(path):
        where = f"{path}, line {number}"
        value = decoded_line(source, where)
        try:
            found[value["id"]] = convert_to(value["ground_truth"], list[dict[str, dict[str, list[Any]]]])
        except (msgspec.ValidationError, KeyError, TypeError):
            raise SuiteError(
                f'{where}, column 1: expected {{"id", "ground_truth": [{{FUNCTION: {{PARAMETER: [...]}}}}]}}'
            ) from None
    return found


def _case(value: Any, answers: dict[str, list[dict[str, dict[str, list[Any]]]]], where: str) -> dict[str, Any]:
    try:
        name, question, functions = value["id"], value["question"], value["function"]
        [messages] = question
        said = [message["content"] for message in messages if message["role"] == "user"]
        instructions = "\n".join(message["content"] for message in messages if message["role"] == "system")
        tools = [_tool(function) for function in functions]
    except (KeyError, TypeError, ValueError) as error:
        categories = ", ".join(CATEGORIES)
        reason = f" ({error.args[0]})" if error.args else ""
        raise SuiteError(
            f"{where}, column 1: expected a question of one turn with functions in Python's types{reason}; "
            f"the categories that are read are {categories}"
        ) from None
    wanted = _calls(name, answers, where)
    return {
        "id": name,
        "turns": said or [""],
        "agent": {"instructions": instructions, "limits": {"max_turns": len(wanted) + _TURNS}},
        "tools": tools,
        "calls": wanted,
        "order": "any",
        "further_calls": "none",
        "may_fail": True,
    }


def _calls(name: str, answers: dict[str, list[dict[str, dict[str, list[Any]]]]], where: str) -> list[dict[str, Any]]:
    category = name.rstrip(_ID_NUMBER)
    if category.endswith("irrelevance"):
        return []
    if name not in answers:
        raise SuiteError(f"{where}, column 1: {name} has no answer; give the file of this category's with --answers")
    return [
        {
            "tool": tool,
            "arguments": {each: _acceptable(values) for each, values in arguments.items()},
            "defaults": False,
        }
        for call in answers[name]
        for tool, arguments in call.items()
    ]


def _acceptable(values: list[Any]) -> dict[str, Any]:
    """Return what a parameter may be; an empty text says that it may be left out."""
    return {"$optional" if "" in values else "$any": [_value(value) for value in values]}


def _value(value: Any) -> Any:
    match value:
        case str():
            return {"$letters": value}
        case dict():
            return {name: _acceptable(each if isinstance(each, list) else [each]) for name, each in value.items()}
        case list():
            return [_value(each) for each in value]
    return value


def _tool(function: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": function["name"],
        "description": function["description"],
        "parameters": _schema(function["parameters"]),
        "annotations": {"readOnlyHint": True},
        "results": [{"output": {"status": "done"}}],
    }


def _schema(given: dict[str, Any]) -> dict[str, Any]:
    kind = given["type"]
    if kind not in _TYPES:
        raise ValueError(f"the type {json.dumps(kind)[:40]} is not one of them")
    schema: dict[str, Any] = {name: given[name] for name in _KEPT if name in given}
    if _TYPES[kind] is not None:
        schema["type"] = _TYPES[kind]
    if isinstance(given.get("properties"), dict):
        schema["properties"] = {name: _schema(each) for name, each in given["properties"].items()}
    if isinstance(given.get("items"), dict) and "type" in given["items"]:
        schema["items"] = _schema(given["items"])
    return schema
