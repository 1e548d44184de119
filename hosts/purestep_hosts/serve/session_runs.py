"""The runs of one user as sessions on disk, in a folder of the user's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from purestep import PurestepError
from purestep_hosts.async_loop import in_thread
from purestep_hosts.attachments import FolderAttachments
from purestep_hosts.serve.faults import ServiceError, fault_of
from purestep_hosts.serve.live_run import LiveRun
from purestep_hosts.serve.run_answer import RunAnswer, RunEntry, RunList, run_entry
from purestep_hosts.serve.run_keys import KeyIndex, RunKey
from purestep_hosts.serve.runs import Runs
from purestep_hosts.serve.thread_index import ThreadIndex
from purestep_hosts.serve.user_runs import ExchangeRequest
from purestep_hosts.sessions import Session, SessionError, SessionStore
from purestep_hosts.tools.output_parts import Keep

Kept = TypeVar("Kept")


class SessionRuns:
    """The sessions of a user, and the exchanges of them that go on; see `UserRuns`."""

    def __init__(self, runs: Runs, folder: Path) -> None:
        self._runs = runs
        self._store = SessionStore(folder)
        self._threads = ThreadIndex(folder)
        self._keys = KeyIndex(folder)

    async def begin(self, given: ExchangeRequest) -> LiveRun:
        """Begin a run with a query."""
        return await self._runs.begin(self._store, given)

    async def begin_once(self, key: RunKey, given: ExchangeRequest) -> LiveRun | str:
        """Begin a run under a key, or return the run that has it, by its id if it does not go on now."""
        async with self._runs.lock_of(self._store, key.digest):
            run_id = await in_thread(lambda: self._keys.run_of(key))
            if run_id is None:
                self._runs.check_room()
                session = await self._runs.new_session(self._store, given)
                try:
                    await _kept(session, lambda: self._keys.keep(key, session.info.id))
                    return await self._runs.started(self._store, session, given)
                except (PurestepError, ServiceError):
                    await in_thread(lambda: self._keys.drop(key))
                    await in_thread(session.remove)
                    raise
            live = await self.live(run_id)
            if live is None and not await self.log(run_id):  # killed before anything was asked
                return await self.go_on(run_id, given)
            return live or run_id

    async def go_on(self, run_id: str, given: ExchangeRequest) -> LiveRun:
        """Go on with a run."""
        return await self._runs.go_on(self._store, run_id, given)

    async def live(self, run_id: str) -> LiveRun | None:
        """Return the exchange of a run that goes on now."""
        return self._runs.live(self._store, run_id)

    async def cancel(self, run_id: str) -> None:
        """Have a run end as cancelled, and wait for its end."""
        live = await self.live(run_id)
        if live is None:
            live = await self.go_on(run_id, ExchangeRequest(cancels=True, is_detached=True))
        live.cancel()
        await live.ended()

    async def log(self, run_id: str) -> str:
        """Return the log of a run; raises SessionError."""
        return (await in_thread(lambda: self._store.read(run_id))).text

    def keep(self, run_id: str) -> Keep:
        """Return what keeps images and files of a run."""
        return FolderAttachments(self._store.root / run_id).put

    async def answer(self, run_id: str) -> RunAnswer:
        """Return where a run stands."""
        log = await self.log(run_id)
        is_live = await self.live(run_id) is not None
        return await in_thread(lambda: self._runs.stand(run_id, log, is_live=is_live))

    async def listed(self, before: str | None, limit: int) -> RunList:
        """Return a part of the runs."""
        return await in_thread(lambda: self._listed(before, limit))

    def _listed(self, before: str | None, limit: int) -> RunList:
        ids = [run_id for run_id in self._store.ids() if before is None or run_id < before]
        entries = [entry for entry in map(self._entry, ids[:limit]) if entry is not None]
        return RunList(runs=tuple(entries), next=ids[limit - 1] if len(ids) > limit else None)

    def _entry(self, run_id: str) -> RunEntry | None:
        """Return a run as it stands in a list, None where nothing was asked yet."""
        is_live = self._runs.live(self._store, run_id) is not None
        try:
            log = self._store.read(run_id).text
            stand = self._runs.stand(run_id, log, is_live=is_live)
            return run_entry(self._store.info(run_id), stand) if log else None
        except (SessionError, PurestepError) as error:
            return RunEntry(run=run_id, problem=fault_of(error).message)

    async def run_of(self, thread: str) -> str | None:
        """Return the run of a chat, None for a new one."""
        return await in_thread(lambda: self._threads.run_of(thread))

    async def in_thread_of(self, thread: str, given: ExchangeRequest) -> LiveRun:
        """Go on with the run of a chat, or begin one that the chat stands for from now on."""
        run_id = await self.run_of(thread)
        if run_id is not None:
            return await self.go_on(run_id, given)
        self._runs.check_room()
        session = await self._runs.new_session(self._store, given)
        found = await _kept(session, lambda: self._threads.keep(thread, session.info.id))
        if found != session.info.id:
            await in_thread(lambda: _drop(session))
            return await self.go_on(found, given)
        return await self._runs.started(self._store, session, given)


async def _kept(session: Session, keep: Callable[[], Kept]) -> Kept:
    """Write down what stands for a new session; where that fails, nothing of the session stays."""
    try:
        return await in_thread(keep)
    except BaseException:
        await in_thread(lambda: _drop(session))
        raise


def _drop(session: Session) -> None:
    session.close()
    session.remove()
