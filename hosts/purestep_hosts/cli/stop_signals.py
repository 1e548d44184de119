"""Ctrl-C and SIGTERM as something that is waited for, by commands that serve until one of them comes."""

from __future__ import annotations

import signal
from queue import SimpleQueue
from typing import Final

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class StopSignals:
    """What ends a command that serves: a signal, or `stop`; made in the main thread, waited for in any number of them.

    A handler runs in the middle of whatever the main thread does. `SimpleQueue.put` may be called there, while the
    `set` of a `threading.Event` needs a lock that the interrupted `wait` may hold, so that neither would ever end.
    """

    def __init__(self) -> None:
        self._asked: SimpleQueue[None] = SimpleQueue()
        for number in _SIGNALS:
            signal.signal(number, lambda *_: self.stop())

    def stop(self) -> None:
        """Have every `wait` return."""
        self._asked.put(None)

    def wait(self) -> None:
        """Wait until a signal comes or `stop` is called."""
        self._asked.get()
        self._asked.put(None)  # for others that wait
