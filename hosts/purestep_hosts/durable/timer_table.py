"""The table of calls that wait for a time: written with the lines of the log that say so, read when they are due."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from purestep_hosts.durable.tables import TIMERS
from purestep_hosts.extras import DURABLE

with DURABLE:
    import sqlalchemy
    from sqlalchemy import delete, func, insert, select

MAX_LOOKED_AT: Final = 1000
"""Runs that are looked at together; those that cannot be gone on with are passed over, so the others come too."""


def arm(connection: sqlalchemy.Connection, run_id: str, agent: str, timers: Mapping[str, int]) -> None:
    """Write down when calls are due, in the transaction of a connection; those that are there already stay."""
    if not timers:
        return
    there = set(connection.scalars(select(TIMERS.c.key).where(TIMERS.c.run_id == run_id)))
    rows = [
        {"run_id": run_id, "key": key, "agent": agent, "due_ms": due} for key, due in timers.items() if key not in there
    ]
    if rows:
        connection.execute(insert(TIMERS), rows)


class TimerTable:
    """The calls of all runs of a database that wait for a time."""

    def __init__(self, connections: sqlalchemy.Engine) -> None:
        self._connections = connections

    def due(self, now_ms: int, agent: str | None, passed_over: Collection[str]) -> list[str]:
        """Return the runs with calls that are due, but for some; agent: of that definition alone."""
        wanted = select(TIMERS.c.run_id).where(TIMERS.c.due_ms <= now_ms, TIMERS.c.run_id.not_in(passed_over))
        if agent is not None:
            wanted = wanted.where(TIMERS.c.agent == agent)
        ordered = wanted.group_by(TIMERS.c.run_id).order_by(func.min(TIMERS.c.due_ms)).limit(MAX_LOOKED_AT)
        with self._connections.connect() as connection:
            return list(connection.scalars(ordered))

    def keys(self, run_id: str) -> set[str]:
        """Return the calls of a run that are written down."""
        with self._connections.connect() as connection:
            return set(connection.scalars(select(TIMERS.c.key).where(TIMERS.c.run_id == run_id)))

    def drop(self, run_id: str, keys: Collection[str]) -> None:
        """Forget calls of a run."""
        with self._connections.begin() as connection:
            connection.execute(delete(TIMERS).where(TIMERS.c.run_id == run_id, TIMERS.c.key.in_(keys)))
