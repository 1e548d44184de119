"""The same input gives the same bytes under any interpreter, environment, locale and folder."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.purity.interpreters import interpreters

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("run_vectors.py")
TIME_LIMIT_S = 300


def run_vectors(
    files: list[Path], *options: str, python: Path = Path(sys.executable), cwd: Path = ROOT, **variables: str
) -> dict[str, Any]:
    """Run the vectors in a process with an environment of nothing but `variables`, and return its report."""
    environment = {"PYTHONPATH": str(ROOT / "core"), "PATH": os.defpath, **variables}
    command = [python, *options, SCRIPT, *files]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=cwd, env=environment, timeout=TIME_LIMIT_S
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def assert_all_passed(report: dict[str, Any], files: list[Path]) -> None:
    """Check that every vector ran and gave its bytes."""
    assert [] == report["failed"]
    assert report["passed"] == sum(len(path.read_bytes().splitlines()) for path in files) > 0


def installed_locales() -> list[str]:
    """Return the locales of this machine, at least the two that every machine has."""
    if (command := shutil.which("locale")) is None:
        return ["C", "POSIX"]
    listing = subprocess.run([command, "-a"], check=True, capture_output=True, text=True).stdout.split()
    return sorted({"C", "POSIX", *listing[:20]})


@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "random"},
        {"TZ": "Pacific/Kiritimati"},
        {"TZ": "America/St_Johns"},
        {"PYTHONINTMAXSTRDIGITS": "640"},
        {"PYTHONINTMAXSTRDIGITS": "0"},
        {"PYTHONUTF8": "0", "LC_ALL": "C"},
        {"PYTHONUTF8": "1"},
        {"PYTHONOPTIMIZE": "2"},
        {"PYTHONDEVMODE": "1"},
        {"PYTHONMALLOC": "debug"},
    ],
    ids=lambda variables: ",".join(f"{name}={value}" for name, value in variables.items()),
)
def test_environment_does_not_change_the_bytes(vector_files: list[Path], variables: dict[str, str]) -> None:
    """Hash seed, time zone, digit limit, encoding, optimisation and debug modes change no output."""
    assert_all_passed(run_vectors(vector_files, **variables), vector_files)


@pytest.mark.parametrize("locale", installed_locales())
def test_locale_does_not_change_the_bytes(vector_files: list[Path], locale: str) -> None:
    """Every locale that this machine has gives the same outputs."""
    assert_all_passed(run_vectors(vector_files, LANG=locale, LC_ALL=locale), vector_files)


def test_working_directory_does_not_change_the_bytes(vector_files: list[Path], tmp_path: Path) -> None:
    """Started in an empty folder, the core gives the same outputs."""
    assert_all_passed(run_vectors(vector_files, cwd=tmp_path), vector_files)


def test_every_interpreter_gives_the_same_bytes(vector_files: list[Path]) -> None:
    """Each Python of this machine from 3.11 to 3.14 gives the outputs; the running one is among them."""
    ran = {}
    for name, python in interpreters().items():
        report = run_vectors(vector_files, python=python)
        assert_all_passed(report, vector_files)
        ran[name] = report["python"]

    assert f"3.{sys.version_info.minor}" in ran
    assert all(version.startswith(f"{name}.") for name, version in ran.items())
