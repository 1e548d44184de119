"""`TemporalRuns`: starts the runs of an agent on a Temporal server, answers, cancels and reads them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import Generic, Self, TypeVar

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.late import LateResult
from purestep_hosts.agents.result import RunResult
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.stored_runs import DurableStatus, as_stored, checked_id
from purestep_hosts.temporal.exchanges import RunExchanges, active, broken, not_waiting
from purestep_hosts.temporal.history import RunHistory, awaited_history, read_history
from purestep_hosts.temporal.payloads import APPROVE, GivenAnswers
from purestep_hosts.temporal.server import answered, connected, task_queue

with TEMPORAL:
    from temporalio.client import Client
    from temporalio.service import RPCError

Data = TypeVar("Data")
Value = TypeVar("Value")


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
        self._client = run_blocking(lambda: connected(server, namespace))
        self._exchanges = RunExchanges(agent, self._client, task_queue(queue, agent), lost_after_s)

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
        run_blocking(lambda: answered(self._exchanges.give(run_id, given)))

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
            raise broken(run_id, found)
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
        number = 0 if run_id is None else await self._exchanges.last_number(checked_id(run_id))
        run_id = run_id or secrets.token_hex(16)
        earlier = "" if number == 0 else await self._ended_log(run_id, number, query)
        said = None if query is None else as_stored(self.agent, run_id, purestep.UserMessage(content=query)).content
        await self._exchanges.begin(run_id, number + 1, earlier, ExchangeInput(query=said))
        return run_id

    async def _ended_log(self, run_id: str, number: int, query: str | None) -> str:
        """Return the log of a run whose last exchange has ended; one that is broken is ended here."""
        handle = self._exchanges.handle(run_id, number)
        found = await read_history(handle, self._client.data_converter)
        if found.status == "broken":
            if query is not None:
                raise broken(run_id, found)
            if found.is_open:
                await handle.terminate(reason="the run goes on from its log")
                found = await read_history(handle, self._client.data_converter)
        elif found.is_open:
            raise active(run_id)
        return found.log

    async def _approve(self, run_id: str, approvals: tuple[purestep.Approval, ...]) -> None:
        given = as_stored(self.agent, run_id, purestep.Approvals(approvals=approvals)).approvals
        handle, found = await self._exchanges.found(run_id)
        if found.status == "broken":
            raise broken(run_id, found)
        if found.status != "waiting":
            raise not_waiting(run_id, found.status)
        await self._exchanges.update(run_id, handle, APPROVE, GivenAnswers(approvals=given))

    async def _cancel(self, run_id: str) -> None:
        handle, _ = await self._exchanges.found(run_id)
        with suppress(RPCError):  # it has ended
            await handle.cancel()

    async def _awaited(self, run_id: str, timeout_s: float | None) -> RunHistory:
        handle = self._exchanges.handle(run_id, await self._exchanges.known_number(run_id))
        try:
            async with asyncio.timeout(timeout_s):
                return await awaited_history(handle, self._client.data_converter)
        except TimeoutError:
            text = f"run {run_id} goes on after {timeout_s:g} seconds{await self._exchanges.whose(handle)}"
            raise TimeoutError(text) from None

    def _read(self, run_id: str) -> RunHistory:
        return run_blocking(lambda: answered(self._exchanges.found(run_id)))[1]
