"""A run that dies or is interrupted can be read, and goes on where it was."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import PATIENCE_S, Shell, Terminal, call, ended, final
from tests.hosts.test_hosts_shell import ends


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
ONCE = (
    "echo $PURESTEP_KEY >>keys; test -e begun && echo again || "
    "{ (setsid sleep 86417.0419 &); sh -c 'sleep 86417.0419; true' & touch begun; exec sleep 86417.0419; }"
)


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
    assert (True, True) == ("open, tools run next" in last, f"--resume {killed.session().name[-6:]} " in last)


def test_killed_run_verifies(killed: Shell) -> None:
    """What was written before the kill is whole."""
    assert 0 == killed("verify", str(killed.session())).returncode


def resumed(shell: Shell, *options: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    """Resume the newest session with its script."""
    script = str(shell.folder / "script.jsonl")
    where = ("--sessions", str(shell.sessions), "--script", script)
    return shell("run", "--resume", shell.session().name, *where, *options, **more)


def cut_to(shell: Shell, kind: str) -> None:
    """Keep the newest log up to its first event of a kind, as a kill would have left it."""
    log = shell.session() / "log.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    end = next(number for number, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    log.write_text("".join(lines[: end + 1]))
    (log.parent / "head").unlink()


def test_killed_run_goes_on(killed: Shell) -> None:
    """`run --resume --yes` runs the open call again under its key, and the script from where it was."""
    result = resumed(killed, "--yes")
    outputs = [event["output"] for event in killed.facts("tool_result")]
    assert (0, "It ran.\n", ["again\n"]) == (result.returncode, result.stdout, outputs)
    assert (killed.folder / "keys").read_text().splitlines() == [killed.facts("tool_call")[0]["key"]] * 2


def test_open_call_does_not_run_again_unasked(killed: Shell) -> None:
    """Without a terminal nobody can be asked whether a call that may have run is repeated, so it is not; it is told."""
    result = resumed(killed)
    asked = [event["reason"] for event in killed.facts("approval_request")][-1:]
    ran = (killed.folder / "keys").read_text().splitlines()
    assert (0, ["outcome_unknown"], 1, []) == (result.returncode, asked, len(ran), killed.facts("tool_result"))
    assert "may have run" in result.stderr
    assert 0 == killed("verify", str(killed.session())).returncode


def test_call_that_may_be_repeated_runs_again(shell: Shell) -> None:
    """A tool that only reads is not asked about."""
    shell.scripted(call("list_dir", path="."), final("Listed."))
    cut_to(shell, "tool_call")
    result = resumed(shell)
    assert (0, "Listed.\n", 1) == (result.returncode, result.stdout, len(shell.facts("tool_result")))
    assert "list_dir path=.: runs again" in result.stderr


def test_a_definition_may_have_the_run_fail_instead(shell: Shell) -> None:
    """Nobody is asked, nothing runs twice, and the failure says what a person can do."""
    path = shell.folder / "agent.json"
    path.write_text(json.dumps({"tools": ["shell"], "approval": {"unknown_outcome": "fail"}}))
    ran = call("shell", command="echo ran >>ran")
    shell.scripted(ran, final("It ran."), options=("--agent", str(path), "--yes"))
    cut_to(shell, "approval")
    result = resumed(shell, "--yes")
    assert (1, "", ["ran\n"]) == (result.returncode, result.stdout, [(shell.folder / "ran").read_text()])
    assert "failed     the run was stopped while shell (call_1) ran" in result.stderr
    assert ["outcome_unknown"] == [event["code"] for event in shell.facts("run_failed")]


def test_command_dies_with_its_host(killed: Shell) -> None:
    """No process that the killed run had started is left, however it was started."""
    assert ends("86417.0419")


def test_death_before_the_first_append_begins_again(shell: Shell) -> None:
    """A session whose log is empty, or holds half of the first append, starts from its query."""
    shell.scripted(final("It ran."))
    log = shell.session() / "log.jsonl"
    for kept in ("", log.read_text().split("\n")[0] + "\n", log.read_text()[:90]):
        log.write_text(kept)
        (log.parent / "head").write_text("")
        result = resumed(shell)
        asked = [event["content"] for event in shell.facts("user_message")]
        assert (0, "It ran.\n", ["Go"]) == (result.returncode, result.stdout, asked), result.stderr


@pytest.mark.parametrize("head", [None, "", "not a hash"])
def test_lost_head_is_derived_from_the_log(shell: Shell, head: str | None) -> None:
    """The head file says nothing that the log does not, so a run goes on without it."""
    shell.scripted(final("It ran."))
    path = shell.session() / "head"
    before = path.read_text()
    path.unlink() if head is None else path.write_text(head)
    result = resumed(shell)
    assert (0, "It ran.\n", before) == (result.returncode, result.stdout, path.read_text())


def test_resumed_run_verifies(killed: Shell) -> None:
    """A log in two parts holds together."""
    resumed(killed, "--yes")
    assert 0 == killed("verify", str(killed.session())).returncode


def test_interrupt_ends_the_tool_and_the_run(shell: Shell) -> None:
    """Ctrl-C stops a tool that would take an hour; the run is cancelled, the log kept, and stderr says how to go on."""
    process = started(shell, call("shell", command="touch begun; exec sleep 3600"), final("It ran."))
    wait_for(shell.folder / "begun")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE_S)
    expected = (130, True, ["cancelled"])
    failures = [event["code"] for event in shell.facts("run_failed")]
    assert expected == (process.returncode, f"--resume {shell.session().name[-6:]} " in said, failures)


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


def test_resuming_a_failed_run_says_why_it_failed(shell: Shell) -> None:
    """In the words of the first time."""
    first = shell.scripted(*[call("nothing")] * 3)
    script = str(shell.folder / "script.jsonl")
    again = shell("run", "--resume", shell.session().name, "--sessions", str(shell.sessions), "--script", script)
    (why,) = [line for line in first.stderr.splitlines() if line.startswith("failed ")]
    assert (first.returncode, True) == (again.returncode, why in again.stderr.splitlines())


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


def test_person_decides_whether_a_call_runs_again(killed: Shell, terminal: Terminal) -> None:
    """On a terminal the call is shown with its arguments and why it is asked about; a no leaves it at one effect."""
    script = str(killed.folder / "script.jsonl")
    arguments = ("run", "--resume", killed.session().name, "--sessions", str(killed.sessions), "--script", script)
    child = terminal(*arguments)
    child.expect_exact("may have run already")
    child.expect_exact("[q]uit")
    child.sendline("n once is enough")
    assert 0 == ended(child)
    assert 1 == len((killed.folder / "keys").read_text().splitlines())
