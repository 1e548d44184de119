"""Calls of MCP servers that are made as tasks: real servers of two SDKs, and hostile ones."""

import json
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ElicitRequestFormParams
from msgspec.structs import replace

import purestep
from purestep_hosts import Agent, Later, RunResult, ScriptedModel, SessionStore, approved, calls, says, tool
from purestep_hosts.mcp import McpServer, McpServers
from purestep_hosts.mcp.held_calls import HeldCalls
from purestep_hosts.mcp.server_entry import BadMcpServer, server_entries
from purestep_hosts.mcp.tasks import named_by, read_task
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tests.event_loops import run_in_loop
from tests.hosts.test_mcp_asking import EVERYTHING, RAW

SERVER = str(Path(__file__).with_name("mcp_task_server.py"))
RESEARCH = "everything__simulate-research-query"
WAIT_S = 30
TOOL = {
    "name": "go",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True},
    "execution": {"taskSupport": "required"},
}
TASKS = {"tasks": {"requests": {"tools": {"call": {}}}}, "tools": {}}
WORKING = {"taskId": "t1", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": None}


def reports(folder: Path, **members: Any) -> McpServer:
    """A server whose tasks outlive it."""
    return McpServer(name="reports", command=(sys.executable, SERVER, str(folder)), **members)


def asked(folder: Path, *, whole: bool = False) -> list[str]:
    """The methods that a server was asked."""
    lines = (folder / "asked").read_text().splitlines()
    return lines if whole else [line.split()[0] for line in lines]


def answers(*given: Any, **members: Any) -> McpServer:
    """A hostile server: its answers to tools/call, tasks/get and tasks/result."""
    methods = ("tools/call", "tasks/get", "tasks/result")
    sent = {
        "tools": [TOOL],
        "opened": {"protocolVersion": "2025-11-25", "capabilities": TASKS},
        "answers": {method: answer for method, answer in zip(methods, given, strict=False) if answer is not None},
    }
    return McpServer(name="raw", command=(sys.executable, RAW, json.dumps(sent)), **members)


def agent(servers: McpServers, *outputs: str, seconds: float = 60) -> Agent[str]:
    """An agent with the tools of servers, which nobody is asked about, and whose calls have so much time."""
    tools = [replace(each, time_limit_s=seconds) for each in servers.tools]
    return Agent(ScriptedModel(outputs), tools=tools, approval={"tools": {each.name: "auto" for each in tools}})


def run(servers: McpServers, tool: str, limit_s: float = 60, **params: Any) -> RunResult[str]:
    """A run that calls a tool, and answers."""
    return agent(servers, calls(tool, **params), says("First."), seconds=limit_s).run_sync("Go.")


def then(servers: McpServers, first: RunResult[str], results: Any) -> RunResult[str]:
    """The run after what has come late."""
    return agent(servers, says("Then.")).run_sync(after=first.log, results=results)


def came(result: RunResult[str]) -> list[Any]:
    """The outputs or errors of a run's results."""
    lines = [line for line in map(json.loads, result.log.splitlines()) if line["kind"] == "tool_result"]
    return [line.get("output", line.get("error")) for line in lines]


@pytest.mark.needs("node")
def test_a_task_of_a_real_server_that_ends_in_time_is_a_call_like_others() -> None:
    """Its stages are told while it works; the model reads the result, and nothing is late."""
    notes: list[str] = []
    with McpServers(EVERYTHING) as servers:
        toolbox = Toolbox(ToolConfig(session_dir=Path("/nowhere"), names=()))
        for each in servers.tools:
            toolbox.register(each)
        toolbox.on_note = lambda _, note: notes.append(note.text)
        result = toolbox.run(RESEARCH, {"topic": "moss"}, "key")
    assert (True, "# Research Report: moss") == (result["ok"], result["output"].splitlines()[0])
    stages = ["Gathering sources...", "Analyzing content...", "Synthesizing findings...", "Generating report..."]
    assert len(notes) > 1
    assert [stage for stage in stages if stage in notes] == notes


@pytest.mark.needs("node")
def test_a_task_of_a_real_server_that_takes_longer_comes_late() -> None:
    """The model goes on; what the task has given by then is read in an exchange of its own."""
    told: list[str] = []
    with McpServers(EVERYTHING) as servers:
        first = run(servers, RESEARCH, 4, topic="moss")
        assert ("First.", 1, ()) == (first.answer, len(first.late), servers.late_results(first.late, told.append))
        deadline = time.monotonic() + WAIT_S
        while not (results := servers.late_results(first.late)) and time.monotonic() < deadline:
            time.sleep(0.1)
        last = then(servers, first, results)
    assert (1, True) == (len(told), told[0].startswith(f"{RESEARCH} is open: it still works: "))
    assert ("Then.", (), ["succeeded"]) == (last.answer, last.late, [act.status for act in last.acts or ()])
    assert "# Research Report: moss" in came(last)[-1]
    assert purestep.verify(last.log, last.state.head).ok


@pytest.mark.needs("node")
def test_a_task_of_a_real_server_asks_a_person() -> None:
    """It needs input: the question is the call's, as of one that is no task, and it goes on with the answer."""
    with McpServers(EVERYTHING) as servers:
        model = ScriptedModel([calls(RESEARCH, topic="python", ambiguous=True), says("Read.")])
        asking = Agent(model, tools=servers.tools, approval={"tools": {RESEARCH: "auto"}})
        waiting = asking.run_sync("Go.")
        (call,) = waiting.approvals
        last = asking.run_sync(after=waiting, approvals=[approved(call, params={"interpretation": "snake"})])
    assert ("form", "Read.") == (call.reason, last.answer)
    assert "# Research Report: python (snake)" in came(last)[-1]


def test_tools_are_called_as_tasks_where_both_sides_say_so(tmp_path: Path) -> None:
    """One that may is called so only where the entry says it; one that cannot, never; a result is asked for a week."""
    for use, expected in (("required", ["report"]), ("optional", ["report", "maybe"])):
        folder = tmp_path / use
        folder.mkdir()
        with McpServers(reports(folder, tasks=use)) as servers:
            given = {name: came(run(servers, f"reports__{name}"))[-1]["pages"] for name in ("report", "maybe", "plain")}
        tasks = [name for name, pages in given.items() if pages == 42]
        assert expected == tasks
        made = [line for line in asked(folder, whole=True) if line.startswith("tools/call {")]
        assert ['tools/call {"ttl": 604800000}'] * len(expected) == made


def test_nobody_waits_where_the_entry_says_so(tmp_path: Path) -> None:
    """The model goes on at once; the handle names the task in letters, and the file of the entry says how."""
    (entry,) = server_entries({"reports": {"command": [sys.executable, SERVER, str(tmp_path)], "tasks": "later"}}, "f")
    begun = time.monotonic()
    with McpServers(entry) as servers:
        first = run(servers, "reports__maybe", seconds=20)
    (call,) = first.late
    assert time.monotonic() - begun < 15  # of the 20 that it takes
    assert (True, True) == (call.handle.startswith("mcp:reports:"), call.handle.endswith("%2F%1B%5B2J"))
    with pytest.raises(BadMcpServer, match="tasks is 'never'; expected required, optional, later"):
        server_entries({"reports": {"command": "x", "tasks": "never"}}, "f")


@pytest.mark.parametrize(
    ("ends", "said", "status"),
    [
        ("", {"pages": 42}, "succeeded"),
        ("failed", "the MCP server reports failed in the task of report: printing", "failed"),
        ("error", "no paper", "failed"),
        ("cancelled", "the MCP server reports cancelled the task of report: printing; it may have run", "unknown"),
        ("shape", "the result of its task is none of a call; report may have run", "unknown"),
        ("broken", "does not fit: /pages: expected an integer", "unknown"),
        ("lost", "does not know the task of report any more, nor what came of it; it may have run", "unknown"),
    ],
)
def test_another_process_tells_honestly_what_became_of_a_task(
    tmp_path: Path, ends: str, said: Any, status: str
) -> None:
    """Whatever that is: the servers of the first process have ended by then."""
    told: list[str] = []
    with McpServers(reports(tmp_path, tasks="later")) as servers:
        first = run(servers, "reports__report", seconds=0.5, ends=ends)
        assert ((), 1) == (servers.late_results(first.late, told.append), len(told))
    time.sleep(0.6)
    for task in tmp_path.glob("task-*") if ends == "lost" else ():
        task.unlink()
    with McpServers(reports(tmp_path)) as servers:
        last = then(servers, first, servers.late_results(first.late))
    found = came(last)[-1]
    assert found == said or said in found
    assert ((), [status]) == (last.late, [act.status for act in last.acts or ()])
    assert purestep.verify(last.log, last.state.head).ok


STOPPED = """
import os, sys, threading, time
from pathlib import Path
from purestep_hosts.mcp import McpServers
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tests.hosts.test_mcp_tasks import reports

folder = Path(sys.argv[1])
toolbox = Toolbox(ToolConfig(session_dir=folder, names=()))
toolbox.register(McpServers(reports(folder)).tools[0])
results = []
thread = threading.Thread(target=lambda: results.append(toolbox.run("reports__report", {"seconds": 60}, "key")))
thread.start()
while not list(folder.glob("task-*")):
    time.sleep(0.01)
time.sleep(0.3)
toolbox.stop()
thread.join()
print(results[0]["error_kind"], flush=True)
os._exit(0)
"""


def test_a_call_that_is_stopped_cancels_its_task(tmp_path: Path) -> None:
    """The server is told before the call comes back, whatever ends then; the core hears that it may have run."""
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, str(tmp_path)], check=True, timeout=60, capture_output=True, text=True
    )
    assert ("interrupted\n", "tasks/cancel") == (done.stdout, asked(tmp_path)[-1])
    assert ["cancelled"] == [json.loads(task.read_text())["status"] for task in tmp_path.glob("task-*")]


