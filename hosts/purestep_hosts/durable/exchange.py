"""One exchange as a workflow: performs the effects of a run, and writes its log row by row.

A row of the log is the checkpoint of a step: it is written before anything is done about what was decided, and a
workflow that runs again goes on after the last row, as every host goes on from a log. So an execution needs nothing but
the log and its order, whatever release or agent wrote them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

import purestep
from purestep_hosts.agents.calls import ToolCalls
from purestep_hosts.agents.late import timers
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.agents.served_agent import ServedAgent
from purestep_hosts.agents.streaming import Watched
from purestep_hosts.async_loop import AsyncPorts, AsyncWatcher, Value, in_thread
from purestep_hosts.driven_run import DrivenRun
from purestep_hosts.durable.log_table import LogRow, LogTable, Superseded, TakenOver, persistently
from purestep_hosts.durable.order import ExchangeOrder, decoded_order, left_of, ordered_effects
from purestep_hosts.effects import DEFERRED, Effects, Record, RunEffects
from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import status_of
from purestep_hosts.watching.told_steps import told, watched
from purestep_hosts.watching.watching import ExchangeWatch

with DURABLE:
    from dbos import DBOS


_logger: Final = logging.getLogger("purestep_hosts.durable")

_AGAIN_S: Final = 1.0
"""How long an execution waits that found another one of its workflow: the next row is often that far away."""
_THREADS: Final = 8
"""That write at once: fewer than the connections of a process, and a database takes no more from one of them."""


class Executor:
    """What the workflows of this process are carried out with."""

    def __init__(self, name: str, agent: ServedAgent, logs: LogTable, folder: Path, exchange_s: float | None) -> None:
        """Take an agent; name: the executor's, which no other process has.

        folder: for files of tools, one for each run. exchange_s: longest time of an exchange.
        """
        self.name = name
        self.agent = agent
        self.logs = logs
        self.folder = folder
        self.exchange_s = exchange_s
        self.is_closing = False
        # Threads that are there: to start one for each row costs more than the row.
        self.threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="purestep-store")
        self.watchers: dict[str, Callable[[int], AsyncWatcher]] = {}
        """Who watches a workflow, by its id; given the position of the first row that is about to be written."""
        self.driven: dict[str, tuple[asyncio.AbstractEventLoop, DrivenRun]] = {}
        """What goes on now, by the workflow's id; of two executions the later one."""
        self._lost = WeakSet[DrivenRun]()

    def close(self) -> None:
        """Have nothing written any more."""
        self.is_closing = True
        self.threads.shutdown(wait=False)

    def cancel(self, workflow_id: str) -> bool:
        """Have an exchange end as cancelled, if it goes on in this process."""
        found = self.driven.get(workflow_id)
        if found is None:
            return False
        loop, run = found
        loop.call_soon_threadsafe(run.cancel)
        return True

    def lose(self) -> None:
        """End all that goes on, which other processes carry out by now: none of it may be written here."""
        for loop, run in list(self.driven.values()):
            self._lost.add(run)
            loop.call_soon_threadsafe(run.cancel)

    def cuts_off(self, run: DrivenRun) -> bool:
        """Whether a run ends here without a word in its log: this process stops, or has lost it."""
        return self.is_closing or run in self._lost


opened: Final[list[Executor]] = []
"""The one of this process: DBOS calls a workflow by its name, with nothing but its arguments."""


class _CutOff(BaseException):
    """The process stops, or has lost the workflow: DBOS would store a cancellation as its end, and this it leaves."""


# A run whose worker is killed again and again is still somebody's run.
@DBOS.workflow(name="purestep_exchange", max_recovery_attempts=None)
async def exchange_workflow(order: str) -> None:
    """Carry one exchange out; order: an `ExchangeOrder` as JSON."""
    executor = opened[0]
    asked = decoded_order(order)
    driven = DrivenRun()
    going = executor.driven[asked.workflow_id] = (asyncio.get_running_loop(), driven)
    try:
        while True:
            try:
                return await _executed(executor, asked, driven)
            except TakenOver:
                raise _CutOff from None
            except Superseded:
                # Whoever DBOS gave the exchange to goes on after what another one has written, and nobody else.
                if executor.driven.get(asked.workflow_id) is not going:
                    raise _CutOff from None
                await asyncio.sleep(_AGAIN_S)
                driven = DrivenRun()
                going = executor.driven[asked.workflow_id] = (asyncio.get_running_loop(), driven)
    except purestep.PurestepError as error:
        _logger.error("run %s cannot go on: %s", asked.run_id, error.message)
        raise
    except Exception:
        _logger.exception("run %s cannot go on", asked.run_id)
        raise
    finally:
        if executor.driven.get(asked.workflow_id) is going:
            del executor.driven[asked.workflow_id]


async def _executed(executor: Executor, order: ExchangeOrder, driven: DrivenRun) -> None:
    # A task of its own: that one is cancelled by people, this one by a process that stops.
    task = asyncio.ensure_future(Exchange(executor, order, driven).run())
    try:
        await task
    except asyncio.CancelledError:
        if executor.cuts_off(driven):
            raise _CutOff from None


