"""Logs that are read in pieces: files that change meanwhile, pipes, folders, and lines without an end."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import purestep
from purestep import ModelOutput, UserMessage, start, step
from purestep_hosts.cli import logs
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.logs import find_log
from tests.cli.conftest import Shell


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a run with three exchanges."""
    path = tmp_path / "run.jsonl"
    run = start(None, UserMessage(content="Hello 0"), run_id="r")
    text = run.log
    for number in range(3):
        run = step(run.state, ModelOutput(content=f"Answer {number}."))
        text += run.log
        run = step(run.state, UserMessage(content=f"Hello {number + 1}"))
        text += run.log
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many that a file can change between two of them."""
    monkeypatch.setattr(logs, "_PIECE_BYTES", 100)


@pytest.mark.usefixtures("small_pieces")
def test_what_is_appended_meanwhile_is_told_and_not_looked_at(log: Path) -> None:
    """The log that is verified is the one that stood there; how much came since is told."""
    before = log.read_bytes()
    found = find_log(str(log), None)
    pieces = iter(found)
    taken = next(pieces)
    with log.open("ab") as file:
        file.write(b'{"seq":99')
    assert before == taken + b"".join(pieces)
    assert (9, before) == (found.bytes_after, found.data)


def _shorten(path: Path) -> None:
    os.truncate(path, 150)


def _overwrite(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data.replace(b"Hello", b"Hollo"))
    os.utime(path, (1, 1))  # clocks of file systems are coarse


def _replace(path: Path) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    os.replace(copy, path)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("change", [_shorten, _overwrite, _replace])
def test_what_is_changed_meanwhile_is_refused(log: Path, change: Callable[[Path], None]) -> None:
    """Nobody is told of a log as verified of which a part is gone by now."""
    found = find_log(str(log), None)
    if change is not _replace:
        pieces = iter(found)
        next(pieces)
        change(log)
    else:
        assert found.data == log.read_bytes()
        change(log)  # between two readings
        pieces = iter(found)
    with pytest.raises(UsageError, match="was changed while it was read"):
        list(pieces)


@pytest.mark.parametrize("at", [1, 2, 5, 11])
def test_a_part_of_a_log_is_its_first_lines(log: Path, at: int) -> None:
    """`--at` counts every line, and takes the last one with or without its line break."""
    lines = log.read_bytes().splitlines(keepends=True)
    assert b"".join(lines[:at]) == find_log(str(log), None).up_to(at).data
    log.write_bytes(log.read_bytes()[:-1])
    assert log.read_bytes() == find_log(str(log), None).up_to(len(lines)).data
    with pytest.raises(UsageError, match=f"has no line {len(lines) + 1}; it has {len(lines)}"):
        find_log(str(log), None).up_to(len(lines) + 1)


def test_a_log_comes_from_a_pipe_as_from_a_file(shell: Shell, log: Path) -> None:
    """stdin is read as it comes, to the same lines and exit codes; a FIFO as a file is told to be given so."""
    text = log.read_text("utf-8")
    good, bad = (shell("verify", "-", input=each) for each in (text, text.replace("Answer 1", "Answer 7")))
    assert (0, 6) == (good.returncode, bad.returncode)
    assert "11 lines of stdin" in good.stdout
    assert "line 7:" in bad.stdout
    os.mkfifo(log.with_name("pipe.jsonl"))
    refused = shell("verify", str(log.with_name("pipe.jsonl")))
    assert 2 == refused.returncode
    assert "it is a pipe, not a file; give - and send the log on stdin" in refused.stderr


HOSTILE: dict[str, tuple[Callable[[bytes], bytes], int, str]] = {
    "empty": (lambda _: b"", 6, "line 1: the log holds no line"),
    "no end": (lambda log: log[:-1], 0, "verified"),
    "torn": (lambda log: log[:-3], 6, "line 11: the last line is torn"),
    "NUL": (lambda log: log + b"\0\0\0\n", 6, "line 12: "),
    "NULs only": (lambda log: b"\0" * len(log), 6, "line 1: the log holds no line"),
    "half a letter": (lambda log: log.replace(b"Answer 2", b"Answer \xe2"), 6, "line 9: expected UTF-8"),
    "deep": (lambda log: log + b"[" * 100_000 + b"\n", 6, "line 12: expected JSON nested"),
    "text": (lambda _: b"Dear Sir,\nI am no log.\n", 6, "line 1: "),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_odd_files_are_told_in_a_sentence(shell: Shell, log: Path, name: str) -> None:
    """From a file and from stdin: an exit code, the line, why; never a traceback."""
    change, code, told = HOSTILE[name]
    log.write_bytes(change(log.read_bytes()))
    found = shell("verify", str(log))
    assert (code, "") == (found.returncode, found.stderr)
    assert told in " ".join(found.stdout.split())


def test_a_long_line_that_differs_is_shown_around_the_place(shell: Shell, log: Path) -> None:
    """Not a hundred thousand characters of it."""
    run = start(None, UserMessage(content="x" * 100_000), run_id="r")
    data = run.log + step(run.state, ModelOutput(content="y" * 100_000)).log
    assert purestep.verify(data).ok
    at = data.rindex("yyy", 0, -50_000)
    log.write_text(data[: at - 20_000] + "HERE" + data[at - 19_996 :], "utf-8")
    found = shell("verify", str(log))
    assert 6 == found.returncode
    assert "HERE" in found.stdout
    assert len(found.stdout) < 5_000
