"""The databases that durable runs are tried in: a file, and a PostgreSQL server of the machine's own package."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from tests.programs import program_path
from tools.postgresql_server import postgresql_server


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """Run each test in a thread of its own: in that of the process a browser of another test may have left a loop."""
    given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(pyfuncitem.obj, **given).result()
    return True


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL server on loopback, without a database; its files are removed."""
    postgres = program_path("postgresql")
    assert postgres is not None
    with postgresql_server(postgres) as server:
        yield server.address


@pytest.fixture
def file_database(tmp_path: Path) -> str:
    """The path of an SQLite database that is not there yet."""
    return str(tmp_path / "runs.sqlite")


@pytest.fixture
def server_database(postgresql: str) -> str:
    """The address of an empty database of the server."""
    name = f"runs_{uuid4().hex}"
    with psycopg.connect(f"{postgresql}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{postgresql}/{name}"


@pytest.fixture
def killed(tmp_path: Path) -> Callable[[str, str, str], str]:
    """Begin a run in a process that kills itself with SIGKILL at a moment; gives the run's id."""
    from tests.durable.booking import begun_and_killed

    return lambda database, query, moment: begun_and_killed(database, tmp_path, query, moment)
