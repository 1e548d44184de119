"""Choosing by rates on simulated models: a smaller count of `./build.sh bench rates` (requirement 39)."""

from bench.rates import simulated
from bench.rates.ways import BY_RATES, LARGEST, PLANNED, RATES_PLANNED, SMALLEST, UPWARDS


def test_the_choice_is_nearly_as_right_as_the_largest_and_costs_less() -> None:
    """Beside always the smallest, always the largest, and the smallest with a larger one after what is seen to fail."""
    found = {each.way: each for each in simulated.measure(400)}
    assert found[BY_RATES].right > found[LARGEST].right - 1
    assert found[BY_RATES].right > found[UPWARDS].right > found[SMALLEST].right
    assert found[BY_RATES].cost < 0.5 * found[LARGEST].cost
    assert found[BY_RATES].calls < found[UPWARDS].calls


def test_a_plan_costs_less_than_a_larger_model_that_takes_over() -> None:
    """And ends as many requests of several steps right."""
    found = {each.way: each for each in simulated.measure_steps(400)}
    assert found[PLANNED].right > found[UPWARDS].right - 1
    assert found[PLANNED].cost < 0.6 * found[UPWARDS].cost < 0.3 * found[LARGEST].cost
    assert found[UPWARDS].right > 2 * found[SMALLEST].right


def test_by_rates_few_plans_are_made() -> None:
    """Where a model is known to fail it is not asked first, so a plan changes little."""
    found = {each.way: each for each in simulated.measure_mixed(300)}
    assert abs(found[RATES_PLANNED].right - found[BY_RATES].right) < 2
    assert found[RATES_PLANNED].cost < found[LARGEST].cost > found[BY_RATES].cost


def test_requests_are_those_of_their_seed() -> None:
    """Every way is asked the same."""
    assert simulated.request_of("x") == simulated.request_of("x")
    assert {kind.name for kind in simulated.KINDS} == {
        simulated.request_of(f"{number}").kind.name for number in range(100)
    }
