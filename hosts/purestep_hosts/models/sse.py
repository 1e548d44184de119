"""Reads the data lines of an event stream, of bounded length, from byte chunks split anywhere.

Source: WHATWG HTML, section 9.2 "Server-sent events"; chat completions use one `data:` line an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from purestep_formats import MAX_REPLY_LINE_BYTES

DONE = b"[DONE]"


class TooLong(Exception):
    """A line or a body is longer than MAX_REPLY_LINE_BYTES; reading stopped."""


def data_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the payload of every complete `data:` line.

    A last line without a newline is incomplete and dropped, unless it is `[DONE]`.
    Raises TooLong when a line is too long.
    """
    pending = bytearray()
    for chunk in chunks:
        pending += chunk
        if b"\n" in chunk:
            *lines, pending = pending.split(b"\n")
            yield from (bytes(line[5:].strip()) for line in lines if line.startswith(b"data:"))
        if len(pending) > MAX_REPLY_LINE_BYTES:
            raise TooLong
    if pending[5:].strip() == DONE and pending.startswith(b"data:"):
        yield DONE
