"""`TemporalRuns`: starts the runs of an agent on a Temporal server, answers, cancels and reads them."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.late import LateResult
from purestep_hosts.agents.result import RunResult
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.stored_runs import (
    DurableError,
    DurableStatus,
    as_stored,
    checked_id,
    results_as_stored,
    try_exchange,
)
from purestep_hosts.temporal.history import RunHistory, awaited_history, read_history
from purestep_hosts.temporal.payloads import (
    APPROVE,
    GIVE,
    MAX_BYTES,
    WORKFLOW,
    GivenAnswers,
    GivenResults,
    WorkflowOrder,
    payload,
    size_of,
    workflow_id,
)
from purestep_hosts.temporal.server import answered, connected, is_without_namespace, task_queue

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

Data = TypeVar("Data")
Value = TypeVar("Value")

_TAKEN_S: Final = 30.0
"""How long `approve` waits until a worker has taken an answer."""


class TemporalRuns(Generic[Data]):
    """The runs of an agent on a server, which `TemporalWorker`s of it carry out; use it in a `with` block.

    Its methods block: in async code, call them in threads.
    """

    def __init__(
        self,
        agent: Agent[Data],
        server: Client | str = "127.0.0.1:7233",
        *,
        namespace: str = "default",
        queue: str = "purestep",
        lost_after_s: float = 30.0,
    ) -> None:
        """Connect.

        server: HOST:PORT, or a client of temporalio, which has a namespace of its own. queue: the beginning of the
        task queue's name, as `TemporalWorker` has it. lost_after_s: after how long without a sign of life the worker
        of a call counts as lost, for runs that are started here.

        Raises DurableError: `bad_address`, `server_unusable`.
        """
        self.agent = agent
        self._lost_after_s = lost_after_s
        self._queue = task_queue(queue, agent)
        self._client = run_blocking(lambda: connected(server, namespace))

    def start(self, query: str | None, *, run_id: str | None = None) -> str:
        """Begin a run with a query, or the next exchange of one that has ended; returns its id once it is stored.

        run_id: by default a random one. Without a query, a run that is `broken` goes on from its log. Raises
        DurableError: `bad_run_id`, `run_active`, `run_broken` (with a query), `run_not_found` (without one),
        `too_large`; PurestepError for a query that the run does not take.
        """
        return run_blocking(lambda: answered(self._start(query, run_id)))

    def approve(self, run_id: str, approvals: Iterable[purestep.Approval]) -> None:
        """Answer calls that wait, with what `approved` and `refused` give; returns once the run has taken it.

        Raises DurableError: `run_not_found`, `not_waiting`, `run_broken`; PurestepError for an answer that does not
        fit the calls; TimeoutError where no worker takes the answer.
        """
        given = tuple(approvals)
        run_blocking(lambda: answered(self._approve(run_id, given)))

    def give_results(self, run_id: str, results: Iterable[LateResult]) -> None:
        """Give results of calls that went on elsewhere, made by `late_result`; returns once the run has taken them.

        Raises DurableError: `run_not_found`, `run_broken`, `run_active` while the run goes on: give them again then;
        PurestepError for one that was given before, or that its tool's schema does not take; TimeoutError where no
        worker takes them.
        """
        given = tuple(results)
        run_blocking(lambda: answered(self._give(run_id, given)))

    def cancel(self, run_id: str) -> None:
        """Ask a run to end as cancelled; it does when what it does at the moment has been stopped.

        Raises DurableError: `run_not_found`.
        """
        run_blocking(lambda: answered(self._cancel(run_id)))

    def status(self, run_id: str) -> DurableStatus:
        """Return where a run stands; raises DurableError `run_not_found`."""
        found = self._read(run_id)
        # An answer may not be of the agent's output type.
        return self.agent.read(found.log).status if found.status == "done" else found.status

    def wait(self, run_id: str, timeout_s: float | None = None) -> RunResult[Data]:
        """Wait until a run has ended, or waits for a person or a result, and return where it stands.

        Raises TimeoutError; DurableError: `run_not_found`, `run_broken`.
        """
        found = run_blocking(lambda: answered(self._awaited(run_id, timeout_s)))
        if found.status == "broken":
            raise _broken(run_id, found)
        return self.agent.read(found.log)

    def log(self, run_id: str) -> str:
        """Return the log of a run; raises DurableError `run_not_found`."""
        return self._read(run_id).log

    def close(self) -> None:
        """Let go of the server: nothing of a run depends on this process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _start(self, query: str | None, run_id: str | None) -> str:
        number = 0 if run_id is None else await self._last_number(checked_id(run_id))
        run_id = run_id or secrets.token_hex(16)
        earlier = "" if number == 0 else await self._ended_log(run_id, number, query)
        said = None if query is None else as_stored(self.agent, run_id, purestep.UserMessage(content=query)).content
        await self._begin(run_id, number + 1, earlier, ExchangeInput(query=said))
        return run_id

    async def _begin(self, run_id: str, number: int, earlier: str, said: ExchangeInput) -> None:
        """Begin an exchange; earlier: the log of the run so far."""
        try_exchange(self.agent, run_id, earlier, said)
        order = WorkflowOrder(
            run_id=run_id,
            number=number,
            query=said.query,
            results=said.results,
            agent=self.agent.definition.source.decode(),
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
            raise _active(run_id) from None

    async def _ended_log(self, run_id: str, number: int, query: str | None) -> str:
        """Return the log of a run whose last exchange has ended; one that is broken is ended here."""
        handle = self._handle(run_id, number)
        found = await read_history(handle, self._client.data_converter)
        if found.status == "broken":
            if query is not None:
                raise _broken(run_id, found)
            if found.is_open:
                await handle.terminate(reason="the run goes on from its log")
                found = await read_history(handle, self._client.data_converter)
        elif found.is_open:
            raise _active(run_id)
        return found.log

    async def _approve(self, run_id: str, approvals: tuple[purestep.Approval, ...]) -> None:
        given = as_stored(self.agent, run_id, purestep.Approvals(approvals=approvals)).approvals
        handle, found = await self._found(run_id)
        if found.status == "broken":
            raise _broken(run_id, found)
        if found.status != "waiting":
            raise _not_waiting(run_id, found.status)
        await self._update(run_id, handle, APPROVE, GivenAnswers(approvals=given))

    async def _give(self, run_id: str, results: tuple[LateResult, ...]) -> None:
        number = await self._known_number(run_id)
        handle = self._handle(run_id, number)
        found = await read_history(handle, self._client.data_converter)
        if found.status == "broken":
            raise _broken(run_id, found)
        agent = self.agent
        given = results_as_stored(agent.definition, agent.mask, run_id, found.log, results)
        if not found.is_open:
            await self._begin(run_id, number + 1, found.log, ExchangeInput(query=None, results=given))
        else:
            await self._update(run_id, handle, GIVE, GivenResults(results=given))

    async def _update(self, run_id: str, handle: WorkflowHandle[Any, Any], name: str, given: Any) -> None:
        """Have the run take what is given; raises what it refuses that with."""
        try:
            async with asyncio.timeout(_TAKEN_S):
                await handle.execute_update(name, payload(given))
        except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError):
            text = f"no worker took the answer to run {run_id} in {_TAKEN_S:g} seconds{await self._whose(handle)}"
            raise TimeoutError(text) from None
        except WorkflowUpdateFailedError as error:
            raise _refusal(run_id, error.cause) from None

    async def _cancel(self, run_id: str) -> None:
        handle, _ = await self._found(run_id)
        with suppress(RPCError):  # it has ended
            await handle.cancel()

    async def _awaited(self, run_id: str, timeout_s: float | None) -> RunHistory:
        handle = self._handle(run_id, await self._known_number(run_id))
        try:
            async with asyncio.timeout(timeout_s):
                return await awaited_history(handle, self._client.data_converter)
        except TimeoutError:
            text = f"run {run_id} goes on after {timeout_s:g} seconds{await self._whose(handle)}"
            raise TimeoutError(text) from None

    async def _whose(self, handle: WorkflowHandle[Any, Any]) -> str:
        """Return what to add where a run does not go on: it may be another agent's, whose workers are needed."""
        queue = (await handle.describe()).task_queue
        if queue == self._queue:
            return ""
        return f"; it was begun with another definition: a worker of the agent that began it takes it, at {queue}"

    def _read(self, run_id: str) -> RunHistory:
        return run_blocking(lambda: answered(self._found(run_id)))[1]

    async def _found(self, run_id: str) -> tuple[WorkflowHandle[Any, Any], RunHistory]:
        handle = self._handle(run_id, await self._known_number(run_id))
        return handle, await read_history(handle, self._client.data_converter)

    async def _known_number(self, run_id: str) -> int:
        number = await self._last_number(run_id)
        if number == 0:
            raise DurableError("run_not_found", f"There is no run {run_id!r:.80} on this server, or not any more.")
        return number

    async def _last_number(self, run_id: str) -> int:
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
            await self._handle(run_id, number).describe()
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

    def _handle(self, run_id: str, number: int) -> WorkflowHandle[Any, Any]:
        return self._client.get_workflow_handle(workflow_id(run_id, number))


def _release() -> str:
    return str(json.loads(purestep.core_info())["version"])


def _active(run_id: str) -> DurableError:
    return DurableError("run_active", f"run {run_id} goes on, or waits for a person; wait for its end, or answer it")


def _not_waiting(run_id: str, status: str) -> DurableError:
    return DurableError("not_waiting", f"run {run_id} is {status}; no call of it waits for a person")


def _broken(run_id: str, found: RunHistory) -> DurableError:
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
        return _not_waiting(run_id, "not waiting any more")
    if isinstance(cause, ApplicationError) and cause.type == "run_active":
        return _active(run_id)
    if isinstance(cause, ApplicationError) and cause.type:
        return purestep.PurestepError(cause.type, cause.message, *cause.details)
    return DurableError("run_broken", f"run {run_id} could not take the answer: {cause}")