def test_a_call_that_is_left_cancels_nothing(tmp_path: Path) -> None:
    """Its time is over, and its task goes on, also after the end of its servers."""
    with McpServers(reports(tmp_path)) as servers:
        first = run(servers, "reports__report", 2.5, seconds=4)
    assert (1, False) == (len(first.late), "tasks/cancel" in asked(tmp_path))
    time.sleep(3)
    with McpServers(reports(tmp_path, lazy=True)) as servers:
        assert [{"pages": 42}] == [each.result.output for each in servers.late_results(first.late)]
    assert "tasks/list" not in asked(tmp_path)


def test_a_task_of_a_server_that_dies_may_go_on(tmp_path: Path) -> None:
    """The call names it all the same, and says what is not known; another process of the server has its result."""
    (tmp_path / "dies").touch()
    with McpServers(reports(tmp_path)) as servers:
        first = run(servers, "reports__report", seconds=0.5)
    assert "The MCP server reports is not heard of any more; its task may go on: printing" in first.log
    time.sleep(0.5)
    with McpServers(reports(tmp_path)) as servers:
        last = then(servers, first, servers.late_results(first.late))
    assert ("Then.", {"pages": 42}) == (last.answer, came(last)[-1])


def test_a_task_that_needs_input_later_stays_open(tmp_path: Path) -> None:
    """Nobody is asked for a person who is not there, and nothing is said in their place."""
    told: list[str] = []
    with McpServers(reports(tmp_path, tasks="later")) as servers:
        first = run(servers, "reports__report", ends="asks")
        assert () == servers.late_results(first.late, told.append)
    assert ["reports__report is open: it asks a person, whom it reaches only while a call is waited for"] == told
    assert "tasks/result" not in asked(tmp_path)


