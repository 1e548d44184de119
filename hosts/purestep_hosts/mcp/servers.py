"""The MCP servers of a run: connected at once, their tools together, closed together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from purestep_hosts.mcp.connection import McpConnection, McpError
from purestep_hosts.mcp.listed_tools import RefusedTool, tool_of
from purestep_hosts.mcp.server_entry import McpServer, server_of
from purestep_hosts.tools.tool import Tool

if TYPE_CHECKING:
    from mcp_types import Tool as ListedTool

MAX_TOOLS: Final = 64
"""Of one server: more do not fit the prompt of most models, and a choice of them does (`McpServer.tools`)."""


class McpServers:
    """Connected servers. Use it in a `with` or `async with` block; its end ends the programs.

    `tools` are those of all servers. `warnings` say, in a sentence each, which tools were left out and why.
    """

    def __init__(self, *servers: McpServer | str) -> None:
        """Connect to all servers and list their tools; raises McpError, BadMcpServer, MissingExtraError."""
        found = [server_of(each) if isinstance(each, str) else each for each in servers]
        self.tools: tuple[Tool, ...] = ()
        self.warnings: tuple[str, ...] = ()
        self._connections: list[McpConnection] = []
        _check_names(found)
        try:
            for server in found:
                self._connections.append(McpConnection(server))
            for connection in self._connections:
                connection.wait()
                self._take(connection)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End all connections and programs."""
        for connection in self._connections:
            connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.close)

    def _take(self, connection: McpConnection) -> None:
        name = connection.server.name
        taken = {tool.name for tool in self.tools}
        for listed in self._chosen(connection):
            try:
                tool = tool_of(connection, listed)
            except RefusedTool as refused:
                self.warnings += (f"the tool {listed.name!r} of the MCP server {name} is left out: {refused}",)
                continue
            if tool.name in taken:
                self.warnings += (f"the MCP server {name} lists {tool.name!r} twice; the first one is used",)
                continue
            taken.add(tool.name)
            self.tools += (tool,)

    def _chosen(self, connection: McpConnection) -> Iterator[ListedTool]:
        server, listed = connection.server, connection.listed
        if server.tools is not None:
            names = {each.name for each in listed}
            for wanted in server.tools:
                if wanted not in names:
                    there_are = ", ".join(sorted(names)) or "none"
                    raise McpError(f"the MCP server {server.name} has no tool {wanted!r}; its tools are {there_are}")
            listed = tuple(each for each in listed if each.name in server.tools)
        if len(listed) > MAX_TOOLS:
            text = f"lists {len(listed)} tools, of which the first {MAX_TOOLS} are used; `tools` of its entry chooses"
            self.warnings += (f"the MCP server {server.name} {text}",)
        yield from listed[:MAX_TOOLS]


def _check_names(servers: Iterable[McpServer]) -> None:
    seen: set[str] = set()
    for server in servers:
        if server.name in seen:
            raise McpError(f"two MCP servers are named {server.name}; give one another name: NAME={server.place}")
        seen.add(server.name)
