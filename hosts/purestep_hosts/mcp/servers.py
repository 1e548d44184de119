"""The MCP servers of a run: connected at once, their tools together, closed together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Final, Self

from msgspec.structs import replace

from purestep_hosts.agents.late import LateCall, LateResult
from purestep_hosts.attachments import Attachment
from purestep_hosts.mcp.connection import McpConnection
from purestep_hosts.mcp.late_tasks import results_of_tasks
from purestep_hosts.mcp.lazy_server import LazyServer, ServerConnection
from purestep_hosts.mcp.listed_tools import ListedTool
from purestep_hosts.mcp.outside import (
    ListedPrompt,
    ListedResource,
    listed_prompts,
    listed_resources,
    read_prompt,
    read_resource,
)
from purestep_hosts.mcp.sampling import SAMPLING, Sampling, as_sampling
from purestep_hosts.mcp.server_entry import BadMcpServer, McpError, McpServer, server_of
from purestep_hosts.mcp.server_tools import tool_name, tool_of
from purestep_hosts.mcp.tasks import named_by
from purestep_hosts.outside_data import OutsideData
from purestep_hosts.tools.tool import Tool

MAX_TOOLS: Final = 1000
"""Of one server: where there are many a model finds them, and a definition has room for those of several servers."""


class McpServers:
    """Connected servers. Use it in a `with` or `async with` block; its end ends the programs.

    `tools` are those of all servers. `warnings` say, in a sentence each, which tools were left out and why.
    """

    def __init__(
        self,
        *servers: McpServer | str,
        login: Callable[[str], object] | None = None,
        sampling: Sampling = "off",
    ) -> None:
        """Connect to all servers and list their tools; raises McpError, BadMcpServer, MissingExtraError.

        login: shows a person the address at which to log in to a server that wants it, such as `webbrowser.open`;
        without, only logins of before are used. sampling: of those that do not say it themselves, as in `McpServer`.
        """
        if as_sampling(sampling) is None:
            raise BadMcpServer(f"sampling is {sampling!r:.80}; expected {', '.join(SAMPLING)}")
        found = [server_of(each) if isinstance(each, str) else each for each in servers]
        found = [each if each.sampling else replace(each, sampling=sampling) for each in found]
        self.tools: tuple[Tool, ...] = ()
        self.warnings: tuple[str, ...] = ()
        self._connections: list[ServerConnection] = []
        self._listed: dict[str, tuple[ServerConnection, ListedTool]] = {}
        _check_names(found)
        try:
            for server in found:
                self._connections.append(LazyServer(server, login) if server.lazy else McpConnection(server, login))
            for connection in self._connections:
                connection.wait()
                self._take(connection)
        except BaseException:
            self.close()
            raise

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the servers."""
        return tuple([each.server.name for each in self._connections])

    def resources(self, server: str | None = None) -> tuple[ListedResource, ...]:
        """Return the resources and templates of a server, or of all; raises McpError."""
        return tuple([each for one in self._named(server) for each in listed_resources(one)])

    def prompts(self, server: str | None = None) -> tuple[ListedPrompt, ...]:
        """Return the prompts of a server, or of all; raises McpError."""
        return tuple([each for one in self._named(server) for each in listed_prompts(one)])

    def resource(self, server: str, name: str, /, **values: str) -> OutsideData:
        """Return what a resource holds, to attach it to a question.

        name: its name or its address. values: of the names in a template's braces. Raises McpError.
        """
        return read_resource(self._named(server)[0], name, values)

    def prompt(self, server: str, name: str, /, **arguments: str) -> OutsideData:
        """Return what a server's prompt says, to attach it to a question; raises McpError."""
        return read_prompt(self._named(server)[0], name, arguments)

    def knows(self, call: LateCall) -> bool:
        """Whether a call went on as a task of one of these servers."""
        named, found = named_by(call.handle), self._listed.get(call.tool)
        return named is not None and found is not None and named[0] == found[0].server.name

    def late_results(
        self,
        calls: Iterable[LateCall],
        tell: Callable[[str], object] | None = None,
        keep: Callable[[Attachment], None] | None = None,
    ) -> tuple[LateResult, ...]:
        """Return the results of calls that went on as tasks of these servers, for `results=` of their run.

        calls: of `RunResult.late`, whichever process made them; those of other tools are passed over. A task that has
        failed, was cancelled or is not known any more gives a result that says so; one that still works gives none, and
        `tell` is given a sentence of it. keep: takes the images and files of results, such as the `put` of a store of
        attachments; without, they are left out.
        """
        return tuple(results_of_tasks(self._listed, calls, tell or (lambda _: None), keep))

    def _named(self, server: str | None) -> list[ServerConnection]:
        found = [each for each in self._connections if server in (None, each.server.name)]
        if not found and server is not None:
            names = ", ".join(self.names) or "none"
            raise McpError(f"there is no MCP server {server!r:.80}; there are {names}")
        return found

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

    def _take(self, connection: ServerConnection) -> None:
        name = connection.server.name
        for refused, why in _wanted_refusals(connection):
            self.warnings += (f"the tool {refused} of the MCP server {name} is left out: {why}",)
        seen: set[str] = set()
        tools = list(self._chosen(connection))
        # A name that needs no change is its tool's own, whatever else the server lists.
        own = {tool.name for tool in tools if tool_name("", tool.name) == f"__{tool.name}"}
        for listed in tools:
            if listed.name in seen:
                self.warnings += (f"the MCP server {name} lists {listed.name!r:.120} twice; the first one is used",)
                continue
            seen.add(listed.name)
            taken = {tool.name for tool in self.tools}
            if listed.name not in own:
                taken |= {f"{name}__{each}" for each in own}
            tool = tool_of(connection, listed, tool_name(name, listed.name, taken))
            self.tools += (tool,)
            self._listed[tool.name] = (connection, listed)
            self.warnings += tuple(f"the tool {tool.name!r}: {warning}" for warning in listed.warnings)

    def _chosen(self, connection: ServerConnection) -> Iterator[ListedTool]:
        server, listed = connection.server, connection.listed
        if server.tools is not None:
            names = {each.name for each in listed}
            refused = {name for name, _ in connection.refused}
            for wanted in server.tools:
                if wanted not in names and repr(wanted) not in refused:
                    there_are = ", ".join(sorted(names)) or "none"
                    raise McpError(f"the MCP server {server.name} has no tool {wanted!r}; its tools are {there_are}")
            listed = tuple(each for each in listed if each.name in server.tools)
        if len(listed) > MAX_TOOLS:
            text = f"lists {len(listed)} tools, of which the first {MAX_TOOLS} are used; `tools` of its entry chooses"
            self.warnings += (f"the MCP server {server.name} {text}",)
        yield from listed[:MAX_TOOLS]


def _wanted_refusals(connection: ServerConnection) -> Iterator[tuple[str, str]]:
    """Return the tools that cannot be used, of those that the entry asks for."""
    wanted = connection.server.tools
    names = None if wanted is None else {repr(name) for name in wanted}
    yield from (each for each in connection.refused[:MAX_TOOLS] if names is None or each[0] in names)


def _check_names(servers: Iterable[McpServer]) -> None:
    seen: set[str] = set()
    for server in servers:
        if server.name in seen:
            raise McpError(f"two MCP servers are named {server.name}; give one another name: NAME={server.place}")
        seen.add(server.name)
