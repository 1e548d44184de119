"""Which tests of the core are measured in a run under coverage: a tracer makes a test three times as long.

All tests run, each once. Where coverage measures this process, its tracer rests during tests that would measure the
tracer instead of the core (`linear_time`, `one_pass`), and during most cases of a test that has a long list of them:
cases spread evenly over the list stay measured. It also rests in files that take long and reach hardly a line that no
other file reaches. Lines and branches that only the others reach do not count, so what the limit in pyproject.toml
demands is reached with fewer cases than run.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

MOST_MEASURED: Final = 128
"""Cases of one test that are measured: with 16 some lines of the families of dialects would be missing."""
GROWTH: Final = ("linear_time", "one_pass")
"""In the names of tests that compare what two sizes of input cost."""

REACHED_BY_OTHERS: Final = frozenset({
    "core/constraints/test_grammars.py",
    "core/dialects/test_canonical.py",
    "core/dialects/test_dialects.py",
    "core/dialects/test_reasoning_forms.py",
    "core/schema/test_agreement.py",
    "core/schema/test_budget.py",
    "core/schema/test_references.py",
    "core/skills/test_any_text.py",
    "core/steps/test_stable_prompt.py",
    "core/test_fuzz.py",
    "drift/test_around.py",
    "drift/test_drift.py",
})  # fmt: skip
"""Files of tests/ that take long under a tracer, and reach hardly a line or branch that no other file reaches."""

_TESTS: Final = Path(__file__).resolve().parent
_UNMEASURED = pytest.StashKey[bool]()


def choose_measured(items: list[pytest.Item]) -> None:
    """Decide for each test whether it is measured; for pytest_collection_modifyitems, before any sorting."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for test, listed in cases.items():
        step = max(1.0, len(listed) / MOST_MEASURED)
        chosen = {int(number * step) for number in range(MOST_MEASURED)}
        rests = any(word in test for word in GROWTH) or _is_reached_by_others(listed[0].path)
        for number, item in enumerate(listed):
            item.stash[_UNMEASURED] = rests or number not in chosen


def _is_reached_by_others(path: Path) -> bool:
    return path.is_relative_to(_TESTS) and path.relative_to(_TESTS).as_posix() in REACHED_BY_OTHERS


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
