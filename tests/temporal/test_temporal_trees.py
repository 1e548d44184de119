"""Agents that call others on a Temporal server: one workflow has the tree, and people answer its agents one by one."""

from __future__ import annotations

import time
from pathlib import Path

import purestep
from purestep_hosts import approved, refused
from purestep_hosts.temporal import TemporalRuns, TemporalWorker
from tests.durable.booking import LIMIT_S, effects
from tests.durable.team import team


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
