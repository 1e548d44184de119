"""Workers of one database: they share what services order, and who died is replaced at once by a command."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tests.cli.conftest import base_environment
from tests.serve.conftest import TOKEN, calls, in_background, says, started, wait_until

RUNS, STARTS, PERIOD_S = 6, 2, 3
SCRIPT = [calls("wait_for", file="go"), says("It was there.")]


class Workers:
    """Worker processes in a folder; all end with the test."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self.database = database
        self.by_name: dict[str, subprocess.Popen[str]] = {}

    def start(self, name: str, *options: str) -> subprocess.Popen[str]:
        """Start one, with the script of the service unless given a model; it works when this returns, or has ended."""
        model = () if "--base-url" in options else ("--functions", "tools.py", "--script", "script.jsonl")
        given = [*model, "--name", name, *options]
        environment = {**base_environment(), "HOME": str(self._folder), "PURESTEP_DATABASE": self.database}
        worker = subprocess.Popen(
            [sys.executable, "-m", "purestep_hosts.cli", "worker", *given],
            cwd=self._folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._stack.callback(worker.communicate)
        self._stack.callback(worker.kill)
        self.by_name[name] = worker
        assert worker.stdout is not None
        worker.stdout.readline()
        return worker

    def starts(self) -> list[int]:
        """Return when the database let each exchange begin, in milliseconds."""
        with psycopg.connect(self.database) as connection:
            found = connection.execute("SELECT started_at_epoch_ms FROM dbos.workflow_status ORDER BY 1")
            return [moment for (moment,) in found]

    def executor(self) -> str:
        """Return the name of the process that carries an exchange out."""
        with psycopg.connect(self.database) as connection:
            query = "SELECT executor_id FROM dbos.workflow_status WHERE status = 'PENDING'"
            (row,) = connection.execute(query).fetchall()
            return str(row[0]).partition(":")[0]

    def close(self) -> None:
        """End all."""
        self._stack.close()


@pytest.fixture
def workers(server_database: str, tmp_path: Path) -> Iterator[Workers]:
    """No worker yet."""
    found = Workers(tmp_path, server_database)
    yield found
    found.close()


@pytest.mark.needs("postgresql")
def test_runs_of_a_worker_that_was_killed_are_taken_over(workers: Workers, tmp_path: Path) -> None:
    """A service leaves runs to two workers; one is killed in a call that may be repeated, and a third goes on."""
    kept = ("--durable", "--queue-only", "--name", "front")
    options = ("--functions", "tools.py")
    with started(tmp_path, *options, script=SCRIPT, kept=kept, PURESTEP_DATABASE=workers.database) as service:
        workers.start("w1")
        workers.start("w2")
        asking, came = in_background(lambda: service.post("/runs", {"query": "Wait for it."}))
        wait_until((tmp_path / "waiting").exists)
        dead = workers.executor()
        workers.by_name[dead].send_signal(signal.SIGKILL)
        workers.by_name[dead].wait()
        (tmp_path / "go").touch()
        alive = {"w1": "w2", "w2": "w1"}[dead]
        refused = workers.start("w3", "--take-over", alive)
        assert f"another process executes runs as '{alive}'" in refused.communicate()[1]
        run = service.get("/runs").json["runs"][0]["run"]
        assert "running" == service.status_of(run)
        # A script begins anew in each process, and this one asks the model for the second output.
        (tmp_path / "script.jsonl").write_text(f"{json.dumps(SCRIPT[1])}\n")
        workers.start("w4", "--take-over", dead)
        asking.join()
        assert ["It was there."] == [reply.json["answer"] for reply in came]
        log = service.get(f"/runs/{run}/log").text
        # The worker that was there before may take it too, whose script begins with the call once more.
        assert [1, 1] == [log.count('"kind":"resumed"'), log.count('"call_id":"call_1","ok":true')]
        assert TOKEN not in log


@pytest.mark.needs("postgresql")
def test_limits_hold_over_all_workers(workers: Workers, tmp_path: Path) -> None:
    """With one exchange at once in the database, the second waits although a worker is free."""
    kept = ("--durable", "--queue-only", "--name", "front", "--at-once", "1")
    script = SCRIPT * 2  # one worker may carry both out
    with started(
        tmp_path, "--functions", "tools.py", script=script, kept=kept, PURESTEP_DATABASE=workers.database
    ) as service:
        workers.start("w1")
        workers.start("w2")
        asked = [in_background(lambda: service.post("/runs", {"query": "Wait."})) for _ in range(2)]
        wait_until((tmp_path / "waiting").exists)
        wait_until(lambda: len(service.get("/runs").json["runs"]) == len(asked))
        runs = [each["run"] for each in service.get("/runs").json["runs"]]
        begun = [run for run in runs if service.get(f"/runs/{run}/log").text]
        (tmp_path / "go").touch()
        for thread, _ in asked:
            thread.join()
        assert 1 == len(begun)
        assert ["done", "done"] == [came[0].json["status"] for _, came in asked]


@pytest.mark.needs("postgresql")
def test_a_rate_holds_over_all_workers(workers: Workers, tmp_path: Path) -> None:
    """`--rate 2/3`: between a start and the one but one after it lies a whole period, whichever worker began it."""
    rate = ("--rate", f"{STARTS}/{PERIOD_S}")
    kept = ("--durable", "--queue-only", "--name", "front", *rate)
    script = [says("Hello.")] * RUNS
    with started(
        tmp_path, "--functions", "tools.py", script=script, kept=kept, PURESTEP_DATABASE=workers.database
    ) as service:
        workers.start("w1", *rate)
        workers.start("w2", *rate)
        asked = [in_background(lambda: service.post("/runs", {"query": "Hello?"})) for _ in range(RUNS)]
        for thread, _ in asked:
            thread.join()
        assert ["done"] * RUNS == [came[0].json["status"] for _, came in asked]
    found = workers.starts()
    assert RUNS == len(found)
    between = [later - earlier for earlier, later in zip(found, found[STARTS:], strict=False)]
    assert [True] * len(between) == [each >= PERIOD_S * 1000 for each in between]
