"""The databases that durable runs are tried in: a file, and a PostgreSQL server of the machine's own package."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from tests.programs import program_path

_START_S = 120
"""A machine that is busy with other tests may need so long."""


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
    # It refuses to run as root, and pytest's own folders are this user's alone.
    user = "postgres" if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="purestep-postgresql-"))
    data, port = folder / "data", _free_port()
    if user is not None:
        shutil.chown(folder, user)
    initdb = [str(Path(postgres).with_name("initdb")), "-D", str(data), "-U", "purestep", "--auth=trust", "--no-sync"]
    subprocess.run(initdb, user=user, cwd=folder, check=True, capture_output=True)
    options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "fsync": "off"}
    command = [postgres, "-D", str(data), *[f"--{name}={value}" for name, value in options.items()]]
    with subprocess.Popen(command, user=user, cwd=folder, stderr=subprocess.DEVNULL) as server:
        try:
            address = f"postgresql://purestep@127.0.0.1:{port}"
            _wait_for(f"{address}/postgres")
            yield address
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(_START_S)
    shutil.rmtree(folder)


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


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        with suppress(psycopg.OperationalError):
            psycopg.connect(address).close()
            return
        assert time.monotonic() < deadline, "the server does not answer"
        time.sleep(0.05)


@pytest.fixture
def killed(tmp_path: Path) -> Callable[[str, str, str], str]:
    """Begin a run in a process that kills itself with SIGKILL at a moment; gives the run's id."""
    from tests.durable.booking import begun_and_killed

    return lambda database, query, moment: begun_and_killed(database, tmp_path, query, moment)
