"""Work on several processes: in its order, and stopped where nobody wants the rest."""

import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from purestep_hosts.on_processes import on_processes


def marked(folder: Path, number: int) -> int:
    """Leave a mark, and take a while."""
    (folder / str(number)).touch()
    time.sleep(0.05)
    return number


@pytest.mark.parametrize("processes", [1, 2])
def test_what_comes_of_each_is_in_their_order(processes: int, tmp_path: Path) -> None:
    """However the processes share them."""
    assert list(range(9)) == list(on_processes(partial(marked, tmp_path), range(9), processes, 2))


def test_the_rest_is_not_begun_once_nobody_wants_it(tmp_path: Path) -> None:
    """As when the one that reads is interrupted."""
    found = on_processes(partial(marked, tmp_path), range(200), 2, 1)
    assert 0 == next(iter(found))
    found.close()  # type: ignore[attr-defined] (a generator)
    assert 100 > len(list(tmp_path.iterdir()))


FOREVER = """
import os, sys, time
from purestep_hosts.on_processes import on_processes
def waits(number):
    os.write(1, b"begun\\n")  # at once, where print writes the line break apart
    time.sleep(600)
if __name__ == "__main__":
    list(on_processes(waits, range(4), 2, 1))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_outlives_the_one_that_asked(how: signal.Signals, tmp_path: Path) -> None:
    """Also where that alone is killed: who reads its output is not left waiting."""
    script = tmp_path / "forever.py"
    script.write_text(FOREVER, "utf-8")
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as started:
        assert started.stdout is not None
        assert [b"begun\n"] * 2 == [started.stdout.readline() for _ in range(2)]
        started.send_signal(how)
        assert b"" == started.stdout.read()  # the pipe is closed once the last process has ended
