"""Run the conformance vectors at several versions of what the core depends on: `python -m tools.checks.versions`.

The core's wheel is built from this checkout and installed by pip into a fresh venv for each entry of CHOICES: at the
lower bounds of its ranges, beside the pydantics that pin an older pydantic-core, and with the newest of everything.
pip asks the package index that this machine has set up; without one the check fails and says so.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from tools.checks.wheels import build_wheel, last_lines
from tools.vectors.files import vector_files

ROOT = Path(__file__).resolve().parents[2]
RUN_VECTORS = ROOT / "tests" / "purity" / "run_vectors.py"
DEPENDENCIES: Final = ("msgspec", "pydantic-core")

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    # Locked by hash: the lower bounds, or the first release with a wheel for a Python that is younger than they are.
    "lowest": ("--require-hashes", "-r", str(ROOT / "requirements" / "lowest.txt")),
    "pydantic 2.12": ("pydantic==2.12.*",),
    "pydantic 2.13": ("pydantic==2.13.*",),
    # Not locked, since the question is what a user gets today.
    "newest": DEPENDENCIES,
}
"""What pip installs beside the core's wheel, by the name of the choice."""

_REPORT_VERSIONS = f"""
import json
from importlib.metadata import version
print(json.dumps({{name: version(name) for name in {DEPENDENCIES}}}))
"""


class VersionResult(NamedTuple):
    """The result of one choice: the versions that pip installed, how many vectors passed, the names of the others."""

    versions: dict[str, str]
    passed: int
    failed: list[str]


class InstallError(Exception):
    """pip could not install a choice, so nothing was checked; the message holds pip's own last words."""


def check_choice(name: str, wheel: Path, folder: Path) -> VersionResult:
    """Install the choice and the core's wheel into a venv in `folder`, and run every vector there.

    Raises InstallError.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    if "--require-hashes" in CHOICES[name]:
        _install(name, python, *CHOICES[name])
        _install(name, python, "--no-index", str(wheel))  # pip takes the locked versions, or fails
    else:
        _install(name, python, str(wheel), *CHOICES[name])
    return run_vectors(python, vector_files())


def run_vectors(python: Path, files: list[Path]) -> VersionResult:
    """Run the vectors of `files` with the core that is installed beside `python`."""
    versions = json.loads(_output(python, "-c", _REPORT_VERSIONS))
    report = json.loads(_output(python, str(RUN_VECTORS), *map(str, files)))
    return VersionResult(versions, report["passed"], [failure["name"] for failure in report["failed"]])


def main() -> int:
    """Check every choice and print a line for each; return 0 if every vector passed at all of them."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(ROOT, Path(folder))
        lines = [_line(name, wheel, Path(folder, name)) for name in CHOICES]
    return int(not all(lines))


def _line(name: str, wheel: Path, folder: Path) -> bool:
    try:
        outcome = check_choice(name, wheel, folder)
    except InstallError as error:
        print(f"{name}: not checked: {error}")
        return False
    versions = ", ".join(f"{package} {version}" for package, version in outcome.versions.items())
    print(f"{name} ({versions}): {outcome.passed} vectors passed, {len(outcome.failed)} failed", *outcome.failed[:5])
    return not outcome.failed and outcome.passed > 0


def _install(name: str, python: Path, *what: str) -> None:
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "--quiet", "install")
    done = subprocess.run([*pip, "--only-binary=:all:", *what], check=False, capture_output=True, text=True)
    if done.returncode:
        raise InstallError(f"pip could not install {name} from the package index: {last_lines(done.stderr)}")


def _output(python: Path, *arguments: str) -> str:
    # With -I neither this checkout nor the environment provides a module.
    done = subprocess.run([python, "-I", *arguments], check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{python} {arguments[0]} failed: {last_lines(done.stderr)}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
