"""The tools of an MCP server as tools of this host: their names, their hints, and what a call of one gives."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container
from typing import Any, Final

import purestep
from purestep_hosts.mcp.lazy_server import ServerConnection
from purestep_hosts.mcp.listed_tools import ListedTool
from purestep_hosts.mcp.results import ServerResult
from purestep_hosts.tools.later import Later
from purestep_hosts.tools.tool import OPEN, RunningCall, Tool, ToolFailure, hints

TIME_LIMIT_S: Final = 60.0
"""Of one call: servers ask services that have limits of this order."""

_MAX_NAME_CHARS: Final = 64
"""Providers with native tool calls take as many."""

_DIGEST_CHARS: Final = (8, 16, 32)
"""Of the digest in a name: a longer one where a shorter is taken."""


def tool_of(connection: ServerConnection, listed: ListedTool, name: str) -> Tool:
    """Return a listed tool as one of this host, under a name."""

    def run(params: dict[str, Any], call: RunningCall) -> Any:
        found = connection.call(listed.name, params, call)
        return found if isinstance(found, Later) else output_of(found, listed, connection.server.name)

    reads = listed.hints.get("readOnlyHint", False)
    # MCP's own defaults for the hints that a server does not give. The schema of outputs is checked here: the core
    # would have the model call again.
    return Tool(
        name=name,
        description=listed.description,
        parameters=listed.parameters,
        run=run,
        annotations=hints(
            read_only=reads,
            destructive=not reads and listed.hints.get("destructiveHint", True),
            idempotent=reads or listed.hints.get("idempotentHint", False),
            open_world=listed.hints.get("openWorldHint", True),
        ),
        labels=OPEN,
        approval="auto" if reads else "ask",
        time_limit_s=TIME_LIMIT_S,
    )


def output_of(result: ServerResult, listed: ListedTool, server: str) -> Any:
    """Return what a listed tool's call gives; raises ToolFailure for an error, and for what breaks its own schema."""
    _check_output(result, listed, server)
    return result.output(server)


def tool_name(server: str, tool: str, taken: Container[str] = ()) -> str:
    """Return the name of a server's tool: SERVER__TOOL of characters that every provider takes.

    A name that is too long, or taken by another tool, is cut and ends with a digest of the tool's own.
    """
    name = f"{server}__{re.sub(r'[^A-Za-z0-9_-]', '_', tool)}"
    if len(name) <= _MAX_NAME_CHARS and name not in taken:
        return name
    digest = hashlib.sha256(tool.encode("utf-8", "surrogatepass")).hexdigest()
    found = (f"{name[: _MAX_NAME_CHARS - chars - 1]}_{digest[:chars]}" for chars in _DIGEST_CHARS)
    return next((each for each in found if each not in taken), f"{server[:31]}_{digest[: _MAX_NAME_CHARS // 2]}")


def _check_output(result: ServerResult, listed: ListedTool, server: str) -> None:
    """Raise ToolFailure for a result that breaks the server's own schema: it may have acted, and says nothing."""
    if listed.output_schema is None or result.is_error:
        return
    errors = purestep.check_json(listed.output_schema, result.structured).errors
    if errors:
        what = "has no structuredContent" if result.structured is None else f"does not fit: {errors[0].message}"
        text = f"the MCP server {server} failed: its result {what}, by its own outputSchema; {listed.name} may have run"
        raise ToolFailure(text, "interrupted")
