"""Ctrl-C as something that a run looks at where it waits, never an exception in the middle of anything else.

Work that may take long runs in threads of its own, and the main thread, the only one that receives signals, waits for
them on a pipe. The first Ctrl-C ends that wait with KeyboardInterrupt. The second ends the process at once, and so
does SIGTERM or a closed terminal: the log is whole at any moment, and commands die with the process (`tools.keeper`).
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import Any, Final, Generic, NoReturn, Self, TypeVar

Value = TypeVar("Value")

_ENDING: Final = (signal.SIGTERM, signal.SIGHUP)
_CANCELLED: Final = 128 + signal.SIGINT
_SHOW_CURSOR: Final = b"\x1b[?25h"
_POLL_S: Final = 0.2
"""How long a wait sleeps at most: a thread that was left behind may take a byte of the pipe that was meant for another
one."""


class Work(Generic[Value]):
    """A function that runs in a thread of its own, which does not keep the process alive."""

    def __init__(self, function: Callable[[], Value], notify: Callable[[], None]) -> None:
        self._function = function
        self._notify = notify
        self._values: list[Value] = []
        self._error: BaseException | None = None
        self.has_ended = False
        threading.Thread(target=self._run, daemon=True).start()

    def value(self) -> Value:
        """Return what the function returned, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._values[0]

    def _run(self) -> None:
        try:
            self._values.append(self._function())
        except BaseException as error:  # raised again where the value is asked for
            self._error = error
        self.has_ended = True
        self._notify()


class Interrupts:
    """Waits that Ctrl-C ends. As a `with` block in the main thread it takes the signals; else Python's rules hold."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        self._came = False
        self._interruptible = False
        self._previous: dict[int, Any] = {}

    def __del__(self) -> None:
        os.close(self._reader)
        os.close(self._writer)

    def __enter__(self) -> Self:
        reactions = {signal.SIGINT: self._interrupt, **dict.fromkeys(_ENDING, self._end)}
        for number, reaction in reactions.items():
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._previous[number] = signal.signal(number, reaction)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, reaction in self._previous.items():
            signal.signal(number, reaction)
        self._previous.clear()

    @property
    def has_come(self) -> bool:
        """Whether there was a Ctrl-C that nothing has forgotten."""
        return self._came

    def forget(self) -> None:
        """Forget a Ctrl-C, at a prompt: what it stopped has ended."""
        self._came = False

    def begin(self, function: Callable[[], Value]) -> Work[Value]:
        """Begin work in a thread."""
        return Work(function, self._notify)

    def run(self, function: Callable[[], Value]) -> Value:
        """Run a function in a thread and return its value; raises KeyboardInterrupt, and leaves the thread behind."""
        work = self.begin(function)
        self.wait((work,))
        return work.value()

    def wait(self, works: Sequence[Work[Any]]) -> None:
        """Wait until all have ended; raises KeyboardInterrupt."""
        while not all(work.has_ended for work in works):
            self._check()
            self._sleep(_POLL_S)

    def wait_at_most(self, works: Sequence[Work[Any]], seconds: float) -> None:
        """Wait until all have ended or the time is over, also after a Ctrl-C."""
        end = time.monotonic() + seconds
        while not all(work.has_ended for work in works) and (left := end - time.monotonic()) > 0:
            self._sleep(min(left, _POLL_S))

    def sleep(self, seconds: float) -> None:
        """Let the time pass; raises KeyboardInterrupt."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._check()
            self._sleep(left)

    @contextmanager
    def raising(self) -> Iterator[None]:
        """Let Ctrl-C raise KeyboardInterrupt anywhere in this block, which waits for a person or another program."""
        self._check()
        self._interruptible = True
        try:
            yield
        finally:
            self._interruptible = False

    def _check(self) -> None:
        if self._came:
            raise KeyboardInterrupt

    def _sleep(self, seconds: float) -> None:
        select.select([self._reader], [], [], seconds)
        with suppress(BlockingIOError):
            os.read(self._reader, 4096)

    def _notify(self) -> None:
        # A full pipe wakes the reader as well, and a closed one has none.
        with suppress(OSError):
            os.write(self._writer, b".")

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._came:
            _leave(_CANCELLED)
        self._came = True
        self._notify()
        if self._interruptible:
            raise KeyboardInterrupt

    def _end(self, number: int, frame: FrameType | None) -> NoReturn:
        _leave(128 + number)


def _leave(code: int) -> NoReturn:
    """End the process at once, with the cursor visible."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if os.isatty(descriptor):
                os.write(descriptor, _SHOW_CURSOR)
                break
    os._exit(code)


def threads_are_left() -> bool:
    """Return whether work was left behind in threads, which the interpreter's end would meet in the middle."""
    return any(thread is not threading.main_thread() for thread in threading.enumerate())
