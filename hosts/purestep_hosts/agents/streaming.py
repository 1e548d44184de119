"""A run as an async iterator of events."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from msgspec import UNSET, UnsetType

import purestep
from purestep_hosts.agents.events import (
    AgentEvent,
    CallProgress,
    CallReturned,
    CallStarted,
    ReasoningPiece,
    RunEnded,
    TextPiece,
    TextRetracted,
)
from purestep_hosts.agents.members import check_text
from purestep_hosts.agents.result import RunResult, cancelled_result
from purestep_hosts.effects import has_answer
from purestep_hosts.inner_runs import RunNotDone
from purestep_hosts.tools.call_note import CallNote

Data = TypeVar("Data")


class Watched:
    """Makes events of what happens in a run, and passes them on; text may come from another thread."""

    def __init__(self, queue: asyncio.Queue[AgentEvent | None] | None) -> None:
        """Pass events on to a queue of this thread's event loop; None drops them."""
        self._queue = queue
        self._loop = asyncio.get_running_loop() if queue is not None else None
        self._thread = threading.get_ident()
        self._has_text = False
        self._path: tuple[str, ...] | UnsetType = UNSET

    @property
    def wants_text(self) -> bool:
        """Whether anybody takes the events."""
        return self._queue is not None

    def tell(self, event: AgentEvent) -> None:
        """Pass an event on."""
        if self._queue is None or self._loop is None:
            return
        if threading.get_ident() == self._thread:
            self._queue.put_nowait(event)
        else:
            with suppress(RuntimeError):  # the loop is closed: nobody listens
                self._loop.call_soon_threadsafe(self._queue.put_nowait, event)

    def on_text(self, text: str) -> None:
        """Text of the answer, as the model writes it."""
        self._has_text = True
        self.tell(TextPiece(text))

    def on_retract(self) -> None:
        """All text of this output so far was reasoning; remove it."""
        self._has_text = False
        self.tell(TextRetracted())

    def on_reasoning(self, text: str) -> None:
        """More of the reasoning of this output."""
        self.tell(ReasoningPiece(text))

    def on_step(self, step: purestep.Step) -> None:
        """A step was made: text of an output that is not the answer is taken back."""
        if self._has_text and step.state.exchange.judged is not None:
            return  # an answer whose checks run: what they say decides about the text
        if self._has_text and not has_answer(step):
            self.tell(TextRetracted())
        self._has_text = False

    def on_calls(self, calls: tuple[purestep.ToolCall, ...]) -> None:
        """Calls begin."""
        for call in calls:
            self.tell(CallStarted(call_id=call.call_id, tool=call.tool, params=call.params, path=self._path))

    def on_note(self, call: purestep.ToolCall, note: CallNote) -> None:
        """A call tells something while it runs; may come from another thread."""
        told = {name: getattr(note, name) for name in note.__struct_fields__}
        self.tell(CallProgress(call_id=call.call_id, tool=call.tool, path=self._path, **told))

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """A tool call came back."""
        if "asks" in result or "pending" in result:
            return  # it goes on, once a person has answered or elsewhere
        self.tell(CallReturned(call_id=call.call_id, tool=call.tool, path=self._path, **_of(result)))

    def below(self, name: str) -> Watched:
        """Return what makes events of an agent that is called by a name: those have its path."""
        found = Watched(self._queue)
        found._path = (*(self._path or ()), name)
        return found


def _of(result: dict[str, Any]) -> dict[str, Any]:
    return {name: result[name] for name in ("ok", "output", "error") if name in result}


