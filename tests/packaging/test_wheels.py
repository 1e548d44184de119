"""What the two wheels carry, to be used and for the page that a package index shows of them."""

from pathlib import Path

from tests.packaging.conftest import ROOT
from tools.checks.wheels import (
    build_wheel,
    check_rendering,
    foreign_files,
    metadata_faults,
    missing_files,
    relative_links,
)


def test_core_wheel_holds_the_core_and_nothing_else(wheels: Path) -> None:
    """The wheel has every module of the packages in core/, and no file of a host, a test or a tool."""
    (core,) = wheels.glob("purestep-*.whl")

    assert [] == foreign_files(core)
    assert [] == missing_files(core, ROOT / "core")


def test_hosts_wheel_holds_the_hosts_and_the_tools_functions(wheels: Path) -> None:
    """The wheel has every module of purestep_hosts and of purestep_tools."""
    (hosts,) = wheels.glob("purestep_hosts-*.whl")

    assert [] == missing_files(hosts, ROOT / "hosts")


def test_wheels_are_reproducible(wheels: Path, tmp_path: Path) -> None:
    """Built again, each wheel is the same file."""
    for project in (ROOT, ROOT / "hosts"):
        again = build_wheel(project, tmp_path)
        assert (wheels / again.name).read_bytes() == again.read_bytes()


def test_wheels_carry_licence_and_description(wheels: Path) -> None:
    """Each wheel has its licence and a README whose links work on a package index."""
    assert {"purestep": [], "purestep_hosts": []} == {
        wheel.name.partition("-")[0]: metadata_faults(wheel) for wheel in sorted(wheels.glob("*.whl"))
    }


def test_package_index_can_render_both(wheels: Path) -> None:
    """Twine finds nothing wrong with metadata and README of either wheel."""
    check_rendering(sorted(wheels.glob("*.whl")))


def test_every_distribution_has_the_same_licence() -> None:
    """The copies beside the hosts and the npm package, which are packed from their folders, are the licence's."""
    licence = (ROOT / "LICENSE").read_bytes()

    assert [licence, licence] == [(ROOT / folder / "LICENSE").read_bytes() for folder in ("hosts", "web")]


def test_relative_links_are_found() -> None:
    """Links and pictures that would lead nowhere outside of the checkout are found, and no others."""
    page = "[a](docs/a.md) ![b](b.png) <img src='c.png'> [d](https://example.org/d) [e](#e)"

    assert ["docs/a.md", "b.png", "c.png"] == relative_links(page)
