"""A tool that an MCP server lists as a tool of this host, and what a call of it gives."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import msgspec

import purestep
from purestep_hosts.mcp.connection import McpConnection
from purestep_hosts.tools.tool import OPEN, RunningCall, Tool, ToolFailure, hints

if TYPE_CHECKING:
    from mcp_types import CallToolResult
    from mcp_types import Tool as ListedTool

TIME_LIMIT_S: Final = 60.0
"""Of one call: servers ask services that have limits of this order."""

_MAX_NAME_CHARS: Final = 64
"""Providers with native tool calls take as many."""

_MAX_DESCRIPTION_CHARS: Final = 2000
"""Several times what good ones have: all of them stand in every prompt."""


class RefusedTool(Exception):
    """A listed tool that cannot be used; the message says why."""


def tool_of(connection: McpConnection, listed: ListedTool) -> Tool:
    """Return a listed tool as one of this host; raises RefusedTool."""

    def run(params: dict[str, Any], call: RunningCall) -> Any:
        return output_of(connection.call(listed.name, params, call), connection.server.name)

    name = tool_name(connection.server.name, listed.name)
    annotations = _annotations(listed)
    # The schema of outputs stays with the SDK, which holds the server to it: the core would have the model call again.
    entry = {"name": name, "description": _description(listed), "inputSchema": listed.input_schema}
    try:
        spec = purestep.Agent.load({"tools": [entry]}).definition.tools[0]
    except purestep.PurestepError as error:
        raise RefusedTool(error.message) from None
    return Tool(
        name=name,
        description=spec.description,
        parameters=msgspec.to_builtins(spec.parameters),
        run=run,
        annotations=annotations,
        labels=OPEN,
        approval="auto" if annotations["readOnlyHint"] else "ask",
        time_limit_s=TIME_LIMIT_S,
    )


def tool_name(server: str, tool: str) -> str:
    """Return the name of a server's tool: SERVER__TOOL of characters that every provider takes, cut with a digest."""
    name = f"{server}__{re.sub(r'[^A-Za-z0-9_-]', '_', tool)}"
    if len(name) <= _MAX_NAME_CHARS:
        return name
    return f"{name[: _MAX_NAME_CHARS - 9]}_{hashlib.sha256(tool.encode()).hexdigest()[:8]}"


def output_of(result: CallToolResult, server: str) -> Any:
    """Return a result's structured content, or its text with a line for all that is no text; raises ToolFailure."""
    text = "\n".join(_lines(result))
    if result.is_error:
        raise ToolFailure(text or f"the MCP server {server} reported an error and did not say which")
    is_text = all(block.type == "text" for block in result.content)
    if result.structured_content is None:
        return text
    return result.structured_content if is_text else {"structured": result.structured_content, "content": text}


def _lines(result: CallToolResult) -> Iterable[str]:
    for block in result.content:
        match block.type:
            case "text":
                yield block.text
            case "image" | "audio":
                yield f"[left out: {block.type}, {block.mime_type}, about {len(block.data) * 3 // 4} bytes]"
            case "resource_link":
                yield f"[link: {block.name}, {block.uri}]"
            case "resource":
                found = getattr(block.resource, "text", None)
                yield found if found is not None else f"[left out: resource {block.resource.uri}, not a text]"


def _annotations(listed: ListedTool) -> dict[str, bool]:
    """Return the server's hints, with MCP's own defaults for those that it does not give."""
    given = listed.annotations
    reads = given is not None and given.read_only_hint is True
    return hints(
        read_only=reads,
        destructive=not reads and (given is None or given.destructive_hint is not False),
        idempotent=reads or (given is not None and given.idempotent_hint is True),
        open_world=given is None or given.open_world_hint is not False,
    )


def _description(listed: ListedTool) -> str:
    text = "".join(c if c.isprintable() or c == "\n" else " " for c in listed.description or listed.title or "")
    return text if len(text) <= _MAX_DESCRIPTION_CHARS else f"{text[:_MAX_DESCRIPTION_CHARS]}…"
