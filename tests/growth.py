"""How the cost of work grows with its input: ratios of processor time, since the machine may be slow or busy."""

import time
from collections.abc import Callable

FREE_SECONDS = 0.1
"""Less than this says nothing about growth."""

Work = Callable[[], object]


def is_linear(work: Callable[[str], object], unit: str, *, lead: str = "", chars: int = 60_000) -> bool:
    """Whether four times as many units cost about four times as much; squared work costs sixteen times."""
    small, large = (lead + unit * (size // len(unit) + 1) for size in (chars, 4 * chars))
    return costs_at_most(9, lambda: work(large), lambda: work(small))


def costs_at_most(times: float, work: Work, measure: Work) -> bool:
    """Whether work costs at most so many times what other work costs.

    A machine that is disturbed in between gets two more tries.
    """
    return any(_seconds(work) < max(FREE_SECONDS, times * _seconds(measure)) for _ in range(3))


def _seconds(work: Work) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
