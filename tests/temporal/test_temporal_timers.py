"""Calls that wait for a time on a Temporal server: the server's timer, and a worker that gives the result."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from temporalio.testing import WorkflowEnvironment

from purestep import verify
from purestep_hosts import RunResult, due_results
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.temporal import TemporalRuns, TemporalWorker
from purestep_hosts.temporal.payloads import timer_id
from tests.durable.booking import LIMIT_S
from tests.durable.test_timers import in_ms
from tests.durable.waiting import Blocked, came, waiting_agent, waiting_below
from tests.serve.conftest import wait_until
from tests.temporal.test_temporal_replays import recorded, replayed

WORK = """
import sys
from purestep_hosts.temporal import TemporalWorker
from tests.durable.waiting import waiting_agent
TemporalWorker(waiting_agent(), sys.argv[1], queue=sys.argv[2]).run()
"""


@contextmanager
def worker(server: str, queue: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker in a process of its own, which is killed at the end of the block."""
    with subprocess.Popen([sys.executable, "-c", WORK, server, queue]) as process:
        try:
            yield process
        finally:
            process.kill()


def given(runs: TemporalRuns[str], run_id: str) -> RunResult[str]:
    """Return where a run stands once nothing of it waits for a time any more."""
    wait_until(lambda: not runs.wait(run_id, LIMIT_S).late)
    return runs.wait(run_id, LIMIT_S)


def test_another_worker_gives_the_result_after_a_kill(server: str, queue: str) -> None:
    """Nobody works when it is due; the next worker gives it, once, and the histories replay."""
    with TemporalRuns(waiting_agent(), server, queue=queue) as runs:
        with worker(server, queue):
            run_id = runs.start(f"{in_ms(1)} {in_ms(1)} 0")
            assert "I wait." == runs.wait(run_id, LIMIT_S).answer
        time.sleep(1.5)
        with worker(server, queue):
            result = given(runs, run_id)
    assert ("done", 3) == (result.status, came(result.log))
    assert verify(result.log, result.state.head).ok

    assert [None, None] == [replayed(recorded(runs, run_id, number)) for number in (1, 2)]


def test_many_kills(server: str, queue: str) -> None:
    """Workers are killed while timers are armed and while results are given; each comes once."""
    with TemporalRuns(waiting_agent(), server, queue=queue, lost_after_s=2) as runs:
        run_id = runs.start(" ".join([str(in_ms(each / 2)) for each in range(12)]))
        for each in range(5):
            with worker(server, queue):
                time.sleep(2.2 + each / 4)
        with worker(server, queue):
            runs.wait(run_id, LIMIT_S)
            result = given(runs, run_id)
    assert ("done", 12) == (result.status, came(result.log))
    assert verify(result.log, result.state.head).ok


def test_months_later(skipping: WorkflowEnvironment, queue: str) -> None:
    """The server's time is what counts, while nothing runs here."""
    month_ms = 30 * 86_400_000
    agent = waiting_agent()
    now_ms = int(run_blocking(skipping.get_current_time).timestamp() * 1000)
    with (
        TemporalRuns(agent, skipping.client, queue=queue) as runs,
        TemporalWorker(agent, skipping.client, queue=queue),
    ):
        run_id = runs.start(f"{now_ms + month_ms} {now_ms + 500 * 365 * 86_400_000}")
        first = runs.wait(run_id, LIMIT_S)
        run_blocking(lambda: skipping.sleep(timedelta(days=29)))
        assert first.log == runs.log(run_id)
        left_ms = now_ms + month_ms - int(run_blocking(skipping.get_current_time).timestamp() * 1000)
        run_blocking(lambda: skipping.sleep(timedelta(milliseconds=left_ms)))
        wait_until(lambda: came(runs.log(run_id)) == 1)
        second = runs.wait(run_id, LIMIT_S)
    assert (1, 1) == (came(second.log), len(second.late))


def ended(runs: TemporalRuns[str], run_id: str, key: str) -> None:
    """Wait until the timer of a call is over."""
    handle = runs._client.get_workflow_handle(timer_id(run_id, key))
    run_blocking(handle.result)


def test_a_cancelled_run_gets_nothing_until_a_person_goes_on_with_it(server: str, queue: str) -> None:
    """Its time comes and goes; once the user says something, the wait counts again."""
    agent = waiting_agent()
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(agent, server, queue=queue):
            run_id = runs.start(str(in_ms(2)))
            (call,) = runs.wait(run_id, LIMIT_S).late
        runs.start("Hello", run_id=run_id)
        runs.cancel(run_id)
        with TemporalWorker(agent, server, queue=queue):
            cancelled = runs.wait(run_id, LIMIT_S)
            ended(runs, run_id, call.key)
            assert ("failed", cancelled.log) == (cancelled.status, runs.log(run_id))
            runs.start("Hello", run_id=run_id)
            wait_until(lambda: came(runs.log(run_id)) == 1)


def test_what_was_given_by_hand_comes_no_second_time(server: str, queue: str) -> None:
    """The timer ends with nothing to do."""
    agent = waiting_agent()
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        at_ms = in_ms(3)
        run_id = runs.start(str(at_ms))
        late = runs.wait(run_id, LIMIT_S).late
        runs.give_results(run_id, due_results(late, at_ms))
        result = runs.wait(run_id, LIMIT_S)
        ended(runs, run_id, late[0].key)
        assert (result.log, 1) == (runs.log(run_id), came(result.log))


def test_an_agent_below_that_waits_goes_on(server: str, queue: str) -> None:
    """The exchange is open meanwhile, and takes the result in its place."""
    agent = waiting_below()
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start(str(in_ms(1)))
        assert "waiting" == runs.wait(run_id, LIMIT_S).status
        assert "It came." == given(runs, run_id).answer


def test_it_joins_an_exchange_that_goes_on_at_the_next_boundary(server: str, queue: str) -> None:
    """While a model is at work nothing is given; the result comes when it may."""
    blocked = Blocked()
    agent = blocked.agent()
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start(str(in_ms(1)))
        runs.wait(run_id, LIMIT_S)
        runs.start("Hello", run_id=run_id)
        assert blocked.asked.wait(LIMIT_S)
        time.sleep(2.5)
        assert ("running", 0) == (runs.status(run_id), came(runs.log(run_id)))
        blocked.released.set()
        assert "1 came." == given(runs, run_id).answer
