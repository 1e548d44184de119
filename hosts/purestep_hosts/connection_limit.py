"""Ends a connection when its time is over, whatever is being read: headers, a TLS handshake or a body.

A socket's own timeout starts again with each byte, so a peer that drips one byte at a time outlives it.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress
from types import TracebackType


class ConnectionLimit:
    """A time limit on a piece of work with connections, used as a context."""

    def __init__(self, seconds: float) -> None:
        self._ends_at = time.monotonic() + seconds
        self._lock = threading.Lock()
        self._links: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self.end)
        self._timer.daemon = True

    @property
    def is_over(self) -> bool:
        """Whether the time is over; a connection that was ended looks as if its peer had closed it."""
        return time.monotonic() >= self._ends_at

    def watch(self, link: socket.socket) -> None:
        """End this connection too when the time is over. TLS takes over the socket, so a second handle is kept."""
        with self._lock:
            self._links.append(socket.socket(fileno=os.dup(link.fileno())))
        if self.is_over:
            self.end()

    def end(self) -> None:
        """End all connections now, whoever reads them."""
        with self._lock:
            for link in self._links:
                with suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> ConnectionLimit:
        """Start the clock's thread."""
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop watching; connections that still work stay open."""
        self._timer.cancel()
        with self._lock:
            for link in self._links:
                link.close()
            self._links.clear()
