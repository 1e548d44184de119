"""What runs in Pyodide is what runs natively: one set of versions, named in several files."""

import json
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from tools.wasm.wheels import PLATFORM_TAG, PYTHON_TAG, locked_wheels

ROOT = Path(__file__).resolve().parents[2]


def test_wasm_lock_names_the_versions_of_the_runtime_lock() -> None:
    """A dependency has the same version in Pyodide and natively."""
    pins = re.findall(r"^([a-z0-9-]+)==([^\s;]+)", (ROOT / "requirements" / "runtime.txt").read_text(), re.MULTILINE)
    native = dict(pins)

    wheels = locked_wheels()

    assert wheels
    assert {wheel.name: native[wheel.name] for wheel in wheels} == {wheel.name: wheel.version for wheel in wheels}


def test_wasm_lock_holds_every_dependency_of_the_core() -> None:
    """The wheels for Pyodide have each dependency of the core's pyproject.toml, in a version of its range."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ranges = {each.name: each.specifier for each in map(Requirement, project["dependencies"])}

    versions = {wheel.name: wheel.version for wheel in locked_wheels()}

    assert [] == [name for name, allowed in ranges.items() if not allowed.contains(versions[name])]


def test_wheels_are_for_the_pinned_pyodide(node: str) -> None:
    """The tags that the wheels are fetched by are those of the Pyodide that web/ installs."""
    del node  # it makes sure that web/node_modules is there
    lock = json.loads((ROOT / "web" / "node_modules" / "pyodide" / "pyodide-lock.json").read_text())["info"]

    assert PLATFORM_TAG == f"pyemscripten_{lock['abi_version']}_{lock['arch']}"
    assert PYTHON_TAG == "".join(lock["python"].split(".")[:2])
