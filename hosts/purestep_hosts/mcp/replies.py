"""What a server sends, taken past the SDK's models: they refuse a whole list for one tool, and a result for one block.

The SDK is shown frames that it takes: the names and arguments of tools, and results without content. What the server
sent stands in the frame's `_meta`, from which `listed_tools` and `purestep_hosts.mcp.results` read it piece by piece.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream
    from mcp.shared.message import SessionMessage

Hide = Callable[[Any], Any]

SENT: Final = "purestep/sent"
"""The member of `_meta` that holds what the server sent; whatever it put there itself is replaced."""

_NOT_CACHED: Final = {"ttlMs": 0, "cacheScope": "private"}
"""What newer versions of the protocol demand beside a list; older ones pass it over."""

_LISTS: Final = ("resources", "resourceTemplates", "prompts", "contents", "messages")
"""Members of results that are lists, by which a result is known: what the SDK is shown of each is empty."""

_OF_CALLS: Final = ("content", "structuredContent", "task")
"""Members by which the answer to a call is known: its result, or the task that it has become."""


@asynccontextmanager
async def framed_transport(transport: Any, hide: Hide | None = None) -> AsyncIterator[Any]:
    """Return a transport of the SDK whose results come in frames; hide: leaves secrets out of what a server says."""
    async with transport as (read, write):
        yield FramedReplies(read, hide), write


class FramedReplies:
    """The stream of a server's messages, with each result in a frame."""

    def __init__(self, inner: ReadStream[SessionMessage | Exception], hide: Hide | None = None) -> None:
        self._inner = inner
        self._hide = hide

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        return _framed(await self._inner.receive(), self._hide)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()

    def __aiter__(self) -> FramedReplies:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return _framed(await self._inner.__anext__(), self._hide)

    async def __aenter__(self) -> FramedReplies:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)


def _framed(item: SessionMessage | Exception, hide: Hide | None) -> SessionMessage | Exception:
    from mcp_types import JSONRPCResponse

    message: Any = getattr(item, "message", None)
    if hide is not None and not isinstance(item, Exception):
        message = type(message).model_validate(hide(message.model_dump(by_alias=True, exclude_unset=True)))
        item = replace(item, message=message)
    if isinstance(message, JSONRPCResponse):
        message.result = framed_result(message.result)
    return item


def framed_result(sent: dict[str, Any]) -> dict[str, Any]:
    """Return a result as the SDK takes it: a list, or the result of a call, in a frame; any other whole.

    Members that are null are left out everywhere but in what stays in `_meta`, which its readers see to.
    """
    if "tools" in sent:
        tools = sent["tools"] if isinstance(sent["tools"], list) else []
        return {"tools": [_frame(tool) for tool in tools if _is_named(tool)], **_listed(sent)}
    is_whole = sent.get("resultType") in (None, "complete")
    if is_whole and any(name in sent for name in _OF_CALLS):
        return {"content": [], **_held(sent)}
    if is_whole and (name := next((name for name in _LISTS if name in sent), None)) is not None:
        return {name: [], **_listed(sent)}
    return dict(without_nulls(sent))


def without_nulls(value: Any) -> Any:
    """Return a value of the protocol without members that are null, which count as absent."""
    if isinstance(value, dict):
        return {name: without_nulls(member) for name, member in value.items() if member is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


def _listed(sent: dict[str, Any]) -> dict[str, Any]:
    cursor = {"nextCursor": sent["nextCursor"]} if isinstance(sent.get("nextCursor"), str) else {}
    return {**cursor, **_NOT_CACHED, **_held(sent)}


def _held(sent: dict[str, Any]) -> dict[str, Any]:
    return {"resultType": "complete", "_meta": {SENT: sent}}


def _is_named(tool: Any) -> bool:
    return isinstance(tool, dict) and isinstance(tool.get("name"), str)


def _frame(tool: dict[str, Any]) -> dict[str, Any]:
    """Return a tool as the SDK takes it: of its arguments it reads which ones go into headers."""
    schema = tool.get("inputSchema")
    given = schema.get("properties") if isinstance(schema, dict) else None
    properties = given if isinstance(given, dict) else {}
    arguments = {name: each for name, each in properties.items() if isinstance(each, dict | bool)}
    return {"name": tool["name"], "inputSchema": {"type": "object", "properties": arguments}}
