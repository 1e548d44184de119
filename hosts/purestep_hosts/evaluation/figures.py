"""Figures of results: shares with their intervals, what runs took, why they were wrong, and pairs of variants."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from purestep_hosts.evaluation.store import RunRecord

_Z: Final = 1.959963984540054
"""Of the normal distribution, for 95 percent."""


class Interval(NamedTuple):
    """A share and its 95 percent interval by Wilson, each from 0 to 1."""

    share: float
    low: float
    high: float


def wilson(right: int, total: int) -> Interval:
    """Return the share of right ones with Wilson's score interval (1927); of none, everything is possible."""
    if total == 0:
        return Interval(0.0, 0.0, 1.0)
    share = right / total
    middle = (share + _Z * _Z / (2 * total)) / (1 + _Z * _Z / total)
    half = _Z * math.sqrt(share * (1 - share) / total + _Z * _Z / (4 * total * total)) / (1 + _Z * _Z / total)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def mcnemar(better: int, worse: int) -> float:
    """Return the exact two-sided p of McNemar's test: how likely so uneven a split is where both are equally good."""
    total = better + worse
    if total == 0:
        return 1.0
    tail = sum(math.comb(total, count) for count in range(min(better, worse) + 1))
    p: float = 2 * tail / 2**total
    return min(1.0, p)


def quantile(values: Iterable[int], share: float) -> int:
    """Return the smallest value that at least this share of the values does not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0


class VariantFigures:
    """What the runs of one variant came to; holds four bytes of each run for its time, and nothing else."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.runs = 0
        self.right = 0
        self.silent = 0
        """Runs that were wrong in silence."""
        self.causes: Counter[str] = Counter()
        self.sums: Counter[str] = Counter()
        self.unpriced = 0
        """Runs whose cost is not known."""
        self.times = array("I")
        """Milliseconds, at most 49 days."""

    def add(self, record: RunRecord) -> None:
        """Count a result."""
        self.runs += 1
        self.right += record.right
        self.silent += record.is_silent
        if record.cause:
            self.causes[record.cause] += 1
        for name in _SUMMED:
            self.sums[name] += getattr(record, name) or 0
        self.unpriced += record.cost is None
        self.times.append(min(record.ms, 2**32 - 1))

    @property
    def interval(self) -> Interval:
        """The share of runs that were right."""
        return wilson(self.right, self.runs)

    def mean(self, name: str) -> float:
        """Return how much of a count a run took."""
        return self.sums[name] / self.runs if self.runs else 0.0

    @property
    def cost(self) -> float | None:
        """Of all runs, in the unit of the models' prices; None where that of one is not known."""
        return None if self.unpriced else self.sums["cost"] / 1_000_000

    @property
    def cost_of_right(self) -> float | None:
        """What each run that was right cost, with those that were wrong; None where that is not known or none was."""
        return None if self.cost is None or not self.right else self.cost / self.right

    def members(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        low, high = self.interval.low, self.interval.high
        return {
            "variant": self.variant,
            "runs": self.runs,
            "right": self.right,
            "success": round(self.interval.share, 4),
            "interval": [round(low, 4), round(high, 4)],
            "silent": self.silent,
            "causes": dict(self.causes.most_common()),
            **{name: self.sums[name] for name in _SUMMED if name != "cost"},
            "cost": self.cost,
            "cost_of_right": self.cost_of_right,
            "median_ms": quantile(self.times, 0.5),
            "p90_ms": quantile(self.times, 0.9),
        }


_SUMMED: Final = (
    "model_calls", "tool_calls", "decided", "prompt_tokens", "completion_tokens", "cached_tokens", "cost",
)  # fmt: skip


class PairedResults(NamedTuple):
    """Two sets of results of the same cases: which cases got better and worse, and how likely that is by chance."""

    one: str
    other: str
    cases: int
    one_right: int
    other_right: int
    one_silent: int
    other_silent: int
    runs: int
    better: tuple[str, ...]
    worse: tuple[str, ...]

    @property
    def p(self) -> float:
        """McNemar's p over cases; of a case that is repeated, its share of right runs is compared."""
        return mcnemar(len(self.better), len(self.worse))

    def members(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {**self._asdict(), "better": list(self.better), "worse": list(self.worse), "p": round(self.p, 6)}


class CaseCounts(NamedTuple):
    """Of the runs of one case: how many were right, how many there are, and how many were wrong in silence."""

    right: int = 0
    runs: int = 0
    silent: int = 0

    def with_run(self, record: RunRecord) -> CaseCounts:
        """Return the counts with one more result."""
        return CaseCounts(self.right + record.right, self.runs + 1, self.silent + record.is_silent)


def compared(
    one_name: str, one: Mapping[str, CaseCounts], other_name: str, other: Mapping[str, CaseCounts]
) -> PairedResults:
    """Return how the second set differs from the first, over the cases that both have."""
    both = [case for case in one if case in other]
    shares = {case: tuple(side[case].right / side[case].runs for side in (one, other)) for case in both}
    return PairedResults(
        one=one_name,
        other=other_name,
        cases=len(both),
        one_right=sum(one[case].right for case in both),
        other_right=sum(other[case].right for case in both),
        one_silent=sum(one[case].silent for case in both),
        other_silent=sum(other[case].silent for case in both),
        runs=sum(other[case].runs for case in both),
        better=tuple(case for case in both if shares[case][0] < shares[case][1]),
        worse=tuple(case for case in both if shares[case][0] > shares[case][1]),
    )


class Summary:
    """All figures of an evaluation, by variant, and the counts of each case."""

    def __init__(self) -> None:
        self.variants: dict[str, VariantFigures] = {}
        self.counts: dict[str, dict[str, CaseCounts]] = {}

    def add(self, record: RunRecord) -> None:
        """Count a result."""
        name = variant_of(record)
        self.variants.setdefault(name, VariantFigures(name)).add(record)
        counts = self.counts.setdefault(name, {})
        counts[record.case] = counts.get(record.case, CaseCounts()).with_run(record)

    def pairs(self) -> list[PairedResults]:
        """Return how each variant differs from the first."""
        first, *others = self.counts
        return [compared(first, self.counts[first], other, self.counts[other]) for other in others]


def variant_of(record: RunRecord) -> str:
    """Return the name of a result's variant."""
    return " ".join(filter(None, (record.model, record.dialect, record.carry and f"carry {record.carry}")))
