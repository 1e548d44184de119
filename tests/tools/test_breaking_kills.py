"""A few of the harness's trials with kills and interrupts, so that every build holds them."""

import random

import pytest

from tools.breaking.attacks.kills import interrupted, killed


@pytest.mark.parametrize("seed", range(2))
def test_killed_run_loses_and_repeats_nothing(seed: int) -> None:
    """No acknowledged event is lost, and a resumption has no effect unasked."""
    assert killed(random.Random(seed)) is None


@pytest.mark.parametrize("seed", range(2))
def test_interrupted_run_ends_with_what_is_known(seed: int) -> None:
    """Nothing takes effect after Ctrl-C, and the process ends."""
    assert interrupted(random.Random(seed)) is None
