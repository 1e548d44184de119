"""What MCP servers tell while a call runs, and which folders they are told of: a real server, and hostile ones."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from purestep_hosts import Agent, CallProgress, Invocation, ScriptedModel, calls, says
from purestep_hosts.mcp import McpServer, McpServers, server_entries
from purestep_hosts.mcp.server_entry import BadMcpServer
from purestep_hosts.show.printer import Printer
from purestep_hosts.show.screen import Screen
from purestep_hosts.tools.call_note import CallNote, NoteLimit
from tests.event_loops import run_in_loop
from tests.hosts.test_mcp_asking import EVERYTHING, RAW, TOOL

LINE = {"level": "info", "data": "step"}


def telling(*tells: Any, times: int = 1, opened: Any = None) -> McpServer:
    """A server whose tool tells this before its result."""
    given = {"tools": [TOOL], "tells": tells, "times": times, "opened": opened or {}}
    return McpServer(name="raw", command=(sys.executable, RAW, json.dumps(given)))


def told_by(server: McpServer, tool: str = "raw__go", **params: Any) -> tuple[list[CallProgress], str]:
    """The progress events of a run's stream, and the run's log."""

    async def main() -> tuple[list[CallProgress], str]:
        async with McpServers(server) as servers:
            agent = Agent(ScriptedModel([calls(tool, **params), says("Done.")]), tools=servers.tools)
            async with agent.stream("Go.", approve=lambda call: True) as events:
                found = [event async for event in events if isinstance(event, CallProgress)]
            return found, events.result.log

    return run_in_loop(main())


@pytest.mark.needs("node")
def test_progress_of_a_real_server_is_in_the_stream_and_not_in_the_log() -> None:
    """Each step of a long call is an event with its number of steps; the log is that of a call that tells nothing."""
    found, log = told_by(EVERYTHING, "everything__trigger-long-running-operation", duration=1, steps=4)
    assert [(1, 4), (2, 4), (3, 4), (4, 4)] == [(each.done, each.total) for each in found]
    kinds = [json.loads(line)["kind"] for line in log.splitlines()]
    assert ["tool_call", "tool_result"] == [kind for kind in kinds if kind.startswith("tool_")]


def test_lines_of_a_log_are_plain_and_name_their_level() -> None:
    """Codes for a terminal are gone, long lines are cut, and data that is no text is JSON."""
    lines = [
        {"level": "warning", "logger": "db", "data": "\x1b[2Jslow\n\x07" + "x" * 1000},
        {"level": "info", "data": {"rows": 3}},
    ]
    found, _ = told_by(telling(*[("notifications/message", line) for line in lines]))
    assert [("warning", "db: [2Jslow " + "x" * 288 + "…"), ("info", '{"rows":3}')] == [
        (each.level, each.text) for each in found
    ]


def test_a_server_that_tells_without_end_is_bounded() -> None:
    """Some events come, the run ends with its result, and the next event counts those that were left out."""
    tells = [("notifications/progress", {"progress": 1, "message": "on"}), ("notifications/message", LINE)]
    found, log = told_by(telling(*tells, times=5000))
    assert 20 <= len(found) <= 200
    assert '"output":"told"' in log


def test_notes_that_come_too_fast_are_counted() -> None:
    """After a burst as many pass as a person can follow."""
    now, passed = [0.0], list[CallNote]()
    limit = NoteLimit(passed.append, lambda: now[0])
    for _ in range(100):
        limit.tell(CallNote(text="a", done=float("nan")))
    now[0] = 0.2
    limit.tell(CallNote(text="b"))
    assert ([None] * 20, CallNote(text="b", left_out=80)) == ([each.done for each in passed[:20]], passed[20])


@pytest.mark.parametrize("opened", [{"capabilities": {"tools": {}, "logging": {}}}])
def test_a_server_that_refuses_a_level_of_its_log_is_used(opened: Any) -> None:
    """What it says to that changes nothing."""
    found, _ = told_by(telling(("notifications/message", LINE), opened=opened))
    assert ["step"] == [each.text for each in found]


def test_a_tool_in_python_tells_how_far_it_is() -> None:
    """`Invocation.tell` is for tools of the program."""

    def sum_up(count: int, at: Invocation[None]) -> int:
        at.tell("adding", done=count, total=10)
        return count

    async def main() -> list[Any]:
        agent = Agent(ScriptedModel([calls("sum_up", count=4), says("4")]), tools=[sum_up])
        return [event async for event in agent.stream("Go.")]

    (found,) = [event for event in run_in_loop(main()) if isinstance(event, CallProgress)]
    assert ("sum_up", "adding", 4, 10, None) == (found.tool, found.text, found.done, found.total, found.level)


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (CallNote(text="copies", done=3, total=10), "tells      t: 3 of 10, copies\n"),
        (CallNote(text="slow", level="warning", left_out=7), "log        t: slow (7 left out before it)\n"),
    ],
)
def test_the_terminal_has_a_row(note: CallNote, expected: str) -> None:
    """Where no spinner turns."""
    out = io.StringIO()
    Screen(Printer(Console(file=out)), None, quiet=False).on_note("t", note)
    assert expected == out.getvalue()


@pytest.mark.needs("node")
def test_a_server_is_told_of_the_folders_that_the_user_names(tmp_path: Path) -> None:
    """And of no others; one without names has no such thing to ask for."""
    tool = "everything__get-roots-list"
    named = McpServer(name="everything", command=EVERYTHING.command, roots=(str(tmp_path),))
    _, log = told_by(named, tool)
    assert tmp_path.as_uri() in log
    with McpServers(EVERYTHING) as servers:
        assert tool not in [each.name for each in servers.tools]


def test_roots_of_an_agent_file_are_folders_of_a_program() -> None:
    """An address gets none: it would learn names of folders of this machine."""
    (found,) = server_entries({"files": {"command": "server", "roots": ["/srv/papers"]}}, "a.yaml")
    assert ("/srv/papers",) == found.roots
    for entry in ({"url": "https://example.com", "roots": ["/srv"]}, {"command": "server", "roots": [""]}):
        with pytest.raises(BadMcpServer, match="roots"):
            server_entries({"files": entry}, "a.yaml")
