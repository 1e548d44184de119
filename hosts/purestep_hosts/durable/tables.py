"""The tables of durable runs, beside those of DBOS, and the format that they are in."""

from __future__ import annotations

from typing import Any, Final

from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import DurableError

with DURABLE:
    import sqlalchemy
    from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, String, Table, Text, cast, func, select

FORMAT: Final = 3
"""Raised when a release writes what an older one would misread."""

METADATA: Final = sqlalchemy.MetaData()


class Word(sqlalchemy.TypeDecorator[str]):
    """A short text from outside, in a form that every database takes: PostgreSQL has no text with NUL."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sqlalchemy.Dialect) -> str | None:
        """Return the text with U+FFFD in the place of NUL; no id has either, so one with NUL is not found."""
        return None if value is None else value.replace("\0", "\ufffd")


class Words(Word):
    """The same, of any length."""

    impl = Text
    cache_ok = True


LOG: Final = Table(
    "purestep_log",
    METADATA,
    Column("run_id", String(64), primary_key=True),
    Column("exchange", Integer, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("log", Text, nullable=False),
    Column("head", String(64), nullable=False),
    Column("status", String(16), nullable=False),
    Column("execution", String(64), nullable=False),
    sqlite_with_rowid=False,
)
"""The lines of each step in a row, which is written once and never changed."""

RUNS: Final = Table(
    "purestep_run",
    METADATA,
    Column("run_id", Word(64), primary_key=True),
    Column("owner", String(32), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("query", Words, nullable=False),
    Column("ordered", Integer, nullable=False),
    Column("exchange", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("execution", String(64), nullable=False, server_default=""),
    Index("purestep_run_of_owner", "owner", "created_ms", "run_id"),
    sqlite_with_rowid=False,
)
"""A row for each run: `ordered` is the number of its last order, `exchange` that of the last one that was begun, and
`execution` the one that may write: an exchange that was taken over has another."""

WORKERS: Final = Table(
    "purestep_worker",
    METADATA,
    Column("executor", String(128), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("agent", String(64), nullable=False),
    Column("token", String(16), nullable=False),
    Column("beat", BigInteger, nullable=False),
    Column("lease_ms", Integer, nullable=False),
)
"""The processes that execute runs; see `leases`."""

RESULTS: Final = Table(
    "purestep_result",
    METADATA,
    Column("run_id", String(64), primary_key=True),
    Column("call_id", String(64), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("result", Text, nullable=False),
)
"""Results of calls that run beside others, until the log has them."""

TIMERS: Final = Table(
    "purestep_timer",
    METADATA,
    Column("run_id", String(64), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("agent", String(64), nullable=False),
    Column("due_ms", BigInteger, nullable=False),
    Index("purestep_timer_due", "due_ms"),
)
"""Calls that wait for a time, by their keys, until their results are ordered; `agent`: the definition that goes on.
Added to format 3: an older release has no such calls, and lets the table be."""

CHATS: Final = Table(
    "purestep_chat",
    METADATA,
    Column("owner", String(32), primary_key=True),
    Column("thread", String(64), primary_key=True),
    Column("run_id", String(64), nullable=False),
)
"""Which run a client's own id of a chat stands for; `thread` is the SHA-256 of the id."""

KEYS: Final = Table(
    "purestep_key",
    METADATA,
    Column("owner", String(32), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("body", String(64), nullable=False),
    Column("run_id", String(64), nullable=False, index=True),
)
"""Which run a client's Idempotency-Key stands for; `key` and `body` are the SHA-256 of what was sent."""

ATTACHMENTS: Final = Table(
    "purestep_attachment",
    METADATA,
    Column("run_id", String(64), primary_key=True),
    Column("digest", String(64), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""Images and files that users sent, under the SHA-256 of their bytes."""

_FORMAT: Final = Table("purestep_format", METADATA, Column("format", Integer, primary_key=True))


def prepare(connections: sqlalchemy.Engine) -> None:
    """Make the tables that are missing; raises DurableError `other_version` for those of a newer release."""
    with connections.begin() as connection:
        if connection.dialect.name == "postgresql":
            # Several processes may be started at once: the second one finds what the first one made.
            connection.execute(sqlalchemy.text("SELECT pg_advisory_xact_lock(hashtext('purestep tables'))"))
        METADATA.create_all(connection)
        found = _format(connection)
        if found is None:
            connection.execute(_FORMAT.insert().values(format=FORMAT))
            _add_runs(connection)
        elif found < FORMAT:
            connection.execute(_FORMAT.update().values(format=FORMAT))
            text = "ALTER TABLE purestep_run ADD COLUMN execution VARCHAR(64) NOT NULL DEFAULT ''"
            connection.execute(sqlalchemy.text(text))


def has_runs(connections: sqlalchemy.Engine) -> bool:
    """Whether there are the tables of runs, of which none is made; raises DurableError `other_version` as `prepare`."""
    with connections.connect() as connection:
        there = sqlalchemy.inspect(connection).get_table_names()
        return {RUNS.name, LOG.name, _FORMAT.name} <= set(there) and _format(connection) is not None


def _format(connection: sqlalchemy.Connection) -> int | None:
    """Return the format of the tables, None of those that have just been made; raises `other_version`."""
    found: int | None = connection.scalar(select(func.max(_FORMAT.c.format)))
    if found is not None and found > FORMAT:
        raise DurableError(
            "other_version",
            f"The database is in format {found} and this release reads format {FORMAT}. Install the release that "
            "made it, or a newer one; nothing was changed.",
        )
    return found


def now_ms(connection: sqlalchemy.Connection) -> Any:
    """Return the time of the database as an expression, in milliseconds: the clocks of processes differ."""
    if connection.dialect.name == "sqlite":
        return cast((func.julianday("now") - 2440587.5) * 86_400_000, BigInteger)  # since noon of the year -4713
    return cast(func.extract("epoch", func.clock_timestamp()) * 1000, BigInteger)


def workflows_of(connections: sqlalchemy.Engine) -> Table:
    """Return the table that DBOS has of workflows, as far as it is read here."""
    names = ("workflow_uuid", "status", "name", "executor_id", "queue_name")
    schema = None if connections.dialect.name == "sqlite" else "dbos"
    return Table("workflow_status", sqlalchemy.MetaData(), *[Column(name, Text) for name in names], schema=schema)


def _add_runs(connection: sqlalchemy.Connection) -> None:
    """Add the rows of runs that were begun when there was only the log."""
    last = select(LOG.c.run_id, func.max(LOG.c.exchange).label("exchange")).group_by(LOG.c.run_id).subquery()
    for run_id, exchange in connection.execute(select(last.c.run_id, last.c.exchange)).all():
        rows = select(LOG.c.status).where(LOG.c.run_id == run_id, LOG.c.exchange == exchange)
        status = connection.scalar(rows.order_by(LOG.c.position.desc()).limit(1))
        values = {"owner": "", "created_ms": 0, "query": "", "ordered": exchange, "exchange": exchange}
        connection.execute(RUNS.insert().values(run_id=run_id, status=status, **values))
