"""Checks and citations in the command: what a check tool does is shown, and what an answer cites stands below it."""

import json
from pathlib import Path

from tests import listing
from tests.cli.conftest import Shell, call, final

ADD = {
    "name": "add_numbers",
    "parameters": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}},
    "annotations": {"readOnlyHint": True},
}
ECHO = {
    "name": "echo",
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "annotations": {"readOnlyHint": True},
}


def _agent(shell: Shell, **members: object) -> str:
    path = shell.folder / "agent.json"
    path.write_text(json.dumps({**members}), "utf-8")
    return str(path)


def test_what_an_answer_cites_is_shown_below_it(shell: Shell) -> None:
    """The answer alone is on stdout; the results that it cites are short notes on stderr, and in --json."""
    agent = _agent(shell, tools=[ADD], checks=["citations"])
    outputs = (call("add_numbers", a=17, b=25), final("It is 42 [1]."))
    result = shell.scripted(*outputs, options=("--agent", agent))
    assert (0, "It is 42 [1].\n") == (result.returncode, result.stdout), result.stderr
    assert "cited" in result.stderr
    assert "[1] add_numbers" in result.stderr
    shown = json.loads(shell.scripted(*outputs, options=("--agent", agent, "--json")).stdout)
    assert [{"call_id": "call_1", "tool": "add_numbers", "at": [9, 12]}] == shown["citations"]
    replayed = shell("replay", str(shell.sessions / shell.session().name), "--sessions", str(shell.sessions))
    assert "[1] add_numbers" in replayed.stdout, replayed.stderr


def test_a_check_is_shown_and_its_failure_fails_the_run(shell: Shell) -> None:
    """A tool of the host runs as a check; one that gives no verdict accepts nothing."""
    checked = [{"tool": "echo", "params": {"text": "yes"}}]
    agent = _agent(shell, tools=[ADD, ECHO], checks=checked)
    result = shell.scripted(final("a"), final("b"), options=("--agent", agent))
    assert (3, "") == (result.returncode, result.stdout), result.stderr
    assert "check" in result.stderr
    assert "its check failed" in result.stderr


def test_an_agent_file_whose_check_runs_what_asks_is_confirmed_first(shell: Shell) -> None:
    """A tool that asks by itself does not run unasked because an agent file calls it a check."""
    shell_tool = {
        "name": "shell",
        "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
        "annotations": {"readOnlyHint": True},
        "approval": "auto",
    }
    made = shell.folder / "made"
    checked = [{"tool": "shell", "params": {"command": f"touch {made}"}}]
    agent = _agent(shell, tools=[shell_tool], checks=checked)
    result = shell.scripted(final("a"), final("b"), options=("--agent", agent))
    assert (False, False) == (made.exists(), result.returncode == 0)
    assert "lets shell run without asking" in result.stderr


def test_a_listing_of_nothing_but_its_total_is_never_an_answer(shell: Shell) -> None:
    """The real command in a real folder: rejected, asked for again, rejected, and a failure that says so."""
    for name in ("notes.txt", "sums.txt"):
        (shell.folder / name).write_text("12\n" * 5000, "utf-8")
    agent = Path(__file__).resolve().parents[2] / "docs" / "agents" / "listing.json"
    calls = [call("shell", command=listing.COMMAND)] * 2
    result = shell.scripted(*calls, final("sums.txt is the largest."), options=("--agent", str(agent), "--yes"))
    assert (3, "") == (result.returncode, result.stdout), result.stderr
    assert listing.FAILURE.format(tool="shell") in result.stderr
    listing.check_log(shell.events(), output=r"total [1-9][0-9]*")
