"""Streams of events as servers and proxies send them, with the payloads that are read of each."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from purestep_hosts.models.event_stream import NotUtf8, TooLong, chunks

PATH = Path(__file__).parent / "event_streams.json"
CASES: list[dict[str, Any]] = json.loads(PATH.read_text())


def body_of(case: dict[str, Any]) -> bytes:
    """Return the bytes of a case; those that are no text are written as hexadecimal digits."""
    return bytes.fromhex(case["hex"]) if "hex" in case else case["body"].encode()


def splits(body: bytes) -> Iterator[list[bytes]]:
    """Yield the pieces of a body: whole, byte by byte, and in two at each place."""
    yield [body]
    yield [body[at : at + 1] for at in range(len(body))]
    yield from ([body[:at], body[at:]] for at in range(len(body) + 1))


def read(pieces: list[bytes], media_type: str) -> dict[str, Any]:
    """Return what is read of a reply, and what ended the reading, if it was not its end."""
    payloads: list[str] = []
    try:
        payloads.extend(chunks(pieces, media_type))
    except NotUtf8:
        return {"payloads": payloads, "fault": "not_utf8"}
    except TooLong:
        return {"payloads": payloads, "fault": "too_long"}
    return {"payloads": payloads}


def expected(case: dict[str, Any]) -> dict[str, Any]:
    """Return what is to be read of a case."""
    return {name: case[name] for name in ("payloads", "fault") if name in case}
