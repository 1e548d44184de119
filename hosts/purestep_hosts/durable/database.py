"""The database of durable runs: its address, its connections, and the lock of the process that executes runs in it."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import logging
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from purestep_hosts.durable.sqlite_time import timed_connections
from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import DurableError

with DURABLE:
    import sqlalchemy

_logger: Final = logging.getLogger("purestep_hosts.durable")
_EXECUTOR: Final = re.compile(r"[A-Za-z0-9-]{1,64}", re.ASCII)
_BUSY_MS: Final = 30_000
"""How long a writer waits for another one in SQLite, as DBOS does."""

_CONNECT_S: Final = 10
"""How long a server may take to answer."""
_LOCK_MS: Final = 5_000
"""How long a host waits for the server to let go of the lock of one that was killed."""
_LOCK_NOT_AVAILABLE: Final = "55P03"  # an SQLSTATE
_DISK_FULL: Final = "53100"
_FULL_NUMBERS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_PRIMARY: Final = 0xFF
"""The part of SQLite's extended codes that names the kind."""
_MOST_CONNECTIONS: Final = 10
"""Of one process beside those of DBOS: a hundred is what PostgreSQL takes by default, of all processes."""


_MOST_ORDERS: Final = 4
"""That are given at once: one that waits for room on the server's disk holds its connection until there is some."""


class Database:
    """An open database, in which no other process executes runs under the same name."""

    def __init__(self, place: Path | str, executor: str) -> None:
        """Open a database.

        place: the file of an SQLite database, which is made if it is missing, or a `postgresql://` address. executor:
        the name under which this process executes runs. Raises DurableError: `bad_address`, `database_full`,
        `database_unusable`, `executor_in_use`.
        """
        _check_name(executor)
        self._place = place
        self._release: Callable[[], None] = lambda: None
        self._is_server = _is_server(place)
        try:
            self.url, self.connections = _postgresql(str(place)) if self._is_server else _sqlite(Path(place))
            # Of their own: in the pool, who orders would wait for a connection of those who wait to order.
            self._locks = _postgresql(str(place), _MOST_ORDERS)[1] if self._is_server else self.connections
            try:
                self._release = self._locked(executor)
            except BaseException:
                self.connections.dispose()
                raise
        except (OSError, sqlite3.Error, sqlalchemy.exc.SQLAlchemyError) as error:
            raise unusable(error) from None

    def _locked(self, executor: str) -> Callable[[], None]:
        return _connection_lock(self.connections, executor) if self._is_server else _file_lock(self._place, executor)

    @contextmanager
    def name_of(self, executor: str) -> Iterator[None]:
        """Hold the name of another executor, which has ended; raises DurableError `executor_in_use`."""
        _check_name(executor)
        release = self._locked(executor)
        try:
            yield
        finally:
            release()

    @contextmanager
    def ordering(self, run_id: str) -> Iterator[None]:
        """Have no other process order anything for a run during a block.

        An order is two writes, of which one is by DBOS: in between, another process would take it for broken.
        """
        if self._is_server:
            lock = sqlalchemy.text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")
            with self._locks.begin() as connection:
                connection.execute(lock, {"name": f"purestep order {run_id}"})
                yield
            return
        path = Path(self._place).resolve()
        descriptor = _opened_lock(path.with_name(f"{path.name}.orders.lock"))
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def usable(self) -> AbstractContextManager[None]:
        """Raise DurableError `database_unusable` or `database_full` for what the database raises in a block."""
        return _usable()

    def close(self) -> None:
        """Give the lock back and close all connections."""
        self._release()
        self._locks.dispose()
        self.connections.dispose()


@contextmanager
def _usable() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, sqlalchemy.exc.SQLAlchemyError) as error:
        raise unusable(error) from None


@contextmanager
def reading(place: Path | str) -> Iterator[sqlalchemy.Engine]:
    """Give connections to a database in which they write nothing, beside the processes that execute runs.

    place: as for `Database`; a file has to be there. Raises DurableError: `bad_address`, `database_unusable`.
    """
    with _usable():
        connections = _postgresql(str(place))[1] if _is_server(place) else _reading_sqlite(Path(place))
        try:
            yield connections
        finally:
            connections.dispose()


def _is_server(place: Path | str) -> bool:
    return isinstance(place, str) and "://" in place


def _check_name(executor: str) -> None:
    if not _EXECUTOR.fullmatch(executor):
        raise DurableError("bad_address", "expected a name of 1 to 64 letters, digits and hyphens as `executor`")


def unusable(error: BaseException) -> DurableError:
    """Return what an exception of the database means to its user."""
    code = "database_full" if _is_full(error) else "database_unusable"
    return DurableError(code, f"The database cannot be used ({reason(error)}). {_advice(error)}")


def _is_full(error: BaseException) -> bool:
    cause = getattr(error, "orig", None) or error
    found = getattr(cause, "errno", None), getattr(cause, "sqlite_errorcode", None), getattr(cause, "sqlstate", None)
    return found[0] in _FULL_NUMBERS or found[1] == sqlite3.SQLITE_FULL or found[2] == _DISK_FULL


