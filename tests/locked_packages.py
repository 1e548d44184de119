"""Packages that only some tests need, and that do not fit beside those of `.venv`: in folders of their own."""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def packages_of(name: str) -> Path:
    """Return the folder with what requirements/NAME.txt locks, installed by pip when .cache does not hold it yet."""
    lock = ROOT / "requirements" / f"{name}.txt"
    of_these = hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = ROOT / ".cache" / name / of_these
    if folder.is_dir():
        return folder
    # Filled and then moved: several processes may install at once, and one may be stopped half way.
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as part:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps", "--require-hashes"]
        command = [*pip, "--only-binary=:all:", "--no-compile", f"--target={part}/it", "-r", str(lock)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.fail(f"pip could not install what {lock} names:\n{done.stderr[-2000:]}")
        if not folder.is_dir():
            Path(part, "it").rename(folder)
    return folder
