"""Reads the replies of a server, an event stream or a whole body, within limits on length, from bytes split anywhere.

Proxies lose the type of a body, so it is known by how it begins. httpx2 splits a stream into events; which of them are
read is the same in JavaScript. Source: WHATWG HTML, section 9.2 "Server-sent events".
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

from purestep_formats import MAX_REPLY_LINE_BYTES

DONE: Final = "[DONE]"
"""The payload that ends a complete reply; it is put after a body that does not stream."""

_STREAM: Final = "text/event-stream"
_FIELDS: Final = ("data:", "event:", "id:", "retry:", ":")
"""How a stream begins; the last is a comment."""
_MOST_FIELD_CHARS: Final = 6
_BLANKS: Final = "\ufeff \t\r\n"
"""What may stand in front of it: byte order marks and empty lines."""
_SPACES: Final = " \t\n"
"""What data may be that is as good as empty."""
_LAST: Final = b"\n\n"
"""What ends the last event, whose empty line some proxies lose."""
_READ_NAMES: Final = ("message", "error")
"""The names of events that are read everywhere: that of an event without one, and that of a failure."""
_OF_CHUNKS: Final = ("choices", "usage", "error")
"""The members that make an object a chunk of a chat completion."""


class TooLong(Exception):
    """An event or a body is longer than MAX_REPLY_LINE_BYTES; reading stopped."""


class NotUtf8(Exception):
    """The body is not UTF-8."""


def chunks(pieces: Iterable[bytes], media_type: str, *, has_names: bool = False) -> Iterator[str]:
    """Yield the payloads of a reply's events, `[DONE]` the last; a body that does not stream is one payload.

    media_type: of the body. has_names: whether the protocol names its events; elsewhere an event with a name is read
    only where it is a chunk or an error. Raises TooLong and NotUtf8.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    texts = _decoded(pieces, decoder)
    head = ""
    for text in texts:
        head = (head + text).lstrip(_BLANKS)
        if len(head) >= _MOST_FIELD_CHARS:
            break
    if _is_stream(head, media_type):
        yield from _payloads(chain([head], texts), has_names=has_names)
    else:
        yield _whole(chain([head], texts), decoder)
        yield DONE


def _is_stream(head: str, media_type: str) -> bool:
    """Whether a body is a stream of events, by its start; where that says nothing, by its type."""
    return head.startswith(_FIELDS) or (media_type == _STREAM and not head.startswith("{"))


def _decoded(pieces: Iterable[bytes], decoder: codecs.IncrementalDecoder) -> Iterator[str]:
    """Yield the text of the pieces: what stands before bytes that are no text is read, wherever they are split."""
    for piece in pieces:
        try:
            yield decoder.decode(piece)
        except UnicodeDecodeError as error:
            yield error.object[: error.start].decode()
            raise NotUtf8 from None


def _whole(texts: Iterable[str], decoder: codecs.IncrementalDecoder) -> str:
    """Return a body that does not stream."""
    parts, size = [], 0
    for text in texts:
        parts.append(text)
        size += len(text.encode())
        if size > MAX_REPLY_LINE_BYTES:
            raise TooLong
    try:
        return "".join([*parts, decoder.decode(b"", final=True)])
    except UnicodeDecodeError:
        raise NotUtf8 from None


def _payloads(texts: Iterable[str], *, has_names: bool) -> Iterator[str]:
    import httpx2

    is_cut = False

    def ended() -> Iterator[bytes]:
        nonlocal is_cut
        for text in _with_ends(_with_line_feeds(texts), has_names=has_names):
            yield text.encode()
        is_cut = True
        yield _LAST

    request = httpx2.Request("POST", "http://stream")
    response = httpx2.Response(200, headers={"content-type": _STREAM}, content=ended(), request=request)
    try:
        for event in httpx2.EventSource(response, max_event_size=MAX_REPLY_LINE_BYTES):
            for payload in _of_event(event.data, is_cut=is_cut):
                if payload == DONE:
                    yield DONE
                    return
                if has_names or event.event in _READ_NAMES or _is_chunk(payload):
                    yield payload
    except httpx2.SSEError:
        raise TooLong from None


def _with_line_feeds(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts whose carriage returns, alone or before a line feed, end lines at once and not with the next byte."""
    is_after_return = False
    for text in filter(None, texts):
        rest = text.removeprefix("\n") if is_after_return else text
        is_after_return = text.endswith("\r")
        yield rest.replace("\r\n", "\n").replace("\r", "\n")


def _with_ends(texts: Iterable[str], *, has_names: bool) -> Iterator[str]:
    """Yield texts in whole lines, with an empty line where an event is over that the server does not end.

    That is after a whole chunk which another line of data or a name follows, since no JSON goes on after its end: it is
    read whatever follows, so it can be shown at once; and after `[DONE]`. Raises TooLong.
    """
    held: list[str] = []
    size, lines, alone = 0, 0, ""
    for text in texts:
        ended, rest = _split(text, held)
        shown: list[str] = []
        for line in ended:
            is_data, payload = line.startswith("data:"), line.removeprefix("data:")
            goes_on = is_data or line.startswith("event:")
            if goes_on and lines == 1 and (_json(alone) is not None if has_names else _is_chunk(alone)):
                shown.append("\n")
                lines = 0
            lines = lines + is_data if line else 0
            alone = payload if is_data else alone
            shown.append(f"{line}\n")
            if is_data and lines == 1 and payload.strip(_SPACES) == DONE:
                shown.append("\n")
                lines = 0
        size = len(rest.encode()) + (0 if ended else size)
        if size > MAX_REPLY_LINE_BYTES:
            raise TooLong
        held.append(rest)
        yield "".join(shown)
    yield "".join(held)


def _split(text: str, held: list[str]) -> tuple[list[str], str]:
    """Return the lines that end in a text, the first of which begins with what was held, and what stands after."""
    if "\n" not in text:
        return [], text
    *ended, rest = "".join([*held, text]).split("\n")
    held.clear()
    return ended, rest


def _of_event(data: str, *, is_cut: bool) -> Iterator[str]:
    """Yield the payloads of an event: one, which may have several lines; or one a line.

    Servers that send no empty lines send all as one event. is_cut: the stream ended in it, so its last line counts only
    where it came whole.
    """
    lines = [data] if "\n" not in data or _json(data) is not None else data.split("\n")
    payloads = [DONE if bare == DONE else line for line in lines if (bare := line.strip(_SPACES))]
    if is_cut and payloads and payloads[-1] != DONE and _json(payloads[-1]) is None:
        payloads.pop()
    yield from payloads


def _is_chunk(payload: str) -> bool:
    found = _json(payload)
    return isinstance(found, dict) and any(name in found for name in _OF_CHUNKS)


def _json(text: str) -> Any:
    """Return the value of a text that is JSON and not null; None for others."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(constant: str) -> None:
    raise ValueError(constant)
