"""Files that a user names: a pipe, a device, a socket or a folder is refused at once, wherever one is read."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from purestep_hosts import AttachmentError, ScriptedModel, attachment
from purestep_hosts.agent_file import AgentFileError, read_agent_file
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.logs import find_log
from purestep_hosts.cli.service import _read_tokens
from purestep_hosts.evaluation.bfcl import read_bfcl
from purestep_hosts.evaluation.suite import SuiteError, read_suite
from purestep_hosts.function_files import FunctionFileError, read_functions
from purestep_hosts.models.llamacpp import ModelLoadError, _check_file
from purestep_hosts.models.scripted import ScriptError
from purestep_hosts.regular_files import NotRegular, open_regular, read_regular, read_settled
from purestep_hosts.session_log import SessionError, read_log

REFUSED = (AgentFileError, AttachmentError, FunctionFileError, ModelLoadError, ScriptError, SessionError, SuiteError)
READERS: dict[str, Callable[[Path], object]] = {
    "attachment": attachment,
    "agent": read_agent_file,
    "functions": read_functions,
    "script": ScriptedModel,
    "suite": lambda path: list(read_suite(path)),
    "bfcl": lambda path: list(read_bfcl(path)),
    "tokens": _read_tokens,
    "log": lambda path: find_log(str(path), None),
    "session log": read_log,
    "model": _check_file,
}


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A path of each kind that is no file."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "linked").symlink_to("pipe")
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path)  # a socket's path has at most 107 bytes
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("socket")
    names = ("pipe", "folder", "linked", "loop", "socket")
    return {**{name: tmp_path / name for name in names}, "device": Path("/dev/zero"), "null": Path(os.devnull)}


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_refused_at_once(reader: str, odd: dict[str, Path]) -> None:
    """B11: nobody waits for a pipe's writer, and nothing is read from a device."""
    for kind, path in odd.items():
        with pytest.raises((*REFUSED, UsageError)) as refused:
            READERS[reader](path)
        assert str(path) in str(refused.value), kind


def test_refusal_says_what_the_path_names(odd: dict[str, Path]) -> None:
    """In words that a user knows."""
    said = {}
    for kind in ("pipe", "socket", "device"):
        with pytest.raises(NotRegular) as refused:
            open_regular(odd[kind])
        said[kind] = refused.value.strerror
    expected = {"pipe": "a pipe", "socket": "a socket", "device": "a device"}
    assert {kind: f"it is {name}, not a file" for kind, name in expected.items()} == said


def test_descriptors_are_closed_after_a_refusal(odd: dict[str, Path]) -> None:
    """A service that is sent many bad paths keeps its descriptors."""
    before = len(os.listdir("/dev/fd"))
    for _ in range(50):
        with pytest.raises(NotRegular):
            open_regular(odd["pipe"])
    assert before == len(os.listdir("/dev/fd"))


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="Linux only")
def test_file_that_a_system_makes_up_is_no_attachment() -> None:
    """Its size says that it is empty."""
    with pytest.raises(AttachmentError, match="its size says 0 bytes"):
        attachment(Path("/proc/version"))


def test_file_that_grows_while_it_is_read_is_no_attachment(tmp_path: Path) -> None:
    """What is kept under a digest is a whole file; a quiet one is read to the limit."""
    path = tmp_path / "grows.txt"
    path.write_bytes(b"a" * 100_000)
    assert (100_000, 11) == (len(read_settled(path, 100_000)), len(read_regular(path, 10)))
    stop = threading.Event()
    refused = 0

    def grow() -> None:
        with path.open("ab", buffering=0) as file:
            while not stop.is_set():
                file.write(b"b" * 16)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        for _ in range(2_000):
            try:
                read_settled(path, 1 << 30)
            except NotRegular:
                refused += 1
                break
    finally:
        stop.set()
        writer.join()
    assert 1 == refused
