"""The page's storage killed at generated boundaries, in browsers of their own (tools.crashing.page)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def crash(home: Path, *arguments: str) -> str:
    """Return what the harness printed; at the end stands how many points were tried and what broke."""
    command = [sys.executable, "-m", "tools.crashing", "--processes", "1", *arguments]
    environment = {**os.environ, "HOME": str(home)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done.stdout + done.stderr


@pytest.mark.needs("chromium")
def test_killed_pages_lose_nothing_and_double_nothing(site: str, tmp_path: Path) -> None:
    """At two boundaries of a run; `./build.sh crash --store page` tries all of as many runs as there is time for."""
    assert site
    assert crash(tmp_path, "2", "--every", "17", "--store", "page").endswith(" 0 broken\n")
