"""Check the built distributions: `python -m tools.check_wheels FOLDER`, run by ./build.sh wheel."""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Started with -I, so that neither this checkout nor the environment lends it a module.
CORE_ALONE = """
import importlib.util, purestep
assert importlib.util.find_spec("purestep_hosts") is None, "the core's wheel brought the hosts along"
assert "site-packages" in purestep.__file__, purestep.__file__
purestep.create_agent_state("hello")
"""


def foreign_files(wheel: Path) -> list[str]:
    """Return the files in the core's wheel that are neither the package's nor the wheel's own metadata."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    return [name for name in names if not name.startswith(("purestep/", f"{_stem(wheel)}.dist-info/"))]


def missing_files(wheel: Path, folder: Path) -> list[str]:
    """Return the files of the packages in `folder` that a wheel lacks."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    paths = [path for path in folder.glob("purestep*/**/*") if path.suffix in {".py", ".typed"}]
    return sorted({path.relative_to(folder).as_posix() for path in paths} - names)


def check_install(core: Path, hosts: Path) -> None:
    """Install the core's wheel into a fresh venv and use it there; then the hosts', and ask its version."""
    with tempfile.TemporaryDirectory() as folder:
        _run(sys.executable, "-m", "venv", folder)
        python = f"{folder}/bin/python"
        pip = (python, "-m", "pip", "--disable-pip-version-check", "--quiet", "--quiet", "install")
        _run(*pip, "--require-hashes", "-r", str(ROOT / "requirements" / "runtime.txt"))
        _run(*pip, "--no-index", str(core))
        _run(python, "-I", "-c", CORE_ALONE)
        _run(*pip, "--no-index", str(hosts))
        _run(f"{folder}/bin/purestep", "--version")


def main(folder: Path) -> None:
    """Check the core's and the hosts' wheel in `folder`; exit with what is wrong."""
    (core,) = folder.glob("purestep-*.whl")
    (hosts,) = folder.glob("purestep_hosts-*.whl")
    if wrong := [*foreign_files(core), *missing_files(core, ROOT / "core")]:
        sys.exit(f"{core.name} must hold core/purestep, all of it and nothing else; wrong: {', '.join(wrong)}")
    if wrong := missing_files(hosts, ROOT / "hosts"):
        sys.exit(f"{hosts.name} must hold purestep_hosts and purestep_tools; missing: {', '.join(wrong)}")
    check_install(core.resolve(), hosts.resolve())


def _stem(wheel: Path) -> str:
    return "-".join(wheel.name.split("-")[:2])


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/")
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
