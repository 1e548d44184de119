"""MCP servers that are started with the first call of one of their tools, from the list that they gave before."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep_hosts import Agent, CallProgress, ScriptedModel, calls, says
from purestep_hosts.mcp import McpError, McpServer, McpServers, server_entries
from purestep_hosts.mcp.server_entry import BadMcpServer
from purestep_hosts.state_folder import state_folder
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tests.event_loops import run_in_loop
from tests.hosts.test_mcp_asking import RAW
from tests.hosts.test_mcp_servers import SOON_S, run

READS = {"readOnlyHint": True}


def tool(name: str, **members: Any) -> dict[str, Any]:
    """A tool as a server lists it."""
    return {"name": name, "inputSchema": {"type": "object"}, "annotations": READS, **members}


class Changing:
    """A server whose list the test changes, between two starts of the same entry."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "server.json"
        self._starts = folder / "starts"
        self.entry = McpServer(name="raw", command=(sys.executable, RAW, f"@{self.file}"), lazy=True)

    def lists(self, *tools: dict[str, Any]) -> None:
        """Have it list these from the next start on."""
        self.file.write_text(json.dumps({"tools": tools, "starts": str(self._starts)}))

    @property
    def starts(self) -> int:
        """How often it was started."""
        return len(self._starts.read_text().split()) if self._starts.exists() else 0


@pytest.fixture
def server(tmp_path: Path) -> Changing:
    """A server that has listed two tools before."""
    found = Changing(tmp_path)
    found.lists(tool("go"), tool("stay"))
    with McpServers(found.entry):
        pass
    assert 1 == found.starts
    return found


def names(servers: McpServers) -> list[str]:
    """The tools that an agent is given."""
    return [each.name for each in servers.tools]


def test_a_server_is_started_by_the_first_call(server: Changing) -> None:
    """Not by what only asks which tools there are, nor by an end without a call; once for several calls."""
    with McpServers(server.entry) as servers:
        assert (["raw__go", "raw__stay"], 1) == (names(servers), server.starts)
    with McpServers(server.entry) as servers:
        results = [run(servers, name, {}) for name in ("raw__go", "raw__stay", "raw__go")]
    assert ([True] * 3, 2) == ([result["ok"] for result in results], server.starts)


def test_calls_at_once_start_it_once(server: Changing) -> None:
    """The second waits for the start of the first."""
    both = {"tool_calls": [{"name": f"raw__{name}", "arguments": {}} for name in ("go", "stay")]}
    with McpServers(server.entry) as servers:
        agent = Agent(ScriptedModel([json.dumps(both), says("Done.")]), tools=servers.tools, dialect="auto")
        log = agent.run_sync("Go.").log
    assert (2, True, True) == (server.starts, '"output":"go"' in log, '"output":"stay"' in log)


def test_what_may_be_called_is_kept_and_there(server: Changing) -> None:
    """A tool that is gone, or takes or does something else now, does not run; one that is as it was does.

    Those that are new are not offered, and the next run has the list as it is.
    """
    server.lists(tool("go", annotations={"readOnlyHint": False}), tool("other"))
    with McpServers(server.entry) as servers:
        assert ["raw__go", "raw__stay"] == names(servers)
        changed, gone = [run(servers, name, {})["error"] for name in ("raw__go", "raw__stay")]
    assert "has changed go since its list was kept; nothing was run" in changed
    assert "does not have stay any more; nothing was run" in gone
    with McpServers(server.entry) as servers:
        assert ["raw__go", "raw__other"] == names(servers)
        assert run(servers, "raw__other", {})["ok"]


def test_a_list_that_differs_is_told_once(server: Changing) -> None:
    """Whoever watches the run reads what is gone, new and changed; another description is no change."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    server.lists(tool("stay", description="Of today."), tool("go", inputSchema=schema), tool("other"))

    async def main() -> list[CallProgress]:
        model = ScriptedModel([calls("raw__stay"), calls("raw__stay"), says("Done.")])
        async with McpServers(server.entry) as servers:
            agent = Agent(model, tools=servers.tools)
            return [event async for event in agent.stream("Go.") if isinstance(event, CallProgress)]

    (found,) = run_in_loop(main())
    text = "the MCP server raw lists other tools than when its list was kept: new: other; changed: go. "
    assert ("warning", f"{text}The next run has them") == (found.level, found.text)


@pytest.mark.parametrize("lazy", [False, True])
def test_a_list_that_changes_with_each_call_changes_nothing_of_a_run(tmp_path: Path, lazy: bool) -> None:
    """The definition has the list that the run began with, and what stays in it can be called."""
    found = Changing(tmp_path)
    for number in range(3):
        sent = {"tools": [tool("go")], "changes": number * 100, "starts": str(tmp_path / "starts")}
        found.file.write_text(json.dumps(sent))
        with McpServers(msgspec.structs.replace(found.entry, lazy=lazy)) as servers:
            model = ScriptedModel([calls("raw__go"), calls("raw__go"), says("Done.")])
            agent = Agent(model, tools=servers.tools)
            result = agent.run_sync("Go.")
        last = f"raw__of_{max(number - lazy, 0) * 100 + 1}"  # a lazy one has the list of the start before
        assert ["raw__go", last] == list(agent.definition.host_tools)
        assert ("Done.", 2) == (result.answer, result.log.count('"output":"go"'))


def test_a_server_that_does_not_start_is_an_error_result_and_tried_again(server: Changing) -> None:
    """Nothing was run, so the call may be made again."""
    whole = server.file.read_text()
    server.file.write_text("{")
    with McpServers(server.entry) as servers:
        failed = run(servers, "raw__go", {})
        server.file.write_text(whole)
        assert ({"ok": True, "output": "go"}, "io") == (run(servers, "raw__go", {}), failed["error_kind"])


def test_a_call_that_waits_for_a_start_can_be_stopped(server: Changing) -> None:
    """Its time limit holds, however long the server takes."""
    server.file.write_text(json.dumps({"sleeps_s": 600}))
    with McpServers(server.entry) as servers:
        box = Toolbox(ToolConfig(session_dir=Path(os.devnull), names=()))
        box.register(msgspec.structs.replace(servers.tools[0], time_limit_s=0.3))
        began = time.monotonic()
        result = box.run("raw__go", {}, "key")
    assert ("the MCP server raw did not start in time", True) == (result["error"], time.monotonic() - began < SOON_S)


def test_a_list_that_cannot_be_read_starts_the_server(server: Changing) -> None:
    """As one that is not there does."""
    (file,) = (state_folder() / "mcp").glob("tools-*")
    file.write_text('{"listed": 5}')
    with McpServers(server.entry) as servers:
        assert (["raw__go", "raw__stay"], 2) == (names(servers), server.starts)


def test_resources_start_it_too(server: Changing) -> None:
    """Only the server knows them."""
    with McpServers(server.entry) as servers:
        assert () == servers.resources()
    assert 2 == server.starts


def test_lazy_is_true_or_false() -> None:
    """In an agent file, for programs and addresses."""
    entries = {"a": {"command": "server", "lazy": True}, "b": {"url": "https://example.com", "lazy": True}}
    assert [True, True] == [entry.lazy for entry in server_entries(entries, "a.yaml")]
    with pytest.raises(BadMcpServer, match="lazy is a text; expected true or false"):
        server_entries({"a": {"command": "server", "lazy": "yes"}}, "a.yaml")
    with pytest.raises(McpError, match="there is no program"):
        McpServers(McpServer(name="a", command=("no-such-program",), lazy=True))
