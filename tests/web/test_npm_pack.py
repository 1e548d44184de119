"""What npm packs: the compiled package with its bundle and papers, and nothing else."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tools.checks.wheels import relative_links

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
PAPERS = {"LICENSE", "NOTICES.md", "README.md", "agent.schema.json", "package.json"}
KINDS = re.compile(
    r"dist/([a-z_/]+/)?\w+(\.d)?\.(js|ts)"  # compiled modules and their types
    r"|dist/bundle/[\w.]+\.(wasm|mjs|zip|snapshot|json|gz)"  # the core and its interpreter
    r"|react/styles\.css(\.d\.ts)?"  # of the components
    r"|verify/(verify_log|receipts)\.(d\.mts|mjs)"  # the check of a log without the core, and of receipts
    r"|verify/(verify_receipt|receipt_[a-z]+)\.mjs"
    r"|dist/verify\.html"  # the same as a page of one file
    r"|dist/approve\.html"  # the page for phones
    r"|dist/workerd/(modules\.capnp|recorded/\d+\.wasm)"  # what workerd needs besides
)


@pytest.fixture(scope="module")
def packed(node: str, package: Path) -> set[str]:
    """The files that `npm pack` would put into the tarball."""
    del node, package  # they make sure that Node and web/dist are there
    command = ["npm", "pack", "--dry-run", "--json", "--ignore-scripts"]
    done = subprocess.run(command, cwd=WEB, check=True, capture_output=True, text=True)
    return {file["path"] for file in json.loads(done.stdout)[0]["files"]}


def targets(value: object) -> set[str]:
    """Return the paths that an `exports` field leads to."""
    if isinstance(value, dict):
        return set().union(*map(targets, value.values()))
    return {str(value).removeprefix("./")}


def test_tarball_has_licence_notices_and_readme(packed: set[str]) -> None:
    """The licence, the notices of what the bundle carries, and the README come along."""
    assert packed >= PAPERS


def test_tarball_holds_nothing_else_than_the_package(packed: set[str]) -> None:
    """Beside the papers there are only compiled modules, their types and the bundle: no source, test or map."""
    assert [] == sorted(path for path in packed - PAPERS if not KINDS.fullmatch(path))


def test_every_export_is_packed(packed: set[str]) -> None:
    """Each import that package.json offers leads to a file of the tarball, for JavaScript and for TypeScript."""
    exports = json.loads((WEB / "package.json").read_text())["exports"]

    assert set() == targets(exports) - packed


def test_publint_finds_nothing(package: Path) -> None:
    """What package.json says of entries, types and formats is so in the files that are packed."""
    del package
    done = subprocess.run(["npx", "publint", "--strict", "."], cwd=WEB, check=False, capture_output=True, text=True)
    assert (0, True) == (done.returncode, "All good!" in done.stdout), done.stdout


@pytest.mark.parametrize("name", ["README.md", "NOTICES.md"])
def test_links_of_packed_pages_stay_in_the_tarball(packed: set[str], name: str) -> None:
    """A relative link in a packed page leads to another packed file, since no page of the checkout is there."""
    assert set() == set(relative_links((WEB / name).read_text())) - packed
