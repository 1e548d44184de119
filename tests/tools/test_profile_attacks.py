"""The attacks on profiles and probes: a small number of trials of each, the same on every run."""

import pytest

from tools.breaking.attack import Attack, run_attack
from tools.breaking.attacks.profiles import ATTACKS


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_profiles_withstand_the_attack(attack: Attack) -> None:
    """Forged profiles replace nothing, and damaged logs are errors as data."""
    counts = run_attack(attack, seed=11, seconds=0)
    assert [] == counts.broken
    assert counts.tried >= attack.least
