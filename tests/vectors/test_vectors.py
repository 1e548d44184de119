"""The conformance vectors are the ones that the scenarios make."""

import re
import subprocess
import sys
from pathlib import Path

from tools.vectors.files import FOLDER, vector_files

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 1_100_000
"""Bytes of a file: what an editor and a review still show."""


def test_vectors_are_what_the_scenarios_give() -> None:
    """A changed core or scenario shows here; after reading the difference, run python -m tools.vectors."""
    # In a process of its own: dialects that other tests registered would be named in some outputs.
    command = [sys.executable, "-m", "tools.vectors", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stderr)


def test_each_folder_has_its_tier() -> None:
    """The table of the page beside the vectors names every folder, once."""
    named = re.findall(r"^\|[^|]*\| `(\w+)` \|", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted({path.parent.name for path in vector_files()}) == sorted(named)


def test_no_file_is_too_large_to_read() -> None:
    """A module of scenarios whose file grows past the bound is cut in two."""
    assert [] == [path.name for path in vector_files() if path.stat().st_size > LARGEST]
