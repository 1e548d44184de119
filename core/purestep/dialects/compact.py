"""The compact dialect: a small model is shown one line for each tool, and writes one JSON object for each decision.

The object is a call (`{"tool": .., "args": ..}`), a question to the user (`{"ask": ..}`) or an answer
(`{"answer": ..}`). Models are taught this form, so the prompt keeps to its bytes: spaces as `json.dumps` writes them,
at most 90 characters of a description, at most 300 of a result.
"""

import re
from typing import Any, Final

from ..bounds import MAX_COMPACT_ABOUT_CHARS, MAX_COMPACT_CHOICES, MAX_COMPACT_RESULT_CHARS
from ..json_text import UNREADABLE, encode, encode_sorted, read_json
from ..lazy import lazy_pattern
from ..values import Problem, ReadCall, Reading, Tools, ToolSpec, parse_error, repaired
from .dialect import Dialect, Sample
from .envelope_schema import constrain_branches
from .lone_calls import lone_call, strict_arguments
from .one_object import read_one_object

_NO_OBJECT: Final = 'expected one JSON object with "tool", "ask" or "answer"'


# --- outputs ----------------------------------------------------------------------------------------------


def read(text: str, tools: Tools | None = None) -> Reading:
    """Read a whole output: the call, question or answer that it is."""
    return read_one_object(text, from_value, _no_decision, tools)


def _no_decision() -> Reading:
    return Reading(problems=(parse_error(_NO_OBJECT),))


def from_value(value: Any, notes: tuple[Problem, ...] = (), *, tools: Tools | None = None) -> Reading:
    """Read a decoded value: the decision that it is, or a problem."""
    if not isinstance(value, dict):
        return _no_decision()
    if isinstance(value.get("tool"), str) and value["tool"]:
        return _call(value, notes, tools)
    asked = value.get("ask")
    if isinstance(asked, str):
        return Reading(content=asked, problems=notes, closed=True, asks=True)
    if value.get("answer") is None:
        return _no_decision()
    answer = value["answer"]
    text = answer if isinstance(answer, str) else encode_sorted(answer).decode()
    return Reading(content=text, problems=notes, closed=True)


def _call(value: dict[str, Any], notes: tuple[Problem, ...], tools: Tools | None) -> Reading:
    name = value["tool"]
    given = next((key for key in _ARGUMENTS if key in value), "args")
    params = strict_arguments(value.get(given))
    if params is None:
        return Reading(problems=(parse_error(f'a call of "{name}" needs "args" with one JSON object'),))
    if given != "args":
        notes = (*notes, repaired("the call's keys were not as taught"))
    beside = {key: item for key, item in value.items() if key not in ("tool", given)}
    return lone_call(ReadCall(tool=name, params=params), beside, notes, tools)


_ARGUMENTS: Final = ("args", "arguments", "parameters", "params")
"""The taught key first, then those that other forms have."""


def write(sample: Sample) -> str:
    """Write one call or an answer."""
    if not sample.calls:
        return spaced_json({"answer": sample.answer or ""})
    return "\n".join(spaced_json({"tool": call.tool, "args": call.params}) for call in sample.calls)


def spaced_json(value: Any) -> str:
    """Return JSON with a space after each comma and colon, keys in their own order."""
    match value:
        case dict():
            return "{" + ", ".join(f"{_scalar(key)}: {spaced_json(item)}" for key, item in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(spaced_json, value)) + "]"
        case _:
            return _scalar(value)


def _scalar(value: Any) -> str:
    return encode(value).decode()


def constrain(tools: Tools, answer_schema: Any) -> dict[str, Any]:
    """Return a schema with a typed branch for each tool, one for a question and one for the answer."""

    def branch(name: str, parameters: Any) -> dict[str, Any]:
        return {"tool": {"const": name}, "args": parameters}

    return constrain_branches(tools, answer_schema, branch, answers=lambda schema: ({"ask": _TEXT}, {"answer": schema}))


_TEXT: Final = {"type": "string"}


# --- the prompt -------------------------------------------------------------------------------------------


def instruct(tools: Tools) -> str:
    """Return one line for each tool."""
    return "Tools:\n" + "\n".join(map(tool_line, tools.values()))


def tool_line(spec: ToolSpec) -> str:
    """Return the line of a tool: name, parameters with their types, and the first sentence of what it is for."""
    required = spec.parameters.get("required", ())
    given = in_taught_order(spec.parameters)
    listed = [f"{name}{'' if name in required else '?'}: {_type(schema)}" for name, schema in given.items()]
    about = first_sentence(spec.description)
    return f"{spec.name}({', '.join(listed)}){f': {about}' if about else ''}"


def in_taught_order(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of a schema as the model was taught their order: the required ones first, as listed there.

    A definition keeps its keys sorted; the list alone still has the order of its author.
    """
    given = schema.get("properties")
    properties: dict[str, Any] = given if isinstance(given, dict) else {}
    first = {name: properties[name] for name in schema.get("required", ()) if name in properties}
    return {**first, **properties}


def first_sentence(text: str) -> str:
    """Return the first sentence of a text in one line, cut at a word where it is longer than a line has room for."""
    line = " ".join(_WORD.findall(text))
    end = line.find(". ")
    line = line[: end + 1] if end > 0 else line
    return line if len(line) <= MAX_COMPACT_ABOUT_CHARS else line[:MAX_COMPACT_ABOUT_CHARS].rsplit(" ", 1)[0]


_SPACE: Final = "\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""White space in a character class, named one by one: tables of Unicode differ between hosts."""

_WORD: Final = lazy_pattern(f"[^{_SPACE}]+", re.ASCII)


def _type(schema: Any) -> str:
    """Return the type of a parameter as a prompt names it: its few choices, or one word."""
    if not isinstance(schema, dict):
        return "string"
    choices = schema.get("enum")
    if choices and len(choices) <= MAX_COMPACT_CHOICES:
        return "|".join(map(str, choices))
    name = schema.get("type", "string")
    if isinstance(name, list):
        name = next((each for each in name if each != "null"), "string")
    if name != "array":
        return str(name)
    items = schema.get("items")
    return f"list of {_type(items)}" if isinstance(items, dict) and items.get("type") else "list"


def result(_tool: str, text: str, ok: bool) -> str:
    """Return a result as the user's turn that it is sent as."""
    return f"Result: {text}" if ok else f"Result: Error: {text}"


def abridged(text: str) -> str:
    """Return what a model reads of a result: its beginning, JSON with the spaces that it was taught with."""
    value = read_json(text) if text[:1] in ("{", "[") else UNREADABLE
    return (text if value is UNREADABLE else spaced_json(value))[:MAX_COMPACT_RESULT_CHARS]


def feedback(text: str) -> str:
    """Return a correction as the turn that a model was taught: a result that says what was wrong.

    Its last sentence says what to do now. A model that was taught short errors tells that to the user as its answer.
    """
    text = text.rstrip(" ")
    wrong, end, _ = text.rpartition(". ")
    return result("", f"{wrong}." if end else text, False)


COMPACT: Final = Dialect(
    name="compact",
    read=read,
    instruct=instruct,
    describe=tool_line,
    write=write,
    remind="",
    constrain=constrain,
    result=result,
    abridge=abridged,
    feedback=feedback,
    is_taught=True,
    stream="compact",
)
