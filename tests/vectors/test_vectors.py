"""The conformance vectors are the ones that the scenarios make."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_vectors_are_what_the_scenarios_give() -> None:
    """A changed core or scenario shows here; after reading the difference, run python -m tools.make_vectors."""
    # In a process of its own: dialects that other tests registered would be named in some outputs.
    command = [sys.executable, "-m", "tools.make_vectors", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)
