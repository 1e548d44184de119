"""Reading a text whole and streamed, and that both come to the same."""

from typing import Any

from purestep.bounds import MAX_BLOCK_START_CHARS
from purestep.dialects import dialect_named, read_output
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values.reading import ReadCall, Reading, StreamCall, StreamEvent, StreamRetract

from .forms import SPECS


def read_both(text: str, dialect: str, *, is_streamed: bool = True, specs: Any = SPECS) -> Reading:
    """Return the reading of a text; streamed character by character it comes to the same calls and text."""
    reading = read_output(dialect_named(dialect), text, specs)
    if is_streamed:
        known = tuple(call for call in reading.calls if specs is None or call.tool in specs)
        assert ((reading.content or "").strip(" \n"), known) == _streamed(text, dialect, specs), text
    return reading


def _streamed(text: str, dialect: str, specs: Any) -> tuple[str, tuple[ReadCall, ...]]:
    stream, events = stream_of(dialect, specs), list[StreamEvent]()
    for char in text:
        stream, happened = feed(stream, char)
        events += happened
        assert len(stream.held) <= MAX_BLOCK_START_CHARS
    events += close_stream(stream)
    taken_back = [number for number, event in enumerate(events) if isinstance(event, StreamRetract)]
    told = events[taken_back[-1] + 1 :] if taken_back else events
    calls = tuple(ReadCall(tool=event.tool, params=event.params) for event in told if isinstance(event, StreamCall))
    return "".join(event.text for event in told).strip(" \n"), calls


def codes(reading: Reading) -> list[str]:
    """Return the codes of a reading's problems."""
    return [problem.code for problem in reading.problems]
