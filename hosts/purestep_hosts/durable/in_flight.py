"""The runs of a database that are under way, read beside the processes that carry them out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from purestep_hosts.deploy_check import StoredLog
from purestep_hosts.durable.database import Database
from purestep_hosts.durable.log_table import LogTable
from purestep_hosts.durable.tables import LOG, RUNS, WORKERS, now_ms, prepare
from purestep_hosts.extras import DURABLE

with DURABLE:
    import sqlalchemy
    from sqlalchemy import or_, select

_EXECUTOR: Final = "deploy-check"
"""The name whose lock keeps a second one away."""


def logs_under_way(place: Path | str) -> Iterator[StoredLog]:
    """Yield the logs of the runs that have not ended, or have calls that go on elsewhere.

    place: as for `DurableRuns`. Raises DurableError: `bad_address`, `database_unusable`, `executor_in_use`,
    `other_version`.
    """
    with _opened(place) as connections:
        elsewhere = select(LOG.c.run_id).where(LOG.c.log.contains('"kind":"tool_pending"'))
        wanted = select(RUNS.c.run_id).where(
            or_(RUNS.c.status.in_(("running", "waiting")), RUNS.c.run_id.in_(elsewhere))
        )
        with connections.connect() as connection:
            run_ids = list(connection.scalars(wanted.order_by(RUNS.c.run_id)))
        logs = LogTable(connections)
        for run_id in run_ids:
            yield StoredLog(run_id, logs.text(run_id))


def living_agents(place: Path | str) -> frozenset[str]:
    """Return the digests of the agents whose processes are alive, so that none of their runs is stranded.

    Raises as `logs_under_way`.
    """
    with _opened(place) as connections, connections.connect() as connection:
        living = WORKERS.c.beat + WORKERS.c.lease_ms >= now_ms(connection)
        return frozenset(connection.scalars(select(WORKERS.c.agent).where(living)))


@contextmanager
def _opened(place: Path | str) -> Iterator[sqlalchemy.Engine]:
    with closing(Database(place, _EXECUTOR)) as database, database.usable():
        prepare(database.connections)
        yield database.connections
