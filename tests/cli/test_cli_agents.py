"""Agents that an agent file calls: inline and in files of their own, asked about by path, and taken up after a kill."""

import json
from pathlib import Path
from typing import Any

import pytest

from purestep import bounds
from purestep_hosts.agent_tree import MOST_AGENTS, MOST_LEVELS
from tests.cli.conftest import Shell, Terminal, call, ended, final

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

ORDERS = '''
from pathlib import Path
from purestep_hosts import tool

@tool(read_only=True)
def find_order(number: int) -> str:
    """Look up the status of an order."""
    return "shipped"

@tool(approval="ask", destructive=True)
def refund(amount: int) -> str:
    """Refund an amount."""
    with Path("refunds").open("a") as file:
        file.write(f"{amount}\\n")
    return f"{amount} refunded"
'''
DESK: dict[str, Any] = {"name": "desk", "instructions": "You refund.", "tools": ["calculate", {"functions": "o.py"}]}
TREE = (
    {"agent": "desk"},
    json.loads(call("refund", amount=5)),
    json.loads(final("Refunded.")),
    {"agent": []},
    json.loads(call("desk", question="Refund 5 to Tom")),
    json.loads(final("Tom has it.")),
)
"""A script for each of two agents."""


def calling(agent: Any, name: str = "desk") -> dict[str, Any]:
    """Return a definition that calls an agent."""
    return {"name": "lead", "agents": {name: {"agent": agent, "description": "Refunds."}}}


def write(shell: Shell, **files: Any) -> None:
    """Write agent files, and the functions that they name."""
    (shell.folder / "o.py").write_text(ORDERS, "utf-8")
    for name, definition in files.items():
        path = shell.folder / f"{name.replace('__', '/')}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(definition), "utf-8")


def run(shell: Shell, *outputs: Any, agent: str = "lead.json", options: tuple[str, ...] = ("--yes",)) -> Any:
    """Run one question against a script."""
    return shell.scripted(*outputs, options=("--agent", agent, *options))


def test_agents_are_inline_or_in_files_of_their_own(shell: Shell) -> None:
    """Both make the same definition, of which the log has the whole; built-in tools and functions are named in it."""
    write(shell, lead=calling("desk.json"), inline=calling(DESK), desk=DESK)
    results = [run(shell, *TREE, agent=agent) for agent in ("lead.json", "inline.json")]
    assert [(0, "Tom has it.\n")] * 2 == [(each.returncode, each.stdout) for each in results], results[0].stderr
    logs = [folder / "log.jsonl" for folder in sorted(shell.sessions.iterdir()) if not folder.name.startswith(".")]
    first, second = (json.loads(log.read_text().splitlines()[0])["agent"] for log in logs)
    assert first == second
    below = first["agents"]["desk"]["agent"]
    assert ["calculate", "find_order", "refund"] == [tool["name"] for tool in below["tools"]]
    assert "tools" not in first


def test_rows_name_the_agents(shell: Shell) -> None:
    """What is done below is told with the path, by `run` and by `replay`; what was asked and said there is not."""
    write(shell, lead=calling(calling(DESK), "head"))
    deep = [{"agent": ["head", "desk"]}, *TREE[1:3], {"agent": "head"}, *TREE[4:], {"agent": []}]
    outputs = (*deep, json.loads(call("head", question="Refund 5")), json.loads(final("Done.")))
    result = run(shell, *outputs)
    assert (0, "Done.\n") == (result.returncode, result.stdout), result.stderr
    assert [
        'call       head question="Refund 5"',
        'call       head > desk question="Refund 5 to Tom"',
        "call       head > desk > refund amount=5",
        "approved   head > desk > refund, by --approve",
        "result     head > desk > 5 refunded",
        "result     head > desk: Refunded.",
        "result     head: Tom has it.",
        "changed    head > desk > refund amount=5",
    ] == [line for line in result.stderr.splitlines() if not line.startswith(("model", "done"))]
    replayed = shell("replay", str(shell.session())).stdout.splitlines()
    assert "call       head > desk > refund amount=5" in replayed
    assert "user       head > Refund 5" in replayed
    assert 0 == shell("verify", str(shell.session())).returncode


