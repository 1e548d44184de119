"""Making inputs by seeded mutation alone, and the results of all inputs however they were made."""

import time
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from .findings import BrokenProperty, found_by
from .targets import TARGETS, Target

BY_NAME: Final = {target.name: target for target in TARGETS}
MAX_KINDS: Final = 25
"""Kinds of findings of one target that are kept apart: past it something is broken altogether."""


class Ran(msgspec.Struct, kw_only=True):
    """The result of one target: executions, seconds, and one finding of each kind."""

    target: str
    executions: int = 0
    seconds: float = 0.0
    findings: dict[str, BrokenProperty] = {}


def take(ran: Ran, target: Target, data: bytes) -> None:
    """Check one input and keep what it finds: the smallest of each kind."""
    ran.executions += 1
    finding = found_by(target, data)
    if finding is None:
        return
    known = ran.findings.get(finding.kind)
    if (known is None and len(ran.findings) < MAX_KINDS) or (known and len(data) < len(known.data)):
        ran.findings[finding.kind] = finding


def mutate_alone(target: Target, seed: int, goes_on: Callable[[Ran], bool]) -> Ran:
    """Check the seeds, then mutations of them, for as long as it goes on; the same seed gives the same inputs."""
    random, seeds, ran = Random(f"{seed} {target.name}"), target.seeds(), Ran(target=target.name)
    began = time.monotonic()
    for data in seeds:
        take(ran, target, data)
    while goes_on(ran):
        take(ran, target, target.mutate(random.choice(seeds), random, seeds))
    ran.seconds = time.monotonic() - began
    return ran
