"""Agents that call others in a database: people answer them one by one, in other processes, and the run goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import purestep
from purestep_hosts import LateCall, approved, late_result, refused
from purestep_hosts.durable import DurableRuns
from purestep_hosts.durable.order import ExchangeOrder, decoded_order, json_text
from tests.durable.booking import LIMIT_S, effects
from tests.durable.team import reporting, team


@pytest.fixture(
    params=[
        pytest.param("file_database", id="sqlite"),
        pytest.param("server_database", id="postgresql", marks=pytest.mark.needs("postgresql")),
    ]
)
def database(request: pytest.FixtureRequest) -> str:
    """Each kind of database."""
    return str(request.getfixturevalue(request.param))


def test_people_answer_agents_one_by_one(database: str, tmp_path: Path) -> None:
    """Each answer is given where the database is opened again; nothing is lost, and the log verifies."""
    with DurableRuns(team(tmp_path), database) as runs:
        run_id = runs.start("Pay")
        first = runs.wait(run_id, LIMIT_S)
    assert [("rent",), ("food",)] == [call.path for call in first.approvals]
    with DurableRuns(team(tmp_path), database) as runs:
        assert "waiting" == runs.status(run_id)
        runs.approve(run_id, [approved(first.approvals[1], by="ann")])
        second = runs.wait(run_id, LIMIT_S)
    assert (["paid 7"], [("rent",)]) == (effects(tmp_path), [call.path for call in second.approvals])
    with DurableRuns(team(tmp_path), database) as runs:
        runs.approve(run_id, [refused(second.approvals[0], "too much")])
        last = runs.wait(run_id, LIMIT_S)
        assert ("done", last.log) == (runs.status(run_id), runs.log(run_id))
    assert ("All is paid.", ["paid 7"]) == (last.answer, effects(tmp_path))
    assert [("rent", "refused"), ("food", "succeeded")] == sorted(
        [(act.path[-1], act.status) for act in last.acts or ()], reverse=True
    )
    assert purestep.verify(last.log, last.state.head).ok


def test_it_is_cancelled_while_its_agents_wait(file_database: str, tmp_path: Path) -> None:
    """The run ends with all of its agents."""
    with DurableRuns(team(tmp_path), file_database) as runs:
        run_id = runs.start("Pay")
        runs.wait(run_id, LIMIT_S)
        runs.cancel(run_id)
        result = runs.wait(run_id, LIMIT_S)
    assert ("failed", "cancelled", []) == (result.status, result.failure and result.failure.code, effects(tmp_path))


@pytest.mark.parametrize("waits", [False, True])
def test_a_result_comes_later(database: str, waits: bool) -> None:
    """Another process gives it: an exchange begins with it, or the agent that waits goes on; it is taken once."""
    with DurableRuns(reporting(waits=waits), database) as runs:
        run_id = runs.start("Have it made")
        first = runs.wait(run_id, LIMIT_S)
    assert ("waiting" if waits else "done", ["job-1"]) == (first.status, [call.handle for call in first.late])
    results = [late_result(call, "42 pages") for call in first.late]
    with DurableRuns(reporting(waits=waits), database) as runs:
        assert first.status == runs.status(run_id)
        runs.give_results(run_id, results)
        last = runs.wait(run_id, LIMIT_S)
        with pytest.raises(purestep.PurestepError):
            runs.give_results(run_id, results)
        assert last.log == runs.log(run_id)
    assert ("It has 42 pages.", ()) == (last.answer, last.late)
    assert purestep.verify(last.log, last.state.head).ok


def test_no_run_takes_what_another_one_waits_for(file_database: str) -> None:
    """It is refused before anything is stored: the other run is as it was, and takes its own."""
    with DurableRuns(reporting(waits=False), file_database) as runs:
        one, other = [runs.wait(runs.start("Have it made"), LIMIT_S) for _ in range(2)]
        with pytest.raises(purestep.PurestepError, match="of a call of another run"):
            runs.give_results(other.run_id, [late_result(one.late[0], "42 pages")])
        assert ("done", other.log) == (runs.status(other.run_id), runs.log(other.run_id))
        runs.give_results(other.run_id, [late_result(other.late[0], "42 pages")])
        assert "It has 42 pages." == runs.wait(other.run_id, LIMIT_S).answer


def test_what_is_stored_of_a_result_names_its_call() -> None:
    """With its key; an order of an earlier release, which had none, is read all the same."""
    call = LateCall(call_id="call_1", tool="report", params={}, key="a" * 32, handle="job-1")
    order = ExchangeOrder(run_id="r", number=2, query=None, at=0, results=(late_result(call, "42 pages"),))
    stored = json_text(order)
    assert order == decoded_order(stored)
    earlier = json.loads(stored)
    assert "a" * 32 == earlier["results"][0]["result"].pop("key")
    assert "42 pages" == decoded_order(json.dumps(earlier)).results[0].result.output


def test_a_run_that_waits_for_a_result_is_cancelled(file_database: str) -> None:
    """It ends with the agent that waits, and takes no result any more."""
    with DurableRuns(reporting(waits=True), file_database) as runs:
        run_id = runs.start("Have it made")
        late = runs.wait(run_id, LIMIT_S).late
        runs.cancel(run_id)
        assert "failed" == runs.wait(run_id, LIMIT_S).status
        with pytest.raises(purestep.PurestepError):
            runs.give_results(run_id, [late_result(late[0], "42 pages")])
