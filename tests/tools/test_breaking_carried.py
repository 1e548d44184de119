"""A hundred and fifty of the harness's odd requests to odd tools, so that every build holds them."""

from tools.breaking.attack import run_attack
from tools.breaking.attacks.carried import ATTACKS


def test_no_odd_request_breaks_a_carried_step() -> None:
    """No exception, no call outside of its schema, and the log gives the same state."""
    (attack,) = ATTACKS
    counts = run_attack(attack, seed=0, seconds=0)
    assert attack.least == counts.tried
    assert [] == counts.broken
