"""The core's outputs are the same at every version of msgspec and pydantic-core that its wheel allows."""

import json
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.packaging.conftest import ROOT
from tools.checks.versions import CHOICES, DEPENDENCIES, InstallError, check_choice, run_vectors
from tools.checks.wheels import build_wheel
from tools.vectors.files import stored_vectors


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core's wheel, built from this checkout."""
    return build_wheel(ROOT, tmp_path_factory.mktemp("core"))


def ranges(project: Path) -> dict[str, Requirement]:
    """Return what a distribution requires of the core's dependencies, by name."""
    listed = tomllib.loads((project / "pyproject.toml").read_text())["project"]["dependencies"]
    found = {requirement.name: requirement for requirement in map(Requirement, listed)}
    return {name: found[name] for name in DEPENDENCIES if name in found}


def locked(name: str) -> dict[str, str]:
    """Return the versions of the core's dependencies that a lock names for this Python."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    lines = [Requirement(line) for line in re.findall(r"^[a-z].*==[^\\\n]*", text, re.MULTILINE)]
    taken = [line for line in lines if line.marker is None or line.marker.evaluate()]
    return {line.name: str(line.specifier).removeprefix("==") for line in taken if line.name in DEPENDENCIES}


@pytest.mark.parametrize("name", CHOICES)
def test_every_vector_passes_at_the_versions_of(name: str, wheel: Path, tmp_path: Path) -> None:
    """Installed by pip beside these versions, the core's wheel gives every vector's bytes."""
    outcome = check_choice(name, wheel, tmp_path / "venv")

    assert ([], len(stored_vectors())) == (outcome.failed, outcome.passed), outcome.versions
    if name == "lowest":
        assert locked("lowest") == outcome.versions


def test_an_index_that_cannot_be_reached_is_no_pass(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the package index the check raises, in pip's own words."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")

    with pytest.raises(InstallError, match=r"pip could not install newest .*\n?.*No matching distribution"):
        check_choice("newest", wheel, tmp_path / "venv")


def test_another_output_is_reported(tmp_path: Path) -> None:
    """A vector whose output differs by one byte is named as failed."""
    vector = {"name": "changed", "function": "load_agent", "args": ["{}"], "output": "another"}
    (tmp_path / "changed.jsonl").write_text(json.dumps(vector))

    outcome = run_vectors(Path(sys.executable), [tmp_path / "changed.jsonl"])

    assert (0, ["changed"]) == (outcome.passed, outcome.failed)


def test_locks_lie_within_the_ranges() -> None:
    """The exact versions of both locks are ones that the wheel's ranges allow."""
    core = ranges(ROOT)

    assert set(DEPENDENCIES) == set(core) == set(locked("runtime")) == set(locked("lowest"))
    for name in ("runtime", "lowest"):
        assert all(core[package].specifier.contains(version) for package, version in locked(name).items())


def test_lowest_lock_names_the_lower_bounds() -> None:
    """On the oldest Python the lowest lock has the very lower bounds, which are therefore what is tested."""
    text = (ROOT / "requirements" / "lowest.txt").read_text()
    for name, requirement in ranges(ROOT).items():
        (lowest,) = (part.version for part in requirement.specifier if part.operator == ">=")
        assert re.search(rf"^{name}=={re.escape(lowest)}(\.0)? ; python_full_version < '3\.13'", text, re.MULTILINE)


def test_hosts_allow_what_the_core_allows() -> None:
    """The hosts' own requirement of msgspec is the core's, so that neither narrows the other."""
    core, hosts = ranges(ROOT), ranges(ROOT / "hosts")

    assert {"msgspec": core["msgspec"].specifier} == {name: each.specifier for name, each in hosts.items()}
