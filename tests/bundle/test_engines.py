"""What runs the vectors in an engine tells a wrong one, and a form downloads what it needs and no more.

That every engine gives the same bytes for the vectors is proved in tests/report; here, that the tools' functions do.
"""

from pathlib import Path

import pytest

from tests.bundle.engines import ENGINES, programs_of, run_in
from tests.tools.cases import tool_cases

FORMS = {
    "node": ("snapshot", "zip"),
    "deno": ("snapshot",),
    "chromium-page": ("zip",),
    "chromium-worker": ("snapshot",),
    "firefox-page": ("snapshot",),
    "firefox-worker": ("zip",),
}
"""The forms of the core that the tools' functions run from: both in Node, in a browser one in its page and the other in
its worker. All vectors run from both everywhere in tests/report."""

ROWS = [
    pytest.param(engine, tier, marks=pytest.mark.needs(*programs_of(engine)))
    for engine in ENGINES
    for tier in FORMS[engine]
]


@pytest.mark.parametrize(("engine", "tier"), ROWS)
def test_the_tools_functions_give_the_same_bytes(bundle: Path, engine: str, tier: str) -> None:
    """What the functions of the built-in tools give natively comes out of the bundle, from the tier asked for."""
    cases = tool_cases()

    report = run_in(engine, tier, vectors=cases)

    assert report.error is None
    assert [] == report.failed
    assert (tier, len(cases)) == (report.tier, report.passed)
    assert report.load is not None
    assert report.load["fallback"] is None


def test_a_wrong_output_is_reported(bundle: Path) -> None:
    """The comparison can fail: a vector with an output that no step gives is told apart."""
    wrong = {"name": "wrong", "function": "run_agent_step", "args": ["{}"], "output": "?"}

    report = run_in("node", vectors=[wrong])

    assert (0, 1) == (report.passed, report.failures)
    assert ["wrong"] == [failure["name"] for failure in report.failed]


@pytest.mark.needs("chromium")
def test_a_tier_downloads_its_own_files_alone(bundle: Path) -> None:
    """What only the other tier needs is not read, as long as nothing falls back; of a host that compresses nothing, the
    compressed copies."""
    report = run_in("chromium-page", "snapshot", vectors=[])

    asked = [path.rpartition("/")[2] for path in report.asked if path.startswith("/dist/bundle/")]
    seen = "core.snapshot"  # whose answer shows that nothing is compressed; it is not read
    assert ["core.mjs", seen, "core.snapshot.gz", "core.wasm.gz", "msgspec.wasm.gz"] == sorted(asked)
