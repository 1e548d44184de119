"""Recorded histories are replayed: the same decisions pass, others are refused, and what a user is told then."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer, UnsandboxedWorkflowRunner, WorkflowRunner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

import purestep
from purestep_hosts import Agent, ScriptedModel, approved, says
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.temporal import DurableError, TemporalRuns, TemporalWorker
from purestep_hosts.temporal.workflow import TemporalExchange
from tests.durable.booking import LIMIT_S, booking_agent
from tests.temporal.lines import events


def recorded(runs: TemporalRuns[Any], run_id: str, number: int = 1) -> WorkflowHistory:
    """Return the history of an exchange."""
    return run_blocking(runs._client.get_workflow_handle(f"{run_id}:{number}").fetch_history)


def replayed(history: WorkflowHistory, runner: WorkflowRunner | None = None) -> Exception | None:
    """Return why a history cannot be replayed."""
    replayer = Replayer(workflows=[TemporalExchange], workflow_runner=runner or UnsandboxedWorkflowRunner())

    async def replay() -> Exception | None:
        return (await replayer.replay_workflow(history, raise_on_replay_failure=False)).replay_failure

    return run_blocking(replay)


def changed(history: WorkflowHistory, change: Callable[[Any], None]) -> WorkflowHistory:
    """Return a history whose order of the workflow was changed."""
    found = WorkflowHistory.from_json(history.workflow_id, history.to_json())
    (order,) = found.events[0].workflow_execution_started_event_attributes.input.payloads
    value = json.loads(order.data)
    change(value)
    order.data = json.dumps(value).encode()
    return found


@pytest.fixture
def paid(server: str, queue: str, tmp_path: Path) -> WorkflowHistory:
    """The history of a run with a call that was approved."""
    agent = booking_agent(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("Pay")
        runs.approve(run_id, [approved(call) for call in runs.wait(run_id, LIMIT_S).approvals])
        assert "done" == runs.wait(run_id, LIMIT_S).status
        return recorded(runs, run_id)


def test_a_recorded_run_makes_the_same_decisions(paid: WorkflowHistory) -> None:
    """The core gives the same lines, at the same places, as when the run was recorded."""
    assert replayed(paid) is None


@pytest.mark.filterwarnings("ignore:Module .* was imported after initial workflow load")
def test_the_core_asks_nothing_of_the_outside(paid: WorkflowHistory) -> None:
    """In Temporal's sandbox, which refuses clocks, random numbers and files, the core runs as it is."""
    members = SandboxRestrictions.invalid_module_members_default
    # A lock of a host, which nobody else holds.
    unlocked = replace(members, children={name: each for name, each in members.children.items() if name != "threading"})
    restrictions = replace(SandboxRestrictions.default, invalid_module_members=unlocked)
    assert replayed(paid, SandboxedWorkflowRunner(restrictions=restrictions)) is None


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda order: order.update(query="Pay "), id="query"),
        pytest.param(
            lambda order: order.update(agent=json.dumps({**json.loads(order["agent"]), "instructions": "Be brief."})),
            id="definition",
        ),
        pytest.param(lambda order: order.update(run_id="another"), id="run"),
    ],
)
def test_a_changed_run_does_not_pass(paid: WorkflowHistory, change: Callable[[Any], None]) -> None:
    """One byte of the log that comes out otherwise is enough."""
    assert "Nondeterminism" in str(replayed(changed(paid, change)))


def test_a_worker_that_decides_otherwise(
    server: str, queue: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user is told so, with the release that began the run; a worker that decides as before goes on with it."""
    agent = booking_agent(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(agent, server, queue=queue):
            run_id = runs.start("Pay")
            (call,) = runs.wait(run_id, LIMIT_S).approvals
        with monkeypatch.context() as other:
            other.setattr(purestep, "start", _other_start)
            with TemporalWorker(agent, server, queue=queue):
                runs.cancel(run_id)
                while runs.status(run_id) == "waiting":
                    time.sleep(0.05)
            assert "broken" == runs.status(run_id)
            with pytest.raises(DurableError, match=r"decides otherwise.*purestep 0\.\d+\.\d+ began it") as refusal:
                runs.wait(run_id, LIMIT_S)
            assert ("run_broken", 1) == (refusal.value.code, len(events(runs.log(run_id), "approval_request")))
            with pytest.raises(DurableError, match="decides otherwise"):
                runs.approve(run_id, [approved(call)])
        with TemporalWorker(agent, server, queue=queue):
            while runs.status(run_id) == "broken":
                time.sleep(0.05)
            assert "cancelled" == getattr(runs.wait(run_id, LIMIT_S).failure, "code", None)


def test_a_run_goes_on_from_its_log(server: str, queue: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no worker decides as before, a run without a query goes on from its log in a new workflow."""
    agent = booking_agent(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(agent, server, queue=queue):
            run_id = runs.start("Pay")
            runs.wait(run_id, LIMIT_S)
        with monkeypatch.context() as other:
            other.setattr(purestep, "start", _other_start)
            with TemporalWorker(agent, server, queue=queue):
                runs.cancel(run_id)
                while runs.status(run_id) == "waiting":
                    time.sleep(0.05)
                runs.start(None, run_id=run_id)
                (call,) = runs.wait(run_id, LIMIT_S).approvals
                runs.approve(run_id, [approved(call)])
                result = runs.wait(run_id, LIMIT_S)
    assert ("done", 1) == (result.status, len(events(result.log, "user_message")))
    assert purestep.verify(result.log, result.state.head).ok


def test_a_worker_of_another_agent(server: str, queue: str, tmp_path: Path) -> None:
    """It does not take runs of the first one, and the user is told whose they are."""
    agent, other = booking_agent(tmp_path), Agent(ScriptedModel([says("I am another.")]))
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalRuns(other, server, queue=queue) as others:
        run_id = runs.start("Pay")
        with (
            TemporalWorker(other, server, queue=queue),
            pytest.raises(TimeoutError, match="begun with another definition"),
        ):
            others.wait(run_id, 2)
        with TemporalWorker(agent, server, queue=queue):
            (call,) = others.wait(run_id, LIMIT_S).approvals
            others.approve(run_id, [approved(call)])
            assert "done" == runs.wait(run_id, LIMIT_S).status
        with pytest.raises(purestep.PurestepError, match="begun with another definition"):
            others.start("And you?", run_id=run_id)


def _other_start(agent: Any, message: Any, run_id: str, history: Any = ()) -> purestep.Step:
    """Begin a run as another release might, which hears the user otherwise."""
    return _START(agent, purestep.UserMessage(content=f"{message.content}!", at=message.at), run_id, history)


_START = purestep.start
