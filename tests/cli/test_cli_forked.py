"""A command in a fork of a process that has imported the program does what it does in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, base_environment, call, final
from tests.cli.forked import ForkingStarter

COMMANDS = [
    ("--version",),
    ("--help",),
    ("run", "--help"),
    ("tools", "--json"),
    ("tools",),
    ("prompt", "What is 2 plus 2?", "--tools", "add_numbers", "--json"),
    ("nonsense",),
    ("run",),
    ("replay", "no.jsonl"),
    ("run", "Grüße 文 \U0001f600", "--script", "script.jsonl", "--sessions", "sessions", "--quiet"),
    ("run", "a\udcfcb"),
]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands are forked on Linux alone")


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_command_says_what_it_says_in_its_own_process(
    shell: Shell, own_process: Shell, arguments: tuple[str, ...]
) -> None:
    """Exit code and every byte of both streams are the same, the encoding of odd text included."""
    shell.script(call("calculate", a=1, b=2, operation="plus"), final("Es ist 3, 文."))
    forked, own = shell(*arguments), own_process(*arguments)
    assert (own.returncode, own.stdout, own.stderr) == (forked.returncode, forked.stdout, forked.stderr)


def test_nothing_of_a_command_is_left_for_the_next(tmp_path: Path, starter: ForkingStarter | None) -> None:
    """Folder, environment and what a command keeps in memory are its own."""
    assert starter is not None
    folders = [tmp_path / name for name in ("one", "two")]
    said = []
    for folder in folders:
        folder.mkdir()
        (folder / "script.jsonl").write_text(f'"{{\\"kind\\":\\"final\\",\\"content\\":\\"{folder.name}\\"}}"\n')
        environment = {**base_environment(), "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        done = starter.run(("run", "Go", "--script", "script.jsonl", "--quiet"), folder, environment, 60)
        said.append((done.returncode, done.stdout))
    assert [(0, "one\n"), (0, "two\n")] == said
    assert [1, 1] == [len(list(folder.rglob("log.jsonl"))) for folder in folders]


def test_command_that_takes_too_long_is_killed(shell: Shell, tmp_path: Path) -> None:
    """The limit holds as it does in subprocess, and the next command runs."""
    assert shell.starter is not None
    script = shell.script(call("shell", command="echo $PPID >pid; exec sleep 3600"), final("Done."))
    arguments = ("run", "Go", "--script", script, "--sessions", str(shell.sessions), "--tools", "shell", "--yes")
    with pytest.raises(subprocess.TimeoutExpired):
        shell.starter.run(arguments, tmp_path, shell.environment, 5)
    assert 0 == shell("--version").returncode
