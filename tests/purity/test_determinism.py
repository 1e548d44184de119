"""The same input gives the same bytes in any environment, locale and folder.

That every vector gives its bytes in each interpreter is proved in tests/report, and in this process in tests/vectors;
here all of them run in the environment that is furthest from that, and a sample in the others.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bundle.engines import sampled_vectors

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("run_vectors.py")
TIME_LIMIT_S = 300


def run_vectors(files: list[Path], *, cwd: Path = ROOT, **variables: str) -> dict[str, Any]:
    """Run the vectors in a process with an environment of nothing but `variables`, and return its report."""
    environment = {"PYTHONPATH": str(ROOT / "core"), "PATH": os.defpath, **variables}
    command = [sys.executable, SCRIPT, *files]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=cwd, env=environment, timeout=TIME_LIMIT_S
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def assert_all_passed(report: dict[str, Any], files: list[Path]) -> None:
    """Check that every vector ran and gave its bytes."""
    assert [] == report["failed"]
    assert report["passed"] == sum(len(path.read_bytes().splitlines()) for path in files) > 0


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One file with some vectors of each kind."""
    path = tmp_path_factory.mktemp("vectors") / "sample.jsonl"
    path.write_text("".join(f"{json.dumps(vector)}\n" for vector in sampled_vectors()), "utf-8")
    return [path]


def installed_locales() -> list[str]:
    """Return the locales of this machine, at least the two that every machine has."""
    if (command := shutil.which("locale")) is None:
        return ["C", "POSIX"]
    listing = subprocess.run([command, "-a"], check=True, capture_output=True, text=True).stdout.split()
    return sorted({"C", "POSIX", *listing[:20]})


ENVIRONMENTS: dict[str, dict[str, str]] = {
    "first": {"PYTHONHASHSEED": "0", "TZ": "Pacific/Kiritimati", "PYTHONINTMAXSTRDIGITS": "640", "PYTHONUTF8": "1"},
    "second": {"PYTHONHASHSEED": "1", "TZ": "America/St_Johns", "PYTHONINTMAXSTRDIGITS": "0", "PYTHONOPTIMIZE": "2"},
    "ascii": {"PYTHONHASHSEED": "random", "PYTHONUTF8": "0", "LC_ALL": "C"},
    "debug": {"PYTHONDEVMODE": "1", "PYTHONMALLOC": "debug"},
}
"""Everything that the interpreter takes from its environment, each with two values that are far apart."""
WITH_ALL_VECTORS = ("second",)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environment_does_not_change_the_bytes(vector_files: list[Path], sample: list[Path], name: str) -> None:
    """Hash seed, time zone, digit limit, encoding, optimisation and debug modes change no output."""
    files = vector_files if name in WITH_ALL_VECTORS else sample
    assert_all_passed(run_vectors(files, **ENVIRONMENTS[name]), files)


@pytest.mark.parametrize("locale", installed_locales())
def test_locale_and_folder_do_not_change_the_bytes(sample: list[Path], locale: str, tmp_path: Path) -> None:
    """Every locale that this machine has gives the same outputs, and so does a start in an empty folder."""
    assert_all_passed(run_vectors(sample, cwd=tmp_path, LANG=locale, LC_ALL=locale), sample)
