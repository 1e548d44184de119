"""Texts of all families as models write and damage them, kept as data beside this file; each was judged by hand.

A row has the text and its reading: calls, content, reasoning, the codes of the problems; `opened` and `truncated` are
what the host says of the text.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from purestep.entry.standalone import StandaloneReading, read_text, specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values.reading import StreamCall, StreamEvent, StreamRetract

TOOLS: list[dict[str, Any]] = [
    {
        "name": "weather",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["c", "f"]}},
            "required": ["city"],
        },
    },
    {
        "name": "write",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"],
        },
    },
    {"name": "now", "parameters": {"type": "object", "properties": {}}},
    {
        "name": "search",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "limit": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "filter": {"type": "object"},
                "exact": {"type": "boolean"},
                "score": {"type": "number"},
            },
        },
    },
]
SPECS = specs_of(TOOLS)
SPLITS = 2
"""Random splits of each text, beside the one into its characters."""


def _rows() -> list[Any]:
    """Return the rows of both files under their names."""
    files = sorted((Path(__file__).parent / "texts").glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").split("\n") if line]
    return [pytest.param(row, id=str(row["name"])) for row in map(json.loads, lines)]


def _read(row: dict[str, Any]) -> StandaloneReading:
    """Read a row's text whole."""
    opened = "opened" if row.get("opened") else None
    return read_text(row["text"], "auto", TOOLS, reasoning=opened, truncated=row.get("truncated", False))


@pytest.mark.parametrize("row", _rows())
def test_text_is_read_as_it_is_meant(row: dict[str, Any]) -> None:
    """Calls, content, reasoning and problems are what a reader who guesses nothing takes from the text.

    However it is split, its stream comes to the same calls and the same text.
    """
    reading = _read(row)
    assert row["calls"] == [[call["tool"], call["params"]] for call in reading.calls]
    assert (row.get("content"), row.get("reasoning")) == (reading.content, reading.reasoning)
    assert row.get("problems", []) == [problem.code for problem in reading.problems]
    known = [(call["tool"], call["params"]) for call in reading.calls if SPECS and call["tool"] in SPECS]
    for pieces in _splits(row["text"]):
        assert ((reading.content or "").strip(" \n"), known) == _streamed(row, pieces), pieces


def _splits(text: str) -> list[list[str]]:
    """Return the text as its characters, and in pieces of random sizes."""
    chance, splits = random.Random(text), [list(text)]
    for _ in range(SPLITS):
        places = sorted(chance.sample(range(1, len(text)), min(4, len(text) - 1))) if len(text) > 1 else []
        splits.append([text[begin:end] for begin, end in zip([0, *places], [*places, len(text)], strict=True)])
    return splits


def _streamed(row: dict[str, Any], pieces: list[str]) -> tuple[str, list[tuple[str, Any]]]:
    """Return the text and the calls that a stream tells."""
    stream, events = stream_of("auto", SPECS, reasoning="opened" if row.get("opened") else None), list[StreamEvent]()
    for piece in pieces:
        stream, happened = feed(stream, piece)
        events += happened
    events += close_stream(stream, truncated=row.get("truncated", False))
    back = [number for number, event in enumerate(events) if isinstance(event, StreamRetract)]
    told = events[back[-1] + 1 :] if back else events
    calls = [(event.tool, event.params) for event in told if isinstance(event, StreamCall)]
    return "".join(event.text for event in told).strip(" \n"), calls
