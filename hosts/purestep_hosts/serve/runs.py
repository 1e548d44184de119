"""The runs of a service: begins them, goes on with them, and knows those that go on now."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from weakref import WeakValueDictionary

import purestep
from purestep_hosts.agents.calls import ToolCalls
from purestep_hosts.agents.exchange import exchange_effects
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.agents.served_agent import ServedAgent
from purestep_hosts.async_loop import AsyncPorts, AsyncWatcher, in_thread
from purestep_hosts.driven_run import DrivenRun
from purestep_hosts.durable_files import write
from purestep_hosts.effects import DEFERRED, Effects, RunEffects
from purestep_hosts.hidden_texts import hidden_words
from purestep_hosts.models.model import refused_by
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.serve.late_finder import finder_of
from purestep_hosts.serve.late_watch import LateWatch
from purestep_hosts.serve.limits import ServiceLimits
from purestep_hosts.serve.live_run import LiveRun
from purestep_hosts.serve.run_answer import RunAnswer, run_answer
from purestep_hosts.serve.user_runs import ExchangeRequest
from purestep_hosts.sessions import Session, SessionStore
from purestep_hosts.watching.told_steps import told, watched


class Runs:
    """The exchanges that go on in this process, and the way to new ones; each is in a task of its own."""

    def __init__(self, agent: ServedAgent, limits: ServiceLimits) -> None:
        self._agent = agent
        self._limits = limits
        self._live: dict[Path, LiveRun] = {}
        self._is_closing = False
        self._locks = WeakValueDictionary[tuple[Path, str], asyncio.Lock]()
        self._late = LateWatch(finder_of(agent), self.go_on)

    def watch_late(self, folders: Iterable[Path]) -> None:
        """Give the runs of these folders, from now on, what is found of calls that went on elsewhere."""
        self._late.begin(folders)

    def lock_of(self, store: SessionStore, key: str) -> asyncio.Lock:
        """Return the lock of a key: of two requests at once, the second one finds the run of the first."""
        return self._locks.setdefault((store.root, key), asyncio.Lock())

    async def check(self, folder: Path) -> None:
        """Raise ServiceError while no run can be taken: it is full, stops, or cannot write."""
        self.check_room()
        await in_thread(lambda: _check_folder(folder))

    def live(self, store: SessionStore, run_id: str) -> LiveRun | None:
        """Return the exchange of a run that goes on now."""
        return self._live.get(store.root / run_id)

    def stand(self, run_id: str, log: str, *, is_live: bool = False) -> RunAnswer:
        """Return where the run of a log stands; raises PurestepError for a log that is damaged."""
        return run_answer(run_id, log, self._agent.output, is_live=is_live)

    async def begin(self, store: SessionStore, given: ExchangeRequest) -> LiveRun:
        """Begin a run with a query; returns once that is on disk. Raises ServiceError, SessionError, PurestepError."""
        self.check_room()
        session = await self.new_session(store, given)
        try:
            return await self.started(store, session, given)
        except (purestep.PurestepError, ServiceError):
            await in_thread(session.remove)  # the query was refused, so there is no run
            raise

    async def new_session(self, store: SessionStore, given: ExchangeRequest) -> Session:
        """Make the session of a run that is about to begin."""
        agent = self._agent
        if given.query is None:
            raise ServiceError(
                "invalid_input",
                "expected a query or a message of the user's, since there is no run yet that could go on",
            )
        query = hidden_words(agent.definition, agent.mask, given.query)
        digest = agent.definition.digest or ""
        name = agent.model.name
        return await in_thread(lambda: store.create(query=query, agent_digest=digest, model=name))

    async def go_on(self, store: SessionStore, run_id: str, given: ExchangeRequest) -> LiveRun:
        """Go on with a run; returns once something new of it is on disk. Raises as `begin`, and `run_active`."""
        if self.live(store, run_id) is not None:
            raise ServiceError("run_active", "the run goes on; read its events, or cancel it first")
        self.check_room()
        return await self.started(store, await in_thread(lambda: store.open(run_id)), given)

    async def started(self, store: SessionStore, session: Session, given: ExchangeRequest) -> LiveRun:
        """Start an exchange in an open session, which is closed at its end, or where there is no room any more."""
        try:
            self.check_room()  # others may have begun while the session was made or opened
        except ServiceError:
            session.close()
            raise
        driven = DrivenRun()
        live = LiveRun(session.info.id, driven.cancel, is_detached=given.is_detached)
        place = store.root / live.run_id
        self._live[place] = live
        live.task = asyncio.ensure_future(self._run(place, live, driven, session, given))
        await live.begun()
        return live

    async def close(self) -> None:
        """Cancel everything that goes on, wait until the logs say so, and begin nothing any more."""
        self._is_closing = True
        await self._late.close()
        tasks = [live.task for live in self._live.values() if live.task is not None]
        for live in self._live.values():
            live.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def check_room(self) -> None:
        """Raise ServiceError while no run can begin."""
        if self._is_closing:
            raise ServiceError("stopping", "the service is being stopped; try again in a while")
        if len(self._live) >= self._limits.max_live:
            raise ServiceError("too_many_runs", f"{self._limits.max_live} runs go on already; try again in a while")

    async def _run(
        self, place: Path, live: LiveRun, driven: DrivenRun, session: Session, given: ExchangeRequest
    ) -> None:
        error: BaseException | None = None
        try:
            with session:
                async with asyncio.timeout(self._limits.exchange_s):
                    await self._exchange(live, driven, session, given)
        except (asyncio.CancelledError, TimeoutError):
            pass  # the log says that the run was cancelled
        except BaseException as raised:
            error = _cut_off(live.run_id, raised) if live.entries else raised
        finally:
            del self._live[place]
            live.end(error)
        await self._late.note(SessionStore(place.parent), live.run_id, live.log)

    async def _exchange(self, live: LiveRun, driven: DrivenRun, session: Session, given: ExchangeRequest) -> None:
        log = await RunLog.opened(None, session, None)
        if log.is_new and given.query is None:
            raise ServiceError("invalid_input", "expected a query: the run was cut off before anything was asked")
        live.before = log.text
        agent, store = self._agent, session.attachments
        exchange = watched(agent.watching, log.run_id, log.text)
        for each in given.attachments:
            await in_thread(partial(store.put, each))
        ports = _ports(agent, session, log, told(live, exchange), live)
        run = RunEffects(agent.definition, log.run_id, agent.clock, agent.mask)
        run.refused = refused_by(agent.model)
        wanted = ExchangeInput(
            query=given.query,
            approvals=given.approvals,
            results=given.results,
            takes_over=agent.takes_over,
            tool_choice=given.tool_choice,
            attachments=given.attachments,
        )
        effects = _cancelled(run, log) if given.cancels else exchange_effects(run, log, wanted)
        try:
            await driven.drive(effects, ports)
        finally:
            if exchange is not None:
                exchange.end()


def _ports(
    agent: ServedAgent, session: Session, log: RunLog, watch: AsyncWatcher, live: LiveRun, path: tuple[str, ...] = ()
) -> AsyncPorts:
    """Return the adapters of an exchange; those of agents below write to the log of the run alone.

    path: the names of the agents down to this one.
    """
    store, tools = session.attachments, {**agent.tools(session.folder), **agent.output.tools}
    return AsyncPorts(
        below={name: _ports(each, session, log, watch, live, (*path, name)) for name, each in agent.below.items()},
        model=agent.model,
        tools=ToolCalls(tools, agent.deps, store.put, partial(live.on_note, path)),
        approve=_nobody_yet,
        append=log.append,
        watch=watch,
        clock=agent.clock,
        attachments=store,
        mask=agent.mask,
    )


def _cut_off(run_id: str, error: BaseException) -> BaseException:
    """Return an error for the client of a run that had begun: where its log cannot be written any more, how it goes on.

    What was done by then stands in the log, or its outcome is unknown, and the core has a person asked about that.
    """
    if getattr(error, "code", None) not in ("log_not_writable", "attachment_not_writable"):
        return error
    text = (
        f"the service cannot write to its disk, so run {run_id} has stopped before its end; "
        f"POST /runs/{run_id} with {{}} goes on with it once there is room"
    )
    found = ServiceError("storage_failed", text, run_id)
    found.__cause__ = error
    return found


def _check_folder(folder: Path) -> None:
    """Write as much as the first lines of a run, and remove it."""
    place = folder / f".ready-{secrets.token_hex(8)}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            write(place, bytes(4096))
        finally:
            place.unlink(missing_ok=True)
    except OSError as error:
        text = "the service cannot write to its disk; try again later"
        raise ServiceError("storage_failed", text) from error


def _cancelled(run: RunEffects, log: RunLog) -> Effects:
    found = log.found()
    if isinstance(found.decision, purestep.Done | purestep.Failed):
        raise ServiceError("wrong_phase", "the run has ended; there is nothing to cancel")
    yield from run.take_up(log.text, found)
    return (yield from run.cancel())


async def _nobody_yet(calls: Iterable[purestep.ApprovalCall]) -> object:
    """Stop the run where a person is needed: a later request brings the answers."""
    return DEFERRED
