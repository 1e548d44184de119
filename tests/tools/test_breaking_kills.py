"""A few of the harness's trials with kills and interrupts, so that every build holds them."""

import random

import pytest

from tools.breaking.attacks.kills import interrupted, killed, undisturbed

SHORT = 5
"""A plan of four calls that wait for a moment each."""


def test_runs_take_effect_where_nothing_disturbs_them() -> None:
    """What is killed are runs that act: their model's outputs are calls in the form that is asked for."""
    # What one of the four leaves behind may be ended with its call before it acts.
    assert 3 <= len(undisturbed(random.Random(SHORT)))


@pytest.mark.parametrize("seed", range(2))
def test_killed_run_loses_and_repeats_nothing(seed: int) -> None:
    """No acknowledged event is lost, and a resumption has no effect unasked."""
    assert killed(random.Random(seed)) is None


@pytest.mark.parametrize("seed", range(2))
def test_interrupted_run_ends_with_what_is_known(seed: int) -> None:
    """Nothing takes effect after Ctrl-C, and the process ends."""
    assert interrupted(random.Random(seed)) is None