def test_the_person_of_a_waiting_call_is_asked_and_the_task_goes_on(tmp_path: Path) -> None:
    """A server made of the SDK asks through the request for the result."""
    with McpServers(reports(tmp_path)) as servers:
        one = agent(servers, calls("reports__report", ends="asks"), says("Done."))
        waiting = one.run_sync("Go.")
        (call,) = waiting.approvals
        last = one.run_sync(after=waiting, approvals=[approved(call, params={"year": 2024})])
    assert ("Which year?", [{"pages": 2024}]) == (call.note, came(last)[1:])


KILLED = """
import os, signal, sys, threading, time
from pathlib import Path
from purestep_hosts import Agent, SessionStore, calls, says
from purestep_hosts.mcp import McpServers
from tests.hosts.test_mcp_tasks import reports

folder, use = Path(sys.argv[1]), sys.argv[2]

class Model:
    name = "killed"
    def complete(self, request, sink):
        if len(request.messages) > 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return purestep.ModelOutput(content=calls("reports__report", seconds=3))
    def stop(self):
        pass

import purestep

def kill():
    while not list(folder.glob("task-*")):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

servers = McpServers(reports(folder, tasks=use))
if use == "required":
    threading.Thread(target=kill).start()
allowed = {"tools": {each.name: "auto" for each in servers.tools}}
store = SessionStore(folder / "sessions")
agent = Agent(Model(), tools=servers.tools, approval=allowed)
with store.create(query="Go.", agent_digest="", model="killed") as session:
    agent.run_sync("Go.", session=session)
"""


