"""The attacks on neighbors of values and arguments: a small number of trials of each, the same on every run."""

import pytest

from tools.breaking.attack import Attack, run_attack
from tools.breaking.attacks.siblings import ATTACKS


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_no_guess_runs(attack: Attack) -> None:
    """Damaged markup and brackets in strings, in all families' forms, run no call that was not meant."""
    counts = run_attack(attack, seed=5, seconds=0)
    assert [] == counts.broken
    assert counts.tried >= attack.least
