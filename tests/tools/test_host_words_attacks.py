"""A small count of each attack on outputs that are cut, begun inside of reasoning, or no answers."""

import pytest

from tools.breaking.attack import Attack, run_attack
from tools.breaking.attacks.host_words import ATTACKS


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack_breaks_nothing(attack: Attack) -> None:
    """Each trial has a seed of its own; what broke is named with it."""
    counts = run_attack(attack, seed=0, seconds=0)
    assert [] == counts.broken
    assert attack.least <= counts.tried
