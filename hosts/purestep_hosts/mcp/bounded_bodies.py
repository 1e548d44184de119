"""Bodies of a server's responses, bounded: what it sends is kept until a message is whole, however long that takes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

from purestep_hosts.extras import MCP
from purestep_hosts.tools.keeper import LevelledJson

with MCP:
    import httpx2

MAX_MESSAGE_BYTES: Final = 16 * 1024 * 1024
"""Of one message: a result is at most a megabyte here, and a list of tools with their schemas some of them."""

_STREAM: Final = "text/event-stream"
_PLAIN: Final = "identity"
HEADERS: Final = {"Accept-Encoding": _PLAIN}
"""Nothing is compressed: a few bytes of that may become any number."""


async def bound_body(response: httpx2.Response) -> None:
    """Have the body of a response end with an error past the bound; an event hook of a client.

    A stream of events has no end, so each line of one is bounded. Raises ReadError for a body that is compressed.
    """
    encoding = response.headers.get("content-encoding", _PLAIN).lower()
    if encoding != _PLAIN:
        raise httpx2.ReadError(f"the server compressed its response ({encoding[:40]}) although that was ruled out")
    is_stream = response.headers.get("content-type", "").lower().startswith(_STREAM)
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _BoundedBody(response.stream, is_stream=is_stream)


class _BoundedBody(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, *, is_stream: bool) -> None:
        self._inner = inner
        self._is_stream = is_stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size, levelled = 0, LevelledJson(has_lines=self._is_stream)
        async for piece in self._inner:
            line_end = piece.rfind(b"\n") if self._is_stream else -1
            size = size + len(piece) if line_end < 0 else len(piece) - line_end - 1
            if size > MAX_MESSAGE_BYTES:
                raise httpx2.ReadError(f"the server sent a message of more than {MAX_MESSAGE_BYTES} bytes")
            yield levelled.passed(piece)

    async def aclose(self) -> None:
        await self._inner.aclose()
