"""Calls that wait for a time: a workflow for each, which sleeps on the server and then has a worker give the result.

It is a child that outlives the exchange which began it. Whatever becomes of that, the run's last exchange is what is
looked at when the time has come: a run that goes on is tried again, and a call that has its result gets no other one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.late import due_results, late_calls
from purestep_hosts.async_loop import in_thread
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.stored_runs import DurableError
from purestep_hosts.temporal.exchanges import RunExchanges, active, broken
from purestep_hosts.temporal.payloads import DUE, TIMER, TimerOrder, WorkflowOrder, payload, timer_id, value_of

with TEMPORAL:
    from temporalio import activity, workflow
    from temporalio.client import Client
    from temporalio.common import RawValue, RetryPolicy
    from temporalio.exceptions import ApplicationError, ApplicationErrorCategory, WorkflowAlreadyStartedError

_LONGEST_SLEEP_S: Final = 365 * 86_400
"""Of one timer of the server; a time may be thousands of years away."""

_LONGEST: Final = timedelta(minutes=2)
"""How long it may take to give a result: a worker that waits for another one's answer does so for half a minute."""

_AGAIN: Final = RetryPolicy(maximum_interval=timedelta(minutes=1))
"""A run that goes on, or that a person has to repair, is looked at again, for as long as it takes."""

_EXPECTED: Final = ApplicationErrorCategory.BENIGN
"""What is no fault: nobody is told of it."""
_OTHER: Final = ApplicationErrorCategory.UNSPECIFIED


@workflow.defn(name=TIMER)
class TemporalTimer:
    """Sleeps until a call is due, and has its result given."""

    @workflow.run
    async def run(self, given: RawValue) -> None:
        """Wait, then look at the run until it has the result."""
        order = value_of(given, TimerOrder)
        while (left_s := order.at_ms / 1000 - workflow.now().timestamp()) > 0:
            await asyncio.sleep(min(left_s, _LONGEST_SLEEP_S))
        now_ms = max(order.at_ms, int(workflow.now().timestamp() * 1000))
        due = TimerOrder(run_id=order.run_id, key=order.key, at_ms=now_ms, lost_after_s=order.lost_after_s)
        await workflow.execute_activity(
            DUE, payload(due), result_type=None, start_to_close_timeout=_LONGEST, retry_policy=_AGAIN
        )


class Armed:
    """The calls of one exchange whose timers are begun; used in its workflow."""

    def __init__(self, order: WorkflowOrder) -> None:
        self._order = order
        self._keys: set[str] = set()
        self._beginning: list[asyncio.Task[None]] = []

    def arm(self, timers: Mapping[str, int]) -> None:
        """Begin the timers of calls that have none yet; timers: when they are due, by their keys."""
        for key, at_ms in timers.items():
            if key not in self._keys:
                self._keys.add(key)
                self._beginning.append(asyncio.ensure_future(self._begin(key, at_ms)))

    async def begun(self) -> None:
        """Wait until the server has the timers: an exchange that ends before would leave none."""
        while not all(task.done() for task in self._beginning):
            with suppress(asyncio.CancelledError):  # the run is cancelled, and this is soon over
                await workflow.wait(self._beginning)
        self._beginning.clear()

    async def _begin(self, key: str, at_ms: int) -> None:
        run_id = self._order.run_id
        order = TimerOrder(run_id=run_id, key=key, at_ms=at_ms, lost_after_s=self._order.lost_after_s)
        with suppress(WorkflowAlreadyStartedError):  # by an earlier exchange
            await workflow.start_child_workflow(
                TIMER,
                payload(order),
                id=timer_id(run_id, key),
                parent_close_policy=workflow.ParentClosePolicy.ABANDON,
                cancellation_type=workflow.ChildWorkflowCancellationType.ABANDON,
            )


class DueResults:
    """The activity of a worker that gives what is due."""

    def __init__(self, agent: Agent[Any], client: Client, queue: str) -> None:
        """Take the parts of `TemporalWorker`; queue: the whole name of the task queue."""
        self._agent = agent
        self._client = client
        self._queue = queue

    @activity.defn(name=DUE)
    async def give(self, given: RawValue) -> None:
        """Give a run the results that are due; raises what has it tried again."""
        order = value_of(given, TimerOrder)
        exchanges = RunExchanges(self._agent, self._client, self._queue, order.lost_after_s)
        try:
            await _give(exchanges, order)
        except purestep.PurestepError as error:
            raise ApplicationError(error.message, type=error.code) from None
        except DurableError as error:
            is_gone, kind = error.code == "run_not_found", _EXPECTED if error.code == "run_active" else _OTHER
            raise ApplicationError(error.message, type=error.code, non_retryable=is_gone, category=kind) from None


async def _give(exchanges: RunExchanges, order: TimerOrder) -> None:
    _, found = await exchanges.found(order.run_id)
    if found.status == "broken":
        raise broken(order.run_id, found)
    if found.is_open and found.status != "waiting":
        raise active(order.run_id)  # the line of the call may not be stored yet
    stands = await in_thread(lambda: purestep.replay(found.log))
    if isinstance(stands.decision, purestep.Failed) and stands.decision.code == "cancelled":
        return  # it gets nothing until a person goes on with it, whose exchange waits anew
    late = tuple(late_calls(stands.state))
    if any(call.key == order.key for call in late):
        await exchanges.give(order.run_id, tuple(due_results(late, order.at_ms)))
