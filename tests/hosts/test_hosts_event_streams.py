"""Event streams are read as the standard says, and what proxies make of them is read all the same."""

from collections.abc import Iterator
from typing import Any

import pytest

from purestep_hosts.models.event_stream import chunks
from tests.hosts.event_streams import CASES, body_of, expected, read, splits


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_stream_gives_its_payloads_wherever_it_is_split(case: dict[str, Any]) -> None:
    """Whole, byte by byte, and in two at each place."""
    found = [read(pieces, case["type"]) for pieces in splits(body_of(case))]
    assert [expected(case)] * len(found) == found


def test_protocol_that_names_its_events_reads_all_of_them() -> None:
    """Elsewhere a name says that an event is no part of the reply."""
    stream = [b"event: message_start\ndata: {}\n\n"]
    assert (["{}"], []) == (
        list(chunks(stream, "text/event-stream", has_names=True)),
        list(chunks(stream, "text/event-stream")),
    )


@pytest.mark.parametrize("lead", [b"data: ", b"data: x\n" * 9, b": ", b"{"])
def test_event_or_body_without_an_end_is_bounded(lead: bytes) -> None:
    """Whatever it begins with."""
    assert {"payloads": [], "fault": "too_long"} == read([lead, *[b"x" * 65_536] * 70], "text/event-stream")


def test_event_that_is_too_long_and_comes_at_once_is_refused() -> None:
    """As one that comes in pieces."""
    assert {"payloads": [], "fault": "too_long"} == read([b"data: " + b"x" * 5_000_000 + b"\n\n"], "text/event-stream")


FACES = "\U0001f600" * 1_048_500
"""Some bytes fewer than an event may have, in a quarter as many characters, which are two units each in JavaScript."""


@pytest.mark.parametrize("form", ["data: {}\n\n", "data: x\ndata: {}\n\n", '{{"a":"{}"}}', "data: {}"])
def test_bound_counts_bytes_whatever_the_letters(form: str) -> None:
    """Of an event, of one in lines, of a body, and of an event that never ends."""
    sent = [form.format(text).encode() for text in (FACES, FACES + FACES[:100])]
    found = [read([body], "text/event-stream").get("fault") for body in sent]
    assert [None, "too_long"] == found


def test_stream_without_empty_lines_is_given_as_it_comes() -> None:
    """Each chunk with the line after it, and the end with its own."""
    chunk = '{"choices":[]}'
    pieces = [f"data: {chunk}\n", f"data: {chunk}\n", "data: [DONE]\n"]
    assert [(2, chunk), (3, chunk), (3, "[DONE]")] == given_after(pieces)


def given_after(pieces: list[str]) -> list[tuple[int, str]]:
    """Return the payloads of a stream, each with how many pieces had come."""
    sent: list[str] = []

    def coming() -> Iterator[bytes]:
        for piece in [*pieces, "never"]:
            sent.append(piece)
            yield piece.encode()

    return [(len(sent), payload) for payload in chunks(coming(), "text/event-stream")]


def test_many_events_may_be_longer_than_one() -> None:
    """The bound is one of an event."""
    event = b"data: " + b"x" * 65_536 + b"\n\n"
    assert ["x" * 65_536] * 70 == read([event] * 70, "text/event-stream")["payloads"]


def test_event_is_given_with_its_last_byte() -> None:
    """A carriage return ends a line at once, since a server may say nothing more for long."""
    sent: list[bytes] = []
    stream = b"data: 1\r\rdata: 2\r\n\r\ndata: 3\n\n"

    def pieces() -> Iterator[bytes]:
        for at in range(len(stream)):
            sent.append(stream[at : at + 1])
            yield sent[-1]

    read_after = {payload: b"".join(sent) for payload in chunks(pieces(), "text/event-stream")}
    expected_after = {"1": b"data: 1\r\r", "2": b"data: 1\r\rdata: 2\r\n\r", "3": stream}
    assert expected_after == read_after
