"""Every host gives the same bytes for every conformance vector."""

import pytest

from tests.report.byte_report import Row, hosts, lines, vector_count

HOSTS = hosts()
ROWS = [pytest.param(name, marks=pytest.mark.needs(*host.needs)) for name, host in HOSTS.items()]


@pytest.mark.parametrize("host", ROWS)
def test_every_host_gives_the_same_bytes(host: str) -> None:
    """All vectors ran there, and not one byte differs; nowhere else do all of them run on all of these."""
    row = HOSTS[host].run()
    assert () == row.failed
    assert vector_count() == row.passed > 0


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
