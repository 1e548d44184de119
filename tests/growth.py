"""How the cost of work grows with its text: ratios of processor time, since the machine may be busy."""

import time
from collections.abc import Callable

FREE_SECONDS = 0.1
"""Less than this says nothing about growth."""


def is_linear(work: Callable[[str], object], unit: str, *, lead: str = "", chars: int = 60_000) -> bool:
    """Whether four times as many units cost about four times as much; squared work costs sixteen times.

    A machine that is disturbed in between gets two more tries.
    """
    small, large = (lead + unit * (size // len(unit) + 1) for size in (chars, 4 * chars))
    return any(_seconds(work, large) < max(FREE_SECONDS, 9 * _seconds(work, small)) for _ in range(3))


def _seconds(work: Callable[[str], object], text: str) -> float:
    began = time.process_time()
    work(text)
    return time.process_time() - began
