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

FAR: Final = 2_000
"""Characters from which on that is seen: before, a part with a bound of some hundreds grows like one without."""

SIZES: Final = (10, 18, 26, 36, 50, 200, 800, 5_000)
"""Characters of a run: each shows a high power before the next one would take minutes."""

SHORT: Final = 50
"""Characters of a run on which a part that tries every way takes twice as long for each more, or longer."""

LONG_NS: Final = 100_000
"""Of a short run, which is read in a few microseconds: the next size may take minutes, so it is led up to by twos."""

TELLING_NS: Final = 1_000_000
"""Less says nothing about growth: 5,000 characters at squared cost take ten times as much on any machine."""

ENDLESS_NS: Final = 200_000_000
"""Of a short run, which a bounded part does not take on any machine: the next length would take minutes."""

TRIES: Final = 12
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

    def spent_ns(chars: int) -> int:
        text = run.text(chars)
        return _spent_ns(work, text.encode("latin-1", "replace") if is_bytes else text)

    before, spent_before = 0, 0
    sizes = list(SIZES)
    while sizes:
        chars = sizes.pop(0)
        spent = spent_ns(chars)
        if spent >= LONG_NS and chars + 2 < SHORT:
            sizes = [chars + 2, *(size for size in sizes if size > chars + 2)]
        if spent >= telling_ns(chars) and before and _exponent(chars / before, spent, spent_before) > MOST_POWER:
            is_endless = spent >= ENDLESS_NS
            power = _least_power(spent_ns, before, chars, 2 if is_endless else TRIES)
            # What disturbs the machine is no more of a longer run; what grows goes on growing.
            if power > MOST_POWER and (is_endless or _least_power(spent_ns, chars, 4 * chars, 4) > MOST_POWER):
                return chars, round(power, 1)
        before, spent_before = chars, spent
    return None


def _least_power(spent_ns: Callable[[int], int], before: int, chars: int, tries: int) -> float:
    """Return the power between two lengths, measured in turns, so that what disturbs the machine disturbs both."""
    pairs = [(spent_ns(chars), spent_ns(before)) for _ in range(tries)]
    spent, spent_before = (min(each) for each in zip(*pairs, strict=True))
    return _exponent(chars / before, spent, spent_before)


def telling_ns(chars: int) -> int:
    """Return which time tells something about growth up to a length."""
    return TELLING_NS if chars >= FAR else ENDLESS_NS


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
