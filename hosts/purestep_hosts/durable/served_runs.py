"""The runs of a database behind the service: orders of clients, and what happens in them as `LiveRun`s.

An exchange may go on in this process, which then tells of text and steps at once, or in a worker, whose rows of the log
are looked for a few times a second. Both deliver rows by their position, so each comes once and in order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final
from weakref import WeakValueDictionary

import purestep
from purestep import read_events
from purestep_hosts.agents.served_agent import ServedAgent
from purestep_hosts.async_loop import in_thread
from purestep_hosts.durable.database import unusable
from purestep_hosts.durable.log_table import persistently
from purestep_hosts.durable.order import ExchangeOrder
from purestep_hosts.durable.orders import Stand, new_order
from purestep_hosts.durable.process import DurableProcess
from purestep_hosts.durable.run_table import RunRow
from purestep_hosts.extras import DURABLE
from purestep_hosts.serve.admission import Admission
from purestep_hosts.serve.app import service_app
from purestep_hosts.serve.faults import ServiceError, goes_on
from purestep_hosts.serve.late_finder import finder_of
from purestep_hosts.serve.limits import MAX_THREAD_CHARS, ServiceLimits
from purestep_hosts.serve.linked_files import FileOrigins
from purestep_hosts.serve.live_run import LiveRun
from purestep_hosts.serve.metrics_page import metrics_in
from purestep_hosts.serve.run_answer import RunAnswer, RunEntry, RunList, Status, run_answer
from purestep_hosts.serve.run_keys import RunKey, check_body
from purestep_hosts.serve.service import Service
from purestep_hosts.serve.user_runs import ExchangeRequest
from purestep_hosts.sessions import new_id
from purestep_hosts.stored_runs import DurableError, status_of
from purestep_hosts.tools.output_parts import Keep
from purestep_hosts.watching.watching import WatchedRun

with DURABLE:
    import sqlalchemy
    from starlette.applications import Starlette

_POLL_S: Final = 0.25
"""How often a worker's rows are looked for."""
_AWAY_S: Final = 10.0
"""How long a client waits for a database that is away or full, longer than one takes to start again."""
_END_POLL_S: Final = 0.02
"""How often the end is looked for after the last step."""
_OF_DURABLE: Final = {
    "run_not_found": ("run_not_found", "expected the id of a run of yours; there is none with this id"),
    "run_active": ("run_active", "the run goes on; read its events, or cancel it first"),
    "database_full": ("storage_failed", "the disk of the service's database is full; try again later"),
    "database_unusable": ("storage_failed", "the database cannot be used; try again later"),
    "closed": ("stopping", "the service is being stopped; try again in a while"),
}


