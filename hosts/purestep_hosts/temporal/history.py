"""Reads a run off the histories of its workflows: its log, where it stands, and why it cannot go on.

No worker is needed for that, and no release that makes the decisions of the run: the lines stand in the history.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, Final

from purestep_hosts.extras import TEMPORAL
from purestep_hosts.stored_runs import DurableStatus, StepStatus
from purestep_hosts.temporal.payloads import StoredLines, WorkflowOrder, value_of

with TEMPORAL:
    from temporalio.api.common.v1 import Payload
    from temporalio.api.enums.v1 import WorkflowTaskFailedCause
    from temporalio.api.failure.v1 import Failure
    from temporalio.api.history.v1 import HistoryEvent
    from temporalio.client import WorkflowExecutionDescription, WorkflowHandle
    from temporalio.common import RawValue
    from temporalio.converter import DataConverter

_OUR_FAULT: Final = (
    WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
    WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE,
)
"""Why a worker could not take a workflow up; for other causes the server just asks again."""


_FIRST_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 1.0
"""Between questions whether a history has grown: not every server lets one wait for that."""


class RunHistory:
    """What the history of the workflow of a run's last exchange says, up to some event."""

    def __init__(self, converter: DataConverter) -> None:
        """Begin before the first event."""
        self.release = ""
        """That of purestep which began the exchange."""
        self.is_open = True
        """Whether the workflow goes on, be it that no worker can take it up."""
        self.reason = ""
        """Why it cannot go on."""
        self.goes_on_in_another = False
        self._converter = converter
        self._lines: list[str] = []
        self._status: StepStatus = "running"

    @property
    def log(self) -> str:
        """The log of the run, earlier exchanges included."""
        return "".join(self._lines)

    @property
    def status(self) -> DurableStatus:
        """Where the run stands."""
        return "broken" if self.reason else self._status

    async def add(self, event: HistoryEvent) -> None:
        """Take the next event."""
        match event.WhichOneof("attributes"):
            case "workflow_execution_started_event_attributes":
                started = event.workflow_execution_started_event_attributes
                order = value_of(await self._first(started.input.payloads), WorkflowOrder)
                self.release, self._lines = order.purestep, [order.earlier]
            case "activity_task_scheduled_event_attributes":
                await self._add_lines(event.activity_task_scheduled_event_attributes.input.payloads)
            case "workflow_execution_completed_event_attributes":
                await self._add_lines(event.workflow_execution_completed_event_attributes.result.payloads)
                self.is_open = False
            case "workflow_task_failed_event_attributes":
                failed = event.workflow_task_failed_event_attributes
                self.reason = _text_of(failed.failure) if failed.cause in _OUR_FAULT else self.reason
            case "workflow_task_completed_event_attributes":
                self.reason = ""
            case "workflow_execution_failed_event_attributes":
                self._end(_text_of(event.workflow_execution_failed_event_attributes.failure))
            case "workflow_execution_terminated_event_attributes":
                self._end(f"terminated: {event.workflow_execution_terminated_event_attributes.reason}")
            case "workflow_execution_timed_out_event_attributes" | "workflow_execution_canceled_event_attributes":
                self._end("the workflow was ended from outside")
            case "workflow_execution_continued_as_new_event_attributes":
                self.goes_on_in_another = True

    def _end(self, reason: str) -> None:
        self.is_open, self.reason = False, reason

    async def _add_lines(self, payloads: Iterable[Payload]) -> None:
        stored = value_of(await self._first(payloads), StoredLines)
        self._lines.append(stored.log)
        self._status = stored.status

    async def _first(self, payloads: Iterable[Payload]) -> RawValue:
        """Return the first of some payloads, decoded as the client does."""
        first: RawValue = (await self._converter.decode([next(iter(payloads))], [RawValue]))[0]
        return first


async def read_history(handle: WorkflowHandle[Any, Any], converter: DataConverter) -> RunHistory:
    """Return what the history of a workflow says by now."""
    while True:
        found = RunHistory(converter)
        async for event in handle.fetch_history_events():
            await found.add(event)
        if not found.goes_on_in_another:
            return found


async def awaited_history(handle: WorkflowHandle[Any, Any], converter: DataConverter) -> RunHistory:
    """Return what the history says once the run is not running any more."""
    pause_s = _FIRST_PAUSE_S
    while True:
        before = await handle.describe()
        found = await read_history(handle, converter)
        if found.status != "running":
            return found
        while _place(await handle.describe()) == _place(before):
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)


def _place(known: WorkflowExecutionDescription) -> tuple[str | None, int]:
    return known.run_id, known.history_length


def _text_of(failure: Failure) -> str:
    """Return the message of what a failure came from; what lies around it says that something failed."""
    while failure.HasField("cause"):
        failure = failure.cause
    return failure.message
