"""Chances that a reader can see: how often the generators do one thing and not another."""

from random import Random


def happens(chance: Random, share: float) -> bool:
    """Whether something happens this time that happens in this share of cases."""
    return chance.random() < share
