"""The envelope dialect: every output is one JSON object, a tool call or the final answer.

Source: the envelope of the abcb series. It is read in layers: the text as it is, then without a fence or prose around
the object, then with missing brackets added; everything else is a problem, never an answer.
"""

import re
from typing import Any, Final

from ..bounds import MAX_ENVELOPE_HEAD_CHARS
from ..json_text import UNREADABLE, encode_sorted, read_json
from ..lazy import lazy_pattern
from ..values import Problem, ReadCall, Reading, Tools, parse_error, repaired
from .dialect import Dialect, Sample, describe_tools
from .envelope_schema import constrain
from .lone_calls import lone_call, strict_arguments
from .one_object import read_one_object

_NO_ENVELOPE: Final = 'expected one JSON object with "kind" "tool_call" or "final"'


def read(text: str, tools: Tools | None = None) -> Reading:
    """Read a whole output: the one object it is, or the first readable one in it."""
    return read_one_object(text, from_value, _not_an_envelope, tools)


def from_value(value: Any, notes: tuple[Problem, ...] = (), *, tools: Tools | None = None) -> Reading:
    """Read a decoded value: the envelope that it is, or a problem."""
    if not isinstance(value, dict):
        return _from_list(value, notes, tools) if isinstance(value, list) else _not_an_envelope()
    kind = value.get("kind")
    if kind == "tool_call":
        return _tool_call(value, notes, tools)
    if kind == "final":
        return _final(value, notes)
    if kind is None or (isinstance(kind, str) and "content" not in value):
        return _unusual_call(value, notes, tools)
    return _not_an_envelope("; another kind came")


def _not_an_envelope(more: str = "") -> Reading:
    return Reading(problems=(parse_error(_NO_ENVELOPE + more),))


def _from_list(items: list[Any], notes: tuple[Problem, ...], tools: Tools | None) -> Reading:
    readings = [from_value(item, tools=tools) for item in items if isinstance(item, dict)]
    calls = tuple(call for reading in readings for call in reading.calls)
    if len(calls) != len(items) or not calls:
        return _not_an_envelope("; a list came")
    return Reading(calls=calls, problems=(*notes, repaired("the calls stood in a list")))


def _final(value: dict[str, Any], notes: tuple[Problem, ...]) -> Reading:
    content = value.get("content")
    match content:
        case None:
            return Reading(problems=(parse_error('a final needs "content" with the answer'),))
        case str():
            return Reading(content=content, problems=notes, closed=True)
        case _:
            return Reading(content=encode_sorted(content).decode(), problems=notes, closed=True)


def _tool_call(value: dict[str, Any], notes: tuple[Problem, ...], tools: Tools | None) -> Reading:
    name, arguments = value.get("tool_name"), value.get("arguments")
    if isinstance(name, str) and isinstance(arguments, dict) and name:
        if len(value) == _TAUGHT_KEYS:
            return Reading(calls=(ReadCall(tool=name, params=arguments),), problems=notes)
        return lone_call(ReadCall(tool=name, params=arguments), value, notes, tools)
    return _unusual_call(value, notes, tools)


_TAUGHT_KEYS: Final = 3
"""Kind, tool's name and arguments: beside them there is nothing that could be lost."""


def _unusual_call(value: dict[str, Any], notes: tuple[Problem, ...], tools: Tools | None) -> Reading:
    """Read a call whose keys are not the taught ones, as models that learned another form write it."""
    call = _call_with_other_keys(value)
    if call is None:
        return Reading(problems=(parse_error(_explain(value)),))
    return lone_call(call, value, (*notes, repaired("the envelope's keys were not as taught")), tools)


def _call_with_other_keys(value: dict[str, Any]) -> ReadCall | None:
    """Return the call of an object with a name and an arguments object under any of their usual keys, or None."""
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
    given = next((key for key in _ARGUMENT_KEYS if key in value), None)
    params = strict_arguments(value[given]) if given is not None else {}
    return ReadCall(tool=name, params=params) if name and params is not None else None


_NAME_KEYS: Final = ("tool_name", "name", "tool")
_ARGUMENT_KEYS: Final = ("arguments", "args", "parameters", "params", "input")


