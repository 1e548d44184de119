"""The sessions of a service whose calls went on elsewhere: looked at while it runs, and as it starts.

One loop looks for times that have come, and another asks servers for their tasks, so that a slow server delays no time.
A run that goes on is left alone until it has ended, and looked at anew then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from purestep import PurestepError
from purestep_hosts.agents.late import LateResult
from purestep_hosts.async_loop import in_thread
from purestep_hosts.attachments import FolderAttachments
from purestep_hosts.serve.faults import ServiceError, fault_of
from purestep_hosts.serve.late_finder import LateFinder
from purestep_hosts.serve.live_run import LiveRun
from purestep_hosts.serve.stored_waits import MAX_READ
from purestep_hosts.serve.user_runs import ExchangeRequest
from purestep_hosts.sessions import SessionError, SessionStore

Give = Callable[[SessionStore, str, ExchangeRequest], Awaitable[LiveRun]]
Look = Callable[["_Wait", str], Awaitable[float | None]]

_LOOK_S: Final = 0.5
"""Between two looks at what is due: what is in memory costs nothing to look at."""
_CLOCK_S: Final = 60.0
"""The longest time without a look at a clock, which may be set."""
_FIRST_TASK_S: Final = 10.0
_LAST_TASK_S: Final = 600.0
"""Between two questions for the tasks of a run: soon at first, then each time after twice as long."""
_AGAIN_S: Final = 1.0
"""Until what could not be given is tried again: the run goes on, or there is no room."""

_SOON_OVER: Final = ("run_active", "too_many_runs", "stopping", "storage_failed")

_logger: Final = logging.getLogger("purestep_hosts.serve")


class _Wait(msgspec.Struct):
    """A session that is looked at: at `at`, by the event loop's clock; `pause_s` is the last one before a question."""

    store: SessionStore
    run_id: str
    at: float
    pause_s: float = _FIRST_TASK_S


class LateWatch:
    """Gives the runs of sessions what is found for them; used in the event loop of the service."""

    def __init__(self, finder: LateFinder, give: Give) -> None:
        """give: goes on with a run, or raises what `Runs.go_on` does."""
        self._finder = finder
        self._give = give
        self._times: dict[Path, _Wait] = {}
        self._tasks: dict[Path, _Wait] = {}
        self._working: list[asyncio.Task[None]] = []

    def begin(self, folders: Iterable[Path]) -> None:
        """Read the sessions of these folders, and look from now on."""
        self._working = [
            asyncio.ensure_future(self._read(folders)),
            asyncio.ensure_future(self._work(self._times, self._look_at_time)),
            asyncio.ensure_future(self._work(self._tasks, self._look_at_tasks)),
        ]

    async def close(self) -> None:
        """Look no more."""
        for task in self._working:
            task.cancel()
        if self._working:
            await asyncio.wait(self._working)

    async def note(self, store: SessionStore, run_id: str, log: str) -> None:
        """Look at a run from now on, if its log has calls that are waited for."""
        place = store.root / run_id
        self._times.pop(place, None)
        self._tasks.pop(place, None)
        if '"kind":"tool_pending"' not in log:
            return
        with suppress(PurestepError):
            due_in, has_tasks = await in_thread(lambda: (self._finder.due_in_ms(log), self._finder.has_tasks(log)))
            now = asyncio.get_running_loop().time()
            if due_in is not None and len(self._times) < MAX_READ:
                self._times[place] = _Wait(store, run_id, now + min(due_in / 1000, _CLOCK_S))
            if has_tasks and len(self._tasks) < MAX_READ:
                self._tasks[place] = _Wait(store, run_id, now + _FIRST_TASK_S)

    async def _read(self, folders: Iterable[Path]) -> None:
        for folder in folders:
            store = SessionStore(folder)
            for run_id in (await in_thread(store.ids))[:MAX_READ]:
                with suppress(SessionError):
                    log = (await in_thread(partial(store.read, run_id))).text
                    await self.note(store, run_id, log)

    async def _work(self, waits: dict[Path, _Wait], look: Look) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_LOOK_S)
            for place, wait in [each for each in waits.items() if each[1].at <= loop.time()]:
                pause_s = await self._looked(wait, look)
                if waits.get(place) is not wait:
                    continue  # its run has ended an exchange meanwhile, and was noted anew
                if pause_s is None:
                    del waits[place]
                else:
                    wait.at = loop.time() + pause_s

    async def _looked(self, wait: _Wait, look: Look) -> float | None:
        """Look at a run; returns after how many seconds it is looked at again, None where there is no need."""
        try:
            log = (await in_thread(lambda: wait.store.read(wait.run_id))).text
            return await look(wait, log)
        except (SessionError, ServiceError) as error:
            return _AGAIN_S if fault_of(error).error in _SOON_OVER else _LAST_TASK_S
        except PurestepError as error:
            _logger.warning("run %s gets no result that has come: %s", wait.run_id, error.message)
        except Exception:  # other runs wait too
            _logger.exception("run %s gets no result that has come", wait.run_id)
        return _LAST_TASK_S

    async def _look_at_time(self, wait: _Wait, log: str) -> float | None:
        due_in = await in_thread(lambda: self._finder.due_in_ms(log))
        if due_in is None or due_in > 0:
            return due_in and min(due_in / 1000, _CLOCK_S)
        await self._given(wait, await in_thread(lambda: self._finder.due(log)))
        return _AGAIN_S  # unless its end notes it anew

    async def _look_at_tasks(self, wait: _Wait, log: str) -> float | None:
        if not await in_thread(lambda: self._finder.has_tasks(log)):
            return None
        keep = FolderAttachments(wait.store.root / wait.run_id).put
        results = await in_thread(lambda: self._finder.of_tasks(log, keep))
        if results:
            await self._given(wait, results)
        wait.pause_s = _FIRST_TASK_S if results else min(2 * wait.pause_s, _LAST_TASK_S)
        return wait.pause_s

    async def _given(self, wait: _Wait, results: tuple[LateResult, ...]) -> None:
        await self._give(wait.store, wait.run_id, ExchangeRequest(results=results, is_detached=True))
