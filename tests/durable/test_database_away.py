"""A database that goes away under a service: clients, probes and the log are told what is so, and runs go on later."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import base_environment
from tests.hosts.conftest import web
from tests.programs import program_path
from tests.serve.conftest import TOKEN, calls, in_background, says, started, wait_until
from tools.postgresql_server import postgresql_server

__all__ = ["web"]

SCRIPT = [calls("wait_for", file="go"), says("It was there.")]


@pytest.mark.needs("postgresql")
def test_a_server_that_is_killed_while_a_client_waits(tmp_path: Path) -> None:
    """The client reads that its run goes on, the probes that no run is taken, and all of it ends well."""
    postgres = program_path("postgresql")
    assert postgres is not None
    with (
        postgresql_server(postgres) as server,
        started(
            tmp_path, "--functions", "tools.py", script=SCRIPT, kept=("--durable",), PURESTEP_DATABASE=server.database()
        ) as service,
    ):
        asking, came = in_background(lambda: service.post("/runs", {"query": "Wait."}, Idempotency_Key="key-1"))
        wait_until((tmp_path / "waiting").exists)
        run = service.get("/runs").json["runs"][0]["run"]
        server.process.send_signal(signal.SIGQUIT)  # as pg_ctl stop -m immediate
        server.process.wait()
        asking.join()
        told = came[0]
        assert (503, "run_goes_on", run) == (told.status, told.json["error"], told.json["run"])
        assert run in told.json["message"]
        assert [run, True] == [told.headers["Run"], int(told.headers["Retry-After"]) > 0]
        refused, ready = service.post("/runs", {"query": "And I?"}), service.get("/ready", token=None)
        assert [(503, "storage_failed")] * 2 == [refused.fault, ready.fault]
        assert [True, True] == ["Retry-After" in each.headers for each in (refused, ready)]
        assert 200 == service.get("/health", token=None).status
        assert "nothing was done" not in f"{told.text}{refused.text}"
        (tmp_path / "go").touch()
        server.start()
        service.becomes(run, "done")
        wait_until(lambda: service.get("/ready", token=None).status == 200)
        again = service.post("/runs", {"query": "Wait."}, Idempotency_Key="key-1")
        assert (run, "It was there.") == (again.json["run"], again.json["answer"])
    errors = (tmp_path / "errors").read_text()
    assert [True, True] == [said in errors for said in (f"run_goes_on (run {run})", "the database cannot be used (")]


@pytest.mark.needs("postgresql")
def test_a_short_restart_is_not_noticed(tmp_path: Path) -> None:
    """Who waits gets the answer, as the service waits for the server too."""
    postgres = program_path("postgresql")
    assert postgres is not None
    with (
        postgresql_server(postgres) as server,
        started(
            tmp_path, "--functions", "tools.py", script=SCRIPT, kept=("--durable",), PURESTEP_DATABASE=server.database()
        ) as service,
    ):
        asking, came = in_background(lambda: service.post("/runs", {"query": "Wait."}))
        wait_until((tmp_path / "waiting").exists)
        server.stop()
        server.start()
        (tmp_path / "go").touch()
        asking.join()
        assert ["done"] == [reply.json["status"] for reply in came]


def worker_error(folder: Path, database: str, *options: str) -> str:
    """Return what a worker says that cannot open its database, in one line."""
    (folder / "script.jsonl").write_text('"x"\n')
    done = subprocess.run(
        [sys.executable, "-m", "purestep_hosts.cli", "worker", "--script", "script.jsonl", *options],
        cwd=folder, env={**base_environment(), "HOME": str(folder), "PURESTEP_DATABASE": database},
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert 0 != done.returncode
    assert "Traceback" not in done.stderr
    return done.stderr


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """The words name the cause, and the file stays as it is."""
    (tmp_path / "notes.txt").write_text("These are notes. " * 400)
    assert "The file is no database, or damaged" in worker_error(tmp_path, "notes.txt")
    assert "These are notes. " * 400 == (tmp_path / "notes.txt").read_text()


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    """A typo in the name of a folder makes no folder."""
    assert "there is no database elsewhere/runs.sqlite" in worker_error(tmp_path, "elsewhere/runs.sqlite")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.needs("postgresql")
def test_addresses_that_are_wrong(postgresql: str, tmp_path: Path) -> None:
    """A server that is not there, and a database that is not: what to check is said."""
    for address in ("postgresql://purestep@127.0.0.1:1/runs", f"{postgresql}/none_such"):
        assert "Check that the server runs, and the address, user, password" in worker_error(tmp_path, address)


def test_a_token_is_not_asked_for_by_probes(tmp_path: Path) -> None:
    """`/ready` writes to the database as a run does, and answers whoever asks."""
    kept = ("--durable", "--create", "--database", "runs.sqlite")
    with started(tmp_path, script=[says("Hello.")], kept=kept) as service:
        assert [200, 200] == [service.get(place, token=None).status for place in ("/ready", "/health")]
        assert "a new database is made at" in (tmp_path / "errors").read_text()
        assert TOKEN not in (tmp_path / "errors").read_text()
