"""The SDK's client of one server, and what it answers and takes: questions, folders, lines of the server's log."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep_hosts.extras import MCP
from purestep_hosts.mcp.held_calls import HeldCalls
from purestep_hosts.mcp.login import ServerLogin
from purestep_hosts.mcp.replies import framed_transport
from purestep_hosts.mcp.server_entry import McpServer
from purestep_hosts.tools.call_note import CallNote

with MCP:
    from mcp import Client, MCPError
    from mcp_types import (
        EmptyResult,
        ListRootsResult,
        LoggingLevel,
        LoggingMessageNotificationParams,
        Root,
        SetLevelRequest,
        SetLevelRequestParams,
    )
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS
    from pydantic import FileUrl

_LOG_LEVEL: Final[LoggingLevel] = "info"
"""Lower ones are for who writes the server."""

_LOG_LEVEL_S: Final = 5.0
"""For the answer to which lines are wanted: a server that gives none is used all the same."""

_MAX_DATA_CHARS: Final = 2000
"""Of a line of a log that is no text, before it is written out: a note has room for far less."""


def new_client(server: McpServer, transport: Any, held: HeldCalls, login: ServerLogin | None) -> Client:
    """Return the client of a server, which is not connected yet; held: the calls that are under way."""
    hide = None if login is None else login.hidden

    async def elicited(_: Any, params: Any) -> Any:
        return await held.ask(params)

    async def sampled(_: Any, params: Any) -> Any:
        return await held.sample(server.name, server.sampling or "off", params)

    async def logged(params: LoggingMessageNotificationParams) -> None:
        held.note(CallNote(text=_log_text(params), level=params.level))

    async def folders(_: Any) -> ListRootsResult:
        return ListRootsResult(roots=[_root(each) for each in server.roots])

    # The SDK's types have names for what it passes by place.
    asked: Any = elicited
    words: Any = sampled if server.sampling in ("ask", "auto") else None
    listed: Any = folders if server.roots else None
    return Client(
        framed_transport(transport, hide),
        cache=None,
        elicitation_callback=asked,
        sampling_callback=words,
        logging_callback=logged,
        log_level=_LOG_LEVEL,
        list_roots_callback=listed,
    )


async def ask_for_log(client: Client) -> None:
    """Ask a server that logs for the lines that a user may want; what it answers changes nothing."""
    if client.server_capabilities.logging is None or client.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return  # it has none, or each request says so
    wanted = SetLevelRequest(params=SetLevelRequestParams(level=_LOG_LEVEL))
    with suppress(MCPError, TimeoutError, ValueError):
        await client.session.send_request(wanted, EmptyResult, request_read_timeout_seconds=_LOG_LEVEL_S)


def _log_text(params: LoggingMessageNotificationParams) -> str:
    data = params.data
    if isinstance(data, dict) and isinstance(data.get("message"), str) and len(data) == 1:
        data = data["message"]
    text = data if isinstance(data, str) else msgspec.json.encode(data)[:_MAX_DATA_CHARS].decode("utf-8", "replace")
    return f"{params.logger}: {text}" if params.logger else text


def _root(folder: str) -> Root:
    found = Path(folder).expanduser().resolve()
    return Root(uri=FileUrl(found.as_uri()), name=found.name)
