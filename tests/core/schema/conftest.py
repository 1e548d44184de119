"""The published test suite of JSON Schema, which the sdist of the Python package `jsonschema` brings along."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / ".cache" / "json-schema-test-suite"
LOCK = ROOT / "requirements" / "test-suite.txt"
TESTS = "json/tests/draft2020-12"
REMOTES = "json/remotes"


class Group(NamedTuple):
    """One schema of the suite: its file, what it is about, and the values with their verdicts."""

    file: str
    about: str
    schema: Any
    tests: list[dict[str, Any]]


class Suite(NamedTuple):
    """The mandatory groups, the optional ones, and the documents that tests about remote references ask for."""

    mandatory: list[Group]
    optional: list[Group]
    remotes: dict[str, Any]


@pytest.fixture(scope="session")
def suite() -> Suite:
    """The suite for 2020-12 out of the locked sdist, fetched by pip when .cache does not hold it yet."""
    ((name, version, sha256),) = re.findall(r"^(\S+)==(\S+) --hash=sha256:([0-9a-f]{64})$", LOCK.read_text(), re.M)
    sdist = FOLDER / f"{name}-{version}.tar.gz"
    if not sdist.is_file():
        _fetch(name)
    found = hashlib.sha256(sdist.read_bytes()).hexdigest()
    if found != sha256:
        pytest.fail(f"{sdist} has the SHA-256 {found}, not the one in {LOCK}: remove it and run this again")
    return _read(sdist)


def _fetch(name: str) -> None:
    """Download the sdist; pip asks it for its metadata, so it builds that with what it names for this."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--no-deps", f"--no-binary={name}"]
    # Filled and then moved: several processes may fetch at once, and one may be stopped half way.
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as part:
        command = [*pip, "--require-hashes", f"--dest={part}", "-r", str(LOCK)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode != 0:
            pytest.fail(f"pip could not fetch what {LOCK} names, so the suite cannot be run:\n{done.stderr[-2000:]}")
        for sdist in Path(part).glob("*.tar.gz"):
            sdist.replace(FOLDER / sdist.name)


def _read(sdist: Path) -> Suite:
    mandatory: list[Group] = []
    optional: list[Group] = []
    remotes: dict[str, Any] = {}
    with tarfile.open(sdist) as archive:
        for member in sorted(archive.getmembers(), key=lambda each: each.name):
            path = member.name.partition("/")[2]
            stream = archive.extractfile(member) if path.endswith(".json") else None
            if stream is not None and path.startswith(f"{REMOTES}/"):
                remotes[f"http://localhost:1234{path.removeprefix(REMOTES)}"] = json.load(stream)
            elif stream is not None and path.startswith(f"{TESTS}/"):
                file = path.removeprefix(f"{TESTS}/").removesuffix(".json")
                groups = [Group(file, each["description"], each["schema"], each["tests"]) for each in json.load(stream)]
                (optional if file.startswith("optional/") else mandatory).extend(groups)
    return Suite(mandatory, optional, remotes)
