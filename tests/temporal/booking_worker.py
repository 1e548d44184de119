"""A worker in a process of its own, which kills itself at a moment, or is killed by a test.

It is a program: `python -m tests.temporal.booking_worker ADDRESS QUEUE FOLDER MOMENT`; see `tests.durable.booking`.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from purestep_hosts.temporal import TemporalWorker
from tests.durable.booking import LIMIT_S, booking_agent


@contextmanager
def booking_worker(address: str, queue: str, folder: Path, moment: str = "never") -> Iterator[subprocess.Popen[str]]:
    """Run a worker until the block ends."""
    command = [sys.executable, "-m", "tests.temporal.booking_worker", address, queue, str(folder), moment]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_killed(process: subprocess.Popen[str]) -> None:
    """Wait until a worker has killed itself."""
    _, said = process.communicate(timeout=LIMIT_S)
    assert process.returncode == -signal.SIGKILL, said


if __name__ == "__main__":
    address, queue, folder, moment = sys.argv[1:]
    TemporalWorker(booking_agent(Path(folder), moment), address, queue=queue).run()
