"""Which tests of the core are measured in a run under coverage: a tracer makes a test three times as long.

All tests run, each once. Where coverage measures this process, its tracer rests during tests that would measure the
tracer instead of the core (`linear_time`, `one_pass`), and during most cases of a test that has a long list of them:
cases spread evenly over the list stay measured. Lines and branches that only the others reach do not count, so what
the limit in pyproject.toml demands is reached with fewer cases than run.
"""

import sys
from collections.abc import Iterator
from typing import Final

import pytest

MOST_MEASURED: Final = 128
"""Cases of one test that are measured: with 16 some lines of the families of dialects would be missing."""
GROWTH: Final = ("linear_time", "one_pass")
"""In the names of tests that compare what two sizes of input cost."""

_UNMEASURED = pytest.StashKey[bool]()


def choose_measured(items: list[pytest.Item]) -> None:
    """Decide for each test whether it is measured; for pytest_collection_modifyitems, before any sorting."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for test, listed in cases.items():
        step = max(1.0, len(listed) / MOST_MEASURED)
        chosen = {int(number * step) for number in range(MOST_MEASURED)}
        grows = any(word in test for word in GROWTH)
        for number, item in enumerate(listed):
            item.stash[_UNMEASURED] = grows or number not in chosen


def is_measured(item: pytest.Item) -> bool:
    """Tell whether a run under coverage measures a test."""
    return not item.stash.get(_UNMEASURED, False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let the tracer rest during a test that is not measured, its fixtures included."""
    tracer = sys.gettrace()
    if tracer is None or is_measured(item):
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
