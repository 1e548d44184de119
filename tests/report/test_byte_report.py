"""Every host gives the same bytes for every conformance vector."""

import pytest

from tests.bundle.engines import sampled_vectors
from tests.report.byte_report import Row, hosts, lines, vector_count

SAMPLED = (
    "deno, zip",
    "chromium, page, zip",
    "chromium, worker, snapshot",
    "firefox, page, snapshot",
    "firefox, worker, zip",
    "workerd, zip",
)
"""Hosts that run a sample here, and all vectors in `./build.sh report`: the engine runs all of them from the other form
of the core. A browser does so in its page and in its worker, whose stacks differ in size; Node does from both forms."""

HOSTS = hosts(SAMPLED)
ROWS = [pytest.param(name, marks=pytest.mark.needs(*host.needs)) for name, host in HOSTS.items()]


@pytest.mark.parametrize("host", ROWS)
def test_every_host_gives_the_same_bytes(host: str) -> None:
    """All vectors or their sample ran there, and not one byte differs; nowhere else do they run on all of these."""
    row = HOSTS[host].run()
    assert () == row.failed
    assert (len(sampled_vectors()) if HOSTS[host].sampled else vector_count()) == row.passed > 0


def test_every_engine_runs_every_vector() -> None:
    """In a browser the page does and the worker; Node does from the snapshot and from the zip."""
    whole = {name for name, host in HOSTS.items() if not host.sampled}
    assert {"node, snapshot", "node, zip", "node, stock Pyodide"} <= whole
    browsers = {"chromium, page", "chromium, worker", "firefox, page", "firefox, worker"}
    assert {"deno", "workerd", *browsers} <= {name.rpartition(", ")[0] for name in whole}
    assert {"deno", "chromium", "firefox", "workerd"} <= {
        name.partition(",")[0] for name in whole if name.endswith("snapshot")
    }


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
