"""The bundle gives the same bytes in every engine, in both of its forms."""

from pathlib import Path

import pytest

from tests.bundle.engines import ENGINES, missing, recorded_vectors, run_in
from tests.tools.cases import tool_cases

TIERS = ("snapshot", "zip")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("engine", ENGINES)
def test_vectors_give_the_same_bytes(bundle: Path, engine: str, tier: str) -> None:
    """What every vector and the tools' functions give natively comes out of the bundle, from the tier asked for."""
    if lack := missing(engine):
        pytest.fail(lack)
    vectors = recorded_vectors() + tool_cases()

    report = run_in(engine, tier, vectors=vectors)

    assert report.error is None
    assert [] == report.failed
    assert (tier, len(vectors)) == (report.tier, report.passed)
    assert report.load is not None
    assert report.load["fallback"] is None


def test_a_wrong_output_is_reported(bundle: Path) -> None:
    """The comparison can fail: a vector with an output that no step gives is told apart."""
    wrong = {"name": "wrong", "function": "run_agent_step", "args": ["{}"], "output": "?"}

    report = run_in("node", vectors=[wrong])

    assert (0, 1) == (report.passed, report.failures)
    assert ["wrong"] == [failure["name"] for failure in report.failed]


def test_a_tier_downloads_its_own_files_alone(bundle: Path) -> None:
    """What only the other tier needs is not read, as long as nothing falls back."""
    report = run_in("chromium-page", "snapshot", vectors=[])

    asked = [path.rpartition("/")[2] for path in report.asked if path.startswith("/dist/bundle/")]
    assert ["core.mjs", "core.snapshot", "core.wasm", "msgspec.wasm", "pydantic_core.wasm"] == sorted(asked)
