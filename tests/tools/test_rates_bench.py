"""Choosing by rates on simulated models: a smaller count of `./build.sh bench rates` (requirement 39)."""

from bench.rates import simulated
from bench.rates.ways import BY_RATES, LARGEST, SMALLEST, UPWARDS


def test_the_choice_is_nearly_as_right_as_the_largest_and_costs_less() -> None:
    """Beside always the smallest, always the largest, and the smallest with a larger one after what is seen to fail."""
    found = {each.way: each for each in simulated.measure(400)}
    assert found[BY_RATES].right > found[LARGEST].right - 1
    assert found[BY_RATES].right > found[UPWARDS].right > found[SMALLEST].right
    assert found[BY_RATES].cost < 0.5 * found[LARGEST].cost
    assert found[BY_RATES].calls < found[UPWARDS].calls


def test_requests_are_those_of_their_seed() -> None:
    """Every way is asked the same."""
    assert simulated.request_of("x") == simulated.request_of("x")
    assert {kind.name for kind in simulated.KINDS} == {
        simulated.request_of(f"{number}").kind.name for number in range(100)
    }
