"""Functions in a Python file as tools: named on the command line, or by an agent file that a person confirms."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Shell, Terminal, call, ended, final
from tests.cli.test_cli_crash import cut_to

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

FUNCTIONS = '''
import asyncio
from dataclasses import dataclass
from pathlib import Path
from purestep_hosts import Invocation, tool

Path("loaded").touch()

@dataclass
class Address:
    city: str

@tool(read_only=True)
def find_order(number: int) -> str:
    """Look up the status of an order."""
    print("looking it up")
    return {7: "shipped"}[number]

@tool(approval="ask", destructive=True)
async def send_order(number: int, to: Address, call: Invocation) -> dict[str, str]:
    """Send an order."""
    await asyncio.sleep(0)
    Path("sent").write_text(call.key)
    return {"order": str(number), "to": to.city}

@tool(time_limit_s=0.1)
async def wait() -> str:
    """Wait for long."""
    await asyncio.sleep(60)
    return "late"

@tool
def _hidden() -> str:
    """Not offered."""
    return ""
'''
FIND = (call("find_order", number=7), final("It was shipped."))


def functions(shell: Shell, source: str = FUNCTIONS, name: str = "orders.py") -> str:
    """Write a file of functions and return its name."""
    (shell.folder / name).write_text(source, "utf-8")
    return name


def test_functions_of_a_file_are_tools(shell: Shell) -> None:
    """The file's functions are offered in its order instead of the default tools; what they print is no answer."""
    result = shell.scripted(*FIND, options=("--functions", functions(shell)))
    names = [tool["name"] for tool in shell.facts("run_started")[0]["agent"]["tools"]]
    assert (0, "It was shipped.\n") == (result.returncode, result.stdout), result.stderr
    assert (["find_order", "send_order", "wait"], True) == (names, "looking it up\n" in result.stderr)
    assert ["shipped"] == [event["output"] for event in shell.facts("tool_result")]


ELSEWHERE = '''
from purestep_hosts import Later, tool

@tool(read_only=True)
def report(year: int) -> str | Later:
    """Have a report made elsewhere."""
    return Later("job-1", note="It takes a day.")

@tool(read_only=True)
def picture() -> bytes:
    """Draw."""
    return bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da"
                         "6364f80f00010501012718e3660000000049454e44ae426082")
'''


def test_what_comes_later_is_no_result(shell: Shell) -> None:
    """A function of a file may say that its work goes on elsewhere, and gives images, as in a program."""
    outputs = (call("report", year=2025), call("picture"), final("It is under way."))
    result = shell.scripted(*outputs, options=("--functions", functions(shell, ELSEWHERE)))
    assert 0 == result.returncode, result.stderr
    assert [("job-1", "It takes a day.")] == [(each["handle"], each["note"]) for each in shell.facts("tool_pending")]
    (drawn,) = shell.facts("tool_result")
    assert ["image/png"] == [part["media_type"] for part in drawn["parts"]]
    assert "goes on elsewhere" in result.stderr


def test_tools_of_a_file_are_listed(shell: Shell) -> None:
    """`tools` shows them first, as a run offers them: then the default ones have to be named."""
    result = shell("tools", "--functions", functions(shell))
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert ["find_order", "number", "by default", "Look up the status of an order."] == rows[0]
    assert ["send_order", "number, to", "by default, asks first", "Send an order."] == rows[1]
    assert {"when named", "when named, asks first"} == {row[2] for row in rows[3:]}
    names = [spec["name"] for spec in json.loads(shell("tools", "--functions", "orders.py", "--json").stdout)]
    assert [row[0] for row in rows] == names


def test_async_functions_get_their_types_and_an_invocation(shell: Shell) -> None:
    """Arguments come as the declared types, the call's key with them; built-in tools may be added by name."""
    outputs = (call("send_order", number=7, to={"city": "Oslo"}), final("Order 7 was sent to Oslo."))
    result = shell.scripted(*outputs, options=("--functions", functions(shell), "--yes"), tools="echo")
    assert 0 == result.returncode, result.stderr
    assert [{"order": "7", "to": "Oslo"}] == [event["output"] for event in shell.facts("tool_result")]
    assert [event["key"] for event in shell.facts("tool_call")] == [(shell.folder / "sent").read_text()]
    assert "echo" == shell.facts("run_started")[0]["agent"]["tools"][0]["name"]


def test_functions_that_ask_are_asked_about(shell: Shell) -> None:
    """`approval="ask"` of a function holds: nobody can be asked here, so it does not run."""
    outputs = (call("send_order", number=7, to={"city": "Oslo"}), final("I could not."))
    shell.scripted(*outputs, options=("--functions", functions(shell)))
    assert ([False], False) == (
        [event["approved"] for event in shell.facts("approval")],
        (shell.folder / "sent").exists(),
    )


