"""A few dozen of the harness's long runs, so that every build holds them."""

import random

import pytest

from tools.breaking.attacks.window import over_window


@pytest.mark.parametrize("seed", range(24))
def test_no_prompt_is_larger_than_its_window(seed: int) -> None:
    """Every prompt fits, is only appended to unless a line says why, has its task, and no result without its call."""
    assert over_window(random.Random(seed)) is None
