"""The exchanges of runs on a server, one workflow each: found, begun, and given what comes while they wait."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.late import LateResult
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.stored_runs import DurableError, results_as_stored, try_exchange
from purestep_hosts.temporal.history import RunHistory, read_history
from purestep_hosts.temporal.payloads import (
    GIVE,
    MAX_BYTES,
    WORKFLOW,
    GivenResults,
    WorkflowOrder,
    payload,
    size_of,
    workflow_id,
)
from purestep_hosts.temporal.server import is_without_namespace

with TEMPORAL:
    from temporalio.client import (
        Client,
        WorkflowHandle,
        WorkflowUpdateFailedError,
        WorkflowUpdateRPCTimeoutOrCancelledError,
    )
    from temporalio.common import WorkflowIDReusePolicy
    from temporalio.exceptions import ApplicationError, WorkflowAlreadyStartedError
    from temporalio.service import RPCError, RPCStatusCode

_TAKEN_S: Final = 30.0
"""How long an answer waits until a worker has taken it."""


class RunExchanges:
    """The exchanges of the runs of an agent; for one event loop."""

    def __init__(self, agent: Agent[Any], client: Client, queue: str, lost_after_s: float) -> None:
        """Take the parts of `TemporalRuns`; queue: the whole name of the task queue."""
        self._agent = agent
        self._client = client
        self._queue = queue
        self._lost_after_s = lost_after_s

    async def begin(self, run_id: str, number: int, earlier: str, said: ExchangeInput) -> None:
        """Begin an exchange; earlier: the log of the run so far."""
        try_exchange(self._agent, run_id, earlier, said)
        order = WorkflowOrder(
            run_id=run_id,
            number=number,
            query=said.query,
            results=said.results,
            agent=self._agent.definition.source.decode(),
            earlier=earlier,
            lost_after_s=self._lost_after_s,
            purestep=_release(),
        )
        given = payload(order)
        if size_of(given) > MAX_BYTES:
            limit = f"expected a log and a definition of at most {MAX_BYTES} bytes, got {size_of(given)}"
            raise DurableError("too_large", f"{limit}; begin a new run")
        try:
            await self._client.start_workflow(
                WORKFLOW,
                given,
                id=order.workflow_id,
                task_queue=self._queue,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
            )
        except WorkflowAlreadyStartedError:
            raise active(run_id) from None

    async def give(self, run_id: str, results: tuple[LateResult, ...]) -> None:
        """Give results of calls that went on elsewhere: to the exchange that waits, or in one that begins with them."""
        number = await self.known_number(run_id)
        handle = self.handle(run_id, number)
        found = await read_history(handle, self._client.data_converter)
        if found.status == "broken":
            raise broken(run_id, found)
        agent = self._agent
        given = results_as_stored(agent.definition, agent.mask, run_id, found.log, results)
        if not found.is_open:
            await self.begin(run_id, number + 1, found.log, ExchangeInput(query=None, results=given))
        else:
            await self.update(run_id, handle, GIVE, GivenResults(results=given))

    async def update(self, run_id: str, handle: WorkflowHandle[Any, Any], name: str, given: Any) -> None:
        """Have the run take what is given; raises what it refuses that with."""
        try:
            async with asyncio.timeout(_TAKEN_S):
                await handle.execute_update(name, payload(given))
        except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
            text = f"no worker took the answer to run {run_id} in {_TAKEN_S:g} seconds{await self.whose(handle)}"
            raise TimeoutError(text) from None
        except WorkflowUpdateFailedError as error:
            raise _refusal(run_id, error.cause) from None

    async def whose(self, handle: WorkflowHandle[Any, Any]) -> str:
        """Return what to add where a run does not go on: it may be another agent's, whose workers are needed."""
        queue = (await handle.describe()).task_queue
        if queue == self._queue:
            return ""
        return f"; it was begun with another definition: a worker of the agent that began it takes it, at {queue}"

    async def found(self, run_id: str) -> tuple[WorkflowHandle[Any, Any], RunHistory]:
        """Return the last exchange of a run, and what its history says; raises DurableError `run_not_found`."""
        handle = self.handle(run_id, await self.known_number(run_id))
        return handle, await read_history(handle, self._client.data_converter)

    async def known_number(self, run_id: str) -> int:
        """Return the number of a run's last exchange; raises DurableError `run_not_found`."""
        number = await self.last_number(run_id)
        if number == 0:
            raise DurableError("run_not_found", f"There is no run {run_id!r:.80} on this server, or not any more.")
        return number

    async def last_number(self, run_id: str) -> int:
        """Return the number of a run's last exchange, 0 where there is none."""
        known = 1 if await self._exists(run_id, 1) else await self._listed_number(run_id)
        if known == 0:
            return 0
        step = 1
        while await self._exists(run_id, known + step):
            known, step = known + step, step * 2
        while step > 1:
            step //= 2
            if await self._exists(run_id, known + step):
                known += step
        return known

    async def _exists(self, run_id: str, number: int) -> bool:
        try:
            await self.handle(run_id, number).describe()
        except RPCError as error:
            if error.status == RPCStatusCode.NOT_FOUND and not is_without_namespace(error):
                return False
            raise
        return True

    async def _listed_number(self, run_id: str) -> int:
        """Return the highest number that the server lists: the first exchanges may be past its retention."""
        numbers = [0]
        query = f"WorkflowId STARTS_WITH '{run_id}:'"
        try:
            async for each in self._client.list_workflows(query):
                tail = each.id.removeprefix(f"{run_id}:")
                numbers.append(int(tail) if tail.isdecimal() else 0)
        except RPCError as error:
            if error.status != RPCStatusCode.UNIMPLEMENTED:  # a test server keeps everything, and lists nothing
                raise
        return max(numbers)

    def handle(self, run_id: str, number: int) -> WorkflowHandle[Any, Any]:
        """Return the exchange of this number, be it there or not."""
        return self._client.get_workflow_handle(workflow_id(run_id, number))


def _release() -> str:
    return str(json.loads(purestep.core_info())["version"])


def active(run_id: str) -> DurableError:
    """Return the error of what a run that goes on does not take."""
    return DurableError("run_active", f"run {run_id} goes on, or waits for a person; wait for its end, or answer it")


def not_waiting(run_id: str, status: str) -> DurableError:
    """Return the error of answers that nobody waits for."""
    return DurableError("not_waiting", f"run {run_id} is {status}; no call of it waits for a person")


def broken(run_id: str, found: RunHistory) -> DurableError:
    """Return the error of a run that cannot go on, with what to do."""
    text = f"Run {run_id} cannot go on ({found.reason}). Start it without a query to go on from its log."
    if found.is_open:
        text = (
            f"Run {run_id} cannot go on: a worker decides otherwise than the run did, or failed ({found.reason}). "
            f"purestep {found.release} began it: with a worker of that release it goes on by itself. Or start it "
            "without a query: it goes on from its log."
        )
    return DurableError("run_broken", text)


def _refusal(run_id: str, cause: BaseException | None) -> Exception:
    if isinstance(cause, ApplicationError) and cause.type == "not_waiting":
        return not_waiting(run_id, "not waiting any more")
    if isinstance(cause, ApplicationError) and cause.type == "run_active":
        return active(run_id)
    if isinstance(cause, ApplicationError) and cause.type:
        return purestep.PurestepError(cause.type, cause.message, *cause.details)
    return DurableError("run_broken", f"run {run_id} could not take the answer: {cause}")
