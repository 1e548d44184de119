"""Verifying all logs below a folder, in one process or several."""

import json
import os
import tempfile
from pathlib import Path

import pytest

from purestep_hosts.redriven_text import log_paths
from tests.cli.conftest import Shell, call, final

_NOBODY = 65534


@pytest.fixture
def logs(shell: Shell) -> Path:
    """A folder with three sessions; the log of the second one was changed in a byte."""
    for number in range(3):
        shell.scripted(call("calculate", a=17, b=number, operation="plus"), final("It is done."))
    second = sorted(shell.sessions.glob("*/log.jsonl"))[1]
    second.write_bytes(second.read_bytes().replace(b"It is done.", b"It is gone."))
    return shell.sessions


@pytest.mark.parametrize("jobs", [(), ("--jobs", "1"), ("--jobs", "2"), ("--jobs", "64")])
def test_logs_of_a_folder_are_verified(shell: Shell, logs: Path, jobs: tuple[str, ...]) -> None:
    """The one that differs is named with its line, and all are counted, in however many processes."""
    changed = sorted(logs.glob("*/log.jsonl"))[1]
    result = shell("verify", str(logs), *jobs)
    assert (6, "") == (result.returncode, result.stderr)
    differs, counted = result.stdout.splitlines()
    assert differs.split()[0] == "differs"
    assert str(changed) in differs
    assert ", line " in differs
    assert "2 of 3 verified" in counted
    assert counted.endswith("1 differ")


def test_found_is_told_as_data(shell: Shell, logs: Path) -> None:
    """Each log with its name, in their order, as `verify` tells of one."""
    found = json.loads(shell("verify", str(logs), "--json", "--jobs", "2").stdout)
    assert [str(path) for path in sorted(logs.glob("*/log.jsonl"))] == [each["name"] for each in found]
    assert [True, False, True] == [each["ok"] for each in found]
    assert found[1]["line"] > 1


def test_a_log_without_a_head_is_told(shell: Shell, logs: Path) -> None:
    """Nobody is left in the belief that its last facts were checked."""
    first, second, _ = sorted(logs.glob("*/log.jsonl"))
    second.unlink()
    (logs / "copy.jsonl").write_bytes(first.read_bytes())
    result = shell("verify", str(logs))
    assert 0 == result.returncode
    assert "3 of 3 verified" in result.stdout
    assert "1 without a head" in result.stdout


def test_what_cannot_be_read_hides_nothing(shell: Shell, logs: Path) -> None:
    """A file that is no log is named, and the others are verified; its escape codes do not reach the terminal."""
    (logs / "no\x1b[31mlog.jsonl").write_text("nothing\n", "utf-8")
    result = shell("verify", str(logs))
    assert (6, True) == (result.returncode, "2 of 4 verified" in result.stdout)
    assert "\x1b" not in result.stdout


def test_a_folder_without_logs_is_said(shell: Shell, tmp_path: Path) -> None:
    """What was expected, in one line."""
    (tmp_path / "empty").mkdir()
    result = shell("verify", str(tmp_path / "empty"))
    assert (2, True) == (result.returncode, "has no *.jsonl below it" in result.stderr)


@pytest.mark.parametrize("asked", [".", "closed", "closed/inner"])
def test_a_folder_that_cannot_be_listed_is_not_taken_as_empty(asked: str) -> None:
    """Else nobody would know that logs in it were not looked at; root may list everything."""
    user = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        closed = Path(name, "closed")
        (closed / "inner").mkdir(parents=True)
        (closed / "inner" / "log.jsonl").touch()
        closed.chmod(0)
        Path(name).chmod(0o755)
        os.seteuid(_NOBODY if user == 0 else user)
        try:
            with pytest.raises(PermissionError):
                log_paths(Path(name, asked))
        finally:
            os.seteuid(user)
            closed.chmod(0o700)


def test_one_head_is_not_that_of_a_folder(shell: Shell, logs: Path) -> None:
    """A head belongs to one log."""
    result = shell("verify", str(logs), "--head", "0" * 64)
    assert (2, True) == (result.returncode, "one log" in result.stderr)
