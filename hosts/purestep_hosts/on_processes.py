"""Work on many things, on several processes: what comes of it in their order, and Ctrl-C ends it at once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def on_processes(work: Callable[[Given], Made], given: Sequence[Given], processes: int, at_once: int) -> Iterator[Made]:
    """Yield what work makes of each; processes: 1 for this one alone. at_once: how many a process is given together."""
    if processes == 1:
        yield from map(work, given)
        return
    pool = ProcessPoolExecutor(processes, initializer=_end_by_interrupt)
    try:
        yield from pool.map(work, given, chunksize=at_once)
    finally:
        pool.shutdown(cancel_futures=True)


def _end_by_interrupt() -> None:
    """Have Ctrl-C end this process without a word: the one that prints says that it was stopped."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
