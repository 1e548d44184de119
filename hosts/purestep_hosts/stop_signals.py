"""Ctrl-C and SIGTERM as something that is waited for, by processes that serve until one of them comes."""

from __future__ import annotations

import signal
import socket
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class StopSignals:
    """What ends a process that serves: a signal, or `stop`; made in the main thread, waited for in any number of them.

    The waits are for a byte that stays where it is. The interpreter itself writes it when a signal comes, so there is
    no moment at which one is missed: Python's own reaction has to wait for the main thread, which hears of a signal
    only while it runs or once it sleeps, not in between.
    """

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._writer.setblocking(False)
        self._before: dict[int, Any] = {number: signal.signal(number, lambda *_: None) for number in _SIGNALS}
        self._wakeup_before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)

    def stop(self) -> None:
        """Have every `wait` return."""
        with suppress(BlockingIOError):  # it is full: nobody waits any more
            self._writer.send(b"\0")

    def wait(self) -> None:
        """Wait until a signal comes or `stop` is called."""
        self._reader.recv(1, socket.MSG_PEEK)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let signals do what they did before."""
        signal.set_wakeup_fd(self._wakeup_before)
        for number, before in self._before.items():
            signal.signal(number, before)
        self._reader.close()
        self._writer.close()
