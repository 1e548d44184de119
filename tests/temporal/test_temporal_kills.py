"""Workers on a Temporal server are killed at several moments; others go on, and no effect is had twice."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from temporalio.testing import WorkflowEnvironment

import purestep
from purestep_hosts import Agent, RunResult, approved, refused
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.temporal import TemporalRuns, TemporalWorker
from tests.durable.booking import LIMIT_S, booking_agent, effects, seats
from tests.temporal.booking_worker import booking_worker, wait_killed
from tests.temporal.lines import events

LOST_S = 5.0
"""After how long a killed worker counts as lost: signs of life come four times as often."""

KILLED = (("Send", "asked"), ("Send", "told"), ("Send", "called"), ("Send", "acted"), ("Book", "acted"))
"""Queries, and the moments at which their workers are killed."""


class Killed(msgspec.Struct):
    """A run whose worker was killed."""

    server: str
    name: str
    folder: Path

    @property
    def agent(self) -> Agent[str]:
        """The agent, which is not killed any more."""
        return booking_agent(self.folder)

    def runs(self) -> TemporalRuns[str]:
        """Return the runs of its queue."""
        return TemporalRuns(self.agent, self.server, queue=self.name, lost_after_s=LOST_S)

    def worker(self) -> TemporalWorker:
        """Return another worker."""
        return TemporalWorker(self.agent, self.server, queue=self.name)

    def went_on(self) -> RunResult[str]:
        """Return where another worker brings the run."""
        with self.runs() as runs, self.worker():
            return runs.wait(self.name, LIMIT_S)


@pytest.fixture(scope="module")
def killed(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Killed]]:
    """Runs whose workers were killed, by query and moment; all at once, for to be noticed takes time."""
    found = {}
    with ExitStack() as workers:
        processes = []
        for query, moment in KILLED:
            name = f"{query}-{moment}"
            found[name] = run = Killed(server, name, tmp_path_factory.mktemp(name))
            run.runs().start(query, run_id=name)
            processes.append(workers.enter_context(booking_worker(server, name, run.folder, moment)))
        for process in processes:
            wait_killed(process)
        yield found


@pytest.mark.parametrize("moment", ["asked", "told"])
def test_killed_while_the_model_is_asked(killed: Mapping[str, Killed], moment: str) -> None:
    """The model is asked again; a call that has run is not made again, and nobody is asked about it."""
    run = killed[f"Send-{moment}"]

    assert ([] if moment == "asked" else ["sent ann"]) == effects(run.folder)
    result = run.went_on()
    assert ("done", "It is done.", ["sent ann"]) == (result.status, result.answer, effects(run.folder))
    assert [] == events(result.log, "resumed")


@pytest.mark.parametrize("moment", ["called", "acted"])
def test_killed_in_a_call_that_may_have_run(killed: Mapping[str, Killed], moment: str) -> None:
    """Nobody knows whether it ran, so a person is asked; refused, it is not made again, and the effect is had once."""
    run = killed[f"Send-{moment}"]

    had = effects(run.folder)
    with run.runs() as runs, run.worker():
        stopped = runs.wait(run.name, LIMIT_S)
        assert ["outcome_unknown"] == [call.reason for call in stopped.approvals]
        runs.approve(run.name, [refused(stopped.approvals[0], "look into the outbox")])
        result = runs.wait(run.name, LIMIT_S)
    assert ("done", had) == (result.status, effects(run.folder))
    assert ([] if moment == "called" else ["sent ann"]) == had
    assert purestep.verify(result.log, result.state.head).ok


def test_killed_after_a_keyed_effect(killed: Mapping[str, Killed]) -> None:
    """A tool that keeps to the key runs again without a question, under the same key, and its effect is had once."""
    run = killed["Book-acted"]

    assert [7] == seats(run.folder)
    result = run.went_on()
    asked = effects(run.folder)
    assert ("done", [7]) == (result.status, seats(run.folder))
    assert (2, 1) == (len(asked), len(set(asked)))
    assert 1 == len(events(result.log, "resumed"))


def test_killed_while_a_person_is_asked(server: str, queue: str, tmp_path: Path) -> None:
    """The question waits without a worker; the answer is taken by the next one."""
    agent = booking_agent(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs:
        with booking_worker(server, queue, tmp_path) as process:
            run_id = runs.start("Pay")
            (call,) = runs.wait(run_id, LIMIT_S).approvals
            process.send_signal(signal.SIGKILL)
            process.wait(LIMIT_S)
        assert "waiting" == runs.status(run_id)
        with TemporalWorker(agent, server, queue=queue):
            runs.approve(run_id, [approved(call, by="ann")])
            result = runs.wait(run_id, LIMIT_S)
    assert ("done", ["paid 3"]) == (result.status, effects(tmp_path))
    assert purestep.verify(result.log, result.state.head).ok


def test_an_approval_waits_for_days(skipping: WorkflowEnvironment, queue: str, tmp_path: Path) -> None:
    """Three days later the answer is taken as it would be at once; the log has both times."""
    agent = booking_agent(tmp_path)
    with (
        TemporalRuns(agent, skipping.client, queue=queue) as runs,
        TemporalWorker(agent, skipping.client, queue=queue),
    ):
        run_id = runs.start("Pay")
        (call,) = runs.wait(run_id, LIMIT_S).approvals
        handle = skipping.client.get_workflow_handle(f"{run_id}:1")
        while run_blocking(handle.describe).raw_description.pending_activities:
            time.sleep(0.05)  # the server's time stands while an activity runs
        run_blocking(lambda: skipping.sleep(timedelta(days=3)))
        runs.approve(run_id, [approved(call, by="ann")])
        result = runs.wait(run_id, LIMIT_S)
    assert ("done", ["paid 3"]) == (result.status, effects(tmp_path))
    (asked,), (answered,) = events(result.log, "approval_request"), events(result.log, "approval")
    assert answered["at"] - asked["at"] >= timedelta(days=3) / timedelta(milliseconds=1)
