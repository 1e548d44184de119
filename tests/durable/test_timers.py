"""Calls that wait for a time: their results come by themselves, once, whatever becomes of the processes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy

from purestep import verify
from purestep_hosts import RunResult, due_results
from purestep_hosts.durable import DurableError, DurableRuns
from purestep_hosts.durable.pruning import prune
from purestep_hosts.durable.run_table import RunTable
from purestep_hosts.durable.tables import TIMERS
from tests.durable.booking import LIMIT_S, RUN_ID
from tests.durable.test_two_processes import database
from tests.durable.waiting import FAR_MS, Blocked, came, waiting_agent, waiting_below
from tests.serve.conftest import wait_until

__all__ = ["database"]


def in_ms(seconds: float) -> int:
    """Return a time from now."""
    return time.time_ns() // 1_000_000 + round(seconds * 1000)


def given(runs: DurableRuns[str], run_id: str = RUN_ID) -> RunResult[str]:
    """Return where a run stands once nothing of it waits for a time any more."""
    wait_until(lambda: not runs.wait(run_id, LIMIT_S).late)
    return runs.wait(run_id, LIMIT_S)


@contextmanager
def process(database: str, name: str, query: str = "") -> Iterator[subprocess.Popen[str]]:
    """Run a process that goes on with a run, until the block ends."""
    command = [sys.executable, "-m", "tests.durable.waiting", database, name, RUN_ID, query]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as found:
        try:
            yield found
        finally:
            found.send_signal(signal.SIGKILL)


def begun_and_killed(database: str, query: str) -> None:
    """Begin a run in a process that is killed once the run has answered."""
    with process(database, "local", query) as begun:
        assert begun.stdout is not None
        assert "done" == begun.stdout.readline().strip()


def test_another_process_gives_the_result_after_a_kill(database: str) -> None:
    """The process that armed it is dead when it is due; the model reads the result, and it comes once."""
    begun_and_killed(database, str(in_ms(1)))
    with DurableRuns(waiting_agent(), database) as runs:
        result = given(runs)
        time.sleep(2.5)  # two looks more
        assert result.log == runs.log(RUN_ID)
    assert ("1 came.", 1) == (result.answer, came(result.log))
    assert verify(result.log, result.state.head).ok


def test_many_times_of_a_run_and_many_kills(database: str) -> None:
    """Each result comes once, wherever the processes are killed."""
    chance = random.Random(7)
    begun_and_killed(database, " ".join([str(in_ms(each / 3)) for each in range(20)]))
    for name in ("local", "other", "local", "local", "other", "local"):
        with process(database, name):
            time.sleep(chance.uniform(0.6, 3.5))
    with DurableRuns(waiting_agent(), database) as runs:
        result = given(runs)
    assert ("done", 20) == (result.status, came(result.log))
    assert verify(result.log, result.state.head).ok


def test_two_processes_find_it_at_once(database: str) -> None:
    """One of them orders the exchange, and the log has the results once."""
    begun_and_killed(database, " ".join([str(in_ms(4))] * 2 + [str(in_ms(6))]))
    with process(database, "first"), process(database, "second"), DurableRuns(waiting_agent(), database) as runs:
        result = given(runs)
    assert ("done", 3) == (result.status, came(result.log))
    assert verify(result.log, result.state.head).ok


def test_a_time_long_past_has_come_at_once(file_database: str) -> None:
    """Nothing is special about it, nor about one before 1970."""
    with DurableRuns(waiting_agent(), file_database) as runs:
        runs.start("-62135596800000 0", run_id=RUN_ID)
        assert 2 == came(given(runs).log)


def test_an_agent_below_that_waits_goes_on(database: str) -> None:
    """The run has not ended meanwhile; the agent reads the result, and its caller the answer."""
    with DurableRuns(waiting_below(), database) as runs:
        run_id = runs.start(str(in_ms(1)))
        assert "waiting" == runs.wait(run_id, LIMIT_S).status
    with DurableRuns(waiting_below(), database) as runs:
        assert "It came." == given(runs, run_id).answer


def test_a_cancelled_run_gets_nothing_until_a_person_goes_on_with_it(file_database: str) -> None:
    """Its time comes and goes; once the user says something, the wait counts again."""
    now, blocked = [1000], Blocked()
    with DurableRuns(blocked.agent(clock=lambda: now[0]), file_database) as runs:
        runs.wait(runs.start(f"5000 {FAR_MS}", run_id=RUN_ID), LIMIT_S)
        runs.start("Hello", run_id=RUN_ID)
        assert blocked.asked.wait(LIMIT_S)
        runs.cancel(RUN_ID)
        blocked.released.set()
        cancelled = runs.wait(RUN_ID, LIMIT_S)
        now[0] = 6000
        wait_until(lambda: armed(file_database) == 0)
        assert ("failed", cancelled.log) == (cancelled.status, runs.log(RUN_ID))
        runs.start("Hello", run_id=RUN_ID)
        wait_until(lambda: came(runs.log(RUN_ID)) == 1)
        assert ["until:2096"] == [call.handle[:10] for call in runs.wait(RUN_ID, LIMIT_S).late]


def test_what_was_given_by_hand_comes_no_second_time(file_database: str) -> None:
    """Whoever has the log may give it before; then nothing is left to do at its time."""
    now = [1000]
    with DurableRuns(waiting_agent(clock=lambda: now[0]), file_database) as runs:
        late = runs.wait(runs.start("5000", run_id=RUN_ID), LIMIT_S).late
        runs.give_results(RUN_ID, due_results(late, 5000))
        result = runs.wait(RUN_ID, LIMIT_S)
        now[0] = 9000
        time.sleep(2.5)
        assert (result.log, 1) == (runs.log(RUN_ID), came(result.log))
    assert 0 == armed(file_database)


def test_it_joins_an_exchange_that_goes_on_at_the_next_boundary(file_database: str) -> None:
    """While a model is at work nothing is given; the result comes when it may."""
    now, blocked = [1000], Blocked()
    with DurableRuns(blocked.agent(clock=lambda: now[0]), file_database) as runs:
        late = runs.wait(runs.start("5000", run_id=RUN_ID), LIMIT_S).late
        runs.start("Hello", run_id=RUN_ID)
        assert blocked.asked.wait(LIMIT_S)
        now[0] = 6000
        with pytest.raises(DurableError, match="goes on"):
            runs.give_results(RUN_ID, due_results(late, 6000))
        time.sleep(2.5)
        assert ("running", 0) == (runs.status(RUN_ID), came(runs.log(RUN_ID)))
        blocked.released.set()
        assert "1 came." == given(runs).answer


def test_a_clock_that_goes_back(file_database: str) -> None:
    """What was not given yet waits for its time again; what was given stays given."""
    now = [1000]
    with DurableRuns(waiting_agent(clock=lambda: now[0]), file_database) as runs:
        runs.wait(runs.start("3000 9000", run_id=RUN_ID), LIMIT_S)
        now[0] = 4000
        wait_until(lambda: came(runs.log(RUN_ID)) == 1)
        now[0] = 0
        time.sleep(2.5)
        assert 1 == came(runs.log(RUN_ID))
        now[0] = 9000
        result = given(runs)
    assert ("1 came.", 2) == (result.answer, came(result.log))


def test_killed_between_the_two_writes_of_its_order(file_database: str) -> None:
    """The number was taken and the workflow is not there: nobody has to repair that by hand."""
    begun_and_killed(file_database, str(in_ms(0.5)))
    connections = sqlalchemy.create_engine(f"sqlite:///{file_database}")
    assert RunTable(connections).order(RUN_ID, 2)
    connections.dispose()
    with DurableRuns(waiting_agent(), file_database) as runs:
        wait_until(lambda: runs.status(RUN_ID) != "broken")
        assert 1 == came(given(runs).log)


def test_another_agent_leaves_them_alone(file_database: str) -> None:
    """They wait for a process with the definition that began the run, or one that takes over."""
    begun_and_killed(file_database, str(in_ms(0.5)))
    with DurableRuns(waiting_agent(instructions="Be brief."), file_database) as runs:
        time.sleep(2.5)
        assert 0 == came(runs.log(RUN_ID))
    with DurableRuns(waiting_agent(instructions="Be brief."), file_database, takes_over=True) as runs:
        assert 1 == came(given(runs).log)


def test_pruning_leaves_a_run_whose_time_has_not_come(file_database: str) -> None:
    """Old as it is, something is still to happen in it."""
    begun_and_killed(file_database, str(FAR_MS))
    assert (0, 1) == (prune(Path(file_database), in_ms(60), deletes=True).runs, armed(file_database))


def armed(database: str) -> int:
    """Return how many calls of a database wait for a time."""
    connections = sqlalchemy.create_engine(f"sqlite:///{database}")
    with connections.connect() as connection:
        found = len(connection.execute(sqlalchemy.select(TIMERS)).all())
    connections.dispose()
    return found
