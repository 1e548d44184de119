"""The statistics are those of the books."""

from typing import Any

import pytest

from purestep_hosts.evaluation.figures import CaseCounts, Summary, VariantFigures, compared, mcnemar, quantile, wilson
from purestep_hosts.evaluation.store import RunRecord


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662), (0, 0, 0.0, 1.0)],
)
def test_the_interval_is_wilsons(right: int, total: int, low: float, high: float) -> None:
    """81 of 263 is Newcombe's example (1998), the others are from tables."""
    found = wilson(right, total)
    assert (low, high) == (round(found.low, 4), round(found.high, 4))


@pytest.mark.parametrize(("better", "worse", "p"), [(0, 0, 1.0), (5, 5, 1.0), (9, 1, 0.0215), (10, 0, 0.002)])
def test_the_test_is_mcnemars(better: int, worse: int, p: float) -> None:
    """The exact binomial test of the cases that differ."""
    assert p == round(mcnemar(better, worse), 4)
    assert mcnemar(better, worse) == mcnemar(worse, better)


def test_what_differs_is_named() -> None:
    """Cases that only one side has are left out; a case that is repeated is compared by its share."""
    one = {"a": (1, 1), "b": (0, 1, 1), "c": (1, 2), "only": (1, 1)}
    other = {"a": (0, 1, 1), "b": (0, 1), "c": (2, 2), "more": (0, 1, 1)}
    sides = [{case: CaseCounts(*counts) for case, counts in side.items()} for side in (one, other)]
    found = compared("one", sides[0], "other", sides[1])
    assert (3, ("c",), ("a",)) == (found.cases, found.better, found.worse)
    assert (1, 1) == (found.one_silent, found.other_silent)


def test_quantiles_are_values_that_came() -> None:
    """No value between two that came is made up."""
    assert [3, 9, 1, 0] == [
        quantile([9, 1, 3], 0.5), quantile(range(10), 0.95), quantile([1], 0.9), quantile([], 0.5)
    ]  # fmt: skip


def test_variants_are_counted_apart() -> None:
    """Each variant has its figures, and is compared with the first."""
    summary = Summary()
    for carry, right in (("off", False), ("ground", True)):
        summary.add(
            RunRecord(key="00", case="a", model="m", carry=carry, right=right, cause="" if right else "x", answer="7")
        )
    assert ["m carry off", "m carry ground"] == list(summary.variants)
    [pair] = summary.pairs()
    assert ("m carry off", "m carry ground", ("a",)) == (pair.one, pair.other, pair.better)
    assert (1, 0) == (pair.one_silent, pair.other_silent)


@pytest.mark.parametrize(
    ("members", "silent"),
    [
        ({"cause": "wrong_answer", "answer": "It is 7."}, True),
        ({"cause": "judge", "answer": "It is 7."}, True),
        ({"cause": "unwanted_call", "answer": "It is 7."}, True),
        ({"cause": "", "right": True, "answer": "It is 7."}, False),
        ({"cause": "max_turns"}, False),
        ({"cause": "no_answer", "answer": " "}, False),
        ({"cause": "missing_call", "answer": "Which order?", "asks": True}, False),
        ({"cause": "judge_failed", "answer": "It is 7."}, False),
        ({"cause": "model_error", "answer": "It is 7."}, False),
    ],
)
def test_wrong_in_silence_is_an_answer_that_was_judged_wrong(members: dict[str, Any], silent: bool) -> None:
    """A run that failed said so, one that asks claims nothing, and one that nobody judged is not known to be wrong."""
    figures = VariantFigures("v")
    figures.add(RunRecord(key="00", case="a", model="m", **members))
    assert (silent, silent) == (figures.silent, figures.members()["silent"])
