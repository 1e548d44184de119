"""Runs in JavaScript that are stopped at any moment: no effect happens twice unasked, and every log holds."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import purestep

HERE = Path(__file__).parent
RUNS = 200


@pytest.fixture(scope="module")
def played(node: str, package: Path) -> dict[str, Any]:
    """The outcomes of all runs."""
    command = [node, HERE / "agent_stopped_anywhere.mjs", package, str(RUNS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_no_effect_happens_twice_unasked_and_none_after_a_stop(played: dict[str, Any]) -> None:
    """Wherever a host dies or a run is stopped, what may have run runs again only if that is harmless."""
    assert [] == played["broken"]


def test_the_moments_are_those_that_matter(played: dict[str, Any]) -> None:
    """Many runs die while calls run, and many are cancelled there."""
    assert (RUNS, True, True) == (len(played["logs"]), played["unknown"] > RUNS / 20, played["interrupted"] > RUNS / 20)


def test_every_log_holds(played: dict[str, Any]) -> None:
    """Each log verifies with the native core."""
    found = [json.loads(purestep.verify_log(log)) for log in played["logs"] if log]
    assert all(verified["ok"] for verified in found)
