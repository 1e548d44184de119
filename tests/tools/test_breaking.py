"""The attacks on the core's promises, a few hundred trials of each; `./build.sh break` makes them for minutes."""

import pytest

from tools.breaking.attack import Attack, run_attack
from tools.breaking.attacks import calls, logs, states

ATTACKS = (*logs.ATTACKS, *states.ATTACKS, *calls.ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_promise_holds(attack: Attack) -> None:
    """None of the trials breaks what the documentation promises."""
    counts = run_attack(attack, seed=0, seconds=0)
    assert attack.least == counts.tried
    assert [] == counts.broken
