"""Runs a coroutine for a caller that waits: in one event loop of this process, which has a thread of its own.

So it works where an event loop runs already (a notebook), and what a program keeps open, such as an async client, stays
with one loop.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from purestep_hosts.agents.result import RunInterrupted, cancelled_result

Value = TypeVar("Value")
_Outcome = tuple[list[Value], BaseException | None]

_STOP_S: Final = 10.0
"""How long a cancelled run may take to write its end, after Ctrl-C: calls get four seconds, a slow disk some more."""


class _LoopThread:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="purestep-run-sync", daemon=True)
        self.thread.start()


_lock: Final = threading.Lock()
_found: list[_LoopThread] = []


def _loop_thread() -> _LoopThread:
    with _lock:
        # A forked process has the loop and not its thread.
        if not _found or _found[0].process != os.getpid():
            _found[:] = [_LoopThread()]
        return _found[0]


def run_blocking(begin: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
    """Return what the coroutine returns, or raise what it raises.

    Ctrl-C cancels it, waits for its end, and raises KeyboardInterrupt. Raises RuntimeError in the event loop's own
    thread, as in an async tool, which would wait for itself.
    """
    found = _loop_thread()
    if threading.current_thread() is found.thread:
        raise RuntimeError("run_sync was called in an async function that run_sync runs; await run there")
    tasks: list[asyncio.Task[_Outcome[Value]]] = []
    ended = threading.Event()
    variables = contextvars.copy_context()

    def start() -> None:
        task = found.loop.create_task(_outcome(begin), context=variables)
        tasks.append(task)
        task.add_done_callback(lambda _: ended.set())

    try:
        found.loop.call_soon_threadsafe(start)
        ended.wait()
    except KeyboardInterrupt:
        found.loop.call_soon_threadsafe(lambda: [task.cancel() for task in tasks])
        ended.wait(_STOP_S)  # a second Ctrl-C ends this at once
        stopped = tasks[0].result()[1] if tasks and tasks[0].done() and not tasks[0].cancelled() else None
        if (found_result := cancelled_result(stopped)) is not None:
            raise RunInterrupted(found_result) from None
        raise
    values, error = tasks[0].result()
    if error is not None:
        raise error
    return values[0]


async def _outcome(begin: Callable[[], Coroutine[Any, Any, Value]]) -> _Outcome[Value]:
    """Return what a coroutine came to; an exit that a task raises would end the event loop for all other runs."""
    try:
        return [await begin()], None
    except (SystemExit, KeyboardInterrupt, asyncio.CancelledError) as error:
        return [], error
