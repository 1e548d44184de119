"""A server that is not started before something is asked of it: until then its tools are those that it listed last.

    mcp/tools-DIGEST.json   in the user's state folder: the list of one entry, in one folder, of one version of purestep

A definition has the tools of the list that was kept, and what is approved for them. So a call of one that the server
does not have any more, or that now takes or does something else, is refused; whoever watches the run is told, and the
list is renewed for the next one.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

import purestep
from purestep import decode_as
from purestep_hosts import durable_files
from purestep_hosts.extras import MissingExtraError
from purestep_hosts.mcp.connection import McpConnection
from purestep_hosts.mcp.listed_tools import ListedTool
from purestep_hosts.mcp.results import ServerResult
from purestep_hosts.mcp.server_entry import McpError, McpServer
from purestep_hosts.mcp.tasks import OpenTask
from purestep_hosts.state_folder import digest_of, state_folder
from purestep_hosts.tools.call_note import CallNote
from purestep_hosts.tools.later import Later
from purestep_hosts.tools.tool import RunningCall, ToolFailure

if TYPE_CHECKING:
    from mcp import Client

    from purestep_hosts.mcp.login import ShowAddress

_POLL_S: Final = 0.1
"""How often a call that waits for the start looks whether it was stopped."""

_MAX_TOLD: Final = 8
"""Names of tools in what is told; more are not read."""


class KeptList(msgspec.Struct, frozen=True, kw_only=True):
    """What a server listed: its tools, and the others with why they cannot be used."""

    listed: tuple[ListedTool, ...]
    refused: tuple[tuple[str, str], ...]


class LazyServer:
    """A server as a connection has it, which is made when it is needed."""

    def __init__(self, server: McpServer, show: ShowAddress | None = None) -> None:
        """Read the list; without one the server is started now. show: as in McpConnection."""
        self.server = server
        self._show = show
        self._lock = threading.Lock()
        self._kept = _read(server)
        self._is_new = self._kept is None
        self._connection = McpConnection(server, show) if self._kept is None else None
        self._is_compared = False

    def wait(self) -> None:
        """Return when the tools are known; raises McpError."""
        if self._is_new:
            connection = self._started()
            connection.wait()
            self._kept = KeptList(listed=connection.listed, refused=connection.refused)
            self._is_compared = True
            _write(self.server, self._kept)

    @property
    def listed(self) -> tuple[ListedTool, ...]:
        """The tools that can be used."""
        return () if self._kept is None else self._kept.listed

    @property
    def refused(self) -> tuple[tuple[str, str], ...]:
        """The other tools, with why not."""
        return () if self._kept is None else self._kept.refused

    def call(self, tool: str, params: dict[str, Any], running: RunningCall) -> ServerResult | Later:
        """Return the server's result of a call; raises as McpConnection does."""
        connection = self._started()
        try:
            while not connection.is_ready(_POLL_S):
                if not running.remaining_s():
                    raise ToolFailure(f"the MCP server {self.server.name} did not start in time", "io")
        except McpError as error:
            self._drop(connection)
            raise ToolFailure(error.message, "io") from None
        self._compare(connection, running)
        self._check(connection, tool)
        return connection.call(tool, params, running)

    def late(self, tool: str, task_id: str) -> ServerResult | ToolFailure | OpenTask:
        """Return what became of a task; as McpConnection does."""
        try:
            return self._ready().late(tool, task_id)
        except McpError as error:
            return OpenTask(why=error.message)

    def has(self, capability: str) -> bool:
        """Whether the server says that it has something; raises McpError where it does not start."""
        return self._ready().has(capability)

    def request(self, ask: Callable[[Client], Awaitable[Any]]) -> dict[str, Any]:
        """Return what the server sent in answer to a request; raises McpError."""
        return self._ready().request(ask)

    def close(self) -> None:
        """End the connection, if there is one."""
        if self._connection is not None:
            self._connection.close()

    def _ready(self) -> McpConnection:
        connection = self._started()
        connection.wait()
        return connection

    def _started(self) -> McpConnection:
        with self._lock:
            if self._connection is None:
                self._connection = McpConnection(self.server, self._show)
            return self._connection

    def _drop(self, connection: McpConnection) -> None:
        """Forget a connection that was never made, so that the next call tries again."""
        with self._lock:
            if self._connection is connection:
                self._connection = None

    def _compare(self, connection: McpConnection, running: RunningCall) -> None:
        """Renew a list that is not the server's any more, and tell of it once."""
        with self._lock:
            if self._is_compared:
                return
            self._is_compared = True
        found = KeptList(listed=connection.listed, refused=connection.refused)
        if found == self._kept:
            return
        _write(self.server, found)
        if changes := list(_changes(self.listed, found.listed)):
            text = f"the MCP server {self.server.name} lists other tools than when its list was kept: "
            running.note(CallNote(text=f"{text}{'; '.join(changes)}. The next run has them", level="warning"))

    def _check(self, connection: McpConnection, tool: str) -> None:
        """Raise ToolFailure for a tool that is not what the list says."""
        kept, found = _named(self.listed).get(tool), _named(connection.listed).get(tool)
        if found is None:
            raise ToolFailure(f"the MCP server {self.server.name} does not have {tool} any more; nothing was run")
        if kept is None or _does(kept) != _does(found):
            text = f"the MCP server {self.server.name} has changed {tool} since its list was kept; nothing was run"
            raise ToolFailure(text)


ServerConnection = McpConnection | LazyServer


def _named(listed: tuple[ListedTool, ...]) -> dict[str, ListedTool]:
    return {tool.name: tool for tool in reversed(listed)}


def _does(tool: ListedTool) -> tuple[Any, ...]:
    """Return what a tool takes, gives and may do: its description may name the day."""
    return tool.parameters, tool.output_schema, tool.hints


def _changes(kept: tuple[ListedTool, ...], found: tuple[ListedTool, ...]) -> Any:
    before, after = _named(kept), _named(found)
    for what, names in (
        ("gone", [name for name in before if name not in after]),
        ("new", [name for name in after if name not in before]),
        ("changed", [name for name in before if name in after and _does(before[name]) != _does(after[name])]),
    ):
        if names:
            more = f" and {len(names) - _MAX_TOLD} more" if len(names) > _MAX_TOLD else ""
            yield f"{what}: {', '.join(names[:_MAX_TOLD])}{more}"


def _path(server: McpServer) -> Path:
    entry = msgspec.json.encode(server).decode()
    return state_folder() / "mcp" / f"tools-{digest_of(purestep.__version__, str(Path.cwd()), entry)}.json"


def _read(server: McpServer) -> KeptList | None:
    try:
        return decode_as(_path(server).read_bytes(), KeptList)
    except (OSError, MissingExtraError, msgspec.MsgspecError):
        return None


def _write(server: McpServer, kept: KeptList) -> None:
    """Keep a list; where it cannot be, the server is started at once the next time."""
    with suppress(OSError, MissingExtraError):
        path = _path(server)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        durable_files.replace(path, msgspec.json.encode(kept))
