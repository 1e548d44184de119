"""What runs the vectors in an engine tells a wrong one, and a form downloads what it needs and no more.

That every engine gives the same bytes is proved in tests/report.
"""

from pathlib import Path

import pytest

from tests.bundle.engines import run_in


def test_a_wrong_output_is_reported(bundle: Path) -> None:
    """The comparison can fail: a vector with an output that no step gives is told apart."""
    wrong = {"name": "wrong", "function": "run_agent_step", "args": ["{}"], "output": "?"}

    report = run_in("node", vectors=[wrong])

    assert (0, 1) == (report.passed, report.failures)
    assert ["wrong"] == [failure["name"] for failure in report.failed]


@pytest.mark.needs("chromium")
def test_a_tier_downloads_its_own_files_alone(bundle: Path) -> None:
    """What only the other tier needs is not read, as long as nothing falls back."""
    report = run_in("chromium-page", "snapshot", vectors=[])

    asked = [path.rpartition("/")[2] for path in report.asked if path.startswith("/dist/bundle/")]
    assert ["core.mjs", "core.snapshot", "core.wasm", "msgspec.wasm", "pydantic_core.wasm"] == sorted(asked)
