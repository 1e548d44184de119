"""What is compared, and what is counted of a run."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from purestep_formats import RateProfile

LEAST: Final = 90
"""The share in per cent that is enough of a model."""

SMALLEST, UPWARDS, LARGEST, BY_RATES = "the smallest", "the smallest, then larger", "the largest", "by rates"
PLANNED: Final = "the smallest, then by a plan"
WAYS: Final = (SMALLEST, UPWARDS, LARGEST, BY_RATES)
RATES_PLANNED: Final = "by rates, then by a plan"
STEP_WAYS: Final = (SMALLEST, UPWARDS, PLANNED, LARGEST)
MIXED_WAYS: Final = (SMALLEST, BY_RATES, RATES_PLANNED, LARGEST)

_PLAN_RULES: Final = [
    {"cause": cause, "count": count, "move": move}
    for cause in ("unread", "unknown_tool", "invalid_arguments", "rejected_result", "no_answer")
    for count, move in ((2, "plan"), (3, "model"))
]


class Outcome(Struct, frozen=True, kw_only=True):
    """One run: whether it was finished right, what it cost, and how often a model was asked."""

    right: bool
    cost: int
    model_calls: int


class WayFigures(Struct, frozen=True, kw_only=True):
    """The outcomes of a way."""

    way: str
    outcomes: tuple[Outcome, ...]

    @property
    def right(self) -> float:
        """Return the per cent of runs that were finished right."""
        return 100 * sum(each.right for each in self.outcomes) / len(self.outcomes)

    @property
    def cost(self) -> float:
        """Return what a run cost on average."""
        return sum(each.cost for each in self.outcomes) / len(self.outcomes)

    @property
    def calls(self) -> float:
        """Return how often a model was asked in a run on average."""
        return sum(each.model_calls for each in self.outcomes) / len(self.outcomes)


def models_of(way: str, models: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the models of a definition in a way."""
    chosen = {SMALLEST: models[:1], LARGEST: models[-1:]}
    return list(chosen.get(way, models))


def policies_of(way: str, profile: RateProfile | None) -> list[dict[str, Any]]:
    """Return the policies that a way adds to a definition."""
    uses = list[dict[str, Any]]()
    if way in (BY_RATES, RATES_PLANNED):
        uses.append({"use": "rates", "least": LEAST, "profile": msgspec.json.decode(msgspec.json.encode(profile))})
    if way in (PLANNED, RATES_PLANNED):
        uses.append({"use": "negotiation", "rules": _PLAN_RULES})
    return uses


def rows(figures: Iterable[WayFigures]) -> list[tuple[str, ...]]:
    """Return a table's cells: the cost of each way as a share of that of the last model alone."""
    found = {each.way: each for each in figures}
    whole = found[LARGEST].cost or 1
    return [
        (way, f"{each.right:.1f} %", f"{100 * each.cost / whole:.0f} %", f"{each.calls:.2f}")
        for way, each in found.items()
    ]
