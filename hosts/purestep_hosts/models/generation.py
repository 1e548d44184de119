"""A reply that a library writes in a thread of its own, so that Ctrl-C and time limits reach a busy one."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from purestep_hosts.models.model import ReplySink

Put = Callable[[Any], bool]
"""Takes the next item of a reply; true when the library should stop."""


class Generation:
    """The items of one reply, from a function that calls `Put` with each until it returns or is told to stop."""

    def __init__(self, write: Callable[[Put], None], reply: ReplySink) -> None:
        self.reply = reply
        self._write = write
        self._items: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def items(self, total_s: float) -> Iterator[Any]:
        """Yield the items as they come; raises TimeoutError when `total_s` have passed."""
        deadline = time.monotonic() + total_s
        while True:
            try:
                item = self._items.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise TimeoutError from None
            if item is None:
                return
            yield item

    def give_up(self) -> None:
        """End the items, and the library's work at its next one."""
        self._stopped.set()
        self._items.put(None)

    def stop(self) -> None:
        """End the library's work at its next item and wait for that."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._write(self._put)
        finally:
            self._items.put(None)

    def _put(self, item: Any) -> bool:
        self._items.put(item)
        return self._stopped.is_set()
