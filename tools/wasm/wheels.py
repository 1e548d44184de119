"""The core's dependencies as wheels for Pyodide, in .cache/wasm, each checked against requirements/wasm.txt.

build.sh runs `python -m tools.wasm.wheels fetch`, tools/lock.sh `python tools/wasm/wheels.py lock`.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "wasm"
LOCK = ROOT / "requirements" / "wasm.txt"
# The whole tree of the core's dependencies; the versions are those of requirements/runtime.txt.
NAMES = ("msgspec", "pydantic-core", "typing-extensions")
# What Pyodide 314 runs. Asked for no version, pip takes an empty stand-in for a tag that it does not know.
PYTHON_TAG = "314"
PLATFORM_TAG = "pyemscripten_2026_0_wasm32"

_PIN = re.compile(r"^([a-z0-9-]+)==([^\s;]+)", re.ASCII | re.MULTILINE)
_LOCKED = re.compile(r"^([a-z0-9-]+)==(\S+) --hash=sha256:([0-9a-f]{64})$", re.ASCII | re.MULTILINE)


class Wheel(NamedTuple):
    """One line of the lock: a distribution, its version, and the SHA-256 of its wheel in hexadecimal."""

    name: str
    version: str
    sha256: str


def locked_wheels() -> list[Wheel]:
    """Return the wheels that the lock names."""
    return [Wheel(*match) for match in _LOCKED.findall(LOCK.read_text())]


def wheel_paths() -> list[Path]:
    """Return the path of every locked wheel; LookupError if one is missing from .cache/wasm or damaged."""
    found = {_sha256(path): path for path in sorted(FOLDER.glob("*.whl"))}
    missing = [wheel for wheel in locked_wheels() if wheel.sha256 not in found]
    if missing:
        names = ", ".join(f"{wheel.name} {wheel.version}" for wheel in missing)
        raise LookupError(f"no wheel with the locked hash in {FOLDER} for {names}: run ./build.sh setup")
    return [found[wheel.sha256] for wheel in locked_wheels()]


def fetch() -> None:
    """Download every locked wheel, unless all of them are there."""
    try:
        wheel_paths()
    except LookupError:
        shutil.rmtree(FOLDER, ignore_errors=True)
        _download(["--require-hashes", "-r", str(LOCK)], FOLDER)
        wheel_paths()


def lock() -> None:
    """Write requirements/wasm.txt for the versions that requirements/runtime.txt names."""
    versions = dict(_PIN.findall((ROOT / "requirements" / "runtime.txt").read_text()))
    pins = [f"{name}=={versions[name]}" for name in NAMES]
    with tempfile.TemporaryDirectory() as folder:
        # One at a time, so that each file found is known to be the one asked for.
        LOCK.write_text("".join(f"{pin} --hash=sha256:{_downloaded_sha256(pin, folder)}\n" for pin in pins))


def _downloaded_sha256(pin: str, folder: str) -> str:
    target = Path(folder) / pin
    _download([pin], target)
    (wheel,) = target.glob("*.whl")
    return _sha256(wheel)


def _download(requirements: Iterable[str], folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--quiet"]
    target = ["--implementation=cp", f"--python-version={PYTHON_TAG}", f"--abi=cp{PYTHON_TAG}"]
    options = ["--no-deps", "--only-binary=:all:", *target, f"--platform={PLATFORM_TAG}", f"--dest={folder}"]
    subprocess.run([*pip, "download", *options, *requirements], check=True)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    {"fetch": fetch, "lock": lock}[sys.argv[1]]()
