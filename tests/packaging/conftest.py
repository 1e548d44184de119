"""The wheels of this checkout, and venvs that hold them and nothing else."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.checks.wheels import build_wheel, fetch_locked, install, make_venv

ROOT = Path(__file__).resolve().parents[2]

MakeVenv = Callable[..., Path]
"""Makes a venv with the requirements given, and returns the folder of its programs."""


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the core's and the hosts' wheel."""
    folder = tmp_path_factory.mktemp("wheels")
    for project in (ROOT, ROOT / "hosts"):
        build_wheel(project, folder)
    return folder


@pytest.fixture(scope="session")
def offline_venv(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> MakeVenv:
    """Makes venvs out of the two wheels and the locked ones, which are downloaded once."""
    locked = tmp_path_factory.mktemp("locked")
    fetch_locked(locked)

    def make(*requirements: str) -> Path:
        venv = tmp_path_factory.mktemp("venv")
        make_venv(venv)
        install(venv, "--no-index", "--find-links", str(locked), "--find-links", str(wheels), *requirements)
        return venv / "bin"

    return make


def run(*command: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program of a venv in an environment of nothing but `variables` and a home in `cwd`."""
    environment = {"HOME": str(cwd), "PATH": "/usr/bin:/bin", **variables}
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd, env=environment)
