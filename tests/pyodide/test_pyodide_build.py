"""pyodide-build's own checks take the wheels of the bundle; they need no network, only Python 3.12 or later."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.purity.interpreters import interpreters
from tools.wasm.wheels import wheel_paths

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements" / "pyodide.txt"
PYODIDE_LOCK = ROOT / "web" / "node_modules" / "pyodide" / "pyodide-lock.json"


@pytest.fixture(scope="module")
def check() -> list[str | Path]:
    """The command of the checks, in a venv of its own that is made once."""
    python = next((path for name, path in interpreters().items() if name >= "3.12"), None)
    if python is None:
        pytest.fail("pyodide-build runs on Python 3.12 or later; install one beside this one")
    venv = ROOT / ".cache" / "pyodide-build"
    stamp = venv / "lock.txt"
    if not stamp.is_file() or stamp.read_text() != LOCK.read_text():
        shutil.rmtree(venv, ignore_errors=True)
        subprocess.run([python, "-m", "venv", venv], check=True)
        pip = [venv / "bin" / "python", "-m", "pip", "install", "-qq", "--require-hashes", "--only-binary=:all:"]
        subprocess.run([*pip, "-r", LOCK], check=True, capture_output=True)
        stamp.write_text(LOCK.read_text())
    # The `wheel` command, which the checks call, is found beside their Python.
    path = f"PATH={venv / 'bin'}:/usr/bin:/bin"
    return ["env", path, venv / "bin" / "python", ROOT / "tools" / "checks" / "pyodide_parts.py", PYODIDE_LOCK]


def test_pyodide_takes_every_wheel_of_the_bundle(check: list[str | Path]) -> None:
    """Tag, metadata and modules of each wheel are what this Pyodide loads."""
    done = subprocess.run([*check, *wheel_paths()], capture_output=True, text=True, check=False)
    assert (0, 4) == (done.returncode, len(done.stdout.splitlines())), done.stdout + done.stderr


def test_a_wheel_for_another_platform_is_refused(check: list[str | Path], tmp_path: Path) -> None:
    """A wheel whose tag is another platform's ends the checks with its name and the tag that was expected."""
    other = tmp_path / "msgspec-0.22.0-cp314-cp314-manylinux_2_17_x86_64.whl"
    shutil.copy(next(path for path in wheel_paths() if path.name.startswith("msgspec")), other)
    done = subprocess.run([*check, other], capture_output=True, text=True, check=False)
    assert 1 == done.returncode
    assert f"{other.name}: expected a wheel with one of Pyodide's tags, such as cp314-cp314-pyemscripten" in done.stderr
