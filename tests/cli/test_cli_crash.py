"""A run that dies or is interrupted can be read, and goes on where it was."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.conftest import PATIENCE_S, Shell, call, final


def started(shell: Shell, *outputs: str, tools: str = "shell") -> "subprocess.Popen[str]":
    """Start a run in the background, in a process group of its own."""
    arguments = ("run", "Go", "--sessions", str(shell.sessions), "--script", shell.script(*outputs))
    return subprocess.Popen(
        shell.command(*arguments, "--tools", tools, "--yes"), cwd=shell.folder, env=shell.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for(path: Path) -> None:
    """Wait until a tool has made its mark."""
    end = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert time.monotonic() < end, f"{path} did not come"
        time.sleep(0.02)


# The first time the tool waits to be killed; the second time it ends at once.
ONCE = "test -e begun && echo again || { touch begun; exec sleep 3600; }"


@pytest.fixture
def killed(shell: Shell) -> Shell:
    """A run that was killed while its tool ran."""
    process = started(shell, call("shell", command=ONCE), final("It ran."))
    wait_for(shell.folder / "begun")
    process.kill()
    process.communicate()
    return shell


def test_killed_run_can_be_read(killed: Shell) -> None:
    """The log of a killed run says that tools are to run, and how to go on."""
    said = killed("replay", str(killed.session())).stdout
    last = said.splitlines()[-1]
    assert (True, True) == ("open, tools run next" in last, f"--resume {killed.session().name}" in last)


def test_killed_run_verifies(killed: Shell) -> None:
    """What was written before the kill is whole."""
    assert 0 == killed("verify", str(killed.session())).returncode


def test_killed_run_goes_on(killed: Shell) -> None:
    """`run --resume` runs the open call under its key and the script from where it was."""
    script = str(killed.folder / "script.jsonl")
    arguments = ("run", "--resume", killed.session().name, "--sessions", str(killed.sessions), "--script", script)
    result = killed(*arguments)
    outputs = [event["output"] for event in killed.facts("tool_result")]
    assert (0, "It ran.\n", ["again\n"]) == (result.returncode, result.stdout, outputs)


def test_resumed_run_verifies(killed: Shell) -> None:
    """A log in two parts holds together."""
    script = str(killed.folder / "script.jsonl")
    killed("run", "--resume", killed.session().name, "--sessions", str(killed.sessions), "--script", script)
    assert 0 == killed("verify", str(killed.session())).returncode


def test_interrupt_ends_the_tool_and_the_run(shell: Shell) -> None:
    """Ctrl-C stops a tool that would take an hour; the run is cancelled, the log kept, and stderr says how to go on."""
    process = started(shell, call("shell", command="touch begun; exec sleep 3600"), final("It ran."))
    wait_for(shell.folder / "begun")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE_S)
    expected = (130, True, ["cancelled"])
    failures = [event["code"] for event in shell.facts("run_failed")]
    assert expected == (process.returncode, f"--resume {shell.session().name}" in said, failures)


def test_follow_up_goes_to_the_same_session(shell: Shell) -> None:
    """--resume with a query asks it in the same run."""
    shell.scripted(final("One."))
    script = shell.script(final("One."), final("Two."))
    session = shell.session().name
    result = shell("run", "And?", "--resume", session, "--sessions", str(shell.sessions), "--script", script)
    asked = [event["content"] for event in shell.facts("user_message")]
    assert ("Two.\n", ["Go", "And?"]) == (result.stdout, asked)


def test_resuming_a_finished_run_gives_its_answer(shell: Shell) -> None:
    """Without a query the answer that stands is printed again; the log does not grow."""
    shell.scripted(final("One."))
    before = shell.events()
    script = str(shell.folder / "script.jsonl")
    result = shell("run", "--resume", shell.session().name, "--sessions", str(shell.sessions), "--script", script)
    assert (0, "One.\n", before) == (result.returncode, result.stdout, shell.events())


def test_changed_log_is_not_resumed(shell: Shell) -> None:
    """A log that was edited is refused."""
    shell.scripted(final("One."))
    path = shell.session() / "log.jsonl"
    path.write_text(path.read_text().replace("Go", "No"))
    result = shell("run", "And?", "--resume", shell.session().name, "--sessions", str(shell.sessions))
    assert (6, 1) == (result.returncode, len(result.stderr.splitlines()))


def test_session_in_use_is_refused(shell: Shell) -> None:
    """Two processes never write one log."""
    process = started(shell, call("shell", command="touch begun; exec sleep 3600"), final("It ran."))
    wait_for(shell.folder / "begun")
    result = shell("run", "And?", "--resume", shell.session().name, "--sessions", str(shell.sessions))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)
    assert (2, True) == (result.returncode, "in use by another process" in result.stderr)
