"""The table of the logs: the lines of each step in one row, which is written once and never changed."""

from __future__ import annotations

from typing import Final

import msgspec

from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import DurableError, StepStatus

with DURABLE:
    import sqlalchemy
    from sqlalchemy import Column, Integer, String, Text, select

_TABLE: Final = sqlalchemy.Table(
    "purestep_log",
    sqlalchemy.MetaData(),
    Column("run_id", String(64), primary_key=True),
    Column("exchange", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("log", Text, nullable=False),
    Column("head", String(64), nullable=False),
    Column("status", String(16), nullable=False),
    Column("execution", String(64), nullable=False),
)


class LogRow(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of one step.

    exchange: the number of the user message, from 1. position: that of the step in its exchange, from 0. status: what
    the step's decision leaves the run as. execution: which execution of the workflow wrote the row first.
    """

    run_id: str
    exchange: int
    position: int
    log: str
    head: str
    status: StepStatus
    execution: str


class LogTable:
    """The logs of all runs of a database."""

    def __init__(self, connections: sqlalchemy.Engine) -> None:
        """Make the table if there is none."""
        self._connections = connections
        _TABLE.metadata.create_all(connections)

    def append(self, row: LogRow) -> str:
        """Write a row in a transaction of its own, and return which execution wrote it: this or an earlier one.

        A run that goes on after a kill derives the same lines again. Raises DurableError `log_differs` for others.
        """
        with self._connections.begin() as connection:
            found = connection.execute(
                select(_TABLE.c.log, _TABLE.c.execution).where(
                    _TABLE.c.run_id == row.run_id,
                    _TABLE.c.exchange == row.exchange,
                    _TABLE.c.position == row.position,
                )
            ).first()
            if found is None:
                connection.execute(_TABLE.insert().values(msgspec.structs.asdict(row)))
                return row.execution
        if found.log != row.log:
            text = (
                f"Step {row.position} of exchange {row.exchange} of run {row.run_id} comes out otherwise than it is "
                "stored: the agent or purestep was changed meanwhile. Start the run again without a query: it goes on "
                "from its log."
            )
            raise DurableError("log_differs", text)
        return str(found.execution)

    def text(self, run_id: str, before: int | None = None) -> str:
        """Return the lines of a run; before: the exchange up to which, without it."""
        lines = select(_TABLE.c.log).where(_TABLE.c.run_id == run_id)
        if before is not None:
            lines = lines.where(_TABLE.c.exchange < before)
        with self._connections.connect() as connection:
            return "".join(connection.scalars(lines.order_by(_TABLE.c.exchange, _TABLE.c.position)))

    def last(self, run_id: str, exchange: int) -> tuple[int, StepStatus] | None:
        """Return the last position of an exchange and the status there; None before its first step."""
        rows = select(_TABLE.c.position, _TABLE.c.status).where(
            _TABLE.c.run_id == run_id, _TABLE.c.exchange == exchange
        )
        with self._connections.connect() as connection:
            found = connection.execute(rows.order_by(_TABLE.c.position.desc()).limit(1)).first()
        return None if found is None else (found.position, found.status)
