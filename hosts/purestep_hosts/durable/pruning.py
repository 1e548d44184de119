"""Deletes old runs of a database, with everything that is kept of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from purestep_hosts.durable.database import Database
from purestep_hosts.durable.tables import ATTACHMENTS, CHATS, KEYS, LOG, RESULTS, RUNS, TIMERS, prepare
from purestep_hosts.extras import DURABLE

with DURABLE:
    import sqlalchemy
    from dbos import DBOSClient, DBOSPortableJSONSerializer
    from sqlalchemy import and_, delete, func, select

_ENDED: Final = ("done", "failed")
_AT_ONCE: Final = 100
"""Runs that are looked at together: a writer of SQLite waits for no more than a few of them."""
_EXECUTOR: Final = "prune"
"""The name whose lock keeps a second one away."""


class Pruned(msgspec.Struct, frozen=True, kw_only=True):
    """What was deleted, or would be: runs, and the characters of their logs."""

    runs: int
    log_chars: int


def prune(place: Path | str, before_ms: int, *, deletes: bool) -> Pruned:
    """Delete the runs that have ended, and where nothing has happened since a moment; or only count them.

    place: as for `DurableRuns`. before_ms: milliseconds since 1970. Runs that go on, wait for a person or are broken
    are never deleted, nor those whose calls wait for a time. Raises DurableError: `bad_address`, `database_full`,
    `database_unusable`, `executor_in_use`, `other_version`.
    """
    with closing(Database(place, _EXECUTOR)) as database, database.usable():
        connections = database.connections
        prepare(connections)
        schema = None if connections.dialect.name == "sqlite" else "dbos"
        if not sqlalchemy.inspect(connections).has_table("workflow_status", schema=schema):
            return Pruned(runs=0, log_chars=0)
        client = DBOSClient(
            system_database_engine=connections,
            serializer=DBOSPortableJSONSerializer(),
            retry_connection_errors=False,
        )
        try:
            return _pruned(connections, client, before_ms, deletes=deletes)
        finally:
            client.destroy()


def _pruned(connections: sqlalchemy.Engine, client: DBOSClient, before_ms: int, *, deletes: bool) -> Pruned:
    runs = chars = 0
    for orders in _pages(connections, before_ms):
        for run_id, ordered in _idle(client, orders, before_ms):
            lines = select(func.coalesce(func.sum(func.length(LOG.c.log)), 0)).where(LOG.c.run_id == run_id)
            with connections.connect() as connection:
                size = int(connection.scalar(lines) or 0)
            if not deletes or _deleted(connections, client, run_id, ordered):
                runs, chars = runs + 1, chars + size
    return Pruned(runs=runs, log_chars=chars)


def _pages(connections: sqlalchemy.Engine, before_ms: int) -> Iterator[dict[str, int]]:
    """Return the runs that had ended at their last row, with the number of their last order."""
    last = ""
    waits = and_(RUNS.c.status == "done", RUNS.c.run_id.in_(select(TIMERS.c.run_id)))
    ended = (RUNS.c.status.in_(_ENDED), RUNS.c.ordered == RUNS.c.exchange, RUNS.c.created_ms < before_ms, ~waits)
    while True:
        rows = select(RUNS.c.run_id, RUNS.c.ordered).where(*ended, RUNS.c.run_id > last)
        with connections.connect() as connection:
            found = connection.execute(rows.order_by(RUNS.c.run_id).limit(_AT_ONCE)).all()
        if not found:
            return
        yield {row.run_id: row.ordered for row in found}
        last = found[-1].run_id


def _idle(client: DBOSClient, orders: dict[str, int], before_ms: int) -> list[tuple[str, int]]:
    """Return those whose last order was carried out before a moment; one without its workflow was half deleted."""
    names = [f"{run_id}:{ordered}" for run_id, ordered in orders.items()]
    found = client.list_workflows(workflow_ids=names, load_input=False, load_output=False)
    kept = {
        each.workflow_id for each in found if each.status != "SUCCESS" or (each.updated_at or before_ms) >= before_ms
    }
    return [(run_id, ordered) for run_id, ordered in orders.items() if f"{run_id}:{ordered}" not in kept]


def _deleted(connections: sqlalchemy.Engine, client: DBOSClient, run_id: str, ordered: int) -> bool:
    """Delete a run, and tell whether it was: one that goes on meanwhile is left.

    The workflows first: cut off in between, the run is found again, and one that goes on misses none of them.
    """
    for number in range(1, ordered + 1):
        client.delete_workflow(f"{run_id}:{number}")
    still = (RUNS.c.run_id == run_id, RUNS.c.ordered == ordered, RUNS.c.status.in_(_ENDED))
    with connections.begin() as connection:
        if connection.execute(delete(RUNS).where(*still)).rowcount == 0:
            return False
        for table in (LOG, RESULTS, CHATS, KEYS, ATTACHMENTS, TIMERS):
            connection.execute(delete(table).where(table.c.run_id == run_id))
    return True
