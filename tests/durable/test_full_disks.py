"""A disk that fills under a service whose runs are accepted, stepped and waiting: nothing is lost or done twice."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import psycopg
import pytest

from tests.durable.full_disks import DISKS, Disk, refuse
from tests.hosts.conftest import web
from tests.serve.conftest import Serving, calls, in_background, says, started, wait_until

__all__ = ["web"]

KEPT = ("--durable", "--create")
LONG = random.Random(1).randbytes(50_000).hex()
"""A text that no database makes much smaller, so that it needs pages of its own."""
GOOD = f"Good. {LONG}"
SCRIPT = [calls("refund_order", number=1), calls("wait_for", file="go"), *[says(GOOD)] * 9]


@pytest.fixture(params=DISKS, ids=lambda way: way.__name__.replace("_", " "))
def disk(request: pytest.FixtureRequest) -> Iterator[Disk]:
    """Each way in which a database has no room."""
    way: Callable[[], AbstractContextManager[Disk]] = request.param
    with way() as found:
        yield found


@pytest.mark.needs("postgresql")
def test_a_disk_that_fills_while_runs_go_on(disk: Disk, tmp_path: Path) -> None:
    """Clients, probes and the log are told the cause; with room again all of it goes on by itself, once."""
    with started(
        tmp_path, "--functions", "tools.py", script=SCRIPT, kept=KEPT, PURESTEP_DATABASE=disk.address
    ) as service:
        waiting = service.post("/runs", {"query": "Refund it."}).json
        asking, came = in_background(lambda: service.post("/runs", {"query": "Wait."}, Idempotency_Key="key-1"))
        wait_until((tmp_path / "waiting").exists)
        run = service.get("/runs").json["runs"][0]["run"]
        disk.fill(service.process.pid)
        (call,) = waiting["approvals"]
        yes = {"approvals": [{"call_id": call["call_id"], "key": call["key"], "approved": True, "reason": LONG}]}
        refused = service.post("/runs", {"query": LONG}, Idempotency_Key="key-2")
        others = [service.post("/runs", {"query": "And I?"}), service.post(f"/runs/{waiting['run']}", yes)]
        others.append(service.get("/ready", token=None))
        assert [(503, "storage_failed")] * 4 == [each.fault for each in (refused, *others)]
        assert [True] * 3 == [disk.words in each.json["message"] for each in others]
        assert [True] * 4 == [int(each.headers["Retry-After"]) > 0 for each in (refused, *others)]
        assert 200 == service.get("/health", token=None).status
        (tmp_path / "go").touch()  # the call returns, and what follows from it cannot be stored
        asking.join()
        told = came[0]
        assert (503, "run_goes_on", run, True) == (*told.fault, told.headers["Run"], disk.words in told.json["message"])
        disk.clear(service.process.pid)
        wait_until(lambda: service.get("/ready", token=None).status == 200)
        service.becomes(run, "done")
        assert run == service.post("/runs", {"query": "Wait."}, Idempotency_Key="key-1").json["run"]
        assert "waiting" == service.status_of(waiting["run"])
        assert GOOD == service.post(f"/runs/{waiting['run']}", yes).json["answer"]
        assert "1\n" == (tmp_path / "refunds").read_text()
        later = service.post("/runs", {"query": LONG}, Idempotency_Key="key-2").headers["Run"]
        service.becomes(later, "done")
        assert {waiting["run"], run, later} == {each["run"] for each in service.get("/runs").json["runs"]}
        wait_until(lambda: "the database can be used again; runs go on" in (tmp_path / "errors").read_text())
    errors = (tmp_path / "errors").read_text()
    assert [True, True] == [said in errors for said in (f"run_goes_on (run {run})", "the database cannot be used (")]
    assert "Traceback" not in errors


@pytest.mark.needs("postgresql")
def test_an_order_that_is_stored_by_half(server_database: str, tmp_path: Path) -> None:
    """Its client reads in time that it may have been taken; others are not held up, and it is carried out with room."""
    with started(
        tmp_path, "--functions", "tools.py", script=[says("Hello."), says("Again.")], kept=KEPT,
        PURESTEP_DATABASE=server_database,
    ) as service, psycopg.connect(server_database, autocommit=True) as connection:  # fmt: skip
        refuse(connection, "dbos.workflow_status", "INSERT", "53100")
        half = service.post("/runs", {"query": "Hi"}, Idempotency_Key="key-1")
        run = half.headers["Run"]
        assert (503, "storage_failed", True) == (*half.fault, f"may have taken run {run}" in half.json["message"])
        assert "interrupted" == service.get("/runs").json["runs"][0]["status"]
        connection.execute(b"DROP TRIGGER no_room ON dbos.workflow_status")
        service.becomes(run, "done")
        assert run == service.post("/runs", {"query": "Hi"}, Idempotency_Key="key-1").json["run"]
        assert 1 == len(service.get("/runs").json["runs"])


@pytest.mark.needs("postgresql")
def test_an_end_that_the_server_does_not_store(server_database: str, tmp_path: Path) -> None:
    """DBOS gives up on an error that it does not know; the run is taken up again, and asks the model nothing."""
    with started(
        tmp_path, "--functions", "tools.py", script=[says("Hello.")], kept=KEPT, PURESTEP_DATABASE=server_database
    ) as service, psycopg.connect(server_database, autocommit=True) as connection:  # fmt: skip
        refuse(connection, "dbos.workflow_status", "UPDATE", "XX000", "NEW.status IN ('SUCCESS', 'ERROR')")
        asking, came = in_background(lambda: service.post("/runs", {"query": "Hi"}))
        wait_until(lambda: log_has(service, "final_answer"))
        connection.execute(b"DROP TRIGGER no_room ON dbos.workflow_status")
        asking.join()
        assert ["Hello."] == [reply.json["answer"] for reply in came]


def test_an_end_that_the_file_does_not_take(file_database: str, tmp_path: Path) -> None:
    """The same in SQLite, whose errors DBOS does not wait for."""
    with started(
        tmp_path, "--functions", "tools.py", script=[says("Hello.")], kept=KEPT, PURESTEP_DATABASE=file_database
    ) as service, closing(sqlite3.connect(file_database, isolation_level=None)) as connection:  # fmt: skip
        connection.execute(
            "CREATE TRIGGER no_room BEFORE UPDATE ON workflow_status WHEN NEW.status IN ('SUCCESS', 'ERROR') "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
        asking, came = in_background(lambda: service.post("/runs", {"query": "Hi"}))
        wait_until(lambda: log_has(service, "final_answer"))
        connection.execute("DROP TRIGGER no_room")
        asking.join()
        assert ["Hello."] == [reply.json["answer"] for reply in came]


def log_has(service: Serving, kind: str) -> bool:
    """Whether a line of this kind stands in the log of the only run."""
    runs = service.get("/runs").json["runs"]
    return bool(runs) and f'"kind":"{kind}"' in service.get(f"/runs/{runs[0]['run']}/log").text
