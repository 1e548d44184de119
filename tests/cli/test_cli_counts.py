"""The counts that `run` prints are those that `summary` takes from the same log."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Shell, call, final
from tests.cli.test_cli_crash import cut_to

BUSY = {"type": "model_error", "code": "unavailable", "message": "busy", "retryable": True, "retry_after_ms": 1}
CASES = {
    "a refused call": ((call("shell", command="ls"), final("I did not.")), ("--tools", "shell", "--approve", "none")),
    "an unknown tool": ((call("fly"), call("echo", text="tree"), final("It says tree.")), ("--tools", "echo")),
    "a model that fails once": ((BUSY, final("Yes.")), ()),
    "tokens": (
        (
            {
                "content": final("Yes."),
                "usage": {"prompt_tokens": 1200, "completion_tokens": 3, "cached_tokens": 1100, "reasoning_tokens": 2},
            },
        ),
        (),
    ),
    "no end": ((call("echo", text="tree"),), ("--tools", "echo", "--max-turns", "1")),
}


USAGE = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens", "cost")


def spent(counts: dict[str, Any]) -> tuple[Any, ...]:
    """The counts of a summary as `run --json` has them."""
    usage = {name: counts[name] for name in USAGE}
    return counts["turns"], sum(counts["calls"].values()), sum(counts["decided"].values()), usage


def summary(shell: Shell) -> dict[str, Any]:
    """The summary of the newest session."""
    counts: dict[str, Any] = json.loads(shell("summary", str(shell.session()), "--json").stdout)
    return counts


@pytest.mark.parametrize("case", CASES)
def test_run_and_summary_count_the_same(shell: Shell, case: str) -> None:
    """Whatever happened in an exchange, both have the same turns, calls, decided moves and tokens."""
    outputs, options = CASES[case]
    run = json.loads(shell.scripted(*outputs, options=(*options, "--json")).stdout)
    assert spent(summary(shell)) == (run["turns"], run["tool_calls"], run["decided"], run["usage"])


def test_refused_call_is_no_call(shell: Shell) -> None:
    """A call that a person refused did not run, so the last line does not count it."""
    outputs, options = CASES["a refused call"]
    last = shell.scripted(*outputs, options=options).stderr.splitlines()[-1]
    assert last.startswith("done       2 turns, 0 calls, ")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--approve", "none"), ", by --approve: no tool may run that needs approval"),
        ((), ": nobody can be asked: there is no terminal"),
    ],
)
def test_refused_call_changed_nothing(shell: Shell, options: tuple[str, ...], why: str) -> None:
    """It did not run; an option that was not given has not refused it."""
    outputs, _ = CASES["a refused call"]
    rows = shell.scripted(*outputs, options=("--tools", "shell", *options)).stderr.splitlines()
    assert f"refused    shell{why}" in rows, rows
    assert ["changed    nothing", "not run    shell command=ls (refused)"] == rows[-3:-1]


def test_resumed_exchange_is_counted_whole(shell: Shell) -> None:
    """What an earlier process did of an exchange is counted with it."""
    outputs = (call("echo", text="tree"), call("echo", text="house"), final("They say tree and house."))
    shell.scripted(*outputs, tools="echo")
    cut_to(shell, "tool_result")
    session = ("--resume", shell.session().name, "--sessions", str(shell.sessions), "--json")
    run = json.loads(shell("run", *session, "--script", str(shell.folder / "script.jsonl")).stdout)
    assert (3, 2) == (run["turns"], run["tool_calls"])
    assert spent(summary(shell)) == (run["turns"], run["tool_calls"], run["decided"], run["usage"])


def test_each_exchange_of_a_chat_is_counted_by_itself(shell: Shell) -> None:
    """The counts of the exchanges add up to those of the log."""
    script = shell.script(call("echo", text="tree"), final("It says tree."), final("Yes."))
    chat = ("chat", "--sessions", str(shell.sessions), "--script", script, "--tools", "echo", "--json")
    runs = [json.loads(line) for line in shell(*chat, input="first\nsecond\n").stdout.splitlines()]
    assert [(2, 1), (1, 0)] == [(run["turns"], run["tool_calls"]) for run in runs]
    assert (3, 1) == spent(summary(shell))[:2]
