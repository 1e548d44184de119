"""The async loop: performs the effects of a run (`effects`) in an event loop, beside any number of other runs.

What blocks (a model without `acomplete`, a session on disk) runs in a thread of its own, which does not keep the
process alive. Cancelling the task that drives a run stops its model and its calls, records the results that came and
the others as interrupted, cancels the run, and only then lets the cancellation through.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import suppress
from functools import partial
from types import NoneType
from typing import Any, Final, Protocol, TypeVar

import msgspec

import purestep
from purestep_hosts.attachments import AttachmentStore, MemoryAttachments, sent_request
from purestep_hosts.calls_model import CallsModel
from purestep_hosts.effects import (
    CANCELLED,
    AskModel,
    AskPerson,
    CallOutcomes,
    Effect,
    Effects,
    ModelObservation,
    Record,
    RunCalls,
    Together,
    Wait,
    opened_gate,
    performed,
)
from purestep_hosts.inner_runs import RunStopped
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import Model, ModelEnd, ModelRequest, ReplySink
from purestep_hosts.output_gate import OutputGate, OutputWatcher, WatcherUntil
from purestep_hosts.telling import Telling
from purestep_hosts.tools.lent_model import lending
from purestep_hosts.tools.results import ended, failed, interrupted

Value = TypeVar("Value")

_TEXT: Final = (str, NoneType)
_STOP_S: Final = 4.0
"""How long cancelled calls may take to come back, as in the sync loop."""


class AsyncTools(Protocol):
    """Runs tools in an event loop."""

    async def run(self, call: purestep.ToolCall) -> dict[str, Any]:
        """Run one call and return a result object; raises CancelledError, once it was cancelled, or RunStopped."""
        ...


class AsyncWatcher(OutputWatcher, Protocol):
    """Receives what happens in a run, for display only; text may come from another thread."""

    @property
    def wants_text(self) -> bool:
        """Whether text is shown while it comes."""
        ...

    def on_step(self, step: purestep.Step) -> None:
        """A step was made and its log is written."""

    def on_calls(self, calls: tuple[purestep.ToolCall, ...]) -> None:
        """Calls begin."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """A tool call came back."""


class AsyncPorts(msgspec.Struct, frozen=True, kw_only=True):
    """The adapters of one run in an event loop; `approve` may give `effects.DEFERRED` instead of answers."""

    model: Model
    tools: AsyncTools
    approve: Callable[[tuple[purestep.ApprovalCall, ...]], Awaitable[Any]]
    append: Callable[[str, str], Awaitable[None] | None]
    """Writes log lines, as `loop.Log` does; at once, or when what it gives has been awaited."""
    watch: AsyncWatcher
    clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    attachments: AttachmentStore = msgspec.field(default_factory=MemoryAttachments)
    """Keeps the images and files of user messages."""
    mask: Mask = msgspec.field(default_factory=Mask)
    """Hides secrets in text files; what is logged is masked by `RunEffects`."""
    below: Mapping[str, AsyncPorts] = {}
    """Those of the agents that it calls, by name, of which `model` and `tools` are asked; without, its own are."""
    keep: Callable[[purestep.ToolCall, dict[str, Any]], Awaitable[None]] | None = None
    """Keeps the result of a call while others that were begun with it run; see `RunEffects.kept_results`."""


def give_up(model: Model, reply: ReplySink) -> None:
    """Tell a model that answers several runs at once which reply is given up."""
    stop = getattr(model, "stop_reply", None)
    if stop is not None:
        stop(reply)


async def drive(effects: Effects, ports: AsyncPorts, *, is_cancelled: bool = False) -> purestep.Step:
    """Perform the effects of a run until it has none left; returns its last step.

    Cancelled, it brings the run to its end as cancelled and raises CancelledError. is_cancelled: that this has come
    already; the run then begins, and asks nobody.
    """
    loop = _AsyncLoop(ports)
    loop.cancelled = asyncio.CancelledError() if is_cancelled else None
    step = await performed(effects, loop.perform)
    if loop.cancelled is not None:
        raise loop.cancelled from None
    return step


class _AsyncLoop:
    def __init__(self, ports: AsyncPorts) -> None:
        self._ports = ports
        self.cancelled: asyncio.CancelledError | None = None
        self._stopped: RunStopped | None = None
        self._beside = 0
        """How many others go on beside what is performed."""
        self._telling = Telling()

    async def perform(self, effect: Effect) -> Any:
        """Perform one effect; a cancellation is sent to the run once the log is whole."""
        match effect:
            case Record(step=step):
                writing = self._ports.append(step.log, step.state.head)
                if writing is not None:
                    await self._uncut(writing)
                self._telling.tell(self._ports.watch.on_step, step)
                self._telling.check()
                return None
            case RunCalls():
                return await self._run_calls(effect)
            case Together(works=works):
                return await self._perform_all(works)
        if self.cancelled is not None:
            return CANCELLED
        try:
            match effect:
                case Wait(seconds=seconds):
                    return await asyncio.sleep(seconds)
                case AskModel():
                    return await self._ask_model(effect)
                case AskPerson(calls=calls):
                    return await self._ports.approve(calls)
        except asyncio.CancelledError as error:
            self.cancelled = error
            return CANCELLED

    async def _perform_all(self, works: tuple[Generator[Any, Any, Any], ...]) -> list[Any]:
        """Perform the effects of several agents at once; a cancellation reaches each of them."""
        if len(works) == 1:
            return [await performed(works[0], self.perform)]
        self._beside = len(works) - 1
        tasks = [asyncio.ensure_future(performed(work, self.perform)) for work in works]
        while not all(task.done() for task in tasks):
            try:
                await asyncio.wait(tasks)
            except asyncio.CancelledError as error:
                self.cancelled = error
                for task in tasks:
                    task.cancel()
        self._beside = 0
        return [task.result() for task in tasks]

    def _at(self, path: tuple[str, ...]) -> AsyncPorts:
        ports = self._ports
        for name in path:
            ports = ports.below.get(name, ports)
        return ports

    async def _uncut(self, append: Awaitable[None]) -> None:
        """Wait for an append to its end: a log is never left in the middle of one."""
        task = asyncio.ensure_future(append)
        while not task.done():
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError as error:
                if task.cancelled():
                    raise
                self.cancelled = error
        task.result()

    async def _ask_model(self, effect: AskModel) -> ModelObservation:
        model = self._at(effect.path).model
        # What an agent below says is no answer to the user.
        is_shown = self._ports.watch.wants_text and not effect.is_below
        watcher = WatcherUntil(self._ports.watch, self._telling) if is_shown else None
        request = await self._sent(effect.request)
        gate = opened_gate(effect, model.name, watcher, self._ports.clock)
        try:
            end = await completed(model, request, gate)
        except asyncio.CancelledError as error:
            self.cancelled = error
            stopped = gate.cancel()
            if watcher is not None:
                watcher.end()
            give_up(model, gate)
            return stopped
        return gate.close(end)

    async def _sent(self, request: ModelRequest) -> ModelRequest:
        """Return a request with the bytes of its images and files, which may be read from a disk."""
        if all(isinstance(message.get("content"), _TEXT) for message in request.messages):
            return request
        return await in_thread(lambda: sent_request(request, self._ports.attachments, self._ports.mask))

    async def _run_calls(self, effect: RunCalls) -> CallOutcomes:
        if self.cancelled is not None:
            return CallOutcomes(results=[interrupted() for _ in effect.calls], is_cancelled=True)
        self._telling.tell(self._at(effect.path).watch.on_calls, effect.calls)
        tasks = [asyncio.ensure_future(self._run_call(effect, call)) for call in effect.calls]
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError as error:
            self.cancelled = error
            for task in tasks:
                task.cancel()
            with suppress(asyncio.CancelledError):  # a second one does not wait for the calls
                await asyncio.wait(tasks, timeout=_STOP_S)
        results = [_came_of(task) for task in tasks]
        if self._stopped is not None:
            return CallOutcomes(results=results, is_cancelled=True, reason=self._stopped.message)
        return CallOutcomes(results=results, is_cancelled=self.cancelled is not None)

    async def _run_call(self, effect: RunCalls, call: purestep.ToolCall) -> dict[str, Any]:
        known, lent = effect.known.get(call.call_id), self._lent(effect, call)
        try:
            with lending(lent):
                result = known if known is not None else await self._at(effect.path).tools.run(effect.given(call))
        except RunStopped as stopped:
            self._stopped = stopped
            result = failed(stopped.message, "interrupted")
        timed = lent.counted(ended(effect.hidden(call, result), self._ports.clock))
        if (
            self._ports.keep is not None
            and len(effect.calls) + self._beside > 1
            and result != interrupted()
            and "asks" not in result
        ):
            await self._ports.keep(call, timed)
        self._telling.tell(self._at(effect.path).watch.on_result, call, result)
        return timed

    def _lent(self, effect: RunCalls, call: purestep.ToolCall) -> CallsModel:
        model, loop = self._at(effect.path).model, asyncio.get_running_loop()
        return CallsModel(
            effect,
            call,
            model.name,
            lambda request, gate: asyncio.run_coroutine_threadsafe(completed(model, request, gate), loop),
            partial(give_up, model),
        )


def _came_of(task: asyncio.Future[dict[str, Any]]) -> dict[str, Any]:
    return interrupted() if not task.done() or task.cancelled() else task.result()


async def completed(model: Model, request: ModelRequest, gate: OutputGate) -> ModelEnd:
    """Ask a model: in the event loop where it can be awaited (`acomplete`), else in a thread."""
    acomplete: Callable[..., Coroutine[Any, Any, ModelEnd]] | None = getattr(model, "acomplete", None)
    if acomplete is not None:
        return await acomplete(request, gate)
    return await in_thread(lambda: model.complete(request, gate))


async def in_thread(function: Callable[[], Value]) -> Value:
    """Run a function in a thread of its own, which is left behind when this is cancelled."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Value] = loop.create_future()
    variables = contextvars.copy_context()

    def settle(error: BaseException | None, values: list[Value]) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(values[0])
        else:
            future.set_exception(error)

    def work() -> None:
        error: BaseException | None = None
        values: list[Value] = []
        try:
            values.append(variables.run(function))
        except StopIteration as stop:  # no future takes one
            error = RuntimeError(f"{type(stop).__name__} came out of a function")
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the event loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, error, values)

    threading.Thread(target=work, daemon=True).start()
    return await future


async def called(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of the host's program: awaited if it is async, else in a thread."""
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__):
        return await function(*arguments)
    value = await in_thread(lambda: function(*arguments))
    return await value if inspect.isawaitable(value) else value
