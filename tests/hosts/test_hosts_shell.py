"""The shell tool with real commands."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.tools import keeper
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox


def shell(folder: Path, command: str, **config: Any) -> dict[str, Any]:
    """Run one command in `folder`."""
    box = Toolbox(ToolConfig(session_dir=folder, root=folder, **config))
    return box.run("shell", {"command": command}, "k")


def running(marker: str) -> bool:
    """Whether a process with `marker` in its command line lives."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it may end while we look
            if marker.encode() in path.read_bytes().replace(b"\0", b" "):
                return True
    return False


def ends(marker: str) -> bool:
    """Wait until all such processes are gone, which a busy machine may take long for; tell whether they are."""
    for _ in range(600):
        if not running(marker):
            return True
        time.sleep(0.05)
    return False


def test_output_is_what_was_printed(tmp_path: Path) -> None:
    """The text comes back as it is, from the configured folder."""
    (tmp_path / "a.txt").touch()
    assert shell(tmp_path, "ls") == {"ok": True, "output": "a.txt\n"}


def test_stderr_of_a_success_is_shown_apart(tmp_path: Path) -> None:
    """A warning on stderr does not fail a command."""
    assert shell(tmp_path, "echo out; echo warn >&2")["output"] == "out\n\n[stderr]\nwarn\n"


def test_status_other_than_zero_is_a_failure(tmp_path: Path) -> None:
    """The model learns status, stderr and what was printed before."""
    found = shell(tmp_path, "echo partial; echo broken >&2; exit 3")
    assert (found["ok"], found["error_kind"]) == (False, "execution")
    for part in ("status 3", "broken", "partial"):
        assert part in found["error"]


def test_death_by_signal_is_named(tmp_path: Path) -> None:
    """A killed command says by which signal."""
    assert "signal 9" in shell(tmp_path, "kill -9 $$")["error"]


def test_endless_output_is_capped_and_ends(tmp_path: Path) -> None:
    """A command that prints for ever is held in bounds of memory and time."""
    found = shell(tmp_path, "yes", shell_time_limit_s=0.5)
    assert not found["ok"]
    assert len(found["error"]) < 164_000
    assert found["error"].endswith("bytes more were printed]")


def test_output_past_the_bound_is_an_error_and_the_command_may_finish(tmp_path: Path) -> None:
    """The rest is dropped, not blocked, so the command still ends by itself; its start is not passed off as all."""
    found = shell(tmp_path, "head -c 3000000 /dev/zero | tr '\\0' x; touch finished")
    said = "the command ran, and printed more than 163840 bytes: have it print a part, or write a file"
    start = "x" * 163_840 + "\n[cut: 2836160 bytes more were printed]"
    assert {"ok": False, "error": f"{said}\n[stdout]\n{start}", "error_kind": "interrupted"} == found
    assert (tmp_path / "finished").exists()


def test_timeout_ends_grandchildren(tmp_path: Path) -> None:
    """Nothing that the command started survives its time limit."""
    found = shell(tmp_path, "(sleep 3661.25 & sleep 3661.25) & sleep 3661.25", shell_time_limit_s=0.3)
    assert "in time" in found["error"]
    assert ends("sleep 3661.25")


def test_command_deaf_to_polite_requests_is_killed(tmp_path: Path) -> None:
    """Ignoring SIGTERM does not help."""
    shell(tmp_path, "trap '' TERM; sleep 3662.25; sleep 3662.25", shell_time_limit_s=0.3)
    assert ends("sleep 3662.25")


def test_background_work_ends_with_the_command(tmp_path: Path) -> None:
    """A command returns although a child holds its output open, and the child is ended."""
    assert shell(tmp_path, "sleep 3663.25 & echo done")["output"] == "done\n"
    assert ends("sleep 3663.25")


def test_no_input_is_waited_for(tmp_path: Path) -> None:
    """Standard input is closed."""
    assert shell(tmp_path, "cat; echo end")["output"] == "end\n"


