"""The time that DBOS has SQLite write, which it asks for by the release of Python and not by that of SQLite."""

from __future__ import annotations

import gc
import sqlite3
import time
from pathlib import Path

import sqlalchemy

from purestep_hosts import Agent, ScriptedModel, says
from purestep_hosts.durable import DurableRuns
from purestep_hosts.durable.sqlite_time import TimedConnection, timed_connections
from tests.durable.booking import LIMIT_S

TABLE = "CREATE TABLE t (id INTEGER, at INTEGER NOT NULL DEFAULT (unixepoch('subsec') * 1000))"
"""As DBOS writes it under Python 3.12 and later."""


def test_any_sqlite_writes_milliseconds(tmp_path: Path) -> None:
    """SQLite before 3.42 gives NULL, which the column refuses, and so no database could be made."""
    connections = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'times.sqlite'}", **timed_connections())
    before = time.time()
    with connections.begin() as connection:
        connection.execute(sqlalchemy.text(TABLE))
        connection.execute(sqlalchemy.text("INSERT INTO t (id) VALUES (1)"))
    with connections.begin() as connection:
        asked = connection.execute(sqlalchemy.text("SELECT at, unixepoch('subsec') FROM t")).one()
    assert before - 1 <= asked[0] / 1000 <= asked[1] <= time.time() + 1
    connections.dispose()


def test_no_connection_of_a_process_is_without_it(tmp_path: Path) -> None:
    """Neither those of DBOS nor our own; the one that sets up the file is closed by then."""
    with DurableRuns(Agent(ScriptedModel([says("Hello.")])), tmp_path / "runs.sqlite") as runs:
        assert "done" == runs.wait(runs.start("Hi"), LIMIT_S).status
        found = [each for each in gc.get_objects() if isinstance(each, sqlite3.Connection)]
        found = [each for each in found if _is_of(each, tmp_path)]
        assert found
        assert {TimedConnection} == {type(each) for each in found}


def _is_of(connection: sqlite3.Connection, folder: Path) -> bool:
    try:
        return any(str(folder) in row[2] for row in connection.execute("PRAGMA database_list"))
    except sqlite3.ProgrammingError:  # it is closed, or another thread's
        return False