def test_a_summary_counts_what_was_done_below(shell: Shell) -> None:
    """Turns, calls and what was sent back are those of the whole tree; questions are the user's."""
    write(shell, lead=calling(DESK))
    wrong = json.loads(call("refund", amount="five"))
    assert 0 == run(shell, TREE[0], wrong, *TREE[1:]).returncode
    told = json.loads(shell("summary", str(shell.session()), "--json").stdout)
    assert (1, 5, {"desk": 1, "refund": 1}) == (told["queries"], told["turns"], told["calls"])
    assert {"invalid_arguments": 1} == told["corrections"]


def test_a_script_without_names_is_taken_in_order(shell: Shell) -> None:
    """Whoever asks gets the next output; one that is named needs no other agent to have a script."""
    write(shell, lead=calling(DESK))
    outputs = [TREE[4], TREE[1], TREE[2], TREE[5]]
    result = run(shell, *outputs)
    assert (0, "Tom has it.\n") == (result.returncode, result.stdout)
    silent = run(shell, *TREE[3:])
    assert "0 outputs" not in silent.stdout
    assert {"tool_failed", "model_error"} & {event.get("code") for event in shell.events()} or silent.returncode != 0


def test_a_script_names_only_agents_that_are_there(shell: Shell) -> None:
    """A name that is misspelt would else be a script that nobody is asked by."""
    write(shell, lead=calling(DESK))
    result = run(shell, {"agent": "desc"}, final("x"))
    assert (2, True) == (result.returncode, "the agent desc; the agents below are desk." in result.stderr), (
        result.stderr
    )
    write(shell, lead={"agents": {f"a{number}": {"agent": DESK} for number in range(12)}})
    assert " and 2 more." in run(shell, {"agent": "desk"}, final("x")).stderr
    assert "expected the name of an agent" in run(shell, {"agent": 5}).stderr


def test_functions_of_the_command_line_go_where_they_are_named(shell: Shell) -> None:
    """One that an agent below names is its own; the first agent has the others."""
    desk = {**DESK, "tools": ["refund"]}
    write(shell, lead=calling(desk))
    result = run(shell, *TREE, options=("--yes", "--functions", "o.py"))
    assert (0, "Tom has it.\n") == (result.returncode, result.stdout), result.stderr
    first = shell.facts("run_started")[0]["agent"]
    below = first["agents"]["desk"]["agent"]
    assert (["find_order"], ["refund"]) == tuple([tool["name"] for tool in each["tools"]] for each in (first, below))


def test_a_person_is_asked_with_the_path(shell: Shell, terminal: Terminal) -> None:
    """The question names the agents down to the call, and a refusal's words go to the one that made it."""
    write(shell, lead=calling({**DESK, "tools": ["write_file"]}))
    outputs = [TREE[0], json.loads(call("write_file", path="x", content="5")), *TREE[2:]]
    arguments = ("--sessions", str(shell.sessions), "--script", shell.script(*outputs), "--agent", "lead.json")
    child = terminal("run", "Go", *arguments)
    child.expect("run this.*desk.* > write_file")
    child.expect("uit: ")
    child.sendline("n not today")
    child.expect("Tom has it")
    assert 0 == ended(child)
    answers = [event["line"]["reason"] for event in shell.facts("child") if event["line"]["kind"] == "approval"]
    assert ["not today"] == answers
    assert not (shell.folder / "x").exists()


@pytest.mark.parametrize("outputs", [TREE, (TREE[4], TREE[1], TREE[2], TREE[5])], ids=["named", "in order"])
def test_a_killed_tree_goes_on(shell: Shell, outputs: tuple[Any, ...]) -> None:
    """After a kill below the run is taken up where it was, and each agent's script too."""
    write(shell, lead=calling(DESK))
    assert 0 == run(shell, *outputs).returncode
    cut_to_child(shell, "tool_result")
    resumed = ("--sessions", str(shell.sessions), "--script", str(shell.folder / "script.jsonl"))
    result = shell("run", "--resume", "last", "--agent", "lead.json", "--yes", *resumed)
    assert (0, "Tom has it.\n") == (result.returncode, result.stdout), result.stderr
    assert "5\n" == (shell.folder / "refunds").read_text()