def test_a_function_that_fails_or_takes_too_long_is_an_error_result(shell: Shell) -> None:
    """The model reads what went wrong, and the run goes on."""
    outputs = (call("find_order", number=9), call("wait"), final("I could not find it."))
    result = shell.scripted(*outputs, options=("--functions", functions(shell)))
    errors = [event["error"] for event in shell.facts("tool_result")]
    expected = ["find_order failed: KeyError: 9", "it was cancelled, or the time limit was reached; it may have run"]
    assert (0, expected) == (result.returncode, errors), result.stderr


CLERK = '''
from purestep_hosts import Agent, ScriptedModel, calls, says, tool

@tool(approval="ask")
def pay(amount: int) -> str:
    """Pay."""
    return "paid"

@tool
def ask_clerk(question: str) -> str:
    """Ask the clerk."""
    clerk = Agent(ScriptedModel([calls("pay", amount=1), says("It is paid.")]), tools=[pay])
    return clerk.run_sync(question).answer
'''


def test_an_agent_in_a_function_that_waits_for_a_person_ends_the_run(shell: Shell) -> None:
    """No model is told of a failed tool that it may leave aside: the row says whom the run waits for."""
    outputs = (call("ask_clerk", question="Pay."), final("All is paid."))
    result = shell.scripted(*outputs, options=("--functions", functions(shell, CLERK, "clerk.py"), "--yes"))
    assert (130, "") == (result.returncode, result.stdout)
    assert "the tool ask_clerk runs an agent that waits for a person" in result.stderr
    assert ["the run waits for a person to approve pay"] == [
        event["reason"].partition("(")[2].partition(")")[0] for event in shell.facts("cancelled")
    ]


def test_functions_are_given_again_to_resume(shell: Shell) -> None:
    """A session stores no path to run: without the option a resume says what to give, with it the run goes on."""
    name = functions(shell)
    shell.scripted(*FIND, options=("--functions", name))
    cut_to(shell, "tool_call")
    session = ("run", "--resume", shell.session().name, "--sessions", str(shell.sessions))
    again = (*session, "--script", str(shell.folder / "script.jsonl"))
    refused, resumed = shell(*again), shell(*again, "--functions", name)
    assert (2, True) == (refused.returncode, "--functions FILE" in refused.stderr)
    assert (0, "It was shipped.\n") == (resumed.returncode, resumed.stdout), resumed.stderr


WRONG = [
    ("x = 1\n", "orders.py has no tools; put @tool above"),
    ("def f(:\n", "orders.py, line 1: not usable Python: "),
    ("\n1 / 0\n", "orders.py, line 2: it raised ZeroDivisionError: division by zero"),
    ("raise SystemExit(0)\n", "orders.py, line 1: it raised SystemExit: 0"),
    (
        "from purestep_hosts import tool\n@tool\ndef f(a) -> str:\n    return a\n",
        "orders.py, line 2: the parameter a of f has no type",
    ),
    (
        "from purestep_hosts import tool\n@tool\ndef echo(a: str) -> str:\n    return a\n",
        "orders.py has a tool 'echo', which is the name of another tool",
    ),
    (
        "from purestep_hosts import Invocation, tool\n@tool\ndef f(a: Invocation[dict]) -> str:\n    return ''\n",
        "f needs dependencies of the type dict, which only a program can give",
    ),
    ("\x00", "orders.py: "),
]


@pytest.mark.parametrize(("source", "said"), WRONG)
def test_unusable_files_of_functions_are_told_in_one_line(shell: Shell, source: str, said: str) -> None:
    """The line names the file, the place and what to do; no run begins."""
    result = shell.scripted(*FIND, options=("--functions", functions(shell, source)))
    assert (2, 1, True) == (result.returncode, len(result.stderr.splitlines()), said in result.stderr), result.stderr
    assert not shell.sessions.exists()


def test_interrupt_while_a_file_is_loaded_is_told(shell: Shell, terminal: Terminal) -> None:
    """Ctrl-C ends a file that takes long, with the word for it."""
    name = functions(shell, "import time\nprint('begun', flush=True)\ntime.sleep(3600)\n")
    child = terminal("run", "Go", "--functions", name, "--script", shell.script(*FIND))
    child.expect("begun")
    child.send("\x03")
    child.expect("purestep: cancelled")
    assert 130 == ended(child)


@pytest.mark.parametrize(("name", "said"), [("nowhere.py", "nowhere.py is not a file"), (".", ". is not a file")])
def test_missing_file_of_functions_is_told(shell: Shell, name: str, said: str) -> None:
    """A file that is not there is no traceback."""
    result = shell.scripted(*FIND, options=("--functions", name))
    assert (2, True) == (result.returncode, said in result.stderr)


