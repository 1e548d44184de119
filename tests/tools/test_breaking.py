"""The attacks on the core's promises, a few hundred trials of each; `./build.sh break` makes them for minutes."""

import random

import pytest

from tools.breaking.attack import Attack, run_attack, run_trials
from tools.breaking.attacks import calls, logs, states

ATTACKS = (*logs.ATTACKS, *states.ATTACKS, *calls.ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_promise_holds(attack: Attack) -> None:
    """None of the trials breaks what the documentation promises."""
    counts = run_attack(attack, seed=0, seconds=0)
    assert attack.least == counts.tried
    assert [] == counts.broken


def _seldom(chance: random.Random) -> str | None:
    drawn = chance.randrange(20)
    return None if drawn else "a zero was drawn"


def test_trials_are_the_same_on_any_number_of_processes() -> None:
    """Each has a seed of its own, and what broke is told in their order."""
    attack = Attack(name="seldom", promise="No zero is drawn.", trial=_seldom, least=200)
    one, two = (run_trials(attack, 7, 200, processes) for processes in (1, 2))
    alone = run_attack(attack, 7, 0)
    assert alone.tried == one.tried == two.tried == 200
    assert alone.broken == one.broken == two.broken
    assert alone.broken
