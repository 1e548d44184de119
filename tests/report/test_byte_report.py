"""Every host gives the same bytes for every conformance vector."""

import pytest

from tests.report.byte_report import SAMPLED, TIERS, Row, hosts, lines, sample, vector_count

HOSTS = hosts()
ROWS = [pytest.param(name, marks=pytest.mark.needs(*host.needs)) for name, host in HOSTS.items()]


@pytest.mark.parametrize("host", ROWS)
def test_every_host_gives_the_same_bytes(host: str) -> None:
    """All vectors ran there, and not one byte differs; nowhere else do all of them run on all of these.

    In a browser each vector runs once from each form of the core, in the page or in a worker, and a sample in the other
    place; `./build.sh report` runs all in both.
    """
    sampled = HOSTS[host].sample
    row = sampled() if sampled else HOSTS[host].run()
    assert () == row.failed
    assert (len(sample()) if sampled else vector_count()) == row.passed > 0


@pytest.mark.parametrize("browser", ["chromium", "firefox"])
def test_each_vector_runs_from_each_form_and_in_each_place_of_a_browser(browser: str) -> None:
    """Of page and worker, one runs all vectors from the snapshot and the other one all from the zip."""
    whole = {(f"{browser}-{place}", tier) for place in ("page", "worker") for tier in TIERS} - SAMPLED
    assert ({*TIERS}, 2, 2) == ({tier for _, tier in whole}, len({place for place, _ in whole}), len(whole))


def test_the_report_covers_every_kind_of_host() -> None:
    """CPython, Node, Deno, Chromium and Firefox in a page and a worker, and workerd are all in it."""
    kinds = {name.partition(" ")[0].rstrip(",") for name in HOSTS}
    assert {"CPython", "node", "deno", "chromium", "firefox", "workerd"} == kinds


def test_a_host_that_differs_is_named_with_its_first_vector() -> None:
    """One differing vector shows in the host's line."""
    row = Row("odd", "1.0", 9, ("delta-1",))
    assert (
        "odd                           1.0               9 of 10, 1 differ; first: delta-1"
        == [*lines(iter([row]), 10)][1]
    )
