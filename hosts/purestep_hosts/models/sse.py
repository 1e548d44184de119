"""Reads the data lines of an event stream, bounded, from byte chunks cut anywhere.

Source: WHATWG HTML, section 9.2 "Server-sent events"; chat completions use one `data:` line an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from purestep import MAX_REPLY_LINE_BYTES

DONE = b"[DONE]"


class TooLong(Exception):
    """A line or a body passed MAX_REPLY_LINE_BYTES; it is not read further."""


def data_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the payload of every complete `data:` line.

    A last line without its newline was cut and is dropped, unless it is the end itself.
    Raises TooLong when a line passes its bound.
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
