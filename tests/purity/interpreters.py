"""The Python interpreters of this machine that the core is for, each with the core's dependencies."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.wasm.wheels import NAMES

ROOT = Path(__file__).resolve().parents[2]
MINORS = range(11, 15)


def interpreters() -> dict[str, Path]:
    """Return the running interpreter, and one of every other release that this machine has, by "3.N"."""
    running = f"3.{sys.version_info.minor}"
    found = {running: Path(sys.executable)}
    for minor in MINORS:
        name = f"3.{minor}"
        if name not in found and (python := _installed(name)) is not None:
            found[name] = _with_dependencies(name, python)
    return found


def releases() -> list[str]:
    """Return the releases that `interpreters` finds here, without making anything."""
    running = f"3.{sys.version_info.minor}"
    names = [f"3.{minor}" for minor in MINORS]
    return [name for name in names if name == running or _installed(name) is not None]


def _installed(name: str) -> Path | None:
    on_path = shutil.which(f"python{name}")
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    candidates = [Path(on_path)] if on_path else []
    candidates += sorted(versions.glob(f"{name}.*/bin/python{name}"))
    return next((path for path in candidates if _starts(path)), None)  # a shim may be there for nothing


def _starts(python: Path) -> bool:
    done = subprocess.run([python, "-c", "import ensurepip, venv"], check=False, capture_output=True)
    return done.returncode == 0


def _with_dependencies(name: str, python: Path) -> Path:
    """Return the interpreter of a venv in .cache that has the core's locked dependencies, made if need be."""
    folder = ROOT / ".cache" / "interpreters"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("w") as held:  # another process of this test run may want the same
        fcntl.flock(held, fcntl.LOCK_EX)
        return _filled(folder / name, python)


def _filled(venv: Path, python: Path) -> Path:
    lock = ROOT / "requirements" / "runtime.txt"
    stamp = venv / "lock.txt"
    core_lock = _core_part(lock.read_text())
    if not (stamp.is_file() and stamp.read_text() == core_lock and _starts(venv / "bin" / "python")):
        shutil.rmtree(venv, ignore_errors=True)
        _run(python, "-m", "venv", "--without-pip", venv)
        wanted = venv / "wanted.txt"
        wanted.write_text(core_lock)
        pip = (sys.executable, "-m", "pip", "--python", venv / "bin" / "python", "install", "-qq")
        _run(*pip, "--no-deps", "--only-binary=:all:", "--require-hashes", "-r", wanted)
        wanted.rename(stamp)
    return venv / "bin" / "python"


def _core_part(lock: str) -> str:
    """Return the entries of a lock that the core needs: a host's may be large, and take long to install."""
    entries = re.findall(r"^[^\s#].*(?:\n +.*)*", lock, re.MULTILINE)
    return "\n".join(entry for entry in entries if entry.partition("==")[0] in NAMES)


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