def cut_to_child(shell: Shell, kind: str) -> None:
    """Keep the newest log up to its first line of an agent below that has an event of a kind."""
    log = shell.session() / "log.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    end = next(at for at, line in enumerate(lines) if json.loads(line).get("line", {}).get("kind") == kind)
    log.write_text("".join(lines[: end + 1]))
    (log.parent / "head").unlink()


SLOW = '''
import time
from pathlib import Path
from purestep_hosts import tool

@tool(read_only=True)
def hang() -> str:
    """Wait for long."""
    print("it hangs", flush=True)
    time.sleep(600)
    return "late"

@tool
def mark() -> str:
    """Leave a mark."""
    Path("marked").touch()
    return "marked"
'''


def test_nothing_begins_after_ctrl_c(shell: Shell, terminal: Terminal) -> None:
    """What the next agent was about to do is not begun when a call of the one before it was stopped."""
    write(shell, lead={"agents": {name: {"agent": {"tools": [tool]}} for name, tool in (("a", "hang"), ("b", "mark"))}})
    (shell.folder / "slow.py").write_text(SLOW)
    both = [json.loads(call(name, question="Go")) for name in ("a", "b")]
    outputs = (json.dumps(both), {"agent": "a"}, json.loads(call("hang")), {"agent": "b"}, json.loads(call("mark")))
    options = ("--sessions", str(shell.sessions), "--script", shell.script(*outputs), "--functions", "slow.py", "--yes")
    child = terminal("run", "Go", "--agent", "lead.json", *options)
    child.expect("it hangs")
    child.sendintr()
    assert 130 == ended(child)
    assert not (shell.folder / "marked").exists()


def test_a_conversation_with_a_tree(shell: Shell) -> None:
    """`chat` calls the agent again, whose script goes on."""
    write(shell, lead=calling(DESK))
    again = (TREE[0], TREE[1], TREE[2], TREE[1], TREE[2], TREE[3], TREE[4], TREE[5], TREE[4], TREE[5])
    options = ("--sessions", str(shell.sessions), "--script", shell.script(*again), "--agent", "lead.json", "--yes")
    result = shell("chat", *options, input="Refund 5\nAnd 5 again\n")
    assert (0, "Tom has it.\nTom has it.\n") == (result.returncode, result.stdout), result.stderr
    assert "5\n5\n" == (shell.folder / "refunds").read_text()


