"""Old runs are deleted from a database with all that is kept of them, and no others."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import sqlalchemy

from purestep_hosts import approved
from purestep_hosts.cli.durable_commands import prune_runs
from purestep_hosts.durable import DurableError, DurableRuns
from purestep_hosts.durable.pruning import prune
from tests.durable.booking import LIMIT_S, booking_agent

DAY_MS = 86_400_000


@pytest.fixture(params=["file_database", pytest.param("server_database", marks=pytest.mark.needs("postgresql"))])
def database(request: pytest.FixtureRequest) -> str:
    """An SQLite file, and a database of a server."""
    found: str = request.getfixturevalue(request.param)
    return found


def rows(database: str) -> dict[str, int]:
    """Count the rows of each table that a run fills."""
    is_server = "://" in database
    url = database.replace("postgresql:", "postgresql+psycopg:") if is_server else f"sqlite:///{database}"
    schema = "dbos." if is_server else ""
    names = ["purestep_run", "purestep_log", *[f"{schema}workflow_{each}" for each in ("status", "input", "output")]]
    connections = sqlalchemy.create_engine(url)
    with connections.connect() as connection:
        found = {name: connection.scalar(sqlalchemy.text(f"SELECT count(*) FROM {name}")) for name in names}
    connections.dispose()
    return found


def test_only_runs_that_have_ended_are_deleted(database: str, tmp_path: Path) -> None:
    """Counted first; the run that waits stays, and is answered later; nothing of the other is left."""
    later = int(time.time() * 1000) + DAY_MS
    with DurableRuns(booking_agent(tmp_path), database) as runs:
        waiting = runs.start("Pay")
        (call,) = runs.wait(waiting, LIMIT_S).approvals
        alone = rows(database)
        ended = runs.start("Book")
        runs.wait(ended, LIMIT_S)
        assert 0 == prune(database, later - 2 * DAY_MS, deletes=True).runs
        before = rows(database)
        counted = prune(database, later, deletes=False)
        assert (1, len(runs.log(ended)), before) == (counted.runs, counted.log_chars, rows(database))
        assert counted == prune(database, later, deletes=True)
        assert alone == rows(database)
        with pytest.raises(DurableError) as refusal:
            runs.log(ended)
        assert "run_not_found" == refusal.value.code
        runs.approve(waiting, [approved(call)])
        assert "done" == runs.wait(waiting, LIMIT_S).status


def test_the_command_counts_unless_it_is_told_to_delete(
    file_database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it would delete is said, and how to."""
    with DurableRuns(booking_agent(tmp_path), file_database) as runs:
        run_id = runs.start("Book")
        runs.wait(run_id, LIMIT_S)
        time.sleep(0.01)  # older than 0 days is what was before this millisecond
        prune_runs(0, file_database, deletes=False)
        assert "--delete does" in capsys.readouterr().err
        assert "done" == runs.status(run_id)
        prune_runs(0, file_database, deletes=True)
        assert "1 run," in capsys.readouterr().err
    assert {0} == set(rows(file_database).values())
