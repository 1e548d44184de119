"""Model texts of markers from all families, whole, cut and mixed: read whole and streamed in any pieces."""

import random
from itertools import pairwise
from typing import Any, Final

from purestep.bounds import MAX_BLOCK_START_CHARS
from purestep.dialects import dialect_named, read_output
from purestep.entry.standalone import specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values.reading import StreamCall, StreamRetract
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
_BLANK: Final = " \t\r\n"


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


def _told(text: str, places: list[int]) -> tuple[str, list[dict[str, Any]], int]:
    """Return the text and the calls that a stream tells, and the most that it held back."""
    stream, events, held = stream_of("auto", _SPECS), list[Any](), 0
    for begin, end in pairwise([0, *places, len(text)]):
        stream, happened = feed(stream, text[begin:end])
        events += happened
        if stream.position.mode != "block":  # what a call is written in is never shown, so it is not held back
            held = max(held, len(stream.held))
    events += close_stream(stream)
    taken_back = [number for number, event in enumerate(events) if isinstance(event, StreamRetract)]
    told = events[taken_back[-1] + 1 :] if taken_back else events
    shown = "".join(event.text for event in told).strip(_BLANK)
    return shown, [event.params for event in told if isinstance(event, StreamCall)], held


def _any_split(chance: random.Random) -> str | None:
    text = _text(chance)
    reading = read_output(dialect_named("auto"), text, _SPECS)
    whole = ((reading.content or "").strip(_BLANK), [call.params for call in reading.calls if call.tool == ADD["name"]])
    for places in (list(range(1, len(text))), [chance.randint(0, len(text))], []):
        shown, calls, held = _told(text, places)
        if (shown, calls) != whole:
            return f"{text!r} in {len(places) + 1} pieces: {(shown, calls)} for {whole}"
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