@pytest.mark.parametrize("use", ["later", "required"])
def test_a_client_that_is_killed(tmp_path: Path, use: Any) -> None:
    """Once the log names the task, any process gives its result; before that, a person hears that it may have run."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), use], check=False, timeout=60)
    assert -signal.SIGKILL == ended.returncode
    store = SessionStore(tmp_path / "sessions")
    with McpServers(reports(tmp_path)) as servers, store.open(store.ids()[0]) as session:
        one = agent(servers, says("It is under way."), says("Then."))
        stands = one.run_sync(session=session)
        if use == "required":
            assert (["outcome_unknown"], ()) == ([call.reason for call in stands.approvals], stands.late)
            return
        assert "It is under way." == stands.answer
        time.sleep(3)
        last = one.run_sync(session=session, results=servers.late_results(stands.late))
    assert ("Then.", {"pages": 42}) == (last.answer, came(last)[-1])


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"taskId": "x" * 1_000_000}, "its task has an id of 1000000 characters; expected 1 to 256"),
        ({"taskId": ""}, "its task has an id of 0 characters; expected 1 to 256"),
        ({"taskId": "\u2028" * 200}, "its task has an id that is too long once it is written in letters"),
        ({"taskId": 5}, "it tells of a task without an id"),
        ({"status": "asleep"}, "it tells of a task without a status that the protocol has"),
        ({"status": ["working"]}, "it tells of a task without a status that the protocol has"),
    ],
)
def test_a_hostile_task_is_no_handle(task: dict[str, Any], said: str, tmp_path: Path) -> None:
    """The call has failed, and may have run; nothing of the id is logged or shown."""
    file = tmp_path / "sent.json"
    file.write_text(answers({"task": {**WORKING, **task}}).command[-1])
    with McpServers(McpServer(name="raw", command=(sys.executable, RAW, f"@{file}"))) as servers:
        result = run(servers, "raw__go")
    assert [f"the MCP server raw failed: {said}; go may have run"] == came(result)
    assert (True, ()) == (len(result.log) < 20_000, result.late)


def test_codes_for_a_terminal_stay_in_their_place() -> None:
    """An id is written in letters; what a server says of its task is plain wherever it is shown."""
    task = {**WORKING, "taskId": "../\x1b]0;x\x07 https://example.com/?a=b", "statusMessage": "\x1b[2Jhalf\n\n way"}
    told: list[str] = []
    with McpServers(answers({"task": task}, task, tasks="later")) as servers:
        first = run(servers, "raw__go")
        servers.late_results(first.late, told.append)
    (call,) = first.late
    assert "mcp:raw:..%2F%1B%5D0%3Bx%07%20https%3A%2F%2Fexample.com%2F%3Fa%3Db" == call.handle
    assert ("raw", task["taskId"]) == named_by(call.handle)
    assert ["raw__go is open: it still works: [2Jhalf way"] == told
    assert ("\\u001b" in first.log, "\x1b" in first.log) == (False, False)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"task": WORKING}, None),
        ({"content": [{"type": "text", "text": "at once"}]}, "at once"),
        ({"task": None}, "the MCP server raw failed: it tells of a task without an id; go may have run"),
    ],
)
def test_a_status_that_never_ends_is_left(answer: Any, said: str | None) -> None:
    """The call's time is the bound; a server that makes no task of a call is taken at its word, or not understood."""
    with McpServers(answers(answer, {**WORKING, "pollInterval": 10**400})) as servers:
        first = run(servers, "raw__go", 2.5)
    assert ((), [said]) == (first.late, came(first)) if said else ["mcp:raw:t1"] == [call.handle for call in first.late]


@pytest.mark.parametrize(
    ("stands", "result", "said"),
    [
        ({**WORKING, "taskId": "t2"}, None, "it tells of another task than was asked for"),
        ({"tasks": [WORKING] * 1000, "nextCursor": "more"}, None, "it tells of a task without an id"),
        ({**WORKING, "status": "completed"}, {"tools": []}, "the result of its task is none of a call"),
        ({**WORKING, "status": "completed"}, {"content": "text"}, "the result of its task is none of a call"),
        ({**WORKING, "status": "completed"}, {"task": WORKING}, "the result of its task is none of a call"),
    ],
)
def test_rubbish_about_a_task_is_no_success(stands: Any, result: Any, said: str) -> None:
    """Once it was begun, nobody knows what it has done; found later it stays open, or says so as its result."""
    with McpServers(answers({"task": WORKING}, stands, result)) as servers:
        assert [f"the MCP server raw failed: {said}; go may have run"] == came(run(servers, "raw__go"))


