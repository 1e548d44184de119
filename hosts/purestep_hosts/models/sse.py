"""Reads the data lines of an event stream, bounded, from byte chunks cut anywhere.

Source: WHATWG HTML, section 9.2 "Server-sent events"; chat completions use one `data:` line an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from purestep_hosts.models.reply import BadReply

# A whole completion can come as one line; four bytes for each of a million characters.
MAX_LINE_BYTES = 4 * 1024 * 1024
DONE = b"[DONE]"


def data_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the payload of every complete `data:` line.

    A last line without its newline was cut and is dropped, unless it is the end itself.
    Raises BadReply when a line passes MAX_LINE_BYTES.
    """
    pending = bytearray()
    for chunk in chunks:
        pending += chunk
        if b"\n" in chunk:
            *lines, pending = pending.split(b"\n")
            yield from (bytes(line[5:].strip()) for line in lines if line.startswith(b"data:"))
        if len(pending) > MAX_LINE_BYTES:
            raise BadReply(f"the stream has a line of more than {MAX_LINE_BYTES} bytes", retryable=False)
    if pending[5:].strip() == DONE and pending.startswith(b"data:"):
        yield DONE