class Steering:
    """Passes on what the user says while an exchange goes on; what comes before it has begun waits."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._said: list[str] = []
        self._take: Callable[[str], None] = self._said.append

    def __call__(self, text: str) -> None:
        """Say something."""
        self._take(text)

    def begin(self, take: Callable[[str], None]) -> None:
        """Pass on to an exchange that begins."""
        self._take = take
        for text in self._said:
            take(text)


class RunStream(Generic[Data]):
    """The events of one run; the last is `RunEnded`, after which `result` has the rest."""

    def __init__(self, begin: Callable[[Watched], Awaitable[RunResult[Data]]], steer: Callable[[str], None]) -> None:
        """Begin the run with the first event that is asked for; steer: takes what the user says meanwhile."""
        self._begin = begin
        self._steer = steer
        self._queue: asyncio.Queue[AgentEvent | None] = asyncio.Queue()
        self._task: asyncio.Task[RunResult[Data]] | None = None
        self._stopped: list[RunResult[Data]] = []
        self._has_left = False

    def steer(self, text: str) -> None:
        """Tell the model something in the middle of the run, with its next call; may be called in any thread.

        An answer that is under way ends its exchange, and the text begins another one, which this stream goes on with.
        Raises RunNotDone for a run that has ended: its result is final.
        """
        check_text(text, "the text to steer with")
        if self._task is not None and self._task.done():
            raise RunNotDone("ended", "the run has ended; begin another exchange with `after`")
        if self._task is None and self._has_left:
            raise _left()
        self._steer(text)

    @property
    def result(self) -> RunResult[Data]:
        """How the run ended, or how it stood when it was cancelled or left; raises RunNotDone before its end."""
        if self._stopped:
            return self._stopped[0]
        if self._task is None and self._has_left:
            raise _left()
        if self._task is None:
            raise RunNotDone("not_begun", "the run has not begun; take its events first")
        if not self._task.done():
            raise RunNotDone("running", "the run has not ended; take its events first, or cancel it: await aclose()")
        if self._task.cancelled():
            raise RunNotDone("cancelled", "the run was cancelled before anything of it was logged")
        return self._task.result()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> AgentEvent:
        if self._task is None and self._has_left:
            raise StopAsyncIteration
        if self._task is None:
            # The task does not hold this object: who leaves a loop over it and drops it cancels the run.
            self._task = asyncio.ensure_future(_told(self._begin, self._queue, self._stopped))
        event = await self._queue.get()
        if event is not None:
            return event
        self._queue.put_nowait(None)  # also for the next one that asks
        if not (self._has_left and self._task.cancelled()):  # `aclose` of another task does not cancel this one
            await self._task  # raises what ended the run
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Cancel the run unless it has ended, and wait until its log is whole; raises what kept it from that.

        A cancellation that comes meanwhile, and some libraries repeat theirs at every await, is raised after that.
        """
        self._has_left = True
        if self._task is None or self._task.done():
            return
        self._task.cancel()
        cancelled: asyncio.CancelledError | None = None
        while not self._task.done():
            try:
                await asyncio.wait([self._task])
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled
        if not self._task.cancelled():
            self._task.result()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        if self._task is not None and not self._task.done():
            with suppress(RuntimeError):  # the loop is closed
                self._task.get_loop().call_soon_threadsafe(self._task.cancel)


def _left() -> RunNotDone:
    return RunNotDone("not_begun", "the stream was left before its run began; begin another")


async def _told(
    begin: Callable[[Watched], Awaitable[RunResult[Data]]],
    queue: asyncio.Queue[AgentEvent | None],
    stopped: list[RunResult[Data]],
) -> RunResult[Data]:
    watch = Watched(queue)
    try:
        result = await begin(watch)
        watch.tell(_ended(result))
        return result
    except asyncio.CancelledError as error:
        if (found := cancelled_result(error)) is not None:
            stopped.append(found)
            watch.tell(_ended(found))
        raise
    finally:
        queue.put_nowait(None)


def _ended(result: RunResult[Any]) -> RunEnded:
    if result.failure is not None:
        return RunEnded(status="failed", code=result.failure.code, message=result.failure.message, acts=result.acts)
    if result.status == "done":
        return RunEnded(status="done", answer=result.answer, acts=result.acts)
    return RunEnded(status=result.status)