def test_a_task_that_nobody_asked_for_is_no_result() -> None:
    """Of a server that does not say that it has tasks, or a tool that cannot be one."""
    server = answers({"task": WORKING})
    sent = {**json.loads(server.command[-1]), "opened": {}}
    with McpServers(McpServer(name="raw", command=(*server.command[:-1], json.dumps(sent)))) as servers:
        said = "it made the call a task, for which nobody asked"
        assert [f"the MCP server raw failed: {said}; go may have run"] == came(run(servers, "raw__go"))


def test_a_question_of_another_task_reaches_no_call() -> None:
    """A task that nobody waits for may ask while another call is under way: its words are not that call's."""

    async def asked_of(task_id: Any, known: str | None) -> bool:
        held_calls = HeldCalls()
        held = held_calls.begin(lambda _: Future(), lambda _: None)
        held.may_be_left = True
        if known:
            held.moved(read_task({**WORKING, "taskId": known}))
        related = {"io.modelcontextprotocol/related-task": {"taskId": task_id}}
        form = {"message": "?", "requestedSchema": {"type": "object", "properties": {}}, "_meta": related}
        asking = held_calls.ask(ElicitRequestFormParams.model_validate(form))
        with suppress(StopIteration):
            asking.send(None)
        asking.close()
        return held.question.done()

    found = [run_in_loop(asked_of(*given)) for given in (("t1", "t1"), ("t2", "t1"), ("t1", None), ([], "t1"))]
    assert [True, False, True, False] == found


def test_a_server_is_looked_at_neither_all_the_time_nor_never() -> None:
    """What it would like is kept to within bounds; what is no number says nothing."""
    wanted = (0, -5, 250, 10**400, float("inf"), float("nan"), True, "2", None)
    found = [read_task({**WORKING, "pollInterval": each}).poll_s for each in wanted]
    assert [0.1, 0.1, 0.25, 10.0, 10.0, 0.1, 1.0, 1.0, 1.0] == found


def test_a_silent_server_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many of its tasks are open."""
    told: list[str] = []
    monkeypatch.setattr("purestep_hosts.mcp.connection.LATE_S", 1.0)
    with McpServers(reports(tmp_path, tasks="later")) as servers:
        (late,) = run(servers, "reports__report", seconds=60).late
        (tmp_path / "silent").touch()
        before = time.monotonic()
        servers.late_results([late] * 20, told.append)
    assert (20, True) == (len(told), time.monotonic() - before < 10)


def test_the_handle_of_another_tool_goes_to_no_server(tmp_path: Path) -> None:
    """A tool's own handle may look like one of a task: the tool and the server have to fit."""

    @tool
    def own() -> Later:
        """Begin."""
        return Later("mcp:reports:abc")

    with McpServers(reports(tmp_path)) as servers:
        first = Agent(ScriptedModel([calls("own"), says("Begun.")]), tools=[own]).run_sync("Go.")
        assert () == servers.late_results(first.late)
        other = replace(first.late[0], tool="reports__report", handle="mcp:others:abc")
        assert () == servers.late_results([other, replace(other, handle="job-1"), replace(other, handle="mcp:a:%ff")])
    assert "tasks/get" not in asked(tmp_path)


def test_a_server_that_cannot_say_leaves_its_tasks_open(tmp_path: Path) -> None:
    """It has ended, or has no tasks any more: that is no result."""
    told: list[str] = []
    with McpServers(reports(tmp_path, tasks="later")) as servers:
        first = run(servers, "reports__report", seconds=60)
    assert () == servers.late_results(first.late, told.append)
    raw = json.dumps({"tools": [{**TOOL, "name": "report"}]})
    with McpServers(McpServer(name="reports", command=(sys.executable, RAW, raw))) as others:
        assert () == others.late_results(first.late, told.append)
    said = ["the MCP server reports has ended", "the MCP server reports did not say: no"]
    assert [f"reports__report is open: {each}" for each in said] == told
