"""Runs in a database, by the durable host."""

from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from purestep_hosts.durable import DurableError, DurableRuns
from purestep_hosts.durable.log_table import LogRow, LogTable
from purestep_hosts.durable.orders import RunOrders
from purestep_hosts.durable.run_table import RunTable

from .points import Points, watch_sink
from .scenario import QUERY, Outside, agent_of, answers

RUN_ID: Final = "run-1"
_LIMIT_S: Final = 600.0


class SqliteRuns:
    """The run of one trial, in a file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._outside = Outside(folder)

    @property
    def database(self) -> str:
        """The place of the database."""
        return str(self._folder / "runs.sqlite")

    def play(self, seed: int, points: Points) -> None:
        """Begin the run, or go on with what is there, to its end."""
        watch_sink(points)
        _watch(points, self._outside)
        with DurableRuns(agent_of(seed, self._outside, points), self.database) as runs:
            try:
                if runs.status(RUN_ID) == "broken":  # killed before the order was stored, so nobody was told of it
                    runs.start(None if runs.log(RUN_ID) else QUERY, run_id=RUN_ID)
            except DurableError:
                runs.start(QUERY, run_id=RUN_ID)
            while (result := runs.wait(RUN_ID, _LIMIT_S)).status == "waiting":
                runs.approve(RUN_ID, answers(seed, result.approvals, points))
            (self._folder / "head").write_text(result.state.head)
            (self._folder / "log").write_text(result.log)

    def found(self) -> tuple[str, str]:
        """Return the log and the head, as the last process read them from the database."""
        return (self._folder / "log").read_text(), (self._folder / "head").read_text()


def postgresql_runs(server: str) -> Any:
    """Return runs each of which is in a database of its own; server: its address, without a database."""

    class PostgresqlRuns(SqliteRuns):
        """The run of one trial, in a database of a server."""

        @property
        def database(self) -> str:
            """The address of the trial's database, which is made once."""
            import psycopg

            place = self._folder / "database"
            if not place.exists():
                name = f"crash_{uuid4().hex}"
                with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
                    connection.execute(f"CREATE DATABASE {name}".encode())
                place.write_text(name)
            return f"{server}/{place.read_text()}"

    return PostgresqlRuns


def _watch(points: Points, outside: Outside) -> None:
    """Have what is written pass boundaries, for as long as this process lives."""
    append, keep_result, order, place = (
        LogTable.append, LogTable.keep_result, RunTable.order, RunOrders._place,
    )  # fmt: skip

    def appended(table: LogTable, row: LogRow) -> None:
        points.reach()
        append(table, row)
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
