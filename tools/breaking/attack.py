"""What an attack is, and the counts that one leaves."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Trial = Callable[[random.Random], str | None]
"""Tries one hostile thing; returns what broke in one sentence, or None if the promise held."""


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One way of breaking a promise.

    name: as printed and given on the command line. promise: the sentence of docs/guarantees.md that it tests. trial:
    tries one thing. weight: its share of the time. least: how many trials a run makes, however short its time.
    """

    name: str
    promise: str
    trial: Trial
    weight: float = 1.0
    least: int = 1


@dataclass(kw_only=True)
class Counts:
    """How often an attack was tried, and what it broke: each with the seed of the trial."""

    attack: Attack
    tried: int = 0
    seconds: float = 0.0
    broken: list[tuple[int, str]] = field(default_factory=list)


def run_attack(attack: Attack, seed: int, seconds: float, trials: int = 0) -> Counts:
    """Try an attack again and again, each trial with a seed of its own, which makes the same trial again.

    trials: how many, whatever time they take; 0 for as many as the time allows.
    """
    counts = Counts(attack=attack)
    began = time.monotonic()
    for number in _numbers(seed):
        if trials and counts.tried >= trials:
            break
        if not trials and counts.tried >= attack.least and time.monotonic() - began >= seconds:
            break
        broken = attack.trial(random.Random(number))
        counts.tried += 1
        if broken is not None:
            counts.broken.append((number, broken))
    counts.seconds = time.monotonic() - began
    return counts


def _numbers(seed: int) -> Iterator[int]:
    number = seed * 1_000_000
    while True:
        yield number
        number += 1
