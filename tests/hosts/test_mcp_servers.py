"""MCP servers as tools: real ones from the registries, and one that misbehaves in each way that we know."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts import Agent, ScriptedModel, calls, says
from purestep_hosts.mcp import McpError, McpServer, McpServers, server_entries, server_of
from purestep_hosts.mcp.server_entry import BadMcpServer
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tests.event_loops import run_in_loop

BAD = (sys.executable, str(Path(__file__).with_name("mcp_bad_server.py")))
TIME = McpServer(name="time", command=(sys.executable, "-m", "mcp_server_time"))
SOON_S = 300
"""Far more than an end takes, also on a machine that does other work."""


def bad(way: str, *more: str, **members: Any) -> McpServer:
    """The server that misbehaves in a way."""
    return McpServer(name="bad", command=(*BAD, way, *more), **members)


def came_of(way: str, time_limit_s: float = 30.0) -> dict[str, Any]:
    """The result of a call of the tool `go` of a server that misbehaves."""
    import msgspec

    with McpServers(bad(way)) as servers:
        box = Toolbox(ToolConfig(session_dir=Path(os.devnull), names=()))
        for tool in servers.tools:
            box.register(msgspec.structs.replace(tool, time_limit_s=time_limit_s))
        return box.run("bad__go", {}, "key")


def is_running(process: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return b") Z" not in Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return False


def all_ended(processes: list[int]) -> bool:
    """Whether all processes end soon."""
    deadline = time.monotonic() + SOON_S
    while any(map(is_running, processes)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(map(is_running, processes))


def test_server_from_pypi_is_used_by_an_agent() -> None:
    """Listed tools enter the definition, a call goes to the server, and its result is a fact in the log."""
    model = ScriptedModel([calls("time__get_current_time", timezone="Europe/Oslo"), says("It is day.")])
    with McpServers(TIME) as servers:
        agent = Agent(model, tools=servers.tools)
        result = agent.run_sync("What time is it in Oslo?")
    events = [json.loads(line) for line in result.log.splitlines()]
    names = [tool["name"] for tool in events[0]["agent"]["tools"]]
    results = [event for event in events if event["kind"] == "tool_result"]
    assert (["time__get_current_time", "time__convert_time"], "It is day.") == (names, result.answer)
    assert "Europe/Oslo" == results[0]["output"]["timezone"]


def test_servers_in_an_event_loop() -> None:
    """`async with` holds them, and several runs ask them at once."""

    async def main() -> list[str]:
        async with McpServers(TIME) as servers:
            outputs = [calls("time__get_current_time", timezone="Asia/Tokyo"), says("It is night.")]
            agents = [Agent(ScriptedModel(outputs), tools=servers.tools) for _ in range(8)]
            results = await asyncio.gather(*(agent.run("What time is it in Tokyo?") for agent in agents))
        return [result.answer for result in results]

    assert ["It is night."] * 8 == run_in_loop(main())


@pytest.fixture(scope="module")
def everything() -> Iterator[McpServers]:
    """The reference server of npm's registry, which has a tool of every kind."""
    program = Path(__file__).parents[2] / "web/node_modules/@modelcontextprotocol/server-everything/dist/index.js"
    if not program.is_file():
        pytest.fail("web/node_modules has no @modelcontextprotocol/server-everything: run ./build.sh setup")
    with McpServers(McpServer(name="all", command=("node", str(program)))) as servers:
        yield servers


@pytest.mark.needs("node")
@pytest.mark.parametrize(
    ("tool", "params", "expected"),
    [
        ("echo", {"message": "Good day"}, "Echo: Good day"),
        ("get-sum", {"a": 17, "b": 25}, "The sum of 17 and 25 is 42."),
    ],
)
def test_server_from_npm_gives_text(everything: McpServers, tool: str, params: dict[str, Any], expected: str) -> None:
    """Text content is the output."""
    assert {"ok": True, "output": expected} == run(everything, f"all__{tool}", params)


@pytest.mark.needs("node")
def test_server_from_npm_gives_pictures_links_and_structured_content(everything: McpServers) -> None:
    """What is no text is named, and left out where nothing keeps it; structured content is the output."""
    picture = run(everything, "all__get-tiny-image", {})["output"]
    links = run(everything, "all__get-resource-links", {"count": 2})["output"]
    weather = run(everything, "all__get-structured-content", {"location": "New York"})["output"]
    assert "[image: image/png, " in picture
    assert picture.endswith("[1 images or files are left out: none is kept here]")
    assert 2 == links.count("[link: ")
    assert {"temperature", "conditions", "humidity"} == set(weather)


