"""Files of tests shared among processes that say nothing to each other: each takes the next file that none has taken.

pytest-xdist sends a handful of messages for each test, which costs a test of a millisecond more than itself, and the
core has ten thousand of those. So `./build.sh test core` starts a process for each processor and names an empty folder
for them in PURESTEP_SHARED: a file of tests runs in the process that first made a file of its name there.
"""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = os.environ.get("PURESTEP_SHARED")


def is_shared(config: pytest.Config) -> bool:
    """Whether this process takes files of those that it has collected; one of pytest-xdist is given its own."""
    return FOLDER is not None and config.getoption("dist", "no") == "no" and not hasattr(config, "workerinput")


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests of the files that this process takes; a run that is not shared is pytest's own."""
    if FOLDER is None or not is_shared(session.config) or session.config.option.collectonly or session.testsfailed:
        return None
    items = taken(session.items, Path(FOLDER))
    item = next(items, None)
    while item is not None:
        following = next(items, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = following
    return True


def taken(items: list[pytest.Item], folder: Path) -> Iterator[pytest.Item]:
    """Return the tests of each file that no other process has taken when it is its turn."""
    for path, tests in itertools.groupby(items, lambda item: item.path):
        if _is_first(folder / str(path).replace(os.sep, "!")):
            yield from tests


def _is_first(claim: Path) -> bool:
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
