"""A step reaches nothing: of all that WebAssembly imports from its host, steps call only what carries text across."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.bundle.engines import drawn, recorded_vectors
from tests.examples import ARE_ALL_WANTED

HERE = Path(__file__).parent
BRIDGE = {
    # arguments in: an array of them, each made a Python value
    "JsvArray_Get",
    "js2python_js",
    "JsvNoValue_Check",
    # results out: text by its width, lengths of long texts, whether an error crosses
    "_python2js_ascii",
    "_python2js_ucs1",
    "_python2js_ucs2",
    "_python2js_ucs4",
    "JsvNum_fromInt",
    "JsvError_Check",
    # calls of C functions through a pointer, which need JavaScript where their types differ
    "_PyEM_TrampolineCall_JS",
}
TIERS = {"snapshot": 3, "zip": 4}
"""The core's forms, and of how many conformance vectors one is played: the code that steps run is the same in both.

A third reaches all of BRIDGE that all vectors reach; all are played where all examples are wanted.
"""


def played_vectors(tier: str) -> list[dict[str, Any]]:
    """Return the vectors that are played in a form."""
    return drawn(recorded_vectors(), 1 if ARE_ALL_WANTED else TIERS[tier])


def played(node: str, package: Path, tier: str, vectors: list[dict[str, Any]], *traps: str) -> dict[str, Any]:
    """Play the vectors three times; gives what the third round called and gave."""
    inputs = json.dumps([[vector["function"], *vector["args"]] for vector in vectors])
    command = [node, HERE / "step_imports.mjs", package, tier, *traps]
    done = subprocess.run(command, input=inputs, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr[-2000:]
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.parametrize("tier", TIERS)
def test_steps_call_only_what_carries_text_across(node: str, package: Path, tier: str) -> None:
    """No clock, no random source, no file and no other system call is among what a warm round of vectors calls."""
    vectors = played_vectors(tier)
    report = played(node, package, tier, vectors)
    assert tier == report["tier"]
    assert report["wrapped"] > 300  # a wrapper that saw no import would prove nothing
    assert set() == set(report["called"]) - BRIDGE
    assert [vector["output"] for vector in vectors] == report["outputs"]


@pytest.mark.parametrize("tier", TIERS)
def test_a_trap_that_is_reached_ends_the_round(node: str, package: Path, tier: str) -> None:
    """The wrappers are what steps really call: one that throws is felt at the first output."""
    with pytest.raises(AssertionError, match="trapped: _python2js_ascii"):
        played(node, package, tier, played_vectors(tier)[:20], "_python2js_ascii")