@pytest.mark.needs("node")
def test_file_server_from_npm(tmp_path: Path) -> None:
    """What reads runs unasked, what writes asks, and what leads out of the server's folder is an error result."""
    program = Path(__file__).parents[2] / "web/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
    folder = tmp_path.resolve() / "papers"
    folder.mkdir()
    (folder / "order.txt").write_text("Order 7 is lost.")
    (tmp_path / "secret.txt").write_text("nobody may read this")
    server = McpServer(
        name="files",
        command=("node", str(program), str(folder)),
        tools=("read_text_file", "write_file", "list_directory"),
    )
    with McpServers(server) as servers:
        approvals = {tool.name: tool.approval for tool in servers.tools}
        listed = run(servers, "files__list_directory", {"path": str(folder)})
        outside = run(servers, "files__read_text_file", {"path": str(tmp_path / "secret.txt")})
        model = ScriptedModel([calls("files__read_text_file", path=str(folder / "order.txt")), says("It is lost.")])
        result = Agent(model, tools=servers.tools).run_sync("What does order.txt say?")
        asking = ScriptedModel([calls("files__write_file", path=str(folder / "new.txt"), content="a")])
        waiting = Agent(asking, tools=servers.tools).run_sync("Write a into new.txt.")
    assert {"read_text_file": "auto", "list_directory": "auto", "write_file": "ask"} == {
        name.removeprefix("files__"): approval for name, approval in approvals.items()
    }
    assert (True, False) == (listed["ok"], outside["ok"])
    assert "nobody may" not in str(outside)
    assert ("It is lost.", "Order 7 is lost." in result.log) == (result.answer, True)
    assert ("waiting", False) == (waiting.status, (folder / "new.txt").exists())


def run(servers: McpServers, tool: str, params: dict[str, Any]) -> dict[str, Any]:
    """Run a tool of a server in a toolbox."""
    box = Toolbox(ToolConfig(session_dir=Path(os.devnull), names=()))
    for each in servers.tools:
        box.register(each)
    return box.run(tool, params, "key")


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("error", "no such city"),
        ("silent_error", "the MCP server bad reported an error and did not say which"),
    ],
)
def test_failure_that_a_server_tells_is_its_own(way: str, expected: str) -> None:
    """What a server answers is an error result in its words (R12)."""
    result = came_of(way)
    assert (False, "execution", True) == (result["ok"], result["error_kind"], expected in result["error"]), result


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("dies", "the MCP server bad has ended; go may have run"),
        ("raises", "the MCP server bad failed: Internal server error; go may have run"),
        ("output_schema", "the MCP server bad failed: "),
        ("large", "bad__go ran; its result cannot be used: expected a result of at most 1000000 bytes"),
    ],
)
def test_call_whose_answer_is_missing_or_useless_may_have_run(way: str, expected: str) -> None:
    """A server that dies after the call was sent, raises, breaks its schema or says too much may have acted (R12)."""
    result = came_of(way)
    assert (False, "interrupted", True) == (result["ok"], result["error_kind"], expected in result["error"]), result
    assert "Traceback" not in result["error"]


@pytest.mark.parametrize("way", ["hangs", "blocks", "drips"])
def test_call_without_an_answer_ends_with_its_time(way: str) -> None:
    """A server that never answers, or sends a message without an end, costs the time of the call; it may have acted."""
    error = "the MCP server bad did not answer in time, or was stopped; go may have run"
    assert {"ok": False, "error": error, "error_kind": "interrupted"} == came_of(way, time_limit_s=0.5)


def test_line_without_an_end_is_cut(tmp_path: Path) -> None:
    """A program that prints a line without an end is ended at the bound of a message; the call may have run."""
    written = tmp_path / "written"
    with McpServers(bad("line", str(written))) as servers:
        result = run(servers, "bad__go", {})
    error = "the MCP server bad has ended; go may have run"
    assert {"ok": False, "error": error, "error_kind": "interrupted"} == result
    # What pipes and readers hold on the way comes on top; a host that read on would have taken it all.
    assert 16 <= int(written.read_text()) / 2**20 < 18


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ("image", "A picture:\n[left out: image, image/png, 300 bytes]"),
        ("structured", {"n": 1}),
        ("rubbish", "went"),
    ],
)
def test_call_gives_what_can_be_read(way: str, expected: Any) -> None:
    """A picture is named, structured content is data, and lines on stdout that are no messages are passed over."""
    assert {"ok": True, "output": expected} == came_of(way)


