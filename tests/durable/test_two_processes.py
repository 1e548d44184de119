"""Two processes over one database: a cancellation reaches the other one, and of two orders at once one is told."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from purestep import verify
from purestep_hosts import Agent, ScriptedModel, approved, calls, says, tool
from purestep_hosts.durable import DurableRuns
from tests.durable.booking import LIMIT_S, RUN_ID, begun_and_killed, booking_agent, effects, seats
from tests.serve.conftest import wait_until

WAITING = """
import sys
from pathlib import Path
from purestep_hosts.durable import DurableRuns
from tests.durable.test_two_processes import waiting_agent

with DurableRuns(waiting_agent(Path(sys.argv[2])), sys.argv[1], executor="other") as runs:
    runs.start("Look.", run_id="run-1")
    sys.stdin.read()
"""

ANSWERING = """
import sys
from pathlib import Path
from purestep_hosts import approved
from purestep_hosts.durable import DurableError, DurableRuns
from tests.durable.booking import LIMIT_S, RUN_ID, booking_agent

with DurableRuns(booking_agent(Path(sys.argv[2])), sys.argv[1], executor=sys.argv[3]) as runs:
    (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        runs.approve(RUN_ID, [approved(call)])
        print("answered", flush=True)
    except DurableError as error:
        print(error.code, flush=True)
    print(runs.wait(RUN_ID, LIMIT_S).status)
"""
"""A process that answers when it is told to."""


@pytest.fixture(params=["file_database", pytest.param("server_database", marks=pytest.mark.needs("postgresql"))])
def database(request: pytest.FixtureRequest) -> str:
    """An SQLite file, and a database of a server."""
    found: str = request.getfixturevalue(request.param)
    return found


@contextmanager
def program(text: str, *given: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program, which ends with the block."""
    command = [sys.executable, "-c", text, *given]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def waiting_agent(folder: Path) -> Agent[str]:
    """Return an agent whose tool never comes back, unless somebody ends it."""

    @tool(read_only=True)
    async def look() -> str:
        """Look for something that never comes."""
        (folder / "begun").touch()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            (folder / "ended").touch()
            raise
        return "found"

    return Agent(ScriptedModel([calls("look"), says("It is done.")]), tools=[look])


def test_a_cancellation_of_another_process_ends_a_call(database: str, tmp_path: Path) -> None:
    """The tool is ended where it waits, and the log says that the run was cancelled."""
    with program(WAITING, database, str(tmp_path)):
        wait_until((tmp_path / "begun").exists)
        with DurableRuns(waiting_agent(tmp_path), database, executor="second") as runs:
            runs.cancel(RUN_ID)
            wait_until((tmp_path / "ended").exists)
            assert "failed" == runs.wait(RUN_ID, LIMIT_S).status
            log = runs.log(RUN_ID)
    assert 1 == log.count('"kind":"cancelled"')
    assert verify(log).ok


def test_of_two_answers_at_once_one_is_told(database: str, tmp_path: Path) -> None:
    """Two services show the same call, and both are answered at the same moment: one answer counts."""
    with DurableRuns(booking_agent(tmp_path), database) as runs:
        runs.start("Pay", run_id=RUN_ID)
        assert "waiting" == runs.wait(RUN_ID, LIMIT_S).status
    with (
        program(ANSWERING, database, str(tmp_path), "one") as one,
        program(ANSWERING, database, str(tmp_path), "two") as two,
    ):
        for each in (one, two):
            assert each.stdout is not None
            assert "ready\n" == each.stdout.readline()
        for each in (one, two):
            assert each.stdin is not None
            each.stdin.write("\n")
            each.stdin.flush()
        said = [(each.stdout.readline().strip(), each.stdout.readline().strip()) for each in (one, two) if each.stdout]
    assert [("answered", "done"), ("not_waiting", "done")] == sorted(said)
    assert ["paid 3"] == effects(tmp_path)


OPENED = """
import sys
from pathlib import Path
from purestep_hosts.durable import DurableRuns
from tests.durable.booking import LIMIT_S, RUN_ID, booking_agent

with DurableRuns(booking_agent(Path(sys.argv[2]), "acted"), sys.argv[1]) as runs:
    runs.wait(RUN_ID, LIMIT_S)
"""
"""A process that goes on with a run, whose call kills it again."""


def test_a_call_that_kills_each_process_is_asked_about(database: str, tmp_path: Path) -> None:
    """It is run three times, though it may be repeated, and not for ever; the fourth is a person's to say."""
    begun_and_killed(database, tmp_path, "Book", "acted")
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", OPENED, database, str(tmp_path)], check=False, timeout=LIMIT_S)
        assert -signal.SIGKILL == done.returncode
    with DurableRuns(booking_agent(tmp_path), database) as runs:
        (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
        assert ("outcome_unknown", 3) == (call.reason, len(effects(tmp_path)))
        runs.approve(RUN_ID, [approved(call)])
        assert "done" == runs.wait(RUN_ID, LIMIT_S).status
        assert verify(runs.log(RUN_ID)).ok
    assert [7] == seats(tmp_path)
