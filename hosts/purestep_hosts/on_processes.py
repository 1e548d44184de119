"""Work on many things, on several processes: what comes of it in their order, and none outlives the one that asks."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, parent_process
from threading import Thread
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def on_processes(work: Callable[[Given], Made], given: Sequence[Given], processes: int, at_once: int) -> Iterator[Made]:
    """Yield what work makes of each; processes: 1 for this one alone. at_once: how many a process is given together."""
    if processes == 1:
        yield from map(work, given)
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(processes, initializer=_end_with_the_first)
    try:
        yield from pool.map(work, given, chunksize=at_once)
    except BaseException:  # also where nobody wants the rest: what is at work is not waited for
        for started in set(active_children()) - others:
            started.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _end_with_the_first() -> None:
    """Have Ctrl-C end this process without a word, and the end of the one that asks end it too.

    That one says that it was stopped. Where it was killed, this one may wait for work for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_after_the_first, daemon=True).start()


def _end_after_the_first() -> None:
    first = parent_process()
    if first is not None:
        first.join()
        os._exit(1)
