"""The attacks on seals and on held definitions: a small number of trials of each, the same on every run."""

import pytest

from purestep.agent import approval_rules
from tools.breaking.attack import Attack, run_attack
from tools.breaking.attacks import seals
from tools.breaking.attacks.seals import ATTACKS


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_seals_withstand_the_attack(attack: Attack) -> None:
    """Nothing that a client edits fits its seal, and no definition of a client has less asked."""
    counts = run_attack(attack, seed=5, seconds=0)
    assert [] == counts.broken
    assert counts.tried >= attack.least


def test_attacks_find_what_is_left_unsealed_or_loose(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that takes everything, and definitions whose rules are not held, are both broken."""
    monkeypatch.setattr(seals, "_is_taken", lambda *given: True)
    monkeypatch.setattr(approval_rules, "_RULES", ("deny", "ask", "auto"))
    assert all(run_attack(attack, seed=5, seconds=0).broken for attack in ATTACKS)
