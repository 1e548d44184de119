"""Ctrl-C stops every running call, records what is known of each and ends the process; a second one ends it at once."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.conftest import PATIENCE_S, Shell, Terminal, call, ended, final
from tests.cli.test_cli_crash import started, wait_for
from tests.hosts.test_hosts_shell import ends


def parallel(*calls: str) -> str:
    """A model output with several calls."""
    return f"[{','.join(calls)}]"


def interrupted(shell: Shell, *outputs: str, begun: str, **options: str) -> "subprocess.CompletedProcess[str]":
    """Start a run, wait until a tool has made this mark, and send SIGINT."""
    process = started(shell, *outputs, **options)
    wait_for(shell.folder / begun)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    return subprocess.CompletedProcess((), process.returncode, out, err)


def late(name: str) -> str:
    """A command that would have its effect in an hour, or as soon as it is asked to end."""
    return f"trap 'sleep 1; touch {name}' TERM; touch {name}.begun; sleep 3611; touch {name}"


def test_parallel_calls_are_stopped_and_recorded(shell: Shell) -> None:
    """The call that had finished has its result, the others may have run; nothing takes effect after `cancelled`."""
    # The first mark comes once the quick call has ended: its keeper is gone by then or a moment later.
    quick = call("shell", command="echo quick")
    calls = parallel(quick, call("shell", command=late("one")), call("shell", command=late("two")))
    process = started(shell, calls, final("No."))
    for mark in ("one.begun", "two.begun"):
        wait_for(shell.folder / mark)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE_S)
    found = {event["call_id"]: event.get("output", event.get("error_kind")) for event in shell.facts("tool_result")}
    assert (130, {"call_1": "quick\n", "call_2": "interrupted", "call_3": "interrupted"}) == (process.returncode, found)
    kinds = [event["kind"] for event in shell.events()]
    assert kinds.index("cancelled") > max(n for n, kind in enumerate(kinds) if kind == "tool_result")
    assert ends("sleep 3611"), "a command outlived the run"
    assert ([], True) == ([name for name in ("one", "two") if (shell.folder / name).exists()], "defect" not in err)


def test_single_call_is_told_as_interrupted(shell: Shell) -> None:
    """The model of a follow-up reads that the call may have run."""
    interrupted(shell, call("shell", command="touch begun; exec sleep 3612"), final("No."), begun="begun")
    (result,) = shell.facts("tool_result")
    assert ("interrupted", "interrupted; it may have run") == (result["error_kind"], result["error"])


def test_second_interrupt_ends_at_once(shell: Shell) -> None:
    """Even while the first one waits for a command that does not end; the command dies with the process."""
    process = started(shell, call("shell", command="trap '' TERM; touch begun; sleep 3613; sleep 3613"), final("No."))
    wait_for(shell.folder / "begun")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)
    assert (130, True) == (process.returncode, ends("sleep 3613"))


def test_terminated_run_can_be_resumed(shell: Shell) -> None:
    """SIGTERM ends the process and its commands at once; the log stays open."""
    process = started(shell, call("shell", command="touch begun; exec sleep 3614"), final("No."))
    wait_for(shell.folder / "begun")
    process.terminate()
    process.communicate(timeout=PATIENCE_S)
    expected = (128 + signal.SIGTERM, True, "approval")
    assert expected == (process.returncode, ends("sleep 3614"), shell.events()[-1]["kind"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_cursor_is_shown_again(shell: Shell, terminal: Terminal, number: int) -> None:
    """A signal during a wait leaves the terminal as it was."""
    script = shell.script(call("shell", command="touch begun; exec sleep 3615"), final("No."))
    child = terminal("run", "Go", "--sessions", str(shell.sessions), "--script", script, "--tools", "shell", "--yes")
    wait_for(shell.folder / "begun")
    child.expect("running shell")
    os.kill(child.pid, number)
    said = child.before + child.after
    ended(child)
    said += child.before
    assert ("\x1b[?25l" in said, said.rfind("\x1b[?25h") > said.rfind("\x1b[?25l")) == (True, True)


def test_model_call_is_given_up(shell: Shell, tmp_path: Path) -> None:
    """A server that says nothing does not hold the process."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        process = subprocess.Popen(
            shell.command("run", "Go", "--sessions", str(shell.sessions), "--base-url", url), cwd=shell.folder,
            env=shell.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        link, _ = server.accept()
        link.recv(64)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_S)
        link.close()
    assert (130, ["cancelled"]) == (process.returncode, [event["code"] for event in shell.facts("run_failed")]), err
    assert f"model      the server's own at {url.removesuffix('/v1')}\n" in err