def _advice(error: BaseException) -> str:
    """Return what to do, by the code that the system, SQLite or PostgreSQL gives; its text is in many languages."""
    cause = getattr(error, "orig", None) or error
    sqlite, state = getattr(cause, "sqlite_errorcode", None), getattr(cause, "sqlstate", None)
    if _is_full(error):
        return "Make room on its disk; nothing that was stored is lost."
    if sqlite is not None and sqlite & _PRIMARY == sqlite3.SQLITE_READONLY:
        return "Let this user write the file and its folder."
    if sqlite is not None and sqlite & _PRIMARY == sqlite3.SQLITE_IOERR:
        return "Its disk failed, or lets it write no more, as with a quota or a limit of sizes."
    if sqlite in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return "The file is no database, or damaged: check the name, or restore a copy."
    if isinstance(error, sqlalchemy.exc.SQLAlchemyError) and sqlite is None and state is None:
        return "Check that the server runs, and the address, user, password and name of the database."
    if state is not None:
        return "The log of the database server says more."
    return "Check its place, and that this user may write it."


def _sqlite(path: Path) -> tuple[str, sqlalchemy.Engine]:
    whole = path.resolve()
    is_new = not whole.exists()
    # Prompts and results lie in it: the file is its owner's, as sessions are.
    os.close(os.open(whole, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    if is_new:
        _logger.warning("a new database is made at %s", whole)
    connection = sqlite3.connect(whole)
    try:
        # Readers and the writer do not wait for each other; the file remembers it.
        connection.execute("PRAGMA journal_mode=WAL")
    finally:
        connection.close()
    url = sqlalchemy.URL.create("sqlite", database=str(whole))
    connections = sqlalchemy.create_engine(url, **timed_connections())
    sqlalchemy.event.listen(connections, "connect", _begin_immediately)
    return url.render_as_string(), connections


def _reading_sqlite(path: Path) -> sqlalchemy.Engine:
    """Return connections to a file that is there; it stays as it is, also where it is empty."""

    def opened() -> sqlite3.Connection:
        # The last one to close that may write puts a write-ahead log into the file, as after a crash; one that may not
        # leaves the log that it has to make where there is none.
        whole = path.resolve()
        mode = "ro" if whole.with_name(f"{whole.name}-wal").exists() else "rw"
        connection = sqlite3.connect(f"{whole.as_uri()}?mode={mode}", uri=True, timeout=_BUSY_MS / 1000)
        connection.execute("PRAGMA query_only=ON")
        return connection

    return sqlalchemy.create_engine("sqlite://", creator=opened, poolclass=sqlalchemy.NullPool)


def _begin_immediately(connection: Any, _record: Any) -> None:
    """Take the lock of a writer with the begin of a transaction: one that read first could not wait for it."""
    connection.isolation_level = "IMMEDIATE"
    connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}")


def _postgresql(address: str, most: int = _MOST_CONNECTIONS) -> tuple[str, sqlalchemy.Engine]:
    try:
        url = sqlalchemy.make_url(address)
    except (sqlalchemy.exc.ArgumentError, ValueError):
        url = None
    if url is None or url.drivername not in ("postgresql", "postgres") or not url.database:
        text = "expected the path of an SQLite file, or postgresql://USER@HOST:PORT/DATABASE"
        raise DurableError("bad_address", text)
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return plain, sqlalchemy.create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_pre_ping=True,
        pool_size=most,
        max_overflow=0,
        connect_args={"connect_timeout": _CONNECT_S},
    )


def _file_lock(place: Path | str, executor: str) -> Callable[[], None]:
    path = Path(place).resolve()
    descriptor = _opened_lock(path.with_name(f"{path.name}.{executor}.lock"))
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise _in_use(executor) from None
    return lambda: os.close(descriptor)


def _opened_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def _connection_lock(connections: sqlalchemy.Engine, executor: str) -> Callable[[], None]:
    """Lock for as long as a connection lives: the server lets go when this process does not."""
    digest = hashlib.sha256(f"purestep executor {executor}".encode()).digest()
    number = int.from_bytes(digest[:8], "big", signed=True)
    connection = connections.connect().execution_options(isolation_level="AUTOCOMMIT")
    try:
        # The server learns of a killed process some time after: the one that follows it waits for that.
        connection.execute(sqlalchemy.text(f"SET lock_timeout = {_LOCK_MS}"))
        connection.execute(sqlalchemy.text("SELECT pg_advisory_lock(:number)"), {"number": number})
    except sqlalchemy.exc.OperationalError as error:
        connection.invalidate()
        connection.close()
        if getattr(error.orig, "sqlstate", None) == _LOCK_NOT_AVAILABLE:
            raise _in_use(executor) from None
        raise

    def release() -> None:
        with suppress(sqlalchemy.exc.SQLAlchemyError):  # the server is gone, and the lock with it
            connection.scalar(sqlalchemy.text("SELECT pg_advisory_unlock(:number)"), {"number": number})
        connection.invalidate()  # a pooled connection would keep the time limit
        connection.close()

    return release


def _in_use(executor: str) -> DurableError:
    text = f"another process executes runs as {executor!r} here; end it, or give this one another name"
    return DurableError("executor_in_use", text)


def reason(error: BaseException) -> str:
    """Return why in one line; the text of SQLAlchemy would show the statement and its values."""
    cause = getattr(error, "orig", None) or error
    return str(getattr(cause, "strerror", None) or cause).partition("\n")[0] or type(cause).__name__
