"""The runs of a database that are under way, read beside the processes that carry them out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from purestep_hosts.deploy_check import StoredLog
from purestep_hosts.durable.database import Database, reading
from purestep_hosts.durable.log_table import log_text
from purestep_hosts.durable.tables import LOG, RUNS, WORKERS, has_runs, now_ms, prepare
from purestep_hosts.extras import DURABLE

with DURABLE:
    from sqlalchemy import or_, select


def keeps_runs(place: Path | str) -> bool:
    """Whether a database has the tables of runs; raises DurableError as `logs_under_way`."""
    with reading(place) as connections:
        return has_runs(connections)


def logs_under_way(place: Path | str) -> Iterator[StoredLog]:
    """Yield the logs of the runs that have not ended, or have calls that go on elsewhere; nothing is written.

    place: as for `DurableRuns`, where runs are kept. Raises DurableError: `bad_address`, `database_unusable`,
    `other_version`.
    """
    with reading(place) as connections:
        elsewhere = select(LOG.c.run_id).where(LOG.c.log.contains('"kind":"tool_pending"'))
        wanted = select(RUNS.c.run_id).where(
            or_(RUNS.c.status.in_(("running", "waiting")), RUNS.c.run_id.in_(elsewhere))
        )
        with connections.connect() as connection:
            run_ids = list(connection.scalars(wanted.order_by(RUNS.c.run_id)))
        for run_id in run_ids:
            yield StoredLog(run_id, log_text(connections, run_id))


def other_living_agents(place: Path | str, name: str) -> frozenset[str]:
    """Return the digests of the agents of other processes that are alive, so that none of their runs is stranded.

    name: the one under which this process is to execute runs. What had it before is dead, since its lock is free, also
    where it was killed and its lease has not ended. Raises DurableError as `DurableRuns`, whose tables it makes.
    """
    with closing(Database(place, name)) as database, database.usable():
        prepare(database.connections)
        with database.connections.connect() as connection:
            living = WORKERS.c.beat + WORKERS.c.lease_ms >= now_ms(connection)
            return frozenset(connection.scalars(select(WORKERS.c.agent).where(living, WORKERS.c.name != name)))
