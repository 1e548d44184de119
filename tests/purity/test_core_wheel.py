"""The core is distributed alone, and its distribution is the same bytes every time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.check_wheels import foreign_files, missing_files

ROOT = Path(__file__).resolve().parents[2]


def build_wheel(folder: Path) -> Path:
    """Build the core's wheel into `folder` and return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1577836800"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("purestep-*.whl")
    return wheel


@pytest.fixture(scope="module")
def core_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core's wheel, built from this checkout."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_core_wheel_holds_the_core_and_nothing_else(core_wheel: Path) -> None:
    """The wheel has every module of core/purestep, and no file of a host, a test or a tool."""
    assert [] == foreign_files(core_wheel)
    assert [] == missing_files(core_wheel)


def test_core_wheel_is_reproducible(core_wheel: Path, tmp_path: Path) -> None:
    """Built again, the wheel is the same file."""
    assert core_wheel.read_bytes() == build_wheel(tmp_path).read_bytes()