def test_call_after_the_end_of_a_server_says_so() -> None:
    """A server that has died stays an error result; the run goes on."""
    with McpServers(bad("dies")) as servers:
        results = [run(servers, "bad__go", {}) for _ in range(2)]
    assert [
        ("the MCP server bad has ended; go may have run", "interrupted"),
        ("the MCP server bad has ended", "io"),  # this one was not sent
    ] == [(result["error"], result["error_kind"]) for result in results]


def test_schema_that_the_core_refuses_leaves_the_tool_out() -> None:
    """One bad tool does not cost the others, and a sentence says what is wrong with it."""
    with McpServers(bad("schema")) as servers:
        assert (["bad__go"], 1) == ([tool.name for tool in servers.tools], len(servers.warnings))
        assert "'wrong' of the MCP server bad is left out" in servers.warnings[0]
        assert "minLength" in servers.warnings[0]


def test_five_thousand_tools_are_cut() -> None:
    """The first 1,000 are used, and it is said; `tools` of the entry chooses others."""
    with McpServers(bad("many")) as servers:
        assert (1000, True) == (len(servers.tools), "lists 5000 tools" in servers.warnings[0])
    with McpServers(bad("many", tools=("tool_400",))) as servers:
        assert (["bad__tool_400"], ()) == ([tool.name for tool in servers.tools], servers.warnings)


def test_list_without_end_is_cut() -> None:
    """A server that always names a next page is asked so often and no oftener; what comes twice is taken once."""
    with McpServers(bad("endless")) as servers:
        assert ["bad__go"] == [tool.name for tool in servers.tools]


def test_names_become_those_that_providers_take() -> None:
    """Odd characters become _, and a long name is cut with a digest; the server is asked by its own name."""
    with McpServers(bad("names")) as servers:
        names = [tool.name for tool in servers.tools]
        assert ("bad__a_b__", 64) == (names[0], len(names[1]))
        assert {"ok": True, "output": "went"} == run(servers, names[1], {})


def test_only_tools_that_say_that_they_read_run_unasked() -> None:
    """A tool that adds asks too; all results are open, whatever the server says."""
    with McpServers(bad("hints")) as servers:
        agent = Agent(ScriptedModel([]), tools=servers.tools).definition
        assert ["auto", "ask", "ask"] == [agent.host_tools[tool.name].approval for tool in servers.tools]
        assert [("open",)] * 3 == [tool.labels for tool in servers.tools]


def test_escapes_in_a_description_do_not_reach_the_prompt() -> None:
    """Control characters become blanks."""
    with McpServers(bad("escapes")) as servers:
        assert "Go. ]0;title  [31m red" == servers.tools[0].description


def test_server_gets_few_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of the environment is passed only by name."""
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789abcdef")
    monkeypatch.setenv("CHOSEN", "yes")
    with McpServers(bad("environment", env=("CHOSEN",))) as servers:
        names = set(run(servers, "bad__go", {})["output"].split())
    assert (True, False) == ("CHOSEN" in names, "SOME_API_KEY" in names)


def test_server_that_does_not_start_is_one_sentence() -> None:
    """The error names the server and has its last words, without escape codes."""
    with pytest.raises(McpError) as caught:
        McpServers(bad("exits"))
    assert "It said: [31mcannot read the configuration [0m" in caught.value.message
    assert "\x1b" not in caught.value.message
    with pytest.raises(McpError, match="there is no program 'no-such-program'"):
        McpServers("no-such-program --all")


def test_tool_that_is_not_listed_is_named() -> None:
    """A choice of tools is checked against the list."""
    with pytest.raises(McpError, match="has no tool 'fly'; its tools are go"):
        McpServers(bad("plain", tools=("fly",)))


@pytest.mark.parametrize("way", ["children", "stays"])
def test_end_of_the_block_ends_the_program(way: str, tmp_path: Path) -> None:
    """A program that has started others, or stays after its stdin has ended, is ended with all of them."""
    noted = tmp_path / "processes"
    with McpServers(bad(way, str(noted))):
        processes = list(map(int, noted.read_text().split()))
        assert all(map(is_running, processes))
    assert all_ended(processes)


HOST = """
import sys, time
from purestep_hosts.mcp import McpServer, McpServers
with McpServers(McpServer(name="bad", command=tuple(sys.argv[1:]))):
    print("ready", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_end_of_the_host_ends_the_program(number: signal.Signals, tmp_path: Path) -> None:
    """However the host ends, its servers end with it."""
    noted = tmp_path / "processes"
    command = [sys.executable, "-c", HOST, *BAD, "children", str(noted)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as host:
        assert host.stdout is not None
        assert b"ready\n" == host.stdout.readline()
        processes = list(map(int, noted.read_text().split()))
        host.send_signal(number)
    assert (2, True) == (len(processes), all_ended(processes))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("uvx mcp-server-time", McpServer(name="time", command=("uvx", "mcp-server-time"))),
        (
            "npx -y @modelcontextprotocol/server-filesystem@2026.8.31 /tmp",
            McpServer(
                name="filesystem",
                command=("npx", "-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/tmp"),
            ),
        ),
        (
            "node ./server-notes/dist/index.js",
            McpServer(name="notes", command=("node", "./server-notes/dist/index.js")),
        ),
        ("python -m mcp_server_git", McpServer(name="git", command=("python", "-m", "mcp_server_git"))),
        ("mail=./serve 'a b'", McpServer(name="mail", command=("./serve", "a b"))),
        ("https://mcp.example.com/mcp", McpServer(name="mcp_example_com", url="https://mcp.example.com/mcp")),
        ("docs=http://localhost:8000/mcp", McpServer(name="docs", url="http://localhost:8000/mcp")),
    ],
)
def test_text_names_a_server(given: str, expected: McpServer) -> None:
    """A command or an address, with a name of its own or one that is told by it."""
    assert expected == server_of(given)


