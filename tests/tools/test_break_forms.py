"""The attacks on the reading of forms: a small number of trials of each, the same on every run."""

import pytest

from tools.breaking.attack import Attack, run_attack
from tools.breaking.attacks.forms import ATTACKS


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_forms_withstand_the_attack(attack: Attack) -> None:
    """Texts mixed from all families' markers break no promise of reading and streaming."""
    counts = run_attack(attack, seed=5, seconds=0)
    assert [] == counts.broken
    assert counts.tried >= attack.least