FAULTS = {
    "itself": (calling("lead.json"), "agent desk: the file 'lead.json' is this file itself"),
    "a caller": (calling("other.json"), "other.json, agent desk > desk: the file 'lead.json' calls this one"),
    "missing": (calling("none.json"), "lead.json, agent desk: none.json cannot be read (No such file or directory)"),
    "outside": (calling("../o.json"), "'../o.json' is not in the folder of lead.json"),
    "absolute": (calling("/etc/passwd"), "'/etc/passwd' is not in the folder of lead.json"),
    "a folder": (calling("sub"), "sub cannot be read (Is a directory)"),
    "no name": (calling(""), "expected the name of a file, or a definition; got an empty text"),
    "odd name": (calling("a\0b"), "lead.json, agent desk"),
    "three levels in files": (
        calling("one.json"),
        "two.json, agent desk > desk > desk: it is 3 levels below lead.json",
    ),
    "three levels inline": (calling(calling(calling(DESK))), "lead.json, agent desk > desk > desk: it is 3 levels"),
    "its definition": (
        calling("bad.json"),
        "bad.json, line 1, column 13: /limits/max_turns: expected at least 1, got 0",
    ),
    "its inline definition": (calling({"limits": {"max_turns": 0}}), "lead.json, line 1, column"),
    "its tool": (calling({"tools": ["no"]}), "lead.json, agent desk has a tool 'no' that this host cannot run"),
    "an agent as a tool": (
        {**calling("desk.json"), "tools": ["desk"]},
        "lead.json names its agent 'desk' among its tools: its agents are tools already; leave it out of `tools`",
    ),
    "its functions": (calling({"tools": [{"functions": "../o.py"}]}), "lead.json, agent desk: the file of functions"),
    "no definition": (calling(5), "expected an object, got number 5"),
    "no agents": ({"agents": [1]}, "/agents: expected an object"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named_by_file_and_agent(shell: Shell, fault: str) -> None:
    """The error says which file, which agent in it and what to do; nothing was run."""
    definition, told = FAULTS[fault]
    files = {"other": calling("lead.json"), "one": calling("two.json"), "two": calling("desk.json"), "desk": DESK}
    write(shell, lead=definition, bad={"limits": {"max_turns": 0}}, sub__x={}, **files)
    result = run(shell, final("x"))
    assert (2, True) == (result.returncode, told in result.stderr), result.stderr
    assert not shell.sessions.exists()


def test_a_link_out_of_the_folder_is_outside(shell: Shell, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a link leads to did not come with the agent file."""
    other = tmp_path_factory.mktemp("other") / "desk.json"
    other.write_text(json.dumps(DESK))
    write(shell, lead=calling("desk.json"))
    Path(shell.folder / "desk.json").symlink_to(other)
    assert "is not in the folder of lead.json" in run(shell, final("x")).stderr


def test_an_agent_below_that_lets_a_tool_run_unasked_is_confirmed(shell: Shell) -> None:
    """What came with a folder is looked at in all its files."""
    loose = {"tools": [{"name": "shell", "approval": "auto"}]}
    write(shell, lead=calling("desk.json"), desk=loose)
    result = run(shell, final("x"), options=())
    assert (2, True) == (result.returncode, "lets shell run without asking" in result.stderr), result.stderr


def test_bounds_are_those_of_the_core() -> None:
    """What the core would refuse is not read."""
    assert (bounds.MAX_AGENT_DEPTH, bounds.MAX_SUB_AGENTS) == (MOST_LEVELS, MOST_AGENTS)


def test_reasoning_below_is_told_with_the_path(shell: Shell) -> None:
    """`replay` folds what an agent thought to one row, as that of the first agent."""
    write(shell, lead=calling(DESK))
    thought = {"type": "model_output", "extra": {"reasoning_content": "Hm, five."}}
    outputs = (TREE[0], TREE[1], {**thought, "content": json.dumps(TREE[2])}, *TREE[3:])
    assert 0 == run(shell, *outputs).returncode
    rows = shell("replay", str(shell.session())).stdout.splitlines()
    assert "reasoning  desk > Hm, five." in rows, rows


def test_a_hand_off_goes_on_in_the_next_process(shell: Shell) -> None:
    """Who took over has its own part of the script and its own tools, is named in a row, and keeps the conversation."""
    front = {"name": "front", "agents": {"desk": {"agent": "desk.json", "hand_off": True}}}
    write(shell, front=front, desk=DESK)
    script = [
        json.loads(call("desk")),
        {"agent": "desk"},
        json.loads(call("refund", amount=5)),
        json.loads(final("Refunded 5.")),
        json.loads(final("You are welcome.")),
    ]
    first = run(shell, *script, agent="front.json")
    assert first.returncode == 0, first.stderr
    assert "desk has the conversation from here on" in first.stderr
    assert "Refunded 5." in first.stdout
    options = ("--sessions", str(shell.sessions), "--script", shell.script(*script), "--yes")
    again = shell("chat", "--resume", "last", "--agent", "front.json", *options, input="Thanks\n")
    assert "You are welcome." in again.stdout, again.stderr
    assert (shell.folder / "refunds").read_text("utf-8") == "5\n"


@pytest.mark.parametrize(
    "definition",
    [
        {"agents": {"desk": "desk.json"}},
        {"tools": [{"agent": "desk.json", "as": "desk"}]},
        {"agents": {"refunds": "desk.json"}, "tools": [{"agent": "refunds", "as": "desk"}]},
    ],
)
def test_agents_in_other_shapes(shell: Shell, definition: dict[str, Any]) -> None:
    """A file in the place of a definition, and a tool that is an agent, by a file's name or by one of the agents."""
    write(shell, lead={"name": "lead", **definition}, desk=DESK)
    result = run(shell, *TREE)
    assert (0, "Tom has it.\n") == (result.returncode, result.stdout), result.stderr
    assert "5\n" == (shell.folder / "refunds").read_text()
