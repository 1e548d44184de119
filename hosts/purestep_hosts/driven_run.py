"""A run in an event loop that others may cancel at any moment, also before it has begun."""

from __future__ import annotations

import asyncio

import purestep
from purestep_hosts.async_loop import AsyncPorts, drive
from purestep_hosts.effects import Effects


class DrivenRun:
    """Drives a run in one task, and takes cancellations from the others.

    What prepares the run is not cut off by one: the run begins, and ends as cancelled, so its log says both what was
    asked and what became of it. Used in one event loop.
    """

    def __init__(self) -> None:
        self._is_cancelled = False
        self._task: asyncio.Task[object] | None = None

    def cancel(self) -> None:
        """Have the run end as cancelled: now, or as soon as it begins; a run that has ended is left as it is."""
        self._is_cancelled = True
        if self._task is not None:
            self._task.cancel()

    async def drive(self, effects: Effects, ports: AsyncPorts) -> purestep.Step:
        """Perform the effects of the run until it has none left; raises CancelledError as `async_loop.drive` does."""
        self._task = asyncio.current_task()
        try:
            return await drive(effects, ports, is_cancelled=self._is_cancelled)
        finally:
            self._task = None