def _explain(value: dict[str, Any]) -> str:
    if value.get("kind") != "tool_call":
        return _NO_ENVELOPE
    if not isinstance(value.get("tool_name"), str):
        return 'a tool_call needs "tool_name" with the name of a tool'
    if strict_arguments(value.get("arguments")) is None:
        return 'a tool_call needs "arguments" with one JSON object'
    return _NO_ENVELOPE


def instruct(tools: Tools) -> str:
    """Teach the envelope: exactly one object, both shapes, the tools."""
    final = '{"kind":"final","content":"<answer>"}'
    if not tools:
        return f"Reply with exactly one JSON object and nothing else:\n{final}"
    return (
        "Reply with exactly one JSON object and nothing else, in one of two shapes.\n"
        "To use a tool:\n"
        '{"kind":"tool_call","tool_name":"<name>","arguments":{<parameters>}}\n'
        f"To answer:\n{final}\n\n"
        "After a tool call you get its result. When you have what you need, answer with it.\n\n"
        f"Tools:\n{describe_tools(tools)}"
    )


def write(sample: Sample) -> str:
    """Write one envelope; keys in the taught order."""
    if not sample.calls:
        return f'{{"kind":"final","content":{encode_sorted(sample.answer or "").decode()}}}'
    return "\n".join(
        f'{{"kind":"tool_call","tool_name":{encode_sorted(call.tool).decode()},'
        f'"arguments":{encode_sorted(call.params).decode()}}}'
        for call in sample.calls
    )


# --- streams ----------------------------------------------------------------------------------------------

_B: Final = r"[ \t\r\n]*"
_FINAL: Final = lazy_pattern(rf'{_B}\{{{_B}"kind"{_B}:{_B}"final"{_B},{_B}"content"{_B}:{_B}"', re.ASCII)
_SAID: Final = lazy_pattern(rf'{_B}\{{{_B}"(?:ask|answer)"{_B}:{_B}"', re.ASCII)
_HEADS: Final = {
    "envelope": (_FINAL, ('{"kind":"final","content":"',)),
    "compact": (_SAID, ('{"ask":"', '{"answer":"')),
}
"""What stands before an answer's characters, and how it begins without blanks."""

_BLANKS: Final = lazy_pattern("[ \t\r\n]+")

_PLAIN: Final = lazy_pattern(r'[^"\\]+')
_ESCAPE: Final = lazy_pattern(
    r'\\(?:["\\/bfnrt]|u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|u(?![dD][89abAB])[0-9a-fA-F]{4})', re.ASCII
)
_MAX_ESCAPE: Final = 12
"""Characters of the longest escape: a surrogate pair."""


def head_end(head: str, *, compact: bool = False) -> int | None:
    """Return where an answer's content begins, -1 when none does, None while that is open.

    compact: the answer of the compact dialect, or its question.
    """
    pattern, taught = _HEADS["compact" if compact else "envelope"]
    found = pattern.match(head[:MAX_ENVELOPE_HEAD_CHARS])
    if found:
        return found.end()
    begun = _BLANKS.sub("", head)
    may_become = len(head) < MAX_ENVELOPE_HEAD_CHARS and any(each.startswith(begun) for each in taught)
    return None if may_become else -1


def content_of(text: str) -> tuple[str, int, bool]:
    """Return the answer's characters up to its closing quote, whole escapes decoded; where, and whether it ended."""
    shown: list[str] = []
    at = 0
    while found := _PLAIN.match(text, at) or _ESCAPE.match(text, at):
        shown.append(found[0] if found[0][0] != "\\" else _decoded(found[0]))
        at = found.end()
    return "".join(shown), at, text.startswith('"', at) or len(text) - at >= _MAX_ESCAPE


def _decoded(escape: str) -> str:
    value = read_json(f'"{escape}"')
    return value if value is not UNREADABLE and isinstance(value, str) else "\ufffd"


ENVELOPE: Final = Dialect(
    name="envelope",
    read=read,
    instruct=instruct,
    write=write,
    remind=(
        # No sample object here: a small model copies its placeholders as the answer.
        'Reply with exactly one JSON object: "kind" is "tool_call", with "tool_name" and "arguments", '
        'or "final", with "content".'
    ),
    constrain=constrain,
    stream="envelope",
)
