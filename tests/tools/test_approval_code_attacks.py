"""The attack on answers to approval codes: ten thousand hostile ones, the same on every run."""

from tools.breaking.attack import run_attack
from tools.breaking.attacks.approval_codes import ATTACKS


def test_no_hostile_answer_counts() -> None:
    """Forged, stale, replayed, swapped, changed and other people's answers: none is taken."""
    (attack,) = ATTACKS
    counts = run_attack(attack, seed=3, seconds=0)
    assert [] == counts.broken
    assert counts.tried >= 10_000
