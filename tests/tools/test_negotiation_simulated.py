"""Negotiation on simulated flaky models: a smaller count of `./build.sh bench negotiation`, so that CI holds it."""

import random

import pytest
from bench.negotiation.command import Row, extra_calls, gain
from bench.negotiation.flaky_model import simulated
from bench.negotiation.runs import run_model

from tools.breaking.attacks.negotiation import endless_switching

RUNS = 100
WAYS = ("without", "negotiation")


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Every model without negotiation and with it, on the same seeds."""
    return [
        Row(model=model, outcomes={way: list(run_model(model, way, RUNS)) for way in WAYS})
        for model in simulated().models
    ]


def test_half_of_the_outputs_fail_where_the_data_say_so(rows: list[Row]) -> None:
    """The models that count are those whose outputs fail about half the time."""
    for row in rows:
        assert row.model.half == (0.4 < row.failing < 0.7), row.model.name


def test_negotiation_raises_finished_tasks_by_25_points(rows: list[Row]) -> None:
    """The mean of all models that fail half the time, also of those that no move suits."""
    assert gain(rows) >= 25


def test_each_model_that_a_move_suits_finishes_more(rows: list[Row]) -> None:
    """None of them loses; of an acting tool no example is shown, so that one model is left at seven tenths."""
    for row in rows:
        if row.model.helps:
            assert row.right("negotiation") >= max(70, row.right("without")), row.model.name


def test_negotiation_costs_nothing_where_nothing_fails(rows: list[Row]) -> None:
    """A model that never fails is asked as often, and in the same way."""
    assert 0 == extra_calls(rows)
    sound = [row for row in rows if not row.model.faults]
    assert all(not outcome.switches for row in sound for outcome in row.outcomes["negotiation"])


@pytest.mark.parametrize("seed", range(60))
def test_moves_are_bounded_and_hide_no_call_that_was_handed_out(seed: int) -> None:
    """However a model fails under whatever rules."""
    assert endless_switching(random.Random(seed)) is None