def test_files_on_the_command_line_import_what_lies_beside_them(shell: Shell) -> None:
    """As Python does for a program; nothing there takes the place of a standard module."""
    functions(shell, "PLACE = 'Oslo'\n", "places.py")
    functions(shell, "raise SystemExit('shadowed')\n", "colorsys.py")
    source = "import colorsys\nfrom places import PLACE\nfrom purestep_hosts import tool\n"
    source += "@tool\ndef place() -> str:\n    return PLACE\n"
    result = shell.scripted(call("place"), final("Oslo."), options=("--functions", functions(shell, source)))
    assert (0, ["Oslo"]) == (result.returncode, [event["output"] for event in shell.facts("tool_result")])


def agent_file(shell: Shell, entry: Any = None) -> tuple[str, ...]:
    """Write an agent file that names a file of functions; give the arguments of a run with it."""
    definition = {"dialect": "envelope", "tools": ["echo", entry or {"functions": "orders.py"}]}
    (shell.folder / "agent.json").write_text(json.dumps(definition))
    script = shell.script(*FIND)
    return ("run", "Go", "--agent", "agent.json", "--script", script, "--sessions", str(shell.sessions))


@pytest.mark.parametrize("command", ["run", "prompt"])
def test_python_that_an_agent_file_names_is_not_run_unasked(shell: Shell, command: str) -> None:
    """Without a terminal nothing of the file is run, and the message says what to give."""
    functions(shell)
    arguments = agent_file(shell)
    result = shell(*arguments) if command == "run" else shell("prompt", "Go", "--agent", "agent.json")
    assert (2, False) == (result.returncode, (shell.folder / "loaded").exists())
    assert "agent.json runs the Python file orders.py, which has to be confirmed" in result.stderr


def test_python_that_an_agent_file_names_is_confirmed_once_for_its_content(shell: Shell, terminal: Terminal) -> None:
    """A person sees which file is run; a refusal runs nothing; a changed file is asked about again."""
    functions(shell)
    arguments = agent_file(shell)
    for answer, expected in (("n", (2, False)), ("y", (0, True))):
        child = terminal(*arguments)
        child.expect_exact("Go on?")
        assert ("orders.py", False) == ("orders.py" if "orders.py" in child.before else "", "loaded" in child.before)
        child.sendline(answer)
        assert expected == (ended(child), (shell.folder / "loaded").exists())
    again = shell(*arguments)
    assert (0, "It was shipped.\n") == (again.returncode, again.stdout), again.stderr
    functions(shell, f"{FUNCTIONS}\n# changed\n")
    assert [2, 0] == [shell(*arguments).returncode, shell(*arguments, "--yes").returncode]


def test_python_that_an_agent_file_names_runs_alone(shell: Shell) -> None:
    """What was confirmed is the file; modules beside it are not imported."""
    functions(shell, "", "places.py")
    functions(shell, f"import places\n{FUNCTIONS}")
    result = shell(*agent_file(shell), "--yes")
    assert (2, True) == (result.returncode, "No module named 'places'" in result.stderr)


def test_agent_file_names_functions_of_the_command_line(shell: Shell) -> None:
    """A name in the file's tools is that of a function, and nobody is asked."""
    result = shell(*agent_file(shell, "find_order"), "--functions", functions(shell))
    names = [tool["name"] for tool in shell.facts("run_started")[0]["agent"]["tools"]]
    assert (0, ["echo", "find_order", "send_order", "wait"]) == (result.returncode, names), result.stderr


def test_entry_of_a_wrong_shape_is_told(shell: Shell) -> None:
    """A file of functions is named by a text and nothing else."""
    result = shell(*agent_file(shell, {"functions": ["orders.py"]}))
    assert (2, True) == (result.returncode, 'expected a file of functions as {"functions": "name.py"}' in result.stderr)


@pytest.mark.parametrize("place", ["../orders.py", "absolute", "link"])
def test_python_outside_the_agent_file_s_folder_is_not_run(shell: Shell, place: str) -> None:
    """What lies elsewhere did not come with the file, and --yes does not change that; a link leads there too."""
    functions(shell)
    inner = shell.folder / "inner"
    inner.mkdir()
    (inner / "linked.py").symlink_to("../orders.py")
    named = {"absolute": str(shell.folder / "orders.py"), "link": "linked.py"}.get(place, place)
    definition = {"dialect": "envelope", "tools": ["echo", {"functions": named}]}
    (inner / "agent.json").write_text(json.dumps(definition))
    arguments = ("run", "Go", "--agent", "inner/agent.json", "--script", shell.script(*FIND), "--yes")
    result = shell(*arguments, "--sessions", str(shell.sessions))
    assert (2, False) == (result.returncode, (shell.folder / "loaded").exists())
    assert "is not in the folder of the agent file" in result.stderr