@pytest.mark.parametrize(
    "given", ["", "  ", "a 'b", "http://example.com/mcp", "ftp://example.com", "https://", "a__b=run", "x\0y"]
)
def test_text_that_names_no_server_is_refused(given: str) -> None:
    """The error says what was expected."""
    with pytest.raises(BadMcpServer, match=r"expected|http://"):
        server_of(given)


def test_entries_of_an_agent_file() -> None:
    """A text, or members as in the configurations of other programs; values of variables stay outside the file."""
    member = {
        "time": "uvx mcp-server-time",
        "files": {"command": "npx", "args": ["-y", "files"], "env": ["TOKEN"], "tools": ["read"]},
        "docs": {"url": "https://example.com/mcp", "token_env": "DOCS_TOKEN"},
    }
    assert (
        McpServer(name="time", command=("uvx", "mcp-server-time")),
        McpServer(name="files", command=("npx", "-y", "files"), env=("TOKEN",), tools=("read",)),
        McpServer(name="docs", url="https://example.com/mcp", token_env="DOCS_TOKEN"),
    ) == server_entries(member, "agent.json")


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ([], "mcp is a list; expected an object of servers by name"),
        (None, "mcp is empty; expected an object"),
        (False, "mcp is true or false; expected an object"),
        ({"a": None}, "mcp server 'a' is empty; expected a command"),
        ({"": "x"}, "the name '' cannot begin the name of a tool"),
        ({"a": {"url": "ls -la"}}, "url is 'ls -la'; expected an address"),
        ({"a": {"command": "https://example.com"}}, "command is the address 'https://example.com'; give it as url"),
        ({"a": {"command": "x", "token_env": "KEY"}}, "'token_env'; with command its members are command, args, env"),
        ({"a": {"url": "https://example.com", "env": ["KEY"]}}, "'env'; with url its members are url, token_env"),
        ({"a": {"command": [1]}}, "command is a list with a number in it; expected a list of texts"),
        ({"a": {"x" * 5000: 1, "command": "x"}}, "has the member 'xxx"),
    ],
)
def test_entry_that_says_something_else_is_refused(member: Any, said: str) -> None:
    """The error says what came in the file's own words, and what was expected; nothing is taken for something else."""
    with pytest.raises(BadMcpServer) as raised:
        server_entries(member, "agent.json")
    assert said in raised.value.message
    assert len(raised.value.message) < 400


@pytest.mark.parametrize(
    "member",
    [
        [],
        {"a": 1},
        {"a": {}},
        {"a": {"command": "x", "url": "https://example.com"}},
        {"a": {"command": 1}},
        {"a": {"command": "x", "args": "y"}},
        {"a": {"command": "x", "env": {"KEY": "secret"}}},
        {"a": {"command": "x", "env": ["A=B"]}},
        {"a": {"command": "x", "shell": True}},
        {"a": {"url": 1}},
        {"a": {"url": "https://example.com", "token_env": "Bearer x"}},
        {"a b": "x"},
    ],
)
def test_entry_that_is_none_is_refused(member: Any) -> None:
    """The error names the file, and what was expected."""
    with pytest.raises(BadMcpServer, match=r"agent\.json"):
        server_entries(member, "agent.json")