def test_secrets_of_the_host_are_not_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the basic variables and the allowed ones reach a command."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("FAVOURITE", "blue")
    assert "sk-secret" not in shell(tmp_path, "env")["output"]
    assert "FAVOURITE" not in shell(tmp_path, "env")["output"]
    assert "FAVOURITE=blue" in shell(tmp_path, "env", pass_environment=("FAVOURITE",))["output"]
    assert f"PATH={os.environ['PATH']}" in shell(tmp_path, "env")["output"]


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    """Output is always text."""
    assert shell(tmp_path, r"printf 'a\377b'")["output"] == "a\ufffdb"


def test_zero_byte_is_refused(tmp_path: Path) -> None:
    """A command that no shell can take is the caller's error."""
    assert shell(tmp_path, "echo \0")["error_kind"] == "invalid_arguments"


def test_approval_is_asked_by_default(tmp_path: Path) -> None:
    """The spec tells the core to ask."""
    (spec,) = Toolbox(ToolConfig(session_dir=tmp_path, names=("shell",))).specs()
    assert spec["approval"] == "ask"
    assert spec["annotations"]["destructiveHint"] is True


def test_command_has_its_idempotency_key(tmp_path: Path) -> None:
    """A script can tell a repetition from a new call."""
    assert shell(tmp_path, "echo $PURESTEP_KEY")["output"] == "k\n"


def test_command_that_leaves_its_session_is_stopped(tmp_path: Path) -> None:
    """On Linux the keeper is the parent of what a command leaves behind, in whatever session it is."""
    if not Path("/proc/self/stat").exists():
        return
    shell(tmp_path, "(setsid sh -c 'setsid sleep 3619 & sleep 3619' >/dev/null 2>&1 &); sleep 0.2; echo done")
    assert ends("sleep 3619")


def interrupted(folder: Path, command: str, mark: str) -> dict[str, Any]:
    """Run a command and have the host stop it once its mark is there."""
    box = Toolbox(ToolConfig(session_dir=folder, root=folder))
    results: list[dict[str, Any]] = []
    thread = threading.Thread(target=lambda: results.append(box.run("shell", {"command": command}, "k")))
    thread.start()
    while not (folder / mark).exists():
        time.sleep(0.02)
    box.stop()
    thread.join()
    return results[0]


def test_interrupted_command_may_have_run(tmp_path: Path) -> None:
    """Its end says nothing about its effect, so the result does not either; it ends also if it takes no signal."""
    found = interrupted(tmp_path, "trap '' TERM; touch mark; sleep 3620; sleep 3620", "mark")
    assert {"ok": False, "error": "interrupted; it may have run", "error_kind": "interrupted"} == found
    assert ends("sleep 3620")


def test_command_dies_with_its_host(tmp_path: Path) -> None:
    """A host that is killed leaves nothing running."""
    program = (
        "import sys; from pathlib import Path; from purestep_hosts.tools.config import ToolConfig;"
        "from purestep_hosts.tools.toolbox import Toolbox;"
        "Toolbox(ToolConfig(session_dir=Path('.'), root=Path('.'))).run('shell', {'command': sys.argv[1]}, 'k')"
    )
    command = "(setsid sleep 3621 &); touch mark; sleep 3621; touch late"
    host = subprocess.Popen([sys.executable, "-c", program, command], cwd=tmp_path)
    while not (tmp_path / "mark").exists():
        time.sleep(0.02)
    host.kill()
    host.wait()
    assert (True, False) == (ends("sleep 3621"), (tmp_path / "late").exists())


def test_command_whose_host_dies_while_it_starts_has_no_effect(tmp_path: Path) -> None:
    """The host may be gone before the command is in its own process group."""
    late = []
    for number in range(12):
        effect = tmp_path / str(number)
        program = [sys.executable, "-I", "-S", keeper.__file__, f"sleep 0.05; echo x >'{effect}'"]
        with subprocess.Popen(program, stdin=subprocess.PIPE):
            time.sleep(number * 0.004)
            began = effect.exists()
        time.sleep(0.1)
        late += [number] if effect.exists() and not began else []
    assert [] == late
