"""Model texts of markers from all families, whole, cut and mixed: read whole and streamed in any pieces."""

import random
from itertools import pairwise
from typing import Any, Final

from purestep.bounds import MAX_BLOCK_START_CHARS
from purestep.dialects import dialect_named, read_output
from purestep.entry.standalone import specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values.reading import StreamCall, StreamReasoning, StreamRetract
from purestep_formats.families.families import ALL_MARKERS
from tools.breaking.attack import Attack
from tools.vectors.scenarios.dialects.forms import ADD, FORMS

_SPECS: Final = specs_of([ADD])
_OBJECT: Final = '{"a": 1, "b": "x"}'
_MARKS: Final = tuple(sorted({mark for start in ALL_MARKERS.starts for mark in (start.mark, *start.closers) if mark}))
_PIECES: Final = (
    *("add", "x", " ", "\n", "`", '"', "{", "}", "[", "]", "```", "```json\n", "<think>", "</think>", "\u0120"),
    *(
        _OBJECT,
        f'{{"name": "add", "arguments": {_OBJECT}}}',
        "add(a=1)",
        "<tool_call:x>",
        "</tool_call:x>",
        "<think:x>",
    ),
    *("to=add<|message|>", "<|channel|>final<|message|>", "to=functions.add", "functions.add:0", "functionadd\n"),
    *("Action: add\nAction Input: ", "Observation: ", "<tool: add>", "</tool>", ">>>all\n", ">>>add\n"),
    *(
        '<functionname="add">',
        '<paramname="a">',
        "<\uff5ctool call begin\uff5c>",
        "<\uff5ctool sep\uff5c>",
        '<|open|>call tool="add"<|sep|>',
    ),
)


def _text(chance: random.Random) -> str:
    return "".join(_piece(chance) for _ in range(chance.randint(1, 7)))


def _piece(chance: random.Random) -> str:
    kind = chance.choices(("mark", "piece", "form"), weights=(3, 5, 2))[0]
    if kind != "form":
        pieces: tuple[str, ...] = _MARKS if kind == "mark" else _PIECES
        return chance.choice(pieces)
    form = chance.choice(list(FORMS.values()))
    begin = chance.choice((0, chance.randint(0, len(form))))
    return form[begin : chance.choice((len(form), chance.randint(begin, len(form))))]


def _told(text: str, places: list[int], opened: bool) -> tuple[str, str, list[dict[str, Any]], int]:
    """Return the text, the reasoning and the calls that a stream tells, and the most that it held back."""
    stream, events, held = stream_of("auto", _SPECS, reasoning="opened" if opened else None), list[Any](), 0
    for begin, end in pairwise([0, *places, len(text)]):
        stream, happened = feed(stream, text[begin:end])
        events += happened
        if stream.position.mode != "block":  # what a call is written in is never shown, so it is not held back
            held = max(held, len(stream.held))
    events += close_stream(stream)
    shown, thought, calls = "", "", list[dict[str, Any]]()
    for event in events:
        shown += event.text
        if isinstance(event, StreamReasoning):
            thought += event.reasoning
        elif isinstance(event, StreamCall):
            calls.append(event.params)
        elif isinstance(event, StreamRetract):
            shown, thought, calls = "", shown, []
    return shown, thought, calls, held


def _any_split(chance: random.Random) -> str | None:
    text = _text(chance)
    opened = chance.randrange(4) == 0
    reading = read_output(dialect_named("auto"), text, _SPECS, opened=opened)
    calls = [call.params for call in reading.calls if call.tool == ADD["name"]]
    whole = (reading.content or "", reading.reasoning or "", calls)
    for places in (list(range(1, len(text))), [chance.randint(0, len(text))], []):
        *told, held = _told(text, places, opened)
        if tuple(told) != whole:
            return f"{text!r} in {len(places) + 1} pieces, opened {opened}: {told} for {whole}"
        if held > MAX_BLOCK_START_CHARS:
            return f"{text!r}: {held} characters were held back"
    return None


def _answer_stays(chance: random.Random) -> str | None:
    """Put anything but the end of a message into one that is the answer: nothing in it may become a call."""
    inside = _text(chance)
    for end in ("<|start|>", "<|channel|>", "<|end|>", "<|call|>", "<|return|>", "<|eom|>", "<|eot|>"):
        inside = inside.replace(end, "")
    reading = read_output(dialect_named("auto"), f"<|channel|>final<|message|>{inside}<|return|>", _SPECS)
    return f"{inside!r} became {reading.calls}" if reading.calls else None


ATTACKS: tuple[Attack, ...] = (
    Attack(
        name="splits-of-forms",
        promise="a stream tells what the whole text says, however it is cut",
        trial=_any_split,
        least=200,
    ),
    Attack(
        name="markup-in-answers",
        promise="nothing in a message that is the answer is a call",
        trial=_answer_stays,
        least=200,
    ),
)
