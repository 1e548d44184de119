"""Attacks with markers in arguments: a value that holds any marker of its family is read as it was, or not at all."""

import random
import re
from collections.abc import Iterator
from typing import Any

from purestep.dialects import dialect_named, read_output
from purestep.dialects.families import FAMILY_DIALECTS
from purestep.dialects.family_forms import FAMILIES, Family
from purestep.entry.standalone import specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.scanner import REASONING
from purestep.values import fatal_problem
from purestep.values.reading import ReadCall, Reading
from purestep.values.stream_events import StreamCall, StreamRetract

from ..attack import Attack

SAVE: dict[str, Any] = {
    "name": "save",
    "parameters": {
        "type": "object",
        "properties": {"text": {"type": "string"}, "name": {"type": "string"}, "count": {"type": "integer"}},
        "required": ["text"],
    },
}
SPECS = specs_of([SAVE, {"name": "get_time", "parameters": {"type": "object", "properties": {}}}])
_WORDS = ("a", "see ", " here", "x = 1", "\n", "\n\n", " ", '"', "'", "`", "```", "```json\n", "{", "}", "[", "]", "),")
_KEYS = ("text", "name", "count", "x")
_TOOLS = ("save", "get_time", "f")
_PARTS = re.compile(r"<[^<>]*>?|\]<\][a-z]+\[>\[|[^<>\]]+|.", re.DOTALL)


def pieces(family: Family) -> list[str]:
    """Give what values of a family are made of: its markers, whole and in parts, reasoning, quotes and words."""
    form = family.form
    whole = [part for part in (form.open, form.begin, form.end, form.between, form.close, *form.tag, form.quote) if part]
    parts = [found for part in whole for found in _PARTS.findall(part) if len(found) > 1]
    marked = [each for part in (*whole, *parts, *parts) for each in _filled(part)]
    return [*marked, *_WORDS, *(mark for pair in REASONING[:8] for mark in pair)]


def _filled(part: str) -> Iterator[str]:
    if "{key}" in part:
        yield from (part.replace("{key}", key).replace("{string}", "true") for key in _KEYS)
    elif "{name}" in part:
        yield from (part.replace("{name}", tool).replace("{index}", "0") for tool in _TOOLS)
    else:
        yield part


def arguments(family: Family, rng: random.Random) -> dict[str, Any]:
    """Give arguments whose values hold markers of a family."""
    made = pieces(family)
    params: dict[str, Any] = {"text": _value(made, rng)}
    if rng.random() < 0.5:
        params["name"] = _value(made, rng)
    if rng.random() < 0.3:
        params["count"] = rng.randrange(100)
    return params


def _value(made: list[str], rng: random.Random) -> str:
    return "".join(rng.choice(made) for _ in range(rng.randrange(1, 7)))


def is_readable(family: Family, params: dict[str, Any]) -> bool:
    """Tell whether the text of a call with such values can be told from that of other calls.

    A value that holds the end of a value and all that comes up to the next one is two values to everybody.
    """
    form = family.form
    if form.arguments == "tags":
        close, begin = form.tag[1].strip(), form.tag[0].partition("{key}")[0]
        ends = "".join(rf"(?:[ \n]*{re.escape(part)})?" for part in _PARTS.findall(form.end + form.close) if part.strip())
        called = re.escape(form.begin.partition("{name}")[0].strip())
        two = re.compile(rf"{re.escape(close)}[ \n]*{re.escape(begin)}|{re.escape(close)}{ends}[ \n]*(?:{called}|{re.escape(form.open.strip() or called)})")
    elif form.arguments == "pairs":
        quote = re.escape(form.quote)
        two = re.compile(rf"{quote}[ \n]*,[ \n]*[a-z]+:|{quote}[ \n]*}}[ \n]*{re.escape(form.end[1:])}")
    else:
        return True
    # The values stand side by side, so that one may begin what another ends.
    return not any(two.search(f"{value}{close if form.arguments == 'tags' else ''}") for value in params.values() if isinstance(value, str))


def misread(reading: Reading, call: ReadCall) -> str | None:
    """Say what is wrong with the reading of a call: anything but the call, or a problem that is sent back."""
    if fatal_problem(reading) is not None or reading.calls == (call,):
        return None
    return f"read as {reading.calls!r} with the text {reading.content!r}"


def streamed(text: str, dialect: str, rng: random.Random) -> tuple[ReadCall, ...]:
    """Give the calls that a stream tells whose chunks end at random."""
    stream, at, calls = stream_of(dialect, SPECS), 0, list[ReadCall]()
    events: list[Any] = []
    while at < len(text):
        size = rng.choice((1, 1, 2, 5, 30))
        stream, happened = feed(stream, text[at : at + size])
        at += size
        events += happened
    events += close_stream(stream)
    for event in events:
        match event:
            case StreamCall():
                calls.append(ReadCall(tool=event.tool, params=event.params))
            case StreamRetract():
                calls.clear()
    return tuple(calls)


def _markers_in_values(rng: random.Random) -> str | None:
    number = rng.randrange(len(FAMILIES))
    family, dialect = FAMILIES[number], FAMILY_DIALECTS[number]
    params = arguments(family, rng)
    if not is_readable(family, params):
        return None
    call = ReadCall(tool="save", params=params)
    text = rng.choice(("", "I look.\n")) + dialect.write(_sample(call)) + rng.choice(("", "", "\nThat is it."))
    reading = read_output(dialect_named("auto"), text, SPECS)
    wrong = misread(reading, call)
    if wrong is None:
        told = streamed(text, "auto", rng)
        known = tuple(each for each in reading.calls if each.tool in SPECS)
        wrong = None if told == known else f"streamed as {told!r}"
    return None if wrong is None else f"{family.name}: {text!r} is {wrong}"


def _sample(call: ReadCall) -> Any:
    from purestep.dialects import Sample

    return Sample(calls=(call,))


ATTACKS = (
    Attack(
        name="markers",
        promise="A value that holds markers is read as it was written, or corrected",
        trial=_markers_in_values,
        least=2000,
    ),
)
