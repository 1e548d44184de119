"""A clock that goes back, as after a correction or a restart on another machine: runs go on, and logs verify."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from purestep import verify
from tests.durable.booking import LIMIT_S, effects
from tests.durable.test_two_processes import database

__all__ = ["database"]

STEP = """
import sys
import time

back_ns, now_ns, now = int(sys.argv[3]), time.time_ns, time.time
time.time_ns, time.time = (lambda: now_ns() - back_ns), (lambda: now() - back_ns / 1e9)

from pathlib import Path
from purestep_hosts import approved
from purestep_hosts.durable import DurableRuns
from tests.durable.booking import LIMIT_S, RUN_ID, booking_agent

with DurableRuns(booking_agent(Path(sys.argv[2])), sys.argv[1]) as runs:
    if sys.argv[4] == "ask":
        runs.start("Pay", run_id=RUN_ID)
    else:
        (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
        runs.approve(RUN_ID, [approved(call)])
    print(runs.wait(RUN_ID, LIMIT_S).status)
    Path(sys.argv[2], "log").write_text(runs.log(RUN_ID))
"""
"""A process whose clock is so many nanoseconds behind."""

DAY_NS = 86_400 * 10**9


def step(database: str, folder: Path, back_ns: int, act: str) -> str:
    """Begin a run, or answer it, in a process; gives where the run stands."""
    command = [sys.executable, "-c", STEP, database, str(folder), str(back_ns), act]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert 0 == done.returncode, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("back_ns", [DAY_NS, -DAY_NS], ids=["back", "ahead"])
def test_an_approval_under_another_clock(database: str, tmp_path: Path, back_ns: int) -> None:
    """The process that goes on lives a day before or after the one that asked."""
    assert "waiting" == step(database, tmp_path, 0, "ask")
    assert "done" == step(database, tmp_path, back_ns, "answer")
    log = (tmp_path / "log").read_text()
    times = [json.loads(line)["at"] for line in log.splitlines() if '"at"' in line]
    assert (back_ns > 0) == (times[-1] < times[0])
    assert verify(log).ok
    assert ["paid 3"] == effects(tmp_path)
