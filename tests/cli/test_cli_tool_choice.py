"""The option `--tool-choice`: what the questions of a command may do with the tools (11.tool_choice)."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Shell, call, final


def said(shell: Shell) -> list[Any]:
    """Return the tool choices of the session's user messages."""
    return [event.get("tool_choice") for event in shell.events() if event["kind"] == "user_message"]


@pytest.mark.parametrize(
    ("choice", "logged"), [("required", "required"), ("echo", {"tool": "echo"}), ("auto", "auto"), ("none", "none")]
)
def test_the_choice_is_in_the_log_of_the_message(shell: Shell, choice: str, logged: Any) -> None:
    """A tool's name is the tool to call first."""
    outputs = [final("said")] if choice in ("auto", "none") else [call("echo", text="hello"), final("said")]
    result = shell.scripted(*outputs, tools="echo", options=("--tool-choice", choice))
    assert (0, "said\n") == (result.returncode, result.stdout), result.stderr
    assert [logged] == said(shell)


def test_an_answer_without_the_required_tool_fails(shell: Shell) -> None:
    """The correction is shown, and the failure has the exit code of a guardrail."""
    result = shell.scripted(final("a"), final("b"), tools="echo", options=("--tool-choice", "required", "--json"))
    assert ("obligation", 3) == (json.loads(result.stdout)["failure"]["code"], result.returncode), result.stdout


def test_a_follow_up_has_its_own_choice(shell: Shell) -> None:
    """The option holds for the questions of its command only."""
    shell.scripted(final("one"), tools="echo", options=("--tool-choice", "none"))
    script = shell.script(final("one"), final("two"))
    resumed = ("--resume", shell.session().name, "--script", script, "--sessions", str(shell.sessions))
    assert 0 == shell("run", "And now?", *resumed).returncode
    assert ["none", None] == said(shell)


def test_an_unknown_tool_is_a_usage_error_before_anything_is_made(shell: Shell) -> None:
    """With the tool that was probably meant."""
    result = shell.scripted(final("a"), tools="echo", options=("--tool-choice", "ecko"))
    assert (2, False) == (result.returncode, shell.sessions.exists())
    assert '--tool-choice: no tool is named "ecko"; did you mean "echo"?' in result.stderr


def test_prompt_shows_what_the_choice_leaves(shell: Shell) -> None:
    """The tools stay in the system text; what the output is held to changes."""
    free = json.loads(shell("prompt", "--json", "Hello").stdout)
    held = json.loads(shell("prompt", "--json", "--tool-choice", "none", "Hello").stdout)
    assert free["messages"] == held["messages"]
    assert [True, False] == ["calculate" in body["grammar"] for body in (free, held)]
    native = shell("prompt", "--dialect", "native", "--json", "--tool-choice", "calculate", "Hello")
    assert {"type": "function", "function": {"name": "calculate"}} == json.loads(native.stdout)["tool_choice"]
