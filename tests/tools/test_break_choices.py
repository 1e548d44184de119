"""The attack on tool choices and repeated effects: a small number of trials, the same on every run."""

import pytest

from tools.breaking.attack import Attack, run_attack
from tools.breaking.attacks.choices import ATTACKS


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_choices_and_effects_withstand_the_attack(attack: Attack) -> None:
    """No run of random outputs, results and answers breaks a choice or doubles an effect."""
    counts = run_attack(attack, seed=3, seconds=0)
    assert [] == counts.broken
    assert counts.tried >= attack.least
