"""The bundle as this checkout builds it."""

import fcntl
import subprocess
from pathlib import Path

import pytest

from tests.bundle.engines import BUNDLE
from tests.bundle.served import ROOT


@pytest.fixture(scope="session")
def bundle(node: str, wasm_folder: Path) -> Path:
    """The folder of the bundle, up to date; no other process of this test run builds at the same time."""
    del wasm_folder  # it makes sure that the wheels are there
    lock = ROOT / ".cache" / "bundle.lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = subprocess.run(
            [node, ROOT / "web" / "bundle" / "build.mjs"], check=False, capture_output=True, text=True, timeout=600
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return BUNDLE
