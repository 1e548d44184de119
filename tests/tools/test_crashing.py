"""Sessions killed at generated boundaries, and faults that the crash harness has to find (tools.crashing)."""

from __future__ import annotations

import secrets
from collections.abc import Generator, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts.effects import RunEffects
from purestep_hosts.tools.idempotent_log import IdempotentLog
from tools.crashing.files import FileRuns
from tools.crashing.points import Points
from tools.crashing.trial import Store, boundaries, killed_at

BOUNDARIES = 120


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of one's own: sessions are sealed by a key that lies there."""
    monkeypatch.setenv("HOME", str(tmp_path))


def points() -> Iterator[tuple[int, int]]:
    """Yield every boundary of run after run."""
    for seed in count():
        yield from ((seed, number) for number in range(1, boundaries(FileRuns, seed) + 1))


def broken(store: Store, tried: int) -> Iterator[str]:
    """Yield what broke, at every fifth boundary."""
    for seed, number in islice(points(), 4, 5 * tried, 5):
        what = killed_at(store, seed, number)
        if what is not None:
            yield f"run {seed}, boundary {number}: {what}"


def test_killed_sessions_lose_nothing_and_double_nothing() -> None:
    """At some boundaries of several runs; `./build.sh crash` tries all of as many runs as there is time for."""
    assert [] == list(broken(FileRuns, BOUNDARIES))


class Careless(FileRuns):
    """A store that says it has kept lines before they are on the disk."""

    def play(self, seed: int, points: Points) -> None:
        """Leave out what forces them there."""
        points.sync = lambda descriptor: points.reach()  # type: ignore[method-assign]
        super().play(seed, points)


class Silent(FileRuns):
    """A host that goes on with a run without telling that its calls may have run."""

    def play(self, seed: int, points: Points) -> None:
        """Take runs up as they stand."""
        record = RunEffects._record

        def take_up(run: RunEffects, log: str, found: Any) -> Generator[Any, Any, Any]:
            run._keep(log)
            run.state, run.messages = found.state, list(found.messages)
            return (yield from record(run, standing(found)))

        RunEffects.take_up = take_up  # type: ignore[method-assign,assignment]
        super().play(seed, points)


class Forgetful(FileRuns):
    """A tool that does not pass its key on."""

    def play(self, seed: int, points: Points) -> None:
        """Draw another key each time."""
        append = IdempotentLog.append
        IdempotentLog.append = (  # type: ignore[method-assign]
            lambda log, key, value: append(log, secrets.token_hex(8), value)  # type: ignore[assignment]
        )
        super().play(seed, points)


def standing(found: Any) -> purestep.Step:
    """Return the step that a replayed run stands at."""
    return purestep.Step(state=found.state, decision=found.decision, messages=(), log=found.lost)


@pytest.mark.parametrize(
    ("store", "said"), [(Careless, "hashes miss the head"), (Silent, "of them agreed"), (Forgetful, " times")]
)
def test_a_host_that_breaks_its_promise_is_found(store: Store, said: str) -> None:
    """Each promise, broken on purpose, shows within the boundaries that the suite tries."""
    assert next((what for what in broken(store, BOUNDARIES) if said in what), None) is not None