@pytest.mark.parametrize("member", [[], 0, "", False])
def test_servers_of_a_wrong_shape_are_told(shell: Shell, member: Any) -> None:
    """Also what counts as nothing in Python: it is no object of servers."""
    (shell.folder / "agent.json").write_text(json.dumps({"mcp": member}))
    result = shell("run", "Go", "--agent", "agent.json", "--script", shell.script(*FIND))
    assert (2, True) == (result.returncode, "expected an object of servers by name" in result.stderr)


RANKING = '''
from purestep_hosts import tool

@tool(read_only=True)
def rank(query: str, limit: int, tools: list[dict[str, str]] = []) -> list[dict[str, str | float]]:
    """Score tools by the letters that they share with a query."""
    found = []
    for each in tools:
        print(each["name"], each["description"])
        found.append({"name": each["name"], "score": len({*query} & {*each["description"]}) / 26})
    return sorted(found, key=lambda each: -each["score"])[:limit]
'''


def test_function_ranks_the_tools_of_a_search(shell: Shell) -> None:
    """It is given the tools that may have to be found, as its argument `tools`, which is not in the log."""
    definition = {"tools": ["calculator", "fetch_url", "rank"], "tools_offered": 1, "tools_ranked_by": "rank"}
    (shell.folder / "agent.json").write_text(json.dumps(definition))
    options = ("--agent", "agent.json", "--functions", functions(shell, RANKING))
    result = shell.scripted(call("find_tools", query="zzqq"), final("Done."), options=options)
    assert (0, "Done.\n") == (result.returncode, result.stdout), result.stderr
    assert "calculator Compute the value" in result.stderr
    (asked,) = shell.facts("tool_call")
    assert {"query": "zzqq", "limit": 10} == asked["arguments"]
    assert {"calculator", "fetch_url"} == {each["name"] for each in shell.facts("tool_result")[0]["output"]}
    assert 1 == len(shell.facts("skill_ended")[0]["output"])


def test_each_agent_has_its_own_tools_ranked(shell: Shell) -> None:
    """Two agents that rank by one function: it is given the tools of the one that searches."""
    desk = {"name": "desk", "tools": ["add_days", "fetch_url", "rank"], "tools_offered": 1, "tools_ranked_by": "rank"}
    lead = {"tools": ["calculator", "rank"], "tools_offered": 1, "tools_ranked_by": "rank"}
    agents = {"desk": {"agent": desk, "description": "Dates."}}
    (shell.folder / "agent.json").write_text(json.dumps({**lead, "agents": agents}))
    options = ("--agent", "agent.json", "--functions", functions(shell, RANKING))
    search = call("find_tools", query="zzqq")
    outputs = (search, call("desk", question="When?"), final("Done."), {"agent": "desk"}, search, final("Then."))
    result = shell.scripted(*outputs, options=options)
    assert (0, "Done.\n") == (result.returncode, result.stdout), result.stderr
    said = {"calculator": "Compute", "desk": "Dates", "add_days": "", "fetch_url": ""}
    lines = [line.split()[:2] for line in result.stderr.splitlines() if len(line.split()) > 1]
    assert list(said) == [name for name, word in lines if name in said and word.startswith(said[name])], result.stderr


WAITING = '''
from datetime import UTC, datetime
from purestep_hosts import Later, tool

@tool(read_only=True)
def wait(year: int) -> Later:
    """Wait for a year."""
    return Later.until(datetime(year, 1, 1, tzinfo=UTC))
'''


def test_a_time_that_has_come_is_read_where_the_session_is_resumed(shell: Shell) -> None:
    """A call that waits for another time stays open, and nobody is asked about it."""
    both = f"[{call('wait', year=2020)},{call('wait', year=9000)}]"
    outputs = (both, *map(final, ("I wait.", "It is time.", "Bye.")))
    given = ("--functions", functions(shell, WAITING))
    first = shell.scripted(*outputs, options=given)
    assert (0, "I wait.\n") == (first.returncode, first.stdout), first.stderr
    again = (*given, "--sessions", str(shell.sessions), "--resume", "last", "--script", shell.script(*outputs))
    came = shell("run", *again)
    assert (0, "It is time.\n") == (came.returncode, came.stdout), came.stderr
    assert ["The time has come: 2020-01-01T00:00:00.000Z."] == [fact["output"] for fact in shell.facts("tool_result")]
    last = shell("chat", *again, input="Thank you.\n")
    assert (0, True) == (last.returncode, last.stdout.endswith("Bye.\n")), last.stderr
