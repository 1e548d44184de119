"""Some trials of the harness on reading on and on states with summaries, so that every build holds them."""

import random

import pytest

from tools.breaking.attacks.left_out import changed_states_are_refused_or_taken, parts_are_the_output


@pytest.mark.parametrize("seed", range(20))
def test_parts_read_are_what_stands_there(seed: int) -> None:
    """Texts in all scripts, places at the edges, JSON values."""
    assert parts_are_the_output(random.Random(seed)) is None


def test_changed_states_never_make_a_step_fail() -> None:
    """Whatever a client writes into cut outputs, the summary that is asked for, and sizes."""
    found = [changed_states_are_refused_or_taken(random.Random(seed)) for seed in range(400)]
    assert [] == [each for each in found if each is not None]
