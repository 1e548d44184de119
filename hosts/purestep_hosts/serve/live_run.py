"""An exchange that goes on: what has happened in it so far, for any number of readers.

Readers keep a place of their own in its entries, so one that reads slowly holds nothing up and nothing is kept for it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from msgspec import UNSET

import purestep
from purestep import StreamEvent, StreamReasoning, StreamRetract, StreamText
from purestep_hosts.agents.events import CallProgress
from purestep_hosts.tools.call_note import CallNote

Entry = str | StreamEvent | CallProgress
"""Lines of the log, what the filter gives of an output before its line is there, or what calls tell while they run."""


class LiveRun:
    """One exchange of a run, from its begin until its end; used as the watcher of the loop."""

    wants_text = True

    def __init__(self, run_id: str, on_cancel: Callable[[], object], *, is_detached: bool) -> None:
        """Begin in this thread's event loop.

        on_cancel: has the run end as cancelled; called in the event loop, at any moment before the end. is_detached:
        whether it goes on when its last reader leaves.
        """
        self.run_id = run_id
        self.is_detached = is_detached
        self.before = ""
        """The log before the exchange."""
        self.entries: list[Entry] = []
        self.error: BaseException | None = None
        """What ended the exchange from outside: the disk, or a request that does not fit."""
        self.task: asyncio.Task[None] | None = None
        self._on_cancel = on_cancel
        self._has_ended = False
        self._readers = 0
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()

    # --- what the loop tells ------------------------------------------------------------------------------

    def on_text(self, text: str) -> None:
        """Text of the answer, as the model writes it; may come from another thread."""
        self._add(StreamText(text=text))

    def on_retract(self) -> None:
        """All text of this output so far was reasoning."""
        self._add(StreamRetract())

    def on_reasoning(self, text: str) -> None:
        """More of the reasoning, which is no part of the answer."""
        self._add(StreamReasoning(reasoning=text))

    def on_step(self, step: purestep.Step) -> None:
        """A step was made, and its lines are on disk."""
        if step.log:
            self._add(step.log)

    def add_log(self, log: str) -> None:
        """Take lines that are stored."""
        self._add(log)

    def on_calls(self, calls: tuple[purestep.ToolCall, ...]) -> None:
        """Calls begin, which the log has said."""

    def on_note(self, path: tuple[str, ...], call: purestep.ToolCall, note: CallNote) -> None:
        """A call tells something while it runs; may come from another thread. path: the agents down to its own."""
        told = {name: getattr(note, name) for name in note.__struct_fields__}
        self._add(CallProgress(call_id=call.call_id, tool=call.tool, path=path or UNSET, **told))

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """A call came back, which the log will say."""

    def end(self, error: BaseException | None = None) -> None:
        """The exchange is over: nothing comes after this."""
        self.error, self._has_ended = error, True
        self._tell()

    def _add(self, entry: Entry) -> None:
        if threading.get_ident() == self._thread:
            self._append(entry)
        else:
            with suppress(RuntimeError):  # the loop is closed: nobody reads
                self._loop.call_soon_threadsafe(self._append, entry)

    def _append(self, entry: Entry) -> None:
        if not self._has_ended:  # a model that was left behind may go on writing
            self.entries.append(entry)
            self._tell()

    def _tell(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    # --- what readers ask ---------------------------------------------------------------------------------

    @property
    def log(self) -> str:
        """The whole log as it stands."""
        return self.before + "".join(entry for entry in self.entries if isinstance(entry, str))

    async def begun(self) -> None:
        """Wait until something is in the log; raises what ended the exchange before."""
        while not self.entries and not self._has_ended:
            await self._changed.wait()
        if self.error is not None and not self.entries:
            raise self.error

    async def ended(self) -> None:
        """Wait for the end; raises what ended the exchange from outside."""
        while not self._has_ended:
            await self._changed.wait()
        if self.error is not None:
            raise self.error

    async def batches(self, silent_s: float) -> AsyncIterator[list[Entry]]:
        """Yield the entries in order, as many at once as there are; an empty list after so many silent seconds."""
        at = 0
        while at < len(self.entries) or not self._has_ended:
            if at < len(self.entries):
                batch = self.entries[at:]
                at += len(batch)
                yield batch
                continue
            try:
                async with asyncio.timeout(silent_s):
                    await self._changed.wait()
            except TimeoutError:
                yield []

    def join(self) -> None:
        """Count a reader in."""
        self._readers += 1

    def leave(self) -> None:
        """Count a reader out; the last one cancels the exchange, unless that is detached."""
        self._readers -= 1
        if self._readers == 0 and not self.is_detached:
            self.cancel()

    def cancel(self) -> None:
        """Have the run end as cancelled, if it has not ended."""
        if not self._has_ended:
            self._on_cancel()
