"""What an attack is, and the counts that one leaves."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing import get_context

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


def run_attack(attack: Attack, seed: int, seconds: float) -> Counts:
    """Try an attack for some seconds, each trial with a seed of its own, which makes the same trial again."""
    counts = Counts(attack=attack)
    began = time.monotonic()
    for number in count(_first(seed)):
        if counts.tried >= attack.least and time.monotonic() - began >= seconds:
            break
        counts.broken += _broken(attack, number)
        counts.tried += 1
    counts.seconds = time.monotonic() - began
    return counts


def run_trials(attack: Attack, seed: int, trials: int, processes: int) -> Counts:
    """Make so many trials of an attack, whatever time they take, with the same seeds on any number of processes."""
    began, numbers = time.monotonic(), range(_first(seed), _first(seed) + trials)
    # A process of its own for each worker: what a fork would copy of a host's threads and locks may hang it.
    with get_context("spawn").Pool(processes) as pool:
        each = pool.imap(partial(_broken, attack), numbers, chunksize=max(1, min(500, trials // processes)))
        broken = [found for trial in each for found in trial]
    return Counts(attack=attack, tried=trials, seconds=time.monotonic() - began, broken=broken)


def _broken(attack: Attack, number: int) -> list[tuple[int, str]]:
    said = attack.trial(random.Random(number))
    return [] if said is None else [(number, said)]


def _first(seed: int) -> int:
    return seed * 1_000_000
