"""The MCP servers of a command: those of `--mcp`, and those of the agent file, which a person confirms first."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from purestep_hosts.agent_tree import AgentPart, read_agent_parts
from purestep_hosts.approval import can_ask
from purestep_hosts.cli.confirming import confirm_servers
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line
from purestep_hosts.tools.tool import Tool

if TYPE_CHECKING:
    from purestep_hosts.mcp import McpServer, McpServers

Waiting = Callable[[str], AbstractContextManager[None]]
_MEMBER = "mcp"


class CommandServers:
    """The connected servers of a command, closed with its `with` block; without any, nothing is imported."""

    def __init__(self) -> None:
        self._servers: McpServers | None = None
        self._named: list[AgentPart] = []

    def connect(self, choice: AgentChoice, interrupts: Interrupts, waiting: Waiting, *, asks: bool) -> None:
        """Connect to the servers, once; raises NotConfirmed, McpError, BadMcpServer, MissingExtraError.

        waiting: shows what is waited for. asks: whether a person has to confirm the servers of an agent file.
        """
        parts = () if choice.agent is None else read_agent_parts(choice.agent).parts()
        self._named = [part for part in parts if part.definition.get(_MEMBER) is not None]
        if self._servers is not None or not (self._named or choice.mcp):
            return
        from purestep_hosts.mcp import McpServers, server_entries, server_of

        of_file: list[McpServer] = []
        for part in self._named:
            entries = server_entries(part.definition[_MEMBER], part.where)
            of_file += [each for each in entries if each not in of_file]
        if of_file and asks:
            confirm_servers(of_file, str(choice.agent), Path.cwd(), interrupts)
        given = [server_of(each) for each in choice.mcp]
        if not of_file and not given:
            return
        with waiting("starting MCP servers"):
            login = _open_login if can_ask() else None
            self._servers = interrupts.run(lambda: McpServers(*of_file, *given, login=login))
        printer = stderr_printer()
        for warning in self._servers.warnings:
            printer.row(Row("mcp", one_line(warning), "warning"))

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools of all servers."""
        return self._servers.tools if self._servers is not None else ()

    @property
    def brought(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """The names of the tools of the servers that a definition of the agent file names, by its agent's path."""
        return {
            part.path: tuple(
                [tool.name for tool in self.tools if tool.name.partition("__")[0] in part.definition[_MEMBER]]
            )
            for part in self._named
        }

    @property
    def connected(self) -> McpServers | None:
        """The servers, once they are connected; None where the command has none."""
        return self._servers

    def close(self) -> None:
        """End the servers."""
        if self._servers is not None:
            self._servers.close()


def _open_login(address: str) -> None:
    """Show the address of a login, and open it where there is a browser with a window."""
    printer = stderr_printer()
    printer.row(Row("login", "a server wants you to log in, at this address:", "warning"))
    printer.line(one_line(address))
    if sys.platform == "darwin" or any(os.environ.get(each) for each in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
        webbrowser.open(address)


def without_servers(definition: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of an agent file without the servers that it names."""
    return {name: value for name, value in definition.items() if name != _MEMBER}
