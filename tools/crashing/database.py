"""Runs in a database, by the durable host."""

import multiprocessing
import random
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final, Protocol
from uuid import uuid4

from purestep_hosts.durable import DurableError, DurableRuns
from purestep_hosts.durable import runs as durable_runs
from purestep_hosts.durable.log_table import LogRow, LogTable
from purestep_hosts.durable.orders import RunOrders
from purestep_hosts.durable.run_table import RunTable

from .points import Points, watch_sink
from .scenario import QUERY, MadeAgent, Outside, agent_of, answers, come

RUN_ID: Final = "run-1"
_LIMIT_S: Final = 600.0
_POLL_S: Final = 0.25
"""Each look at a run costs more than a step of it, and most of a trial is waiting."""


class Databases(Protocol):
    """Makes a database for each trial, a copy of one whose tables are made once."""

    def address(self, folder: Path) -> str:
        """Return the address of the database of a trial's folder, which is made the first time."""
        ...

    def remove(self, folder: Path) -> None:
        """Remove what a trial left elsewhere than in its folder."""
        ...


class DatabaseRuns:
    """The run of one trial, in a database of its own."""

    def __init__(self, databases: Databases, folder: Path, made: MadeAgent = agent_of) -> None:
        self._made = made
        self._databases = databases
        self._folder = folder
        self._outside = Outside(folder)

    def play(self, seed: int, points: Points) -> None:
        """Begin the run, or go on with what is there, to its end.

        The database is not closed: DBOS waits a second for its threads, and this process ends without them.
        """
        watch_sink(points)
        _watch(points, self._outside)
        durable_runs._POLL_S = _POLL_S  # type: ignore[misc]
        runs = DurableRuns(self._made(seed, self._outside, points), self._databases.address(self._folder))
        try:
            if runs.status(RUN_ID) == "broken":  # killed before the order was stored, so nobody was told of it
                runs.start(None if runs.log(RUN_ID) else QUERY, run_id=RUN_ID)
        except DurableError:
            runs.start(QUERY, run_id=RUN_ID)
        while (result := runs.wait(RUN_ID, _LIMIT_S)).status == "waiting" or result.late:
            if results := come(seed, result, points):
                runs.give_results(RUN_ID, results)
            else:
                runs.approve(RUN_ID, answers(seed, result.approvals, points))
        (self._folder / "head").write_text(result.state.head)
        (self._folder / "log").write_text(result.log)

    def found(self) -> tuple[str, str]:
        """Return the log and the head, as the last process read them from the database."""
        return (self._folder / "log").read_text(), (self._folder / "head").read_text()

    def remove(self) -> None:
        """Remove the database."""
        self._databases.remove(self._folder)


class SqliteFiles:
    """Databases in files; template: the one to copy."""

    def __init__(self, template: Path) -> None:
        self._template = template
        _make_tables(str(template))

    def address(self, folder: Path) -> str:
        """Return the place of the file."""
        place = folder / "runs.sqlite"
        if not place.exists():
            shutil.copyfile(self._template, place)
        return str(place)

    def remove(self, folder: Path) -> None:
        """Remove nothing: the file is in the folder."""


class PostgresqlDatabases:
    """Databases of a server; server: its address, without a database."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._template = self._created()
        _make_tables(f"{server}/{self._template}")

    def address(self, folder: Path) -> str:
        """Return the address of the database."""
        place = folder / "database"
        if not place.exists():
            place.write_text(self._created(f" TEMPLATE {self._template}"))
        return f"{self._server}/{place.read_text()}"

    def remove(self, folder: Path) -> None:
        """Drop the database, if the trial came so far as to have one."""
        place = folder / "database"
        if place.exists():
            self._execute(f"DROP DATABASE {place.read_text()} WITH (FORCE)")

    def close(self) -> None:
        """Drop the template."""
        self._execute(f"DROP DATABASE {self._template} WITH (FORCE)")

    def _created(self, like: str = "") -> str:
        name = f"crash_{uuid4().hex}"
        self._execute(f"CREATE DATABASE {name}{like}")
        return name

    def _execute(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(f"{self._server}/postgres", autocommit=True) as connection:
            connection.execute(statement.encode())


def _make_tables(database: str) -> None:
    """Make the tables of an empty database, in a process whose threads end with it."""
    process = multiprocessing.get_context("fork").Process(target=_opened, args=(database,))
    process.start()
    process.join()
    assert process.exitcode == 0, f"the tables of {database} cannot be made"


def _opened(database: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        outside = Outside(Path(name))
        DurableRuns(agent_of(0, outside, Points(0, random.Random(0))), database).close()


def _watch(points: Points, outside: Outside) -> None:
    """Have what is written pass boundaries, for as long as this process lives."""
    append, keep_result, order, place = (
        LogTable.append, LogTable.keep_result, RunTable.order, RunOrders._place,
    )  # fmt: skip

    def appended(table: LogTable, row: LogRow, *timers: Any) -> None:
        points.reach()
        append(table, row, *timers)
        outside.note("witness", row.log)
        points.reach()

    def around(function: Any) -> Any:
        def passed(*given: Any, **named: Any) -> Any:
            points.reach()
            came = function(*given, **named)
            points.reach()
            return came

        return passed

    LogTable.append = appended  # type: ignore[method-assign,assignment]
    LogTable.keep_result = around(keep_result)  # type: ignore[method-assign]
    RunTable.order = around(order)  # type: ignore[method-assign]
    RunOrders._place = around(place)  # type: ignore[method-assign]
