"""One trial: a run that is killed at a boundary, and perhaps again, until it ends."""

import os
import random
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from purestep_hosts.sessions import SessionError

from .checks import broken
from .points import CRASHED, Points
from .scenario import Outside

MAX_CRASHES = 3
_ENDED = 0
_FAILED = 1


class CrashedRuns(Protocol):
    """A store of runs in a folder."""

    def play(self, seed: int, points: Points) -> None:
        """Begin the run of a seed, or go on with what is there, to its end."""
        ...

    def found(self) -> tuple[str, str]:
        """Return the log and its head, as they were left."""
        ...

    def remove(self) -> None:
        """Remove what is kept elsewhere than in the folder."""
        ...


Store = Callable[[Path], CrashedRuns]


def boundaries(store: Store, seed: int) -> int:
    """Return how many boundaries the run of a seed passes when nothing kills it; raises AssertionError if it breaks."""
    with _folder(store) as folder:
        code = _forked(partial(_played, store, folder, seed, 0, random.Random(seed)), folder)
        assert code == _ENDED, f"run {seed} does not end: {_error(folder)}"
        assert not list(broken(*store(folder).found(), Outside(folder)))
        return int((folder / "passed").read_text())


def killed_at(store: Store, seed: int, point: int) -> str | None:
    """Kill the run of a seed at a boundary, go on to its end, and return what broke; None if everything held."""
    chance = random.Random(f"{seed} {point}")
    with _folder(store) as folder:
        target = point
        for crash in range(MAX_CRASHES + 1):
            code = _forked(partial(_played, store, folder, seed, target, chance), folder)
            if code == _ENDED:
                break
            if code != CRASHED:
                return f"after {crash} kills it could not go on: {_error(folder)}"
            # A run that goes on is killed again at times, soon after it began.
            again = crash + 1 < MAX_CRASHES and chance.random() < 0.4  # noqa: PLR2004
            target = chance.randint(1, 30) if again else 0
        try:
            log, head = store(folder).found()
        except SessionError as error:
            return f"the log cannot be read: {error.message}"
        return "; ".join(broken(log, head, Outside(folder))) or None


@contextmanager
def _folder(store: Store) -> Iterator[Path]:
    """Return the folder of one trial; at the end all that it left is removed."""
    with tempfile.TemporaryDirectory() as name:
        try:
            yield Path(name)
        finally:
            store(Path(name)).remove()


def _played(store: Store, folder: Path, seed: int, target: int, chance: random.Random) -> None:
    points = Points(target, chance)
    store(folder).play(seed, points)
    (folder / "passed").write_text(str(points.passed))


def _forked(act: Callable[[], None], folder: Path) -> int:
    """Act in a process of its own; returns its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = _FAILED
    try:
        act()
        code = _ENDED
    except BaseException:
        (folder / "error").write_text(traceback.format_exc())
    finally:
        os._exit(code)


def _error(folder: Path) -> str:
    place = folder / "error"
    return place.read_text().strip().splitlines()[-1] if place.exists() else "it said nothing"
