"""Check the built distributions: `python -m tools.checks.wheels FOLDER`, run by ./build.sh wheel."""

import email
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE_PACKAGES = ("purestep/", "purestep_formats/", "purestep_policies/")
# Started with -I, so that neither this checkout nor the environment lends it a module.
CORE_ALONE = """
import importlib.util, purestep, purestep_formats, purestep_policies
assert importlib.util.find_spec("purestep_hosts") is None, "the core's wheel brought the hosts along"
for package in (purestep, purestep_formats, purestep_policies):
    assert "site-packages" in package.__file__, package.__file__
purestep.create_agent_state("hello")
"""


def build_wheel(project: Path, folder: Path) -> Path:
    """Build the wheel of the distribution in `project` into `folder` and return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    environment = {"SOURCE_DATE_EPOCH": "1577836800", **os.environ}
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=project, env=environment)
    if done.returncode:
        sys.exit(f"the wheel of {project} cannot be built: {last_lines(done.stderr)}")
    name = tomllib.loads((project / "pyproject.toml").read_text())["project"]["name"].replace("-", "_")
    return next(folder.glob(f"{name}-*.whl"))


def last_lines(text: str, count: int = 5) -> str:
    """Return the last lines of a program's output, which say why it failed."""
    return "\n".join(text.strip().splitlines()[-count:])


def foreign_files(wheel: Path) -> list[str]:
    """Return the files in the core's wheel that are neither its packages' nor the wheel's own metadata."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    return [name for name in names if not name.startswith((*CORE_PACKAGES, f"{_stem(wheel)}.dist-info/"))]


def missing_files(wheel: Path, folder: Path) -> list[str]:
    """Return the files of the packages in `folder` that a wheel lacks."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    paths = [path for path in folder.glob("purestep*/**/*") if path.suffix in {".py", ".typed", ".jinja", ".gguf"}]
    return sorted({path.relative_to(folder).as_posix() for path in paths} - names)


def metadata_faults(wheel: Path) -> list[str]:
    """Return what is wrong with the page that a package index makes of the wheel's metadata.

    It needs the licence and its file, and a description without relative links, which would lead nowhere there.
    """
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
        # The weights of a model were trained on data whose licence they keep.
        licence = "MIT AND CC-BY-SA-4.0" if any(each.endswith(".gguf") for each in archive.namelist()) else "MIT"
    wanted = {"License-File": "LICENSE", "License-Expression": licence, "Description-Content-Type": "text/markdown"}
    faults = [
        f"expected {field}: {value}; got {metadata[field]}"
        for field, value in wanted.items()
        if metadata[field] != value
    ]
    description = str(metadata.get_payload())
    faults += [] if description.strip() else ["expected a description; got none"]
    return faults + [f"the link to {link} is relative" for link in relative_links(description)]


def relative_links(page: str) -> list[str]:
    """Return where the relative links and pictures of a Markdown page lead."""
    found = re.findall(r"""\]\(([^)\s]+)\)|(?:src|srcset|href)=["']([^"']+)["']""", page)
    return [link for link in map("".join, found) if not re.match(r"https?:|#", link)]


def check_rendering(files: Iterable[Path]) -> None:
    """Have twine check metadata and README of the distributions as a package index does; exit with what is wrong."""
    venv = ROOT / ".cache" / "release"
    lock = ROOT / "requirements" / "release.txt"
    stamp = venv / "lock.txt"
    if not stamp.is_file() or stamp.read_text() != lock.read_text():
        shutil.rmtree(venv, ignore_errors=True)
        make_venv(venv)
        install(venv, "--require-hashes", "--only-binary=:all:", "-r", str(lock))
        stamp.write_text(lock.read_text())
    _run(f"{venv}/bin/python", "-m", "twine", "check", "--strict", *map(str, files))


def make_venv(folder: Path) -> None:
    """Make a venv in `folder`; `install` fills it, so it needs no pip of its own."""
    _run(sys.executable, "-m", "venv", "--without-pip", str(folder))


def install(venv: Path, *what: str) -> None:
    """Install what the arguments of pip install name into the venv; exit with pip's last words if it fails."""
    pip = (sys.executable, "-m", "pip", "--python", f"{venv}/bin/python", "--disable-pip-version-check", "--quiet")
    _run(*pip, "install", *what)


def fetch_locked(folder: Path) -> None:
    """Download every wheel of requirements/runtime.txt into `folder`, each checked by its hash."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download")
    lock = ROOT / "requirements" / "runtime.txt"
    _run(*pip, "--require-hashes", "--only-binary=:all:", "--dest", str(folder), "-r", str(lock))


def check_install(folder: Path) -> None:
    """Install the core's wheel of `folder` into a fresh venv and use it there; then the hosts', with every extra."""
    with tempfile.TemporaryDirectory() as made:
        locked, venv = Path(made, "locked"), Path(made, "venv")
        fetch_locked(locked)
        make_venv(venv)
        only = ("--no-index", "--find-links", str(locked), "--find-links", str(folder))
        install(venv, *only, "purestep")
        _run(f"{venv}/bin/python", "-I", "-c", CORE_ALONE)
        install(venv, *only, "purestep-hosts[cli,local,openai]")
        _run(f"{venv}/bin/purestep", "--version")


def main(folder: Path) -> None:
    """Check the core's and the hosts' distributions in `folder`; exit with what is wrong."""
    (core,) = folder.glob("purestep-*.whl")
    (hosts,) = folder.glob("purestep_hosts-*.whl")
    if wrong := [*foreign_files(core), *missing_files(core, ROOT / "core")]:
        sys.exit(f"{core.name} must hold all of core's packages and nothing else; wrong: {', '.join(wrong)}")
    if wrong := missing_files(hosts, ROOT / "hosts"):
        sys.exit(f"{hosts.name} must hold purestep_hosts and purestep_tools; missing: {', '.join(wrong)}")
    for wheel in (core, hosts):
        if faults := metadata_faults(wheel):
            sys.exit(f"the metadata of {wheel.name} cannot be published: {'; '.join(faults)}")
    check_rendering(sorted(folder.resolve().iterdir()))
    check_install(folder.resolve())


def _stem(wheel: Path) -> str:
    return "-".join(wheel.name.split("-")[:2])


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/")
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
