"""Counts what an extraction found: whether each value stands in its text, and how many were expected and right."""

from typing import Any

from msgspec import Struct

from bench.extract.texts import MarkedText, values_of

TARGETS = ("email", "url", "date", "name", "entity")


class Outcome(Struct, frozen=True, kw_only=True):
    """One extraction: its output, None where it failed with the code given."""

    marked: MarkedText
    target: str
    data: dict[str, Any] | None
    code: str = ""
    model_calls: int = 0


class Count(Struct, frozen=True, kw_only=True):
    """Sums over the extractions of one target."""

    texts: int = 0
    expected: int = 0
    given: int = 0
    right: int = 0
    standing: int = 0
    failed: int = 0
    model_calls: int = 0

    @property
    def recall(self) -> float:
        """The share of what was expected that was given."""
        return self.right / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        """The share of what was given that was expected."""
        return self.right / self.given if self.given else 1.0


def count(outcomes: list[Outcome]) -> Count:
    """Sum up."""
    given = [(each, values_of(each.target, each.data) if each.data is not None else []) for each in outcomes]
    return Count(
        texts=len(outcomes),
        expected=sum(len(each.marked.expected(each.target)) for each in outcomes),
        given=sum(len(values) for _, values in given),
        right=sum(len(_found(each, values)) for each, values in given),
        standing=sum(value in each.marked.text for each, values in given for _, value in values),
        failed=sum(each.data is None for each in outcomes),
        model_calls=sum(each.model_calls for each in outcomes),
    )


def _found(outcome: Outcome, values: list[tuple[str, str]]) -> list[tuple[str, frozenset[str]]]:
    return [
        (group, writings)
        for group, writings in outcome.marked.expected(outcome.target)
        if any(group == given and value in writings for given, value in values)
    ]


def shown(outcome: Outcome) -> str:
    """Give what was missed and what was too much, or "" where nothing was."""
    values = values_of(outcome.target, outcome.data) if outcome.data is not None else []
    expected = outcome.marked.expected(outcome.target)
    found = _found(outcome, values)
    missed = sorted(f"{group}:{min(writings)}" for group, writings in expected if (group, writings) not in found)
    wrong = sorted(
        f"{group}:{value}" for group, value in values if not any(group == g and value in w for g, w in expected)
    )
    if not missed and not wrong and not outcome.code:
        return ""
    return f"{outcome.marked.id} {outcome.target:<6} {outcome.code} missed {missed} wrong {wrong}"
