"""Agents that call others on a Temporal server: one workflow has the tree, and people answer its agents one by one."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

import purestep
from purestep_hosts import approved, late_result, refused
from purestep_hosts.temporal import TemporalRuns, TemporalWorker
from tests.durable.booking import LIMIT_S, effects
from tests.durable.team import asking_and_reporting, reporting, team


def test_people_answer_agents_one_by_one(server: str, queue: str, tmp_path: Path) -> None:
    """Each answer is taken while the other agent goes on to wait; a new worker replays what came before."""
    agent = team(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(agent, server, queue=queue):
            run_id = runs.start("Pay")
            first = runs.wait(run_id, LIMIT_S)
            assert [("rent",), ("food",)] == [call.path for call in first.approvals]
            runs.approve(run_id, [approved(first.approvals[1], by="ann")])
            while len(calls := runs.wait(run_id, LIMIT_S).approvals) != 1:
                time.sleep(0.05)
        with TemporalWorker(agent, server, queue=queue):
            assert (["paid 7"], [("rent",)]) == (effects(tmp_path), [call.path for call in calls])
            runs.approve(run_id, [refused(calls[0], "too much")])
            last = runs.wait(run_id, LIMIT_S)
            while last.status == "waiting":
                last = runs.wait(run_id, LIMIT_S)
    assert ("All is paid.", ["paid 7"]) == (last.answer, effects(tmp_path))
    assert purestep.verify(last.log, last.state.head).ok


def test_it_is_cancelled_while_its_agents_wait(server: str, queue: str, tmp_path: Path) -> None:
    """The run ends with all of its agents."""
    agent = team(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("Pay")
        runs.wait(run_id, LIMIT_S)
        runs.cancel(run_id)
        while (result := runs.wait(run_id, LIMIT_S)).status == "waiting":
            time.sleep(0.05)
    assert ("failed", "cancelled", []) == (result.status, result.failure and result.failure.code, effects(tmp_path))


@pytest.mark.parametrize("waits", [False, True])
def test_a_result_comes_later(server: str, queue: str, waits: bool) -> None:
    """A new worker has it: a workflow begins with it, or the one that waits goes on; it is taken once."""
    agent = reporting(waits=waits)
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(agent, server, queue=queue):
            run_id = runs.start("Have it made")
            first = runs.wait(run_id, LIMIT_S)
        assert ("waiting" if waits else "done", ["job-1"]) == (first.status, [call.handle for call in first.late])
        results = [late_result(call, "42 pages") for call in first.late]
        others = [late_result(msgspec.structs.replace(call, key="0" * 32), "of another run") for call in first.late]
        with TemporalWorker(agent, server, queue=queue):
            with pytest.raises(purestep.PurestepError, match="of a call of another run"):
                runs.give_results(run_id, others)
            runs.give_results(run_id, results)
            while (last := runs.wait(run_id, LIMIT_S)).status == "waiting":
                time.sleep(0.05)
            with pytest.raises(purestep.PurestepError):
                runs.give_results(run_id, results)
    assert ("It has 42 pages.", ()) == (last.answer, last.late)
    assert purestep.verify(last.log, last.state.head).ok


def test_a_result_comes_while_a_person_is_asked(server: str, queue: str, tmp_path: Path) -> None:
    """The run keeps waiting for the person, and the model reads both."""
    agent = asking_and_reporting(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("Have it made")
        first = runs.wait(run_id, LIMIT_S)
        assert ("waiting", ["pay"], ["job-1"]) == (
            first.status, [call.tool for call in first.approvals], [call.handle for call in first.late]
        )  # fmt: skip
        runs.give_results(run_id, [late_result(first.late[0], "42 pages")])
        runs.approve(run_id, [approved(first.approvals[0], by="ann")])
        while (last := runs.wait(run_id, LIMIT_S)).status == "waiting":
            time.sleep(0.05)
    assert ("It has 42 pages, and 5 are paid.", ["paid 5"]) == (last.answer, effects(tmp_path))
    assert purestep.verify(last.log, last.state.head).ok
