"""JavaScript reads of each event stream what Python reads."""

import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.hosts.event_streams import CASES, body_of, expected, read, splits
from tests.hosts.test_hosts_event_streams import FACES, given_after

HERE = Path(__file__).parent
Read = Callable[..., list[dict[str, Any]]]

PARTS: Final = (
    *(
        "data:",
        "data: ",
        "data",
        "event: ping",
        "event: error",
        "event:message",
        "id: 1",
        "retry: 5",
        ": c",
        ":",
        "x: y",
    ),
    *("\n", "\n", "\n\n", "\n\n", "\r", "\r\n", "\r\n\r\n", "\ufeff", " ", "\t", "\0"),
    *("[DONE]", '{"choices":[]}', '{"a":1}', '{"error":{}}', "{", "}", '{"a":', "1}", "null", "nul", "é🎉\u2028", "-1"),
)
"""What random streams are made of."""


@pytest.fixture(scope="module")
def read_in_javascript(node: str, package: Path) -> Iterator[Read]:
    """Read bodies in Node: a function from a type and the splits of a body to what was read of each."""
    command = [node, HERE / "event_streams.mjs"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, of = process.stdin, process.stdout

        def ask(media_type: str, pieces: list[list[bytes]], *, timed: bool = False) -> list[dict[str, Any]]:
            splits = [[piece.hex() for piece in split] for split in pieces]
            body = {"type": media_type, "splits": splits, "isTimed": timed}
            print(json.dumps(body), file=to, flush=True)
            found: list[dict[str, Any]] = json.loads(of.readline())
            return found

        yield ask
        to.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_stream_gives_its_payloads_wherever_it_is_split(read_in_javascript: Read, case: dict[str, Any]) -> None:
    """Whole, byte by byte, and in two at each place."""
    found = read_in_javascript(case["type"], list(splits(body_of(case))))
    assert [expected(case)] * len(found) == found


def test_random_streams_are_read_as_in_python(read_in_javascript: Read) -> None:
    """Parts in any order, and bytes that are no text among them; the same in every split."""
    random_of = random.Random(5)
    for _ in range(400):
        body = "".join(random_of.choices(PARTS, k=random_of.randint(1, 14))).encode()
        if random_of.random() < 0.2:
            at = random_of.randint(0, len(body))
            body = body[:at] + random_of.choice((b"\xff", b"\xc3", b"\xf0\x9f")) + body[at:]
        media_type = random_of.choice(("text/event-stream", "text/plain", ""))
        whole = read([body], media_type)
        pieces = list(splits(body))
        assert [whole] * len(pieces) == [read(split, media_type) for split in pieces], body
        assert [whole] * len(pieces) == read_in_javascript(media_type, pieces), body


@pytest.mark.parametrize("lead", [b"data: ", b"data: x\n" * 9, b": ", b"{"])
def test_event_or_body_without_an_end_is_bounded(read_in_javascript: Read, lead: bytes) -> None:
    """Whatever it begins with."""
    flood = [lead, *[b"x" * 65_536] * 70]
    assert [{"payloads": [], "fault": "too_long"}] == read_in_javascript("text/event-stream", [flood])


@pytest.mark.parametrize("form", ["data: {}\n\n", "data: x\ndata: {}\n\n", '{{"a":"{}"}}', "data: {}"])
def test_bound_counts_bytes_as_in_python(read_in_javascript: Read, form: str) -> None:
    """Whatever the letters are, of which JavaScript counts two units each."""
    bodies = [[form.format(text).encode()] for text in (FACES, FACES + FACES[:100])]
    found = read_in_javascript("text/event-stream", bodies)
    assert [None, "too_long"] == [each.get("fault") for each in found]


def test_stream_without_empty_lines_is_given_as_in_python(read_in_javascript: Read) -> None:
    """Each chunk with the line after it, and the end with its own."""
    pieces = ['data: {"choices":[]}\n', 'data: {"choices":[]}\n', "data: [DONE]\n"]
    (found,) = read_in_javascript("text/event-stream", [[piece.encode() for piece in pieces]], timed=True)
    expected_after = [at for at, _ in given_after(pieces)]
    assert expected_after == found["after"]


def test_event_that_is_too_long_and_comes_at_once_is_refused(read_in_javascript: Read) -> None:
    """As one that comes in pieces."""
    flood = [b"data: " + b"x" * 5_000_000 + b"\n\n"]
    assert [{"payloads": [], "fault": "too_long"}] == read_in_javascript("text/event-stream", [flood])
