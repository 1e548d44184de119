"""A figure with its target, and the table of them."""

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from rich.table import Table


class Figure(NamedTuple):
    """One measured number; `at_most` or `at_least` is its target, if it has one."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None

    @property
    def missed(self) -> bool:
        """Whether the target was missed."""
        over = self.at_most is not None and self.value > self.at_most
        return over or (self.at_least is not None and self.value < self.at_least)

    def target(self) -> str:
        """Return the target in words."""
        if self.at_most is not None:
            return f"at most {self.at_most:,g}"
        return f"at least {self.at_least:,g}" if self.at_least is not None else ""


def table(title: str, figures: list[Figure]) -> Table:
    """Return the figures as a table."""
    made = Table("figure", title=title, title_justify="left")
    for heading in ("value", "unit", "target", ""):
        made.add_column(heading, justify="right" if heading == "value" else "left")
    for figure in figures:
        mark = "" if not figure.target() else "missed" if figure.missed else "met"
        made.add_row(figure.name, f"{figure.value:,.4g}", figure.unit, figure.target(), mark)
    return made


def cpu_us(calls: list[Callable[[], object]], number: int, rounds: int = 31) -> list[float]:
    """Return the median CPU microseconds of each call."""
    return [median(times) for times in _in_turn(calls, number, rounds)]


def least_cpu_us(calls: list[Callable[[], object]], number: int, rounds: int = 31) -> list[float]:
    """Return the least CPU microseconds of each call: what it costs when nothing disturbs it."""
    return [min(times) for times in _in_turn(calls, number, rounds)]


def _in_turn(calls: list[Callable[[], object]], number: int, rounds: int) -> list[list[float]]:
    """Time every call in every round, so that drift affects all alike."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, times in zip(calls, taken, strict=True):
            began = time.process_time_ns()
            for _ in range(number):
                call()
            times.append((time.process_time_ns() - began) / 1000 / number)
    return taken
