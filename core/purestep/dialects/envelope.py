"""The envelope dialect: every output is one JSON object, a tool call or the final answer.

Source: the envelope of the abcb series. Read in layers: the text as it is, then a fence or prose around the
object, then missing closers; what is left is a problem, for prose without an envelope is no success.
"""

import re
from typing import Any, Final

from msgspec.structs import replace

from ..bounds import MAX_ENVELOPE_CANDIDATES
from ..json_text import BLANK, UNREADABLE, close_json, describe, diagnose, encode_sorted, find_json, read_json
from ..values import Problem, ReadCall, Reading, Tools, ignored_text, parse_error, repaired, truncated
from .base import Dialect, Sample
from .common import ARGUMENT_KEYS, arguments_from, call_from, describe_tools
from .embed import embedded, rebased

_NO_ENVELOPE: Final = 'expected one JSON object with "kind" "tool_call" or "final"'


def read(text: str, _tools: Tools | None = None) -> Reading:
    """Read a whole output: the one object it is, or the first readable one in it."""
    body = text.strip(BLANK)
    value = read_json(body) if body[:1] in ("{", "[") else UNREADABLE
    return _search(body) if value is UNREADABLE else from_value(value)


def from_value(value: Any, notes: tuple[Problem, ...] = ()) -> Reading:
    """Read a decoded value: the envelope that it is, or a problem."""
    if not isinstance(value, dict):
        return _from_list(value, notes) if isinstance(value, list) else _not_an_envelope()
    kind = value.get("kind")
    if kind == "tool_call":
        return _tool_call(value, notes)
    if kind == "final":
        return _final(value, notes)
    if kind is None or (isinstance(kind, str) and "content" not in value):
        return _unusual_call(value, notes)
    return _not_an_envelope("; another kind came")


def _not_an_envelope(more: str = "") -> Reading:
    return Reading(problems=(parse_error(_NO_ENVELOPE + more),))


def _from_list(items: list[Any], notes: tuple[Problem, ...]) -> Reading:
    readings = [from_value(item) for item in items if isinstance(item, dict)]
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


def _tool_call(value: dict[str, Any], notes: tuple[Problem, ...]) -> Reading:
    name, arguments = value.get("tool_name"), value.get("arguments")
    if isinstance(name, str) and isinstance(arguments, dict) and name:
        return Reading(calls=(ReadCall(tool=name, params=arguments),), problems=notes)
    return _unusual_call(value, notes)


def _unusual_call(value: dict[str, Any], notes: tuple[Problem, ...]) -> Reading:
    """Read a call whose keys are not the taught ones, as models that learned another form write it."""
    call = call_from(value, ("tool_name", "name", "tool"), ARGUMENT_KEYS)
    if call is None:
        return Reading(problems=(parse_error(_explain(value)),))
    return Reading(calls=(call,), problems=(*notes, repaired("the envelope's keys were not as taught")))


def _explain(value: dict[str, Any]) -> str:
    if value.get("kind") != "tool_call":
        return _NO_ENVELOPE
    if not isinstance(value.get("tool_name"), str):
        return 'a tool_call needs "tool_name" with the name of a tool'
    if arguments_from(value.get("arguments")) is None:
        return 'a tool_call needs "arguments" with one JSON object'
    return _NO_ENVELOPE


def _search(body: str) -> Reading:
    """Look for the envelope behind a fence or amid prose; the first one counts."""
    at, first_problem = 0, None
    for _ in range(MAX_ENVELOPE_CANDIDATES):
        found = find_json(body, at)
        if found is None:
            break
        reading = _candidate(body, found.start, found.end, found.missing)
        if not reading.problems or reading.calls or reading.content is not None:
            return reading
        first_problem = first_problem or reading
        at = found.end
    return first_problem or _not_an_envelope()


def _candidate(body: str, start: int, end: int, missing: str) -> Reading:
    if missing:
        stretch = find_json(body, start)
        value = close_json(body, stretch) if stretch else UNREADABLE
        if value is UNREADABLE:
            return Reading(problems=(truncated("the JSON object ends before it is closed"),))
        return from_value(value, (repaired("closing brackets were missing"),))
    value = read_json(body[start:end])
    if value is UNREADABLE:
        return Reading(problems=(parse_error(_syntax(body[start:end])),))
    first = from_value(value)
    return _with_following(first, body, start, end) if first.calls else _noted(first, _around(body, start, end))


def _with_following(first: Reading, body: str, start: int, end: int) -> Reading:
    """Take calls that stand right behind the first; from anything else on, the text is left out."""
    calls = list(first.calls)
    while (found := find_json(body, end)) is not None and not body[end : found.start].strip(BLANK):
        following = from_value(read_json(body[found.start : found.end]))
        if not following.calls:
            break
        calls += following.calls
        end = found.end
    return replace(_noted(first, _around(body, start, end)), calls=tuple(calls))


def _noted(reading: Reading, notes: tuple[Problem, ...]) -> Reading:
    return replace(reading, problems=(*notes, *reading.problems)) if notes else reading


def _syntax(stretch: str) -> str:
    problem = diagnose(stretch)
    return describe(problem, stretch) if problem else "the JSON object cannot be read"


def _around(body: str, start: int, end: int) -> tuple[Problem, ...]:
    rest = (body[:start] + body[end:]).strip(BLANK)
    if not rest:
        return ()
    if rest.replace("`", "").strip(BLANK) in ("", "json"):
        return (repaired("the object stood in a code fence"),)
    return (ignored_text("text beside the JSON object was left out"),)


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


def constrain(tools: Tools, answer_schema: Any) -> dict[str, Any]:
    """Give a schema with one typed branch per tool and one for the final answer."""
    places = {name: _place(name, number) for number, name in enumerate(tools)}
    branches = [_branch(spec.name, embedded(spec.parameters, places[spec.name])) for spec in tools.values()]
    content = {"type": "string"} if answer_schema is None else embedded(answer_schema, "answer")
    branches.append(_object({"kind": {"const": "final"}, "content": content}))
    schema = {"anyOf": branches} if len(branches) > 1 else branches[0]
    moved = {places[spec.name]: rebased(spec.parameters, places[spec.name]) for spec in tools.values()}
    moved["answer"] = rebased(answer_schema, "answer")
    definitions = {name: part for name, part in moved.items() if part is not None}
    return {**schema, "$defs": definitions} if definitions else schema


def _place(name: str, number: int) -> str:
    # llama.cpp looks a reference up as it is written, so one to a name that had to be escaped would lead nowhere.
    return f"tool.{name}" if _PLAIN_NAME.fullmatch(name) else f"tools.{number}"


_PLAIN_NAME: Final = re.compile("[A-Za-z0-9._-]+")


def _branch(name: str, parameters: Any) -> dict[str, Any]:
    return _object({"kind": {"const": "tool_call"}, "tool_name": {"const": name}, "arguments": parameters})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


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
