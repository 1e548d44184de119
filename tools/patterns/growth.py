"""How the time of a pattern grows with the length of a run: ratios only, so that the machine may be slow or busy."""

import gc
import math
import re
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from .runs import Run, runs_of

MOST_POWER: Final = 1.3
"""Time may grow with the length to this power; a pattern whose parts share a run has 2 or more."""

SIZES: Final = (10, 18, 26, 36, 50, 200, 800, 2_000, 5_000)
"""Characters of a run: each shows a high power before the next one would take minutes."""

TELLING_NS: Final = 1_000_000
"""Less says nothing about growth: 5,000 characters at squared cost take ten times as much on any machine."""

TRIES: Final = 5
"""Measurements of what seems to grow: what disturbs a machine passes, squared work stays."""

METHODS: Final = ("match", "fullmatch", "search", "finditer")

Work = Callable[[Any], object]


class Slow(NamedTuple):
    """A run on which a pattern is not linear: how it was asked, the length of the run, and the power of it."""

    method: str
    run: Run
    chars: int
    power: float


def slow_run(pattern: "re.Pattern[Any]", methods: Iterable[str] = METHODS) -> Slow | None:
    """Return a run on which the pattern is not linear, if any."""
    is_bytes = isinstance(pattern.pattern, bytes)
    source = pattern.pattern.decode("latin-1") if is_bytes else pattern.pattern
    for run in runs_of(source, pattern.flags & ~re.UNICODE if is_bytes else pattern.flags):
        for method in methods:
            found = _power(_work(pattern, method), run, is_bytes=is_bytes)
            if found is not None:
                return Slow(method, run, *found)
    return None


def _work(pattern: "re.Pattern[Any]", method: str) -> Work:
    if method == "finditer":
        return lambda text: sum(1 for _ in pattern.finditer(text))
    return getattr(pattern, method)  # type: ignore[no-any-return]


def _power(work: Work, run: Run, *, is_bytes: bool) -> tuple[int, float] | None:
    """Return the length and the power where work grows too fast, if it does."""
    before, spent_before = 0, 0
    for chars in SIZES:
        text = run.text(chars)
        given: Any = text.encode("latin-1", "replace") if is_bytes else text
        spent = _spent_ns(work, given)
        if spent >= TELLING_NS and before and _exponent(chars / before, spent, spent_before) > MOST_POWER:
            shorter = run.text(before)
            short: Any = shorter.encode("latin-1", "replace") if is_bytes else shorter
            spent = min(spent, *[_spent_ns(work, given) for _ in range(TRIES)])
            spent_before = min(_spent_ns(work, short) for _ in range(TRIES))
            power = _exponent(chars / before, spent, spent_before)
            if spent >= TELLING_NS and power > MOST_POWER:
                return chars, round(power, 1)
        before, spent_before = chars, spent
    return None


def _exponent(longer: float, spent: int, before: int) -> float:
    return math.log(spent / max(before, 1)) / math.log(longer)


def _spent_ns(work: Work, text: Any) -> int:
    # A collection costs what the whole process holds, not what the pattern does.
    gc.disable()
    try:
        began = time.thread_time_ns()
        work(text)
        return time.thread_time_ns() - began
    finally:
        gc.enable()