class DurableService:
    """The exchanges of all users that this process follows."""

    def __init__(self, process: DurableProcess, agent: ServedAgent, *, max_followed: int) -> None:
        """Follow at most so many exchanges at once: each one is asked about a few times a second."""
        self.process = process
        self.agent = agent
        self.max_followed = max_followed
        self.followed: dict[str, Followed] = {}
        self.is_closing = False
        self._locks = WeakValueDictionary[tuple[str, str], asyncio.Lock]()

    def lock_of(self, user: str, thread: str) -> asyncio.Lock:
        """Return the lock of a chat: the first message keeps its run and begins it, and no other comes in between."""
        return self._locks.setdefault((user, thread), asyncio.Lock())

    def check_room(self) -> None:
        """Raise ServiceError while no exchange can be ordered."""
        if self.is_closing:
            raise ServiceError("stopping", "the service is being stopped; try again in a while")
        if len(self.followed) >= self.max_followed:
            text = f"{self.max_followed} exchanges go on or wait here already; try again in a while"
            raise ServiceError("too_many_runs", text)

    async def check(self) -> None:
        """Raise ServiceError while no run can be taken: it is full, stops, or the database cannot be written."""
        self.check_room()
        with told():
            await in_thread(self.process.check)

    async def check_before_order(self) -> None:
        """Raise ServiceError while no exchange can be ordered; the database is only tried where a write has failed."""
        self.check_room()
        if self.process.writes.failed is not None:
            await self.check()

    async def close(self) -> None:
        """End all streams; the runs go on in workers, or when this process is started again."""
        self.is_closing = True
        tasks = [each.live.task for each in self.followed.values() if each.live.task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


class Followed:
    """An exchange whose rows are delivered to a `LiveRun`, once each."""

    def __init__(self, service: DurableService, run_id: str, number: int, *, is_detached: bool) -> None:
        self.live = LiveRun(run_id, self.cancel, is_detached=is_detached)
        self._service = service
        self._number = number
        self._next = 0
        self._has_last = False
        self._away_since: float | None = None
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._cancelling: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Follow from now on, in a task."""
        self._service.followed[self.live.run_id] = self
        self.live.task = asyncio.ensure_future(self._follow())

    def cancel(self) -> None:
        """Have the exchange end as cancelled, wherever it goes on; its rows are followed to their end."""
        if self._cancelling is None or self._cancelling.done():
            self._cancelling = asyncio.ensure_future(self._cancel())

    async def _cancel(self) -> None:
        process, run_id = self._service.process, self.live.run_id
        # It has ended meanwhile, its process stops, or what is wrong with the database is told by `_follow`.
        with suppress(DurableError, sqlalchemy.exc.SQLAlchemyError):
            await in_thread(lambda: persistently(lambda: process.cancel(run_id), lambda: self._service.is_closing))

    def deliver(self, position: int, log: str, *, is_last: bool = False) -> None:
        """Take the row of a position, in the event loop."""
        if position == self._next:
            self._next += 1
            self.live.add_log(log)
        self._has_last = self._has_last or is_last
        self._changed.set()

    def watcher(self, position: int) -> LocalWatch:
        """Return what an execution in this process tells; position: of its first row."""
        return LocalWatch(self, self._loop, position)

    def watch(self) -> None:
        """Have this process tell of the exchange if it goes on here; called before it is ordered."""
        watchers = self._service.process.executor.watchers
        watchers[f"{self.live.run_id}:{self._number}"] = self.watcher

    def unwatch(self) -> None:
        """Have nothing told any more."""
        self._service.process.executor.watchers.pop(f"{self.live.run_id}:{self._number}", None)

    async def _follow(self) -> None:
        error: BaseException | None = None
        try:
            while await self._may_go_on():
                self._changed.clear()
                try:
                    async with asyncio.timeout(_END_POLL_S if self._has_last else _POLL_S):
                        await (asyncio.sleep(1) if self._has_last else self._changed.wait())
                except TimeoutError:
                    pass
        except asyncio.CancelledError:
            run_id = self.live.run_id
            error = ServiceError("stopping", f"the service is being stopped; run {run_id} goes on", run_id)
        except BaseException as raised:
            error = raised
        finally:
            self.unwatch()
            self._service.followed.pop(self.live.run_id, None)
            self.live.end(error)

    async def _may_go_on(self) -> bool:
        """Tell whether more may come; while the database is away or full for a short time, that is so."""
        try:
            found = await self._goes_on()
            failed = self._service.process.writes.failed if found else None
            with told():
                if failed is not None:  # it can be read, but not written
                    raise failed
        except ServiceError as error:
            if error.code != "storage_failed":
                raise
            now = self._loop.time()
            self._away_since = self._away_since or now
            if now - self._away_since > _AWAY_S:
                raise goes_on(self.live.run_id, error.message) from error.__cause__
            return True
        self._away_since = None
        return found

    async def _goes_on(self) -> bool:
        """Deliver the rows that are new, and tell whether more may come."""
        with told():
            stand = await in_thread(lambda: self._service.process.stand(self.live.run_id))
            rows = await in_thread(self._rows)
        for position, log in rows:
            self.deliver(position, log)
        if stand.row.ordered > self._number:  # another request has ended it, whose lines belong to this stream
            self.unwatch()
            self._number, self._next, self._has_last = self._number + 1, 0, False
            self.watch()
            return True
        if stand.status == "broken":
            text = (
                "what carried the run out has failed, and the log of the service says why; go on with an empty request"
            )
            raise ServiceError("run_broken", text, self.live.run_id) from DurableError("run_broken", stand.why)
        return stand.status == "running"

    def _rows(self) -> list[tuple[int, str]]:
        first = self._next
        found = self._service.process.orders.logs.rows(self.live.run_id, self._number, first - 1)
        return list(enumerate(found, first))


class LocalWatch:
    """Tells of an execution in this process; called from the threads of DBOS."""

    wants_text = True

    def __init__(self, followed: Followed, loop: asyncio.AbstractEventLoop, position: int) -> None:
        self._followed = followed
        self._loop = loop
        self._position = position
        self.on_text = followed.live.on_text
        self.on_retract = followed.live.on_retract
        self.on_reasoning = followed.live.on_reasoning

    def on_step(self, step: purestep.Step) -> None:
        """A step was made, and its lines are stored."""
        if not step.log:
            return
        position, self._position = self._position, self._position + 1
        is_last = status_of(step.decision, step.also) != "running"
        with suppress(RuntimeError):  # the loop is closed: nobody reads
            self._loop.call_soon_threadsafe(lambda: self._followed.deliver(position, step.log, is_last=is_last))

    def on_calls(self, calls: tuple[purestep.ToolCall, ...]) -> None:
        """Calls begin, which the log has said."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """A call came back, which the log will say."""


class DurableUserRuns:
    """The runs of one user; see `UserRuns`."""

    def __init__(self, service: DurableService, user: str) -> None:
        self._service = service
        self._process = service.process
        self._user = user

    async def begin(self, given: ExchangeRequest) -> LiveRun:
        """Begin a run with a query; returns once the order is stored."""
        return await self._begun(new_id(self._service.agent.clock()), given)

    async def begin_once(self, key: RunKey, given: ExchangeRequest) -> LiveRun | str:
        """Begin a run under a key, or return the run that has it, by its id if it does not go on now."""
        async with self._service.lock_of(self._user, f"key {key.digest}"):
            return await self._begun_once(key, given)

    async def _begun_once(self, key: RunKey, given: ExchangeRequest) -> LiveRun | str:
        made, table = new_id(self._service.agent.clock()), self._process.orders.table
        with told():
            run_id, body = await in_thread(lambda: table.keep_key(self._user, key.digest, key.body, made))
        check_body(key, body)
        with told(run_id):
            row = await in_thread(lambda: table.get(run_id))
        try:
            if row is None:
                return await self._begun(run_id, given)
            with told(run_id):
                stand = await in_thread(lambda: self._stand(run_id))
            if stand.status == "broken" and stand.row.exchange == 0:  # cut off before its order was stored
                return await self.go_on(run_id, given)
        except purestep.PurestepError:
            with told():
                await in_thread(lambda: table.drop_key(self._user, key.digest))
            raise
        except ServiceError as error:
            if error.code != "run_active":  # another service has begun it at this moment
                raise
        return await self.live(run_id) or run_id

    async def _begun(self, run_id: str, given: ExchangeRequest, chat: str | None = None) -> LiveRun:
        await self._service.check_before_order()
        if given.query is None:
            raise ServiceError(
                "invalid_input",
                "expected a query or a message of the user's, since there is no run yet that could go on",
            )
        followed = Followed(self._service, run_id, 1, is_detached=given.is_detached)
        orders, order = self._process.orders, _order(run_id, given)
        await self._ordered(followed, lambda: orders.begin(run_id, order, given.attachments, self._user, chat))
        return followed.live

    async def go_on(self, run_id: str, given: ExchangeRequest) -> LiveRun:
        """Go on with a run; returns once the order is stored."""
        await self._service.check_before_order()
        orders, order = self._process.orders, _order(run_id, given)
        with told():
            stand = await in_thread(lambda: self._stand(run_id))
            log = await in_thread(lambda: orders.logs.text(run_id))
        followed = Followed(self._service, run_id, stand.row.ordered + 1, is_detached=given.is_detached)
        followed.live.before = log
        await self._ordered(followed, lambda: orders.go_on(stand, order, given.attachments))
        return followed.live

    async def _ordered(self, followed: Followed, order: Callable[[], object]) -> None:
        followed.watch()
        try:
            with told(followed.live.run_id):
                await self._within(_AWAY_S, order)
        except BaseException:
            followed.unwatch()
            raise
        followed.begin()

    async def _within(self, most_s: float, order: Callable[[], object]) -> None:
        """Give an order; one that DBOS waits with, for room or for its connection, may still be carried out later."""
        try:
            async with asyncio.timeout(most_s):
                await in_thread(order)
        except TimeoutError:
            text = f"The database has not taken an order within {most_s:g} seconds. Its server's log says more."
            error = DurableError("database_unusable", text)
            self._process.writes.fail(error)
            raise error from None

    async def live(self, run_id: str) -> LiveRun | None:
        """Return the exchange of a run that goes on now, here or in a worker."""
        with told():
            stand = await in_thread(lambda: self._stand(run_id))
            if run_id in self._service.followed:
                return self._service.followed[run_id].live
            if stand.status != "running":
                return None
            number = stand.row.ordered
            log = await in_thread(lambda: self._process.orders.logs.text(run_id, before=number))
        if run_id in self._service.followed:
            return self._service.followed[run_id].live
        followed = Followed(self._service, run_id, number, is_detached=True)
        followed.live.before = log
        followed.watch()
        followed.begin()
        return followed.live

    async def cancel(self, run_id: str) -> None:
        """Have a run end as cancelled, and wait for its end."""
        with told():
            stand = await in_thread(lambda: self._stand(run_id))
            if stand.status in ("done", "failed"):
                raise ServiceError("wrong_phase", "the run has ended; there is nothing to cancel")
            await in_thread(lambda: self._process.cancel(run_id))
        live = await self.live(run_id)
        if live is not None:
            await live.ended()

    async def log(self, run_id: str) -> str:
        """Return the log of a run."""
        with told():
            await in_thread(lambda: self._stand(run_id))
            return await in_thread(lambda: self._process.orders.logs.text(run_id))

    def keep(self, run_id: str) -> Keep:
        """Return what keeps images and files of a run."""
        return self._process.orders.logs.attachments(run_id).put

    async def answer(self, run_id: str) -> RunAnswer:
        """Return where a run stands."""
        with told():
            stand = await in_thread(lambda: self._stand(run_id))
            log = await in_thread(lambda: self._process.orders.logs.text(run_id))
        is_live = stand.status == "running"
        output = self._service.agent.output
        return await in_thread(lambda: run_answer(run_id, log, output, is_live=is_live))

    async def listed(self, before: str | None, limit: int) -> RunList:
        """Return a part of the runs."""
        with told():
            return await in_thread(lambda: self._listed(before, limit))

    def _listed(self, before: str | None, limit: int) -> RunList:
        rows = self._process.orders.table.of_owner(self._user, before, limit + 1)
        entries = [self._entry(row) for row in rows[:limit]]
        return RunList(runs=tuple(entries), next=rows[limit - 1].run_id if len(rows) > limit else None)

    def _entry(self, row: RunRow) -> RunEntry:
        status: Status = "interrupted"
        if row.ordered == row.exchange and row.status != "running":
            status = row.status
        elif (found := self._process.orders.stand_of(row).status) != "broken":
            status = found
        return RunEntry(run=row.run_id, created_ms=row.created_ms, query=row.query, status=status)

    async def run_of(self, thread: str) -> str | None:
        """Return the run of a chat, None for a new one."""
        _check_thread(thread)
        with told():
            return await in_thread(lambda: self._process.orders.table.run_of_chat(self._user, thread))

    async def in_thread_of(self, thread: str, given: ExchangeRequest) -> LiveRun:
        """Go on with the run of a chat, or begin one that the chat stands for from now on."""
        async with self._service.lock_of(self._user, thread):
            run_id = await self.run_of(thread)
            if run_id is None:
                try:
                    return await self._begun(new_id(self._service.agent.clock()), given, thread)
                except ServiceError as error:
                    if error.code != "run_active":  # another service has begun it at this moment
                        raise
                    run_id = await self.run_of(thread)
                    if run_id is None:
                        raise
            return await self.go_on(run_id, given)

    def _stand(self, run_id: str) -> Stand:
        stand = self._process.stand(run_id)
        if stand.row.owner != self._user:
            raise DurableError("run_not_found", "it is another user's")
        return stand


@contextmanager
def told(ordered: str = "") -> Iterator[None]:
    """Raise what a client may read instead of what the database says; ordered: the run that something is ordered for.

    A database that goes away in the middle of an order may have stored it, so nobody is told that it has not.
    """
    try:
        yield
    except (DurableError, sqlalchemy.exc.SQLAlchemyError) as error:
        found = error if isinstance(error, DurableError) else unusable(error)
        code, text = _OF_DURABLE.get(found.code, (found.code, found.message))
        if not ordered or found.code not in ("database_full", "database_unusable"):
            raise ServiceError(code, text) from found
        text = (
            f"{text.partition(';')[0]}, and it may have taken run {ordered}; GET /runs/{ordered} later says so, and so "
            "does the same request with the same Idempotency-Key"
        )
        raise ServiceError(code, text, ordered) from found


def _waits(process: DurableProcess) -> dict[str, int]:
    """Return when each call was asked about that waits, in whichever process that was."""
    runs: dict[str, WatchedRun] = {}
    with told():
        rows = process.orders.logs.asked()
    for run_id, log in rows:
        runs.setdefault(run_id, WatchedRun(run_id=run_id)).note(line for _, line in read_events(log))
    return {f"{run_id} {call}": at for run_id, run in runs.items() for call, at in run.waiting.items()}


def _order(run_id: str, given: ExchangeRequest) -> ExchangeOrder:
    order = new_order(run_id, given.query)
    return ExchangeOrder(
        run_id=run_id, number=1, query=order.query, at=0, approvals=given.approvals, tool_choice=given.tool_choice,
        results=given.results, cancels=given.cancels,
    )  # fmt: skip


def _check_thread(thread: str) -> None:
    if not 0 < len(thread) <= MAX_THREAD_CHARS:
        raise ServiceError(
            "invalid_input", f"expected an id of a chat of 1 to {MAX_THREAD_CHARS} characters; got {len(thread)}"
        )


def durable_app(
    process: DurableProcess,
    agent: ServedAgent,
    admission: Admission,
    *,
    max_followed: int = 640,
    limits: ServiceLimits | None = None,
    file_origins: Iterable[str] = (),
) -> Starlette:
    """Return the service of the runs of a database, for any ASGI server.

    max_followed: most exchanges that clients wait for at once. file_origins: as for `create_app`.
    `app.state.close_runs()` ends the streams.
    """

    async def opened() -> Service:
        service = DurableService(process, agent, max_followed=max_followed)
        metrics = metrics_in(agent.watching)
        if metrics is not None:
            metrics.waits = partial(_waits, process)
        return Service(
            runs_of=lambda user: DurableUserRuns(service, user),
            close=service.close,
            check=service.check,
            admission=admission,
            limits=limits or ServiceLimits(),
            file_origins=FileOrigins(file_origins),
            finder=finder_of(agent),
            watching=agent.watching,
        )

    return service_app(opened, admission)
