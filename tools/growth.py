"""How the cost of work grows with its input: ratios of processor time, since the machine may be slow or busy."""

import gc
import math
import time
from collections.abc import Callable
from typing import Final

FREE_SECONDS: Final = 0.03
"""Less than this says nothing about growth."""

LINEAR: Final = 9
"""Four times the input may cost nine times as much; squared work costs sixteen times."""

TRIES: Final = 6
"""Measurements before the cost counts as too high: what disturbs a machine passes, squared work stays."""

Work = Callable[[], object]


def is_linear(work: Callable[[str], object], unit: str, *, lead: str = "", chars: int = 30_000) -> bool:
    """Whether four times as many units cost about four times as much."""
    small, large = (lead + unit * (size // len(unit) + 1) for size in (chars, 4 * chars))
    return costs_at_most(LINEAR, lambda: work(large), lambda: work(small))


def costs_at_most(times: float, work: Work, measure: Work) -> bool:
    """Whether work costs at most so many times what other work costs; the least of some measurements counts."""
    least, least_measure = math.inf, math.inf
    for _ in range(TRIES):
        least, least_measure = min(least, _seconds(work)), min(least_measure, _seconds(measure))
        if least < max(FREE_SECONDS, times * least_measure):
            return True
    return False


def _seconds(work: Work) -> float:
    # As timeit does: a full collection costs what the whole test process holds, not what the work does.
    gc.disable()
    try:
        began = time.process_time()
        work()
        return time.process_time() - began
    finally:
        gc.enable()