class Exchange:
    """One execution of a workflow."""

    def __init__(self, executor: Executor, order: ExchangeOrder, driven: DrivenRun) -> None:
        self._executor = executor
        self._agent = executor.agent
        self._logs = executor.logs
        self._order = order
        self._driven = driven
        self._execution = secrets.token_hex(8)
        self._position = 0
        self._step: purestep.Step | None = None
        self._has_kept = False
        self._told: ExchangeWatch | None = None
        self._armed: set[str] = set()

    async def run(self) -> None:
        """Carry out what is left of the order; cancelled, the log says so."""
        order, run_id = self._order, self._order.run_id
        try:
            await self._stored(lambda: self._logs.claim(run_id, order.number, self._execution, self._executor.name))
        except Superseded:
            return  # a later order has ended this one
        before = await self._stored(lambda: self._logs.text(run_id, before=order.number))
        own = await self._stored(lambda: self._logs.rows(run_id, order.number))
        self._position = len(own)
        lines = "".join(own)
        log = RunLog(run_id, before + lines, None)
        left = await in_thread(lambda: left_of(order, before, lines))
        run = RunEffects(self._agent.definition, run_id, self._agent.clock, self._agent.mask, run_id)
        run.kept_results = await self._kept(log)
        files = self._logs.attachments(run_id)
        takes_over = self._agent.takes_over
        effects = await in_thread(lambda: ordered_effects(run, log, left, files, takes_over=takes_over))
        self._told = watched(self._agent.watching, run_id, log.text)
        try:
            async with asyncio.timeout(self._executor.exchange_s):
                await self._driven.drive(self._noted(effects), self._ports(run_id, self._agent))
        except TimeoutError:
            pass  # the log says that the run was cancelled
        except asyncio.CancelledError:
            if self._executor.cuts_off(self._driven):
                raise  # it does not: another process goes on
        finally:
            if self._told is not None:
                self._told.end()
        if self._has_kept:
            await self._stored(lambda: self._logs.drop_results(run_id))

    def _ports(self, run_id: str, agent: ServedAgent) -> AsyncPorts:
        """Return the adapters of an exchange; those of agents below write to the log of the run alone."""
        tools, files = agent.tools(self._executor.folder / run_id), self._logs.attachments(run_id)
        return AsyncPorts(
            below={name: self._ports(run_id, each) for name, each in agent.below.items()},
            model=agent.model,
            tools=ToolCalls({**tools, **agent.output.tools}, agent.deps, files.put),
            approve=_nobody_yet,
            append=self._append,
            watch=self._watch(),
            clock=agent.clock,
            attachments=files,
            mask=agent.mask,
            keep=self._keep,
        )

    def _watch(self) -> AsyncWatcher:
        watcher = self._executor.watchers.get(self._order.workflow_id)
        return told(Watched(None) if watcher is None else watcher(self._position), self._told)

    def _noted(self, effects: Effects) -> Effects:
        """Pass effects on, and note each step that is to be recorded."""
        came: Any = None
        while True:
            try:
                effect = effects.send(came)
            except StopIteration as end:
                step: purestep.Step = end.value
                return step
            if isinstance(effect, Record):
                self._step = effect.step
            came = yield effect

    async def _append(self, log: str, head: str) -> None:
        if self._executor.cuts_off(self._driven):
            raise _CutOff
        if not log:
            return
        assert self._step is not None
        row = LogRow(
            run_id=self._order.run_id,
            exchange=self._order.number,
            position=self._position,
            log=log,
            head=head,
            status=status_of(self._step.decision, self._step.also),
            execution=self._execution,
        )
        due = {key: at for key, at in timers(self._step.state).items() if key not in self._armed}
        digest = self._agent.definition.digest or ""
        await self._stored(lambda: self._logs.append(row, due, digest))
        self._armed |= due.keys()
        self._position += 1

    async def _keep(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        self._has_kept = True
        await self._stored(lambda: self._logs.keep_result(self._order.run_id, self._execution, call, result))

    async def _kept(self, log: RunLog) -> dict[str, dict[str, Any]]:
        if log.is_new:
            return {}
        stands = log.found()
        decisions = (stands.decision, *(stands.also or ()))
        calls = [call for each in decisions if isinstance(each, purestep.InvokeTool) for call in each.calls]
        found = await self._stored(lambda: self._logs.kept_results(self._order.run_id, calls))
        self._has_kept = bool(found)
        return found

    async def _stored(self, function: Callable[[], Value]) -> Value:
        """Call a function of the database in a thread; while that is away, the run waits for it."""
        loop, persistent = (
            asyncio.get_running_loop(),
            partial(persistently, function, lambda: self._executor.is_closing),
        )
        return await loop.run_in_executor(self._executor.threads, persistent)


async def _nobody_yet(calls: Iterable[purestep.ApprovalCall]) -> object:
    """End the workflow where a person is needed: the answer is another order, so that waiting costs nothing."""
    return DEFERRED
