"""The bundle as this checkout builds it."""

import subprocess
from pathlib import Path

import pytest

from tests.bundle.engines import BUNDLE
from tests.bundle.served import ROOT
from tests.conftest import is_built


@pytest.fixture(scope="session")
def bundle(node: str, wasm_folder: Path) -> Path:
    """The folder of the bundle, up to date."""
    del wasm_folder  # it makes sure that the wheels are there
    if not is_built():
        done = subprocess.run(
            [node, ROOT / "web" / "bundle" / "build.mjs"], check=False, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return BUNDLE
