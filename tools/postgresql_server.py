"""A PostgreSQL server of the machine's own package on loopback, for tests and measurements."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import psycopg

START_S = 120
"""A machine that is busy with other work may need so long."""


class PostgresqlServer:
    """A running server: `address` without a database, `process`, and a way to stop it and start it again."""

    def __init__(self, postgres: str, folder: Path) -> None:
        """Make its files; they are owned by the user postgres, since the server refuses to run as root."""
        self._user = "postgres" if os.getuid() == 0 else None
        self._folder = folder
        data, port = folder / "data", _free_port()
        if self._user is not None:
            shutil.chown(folder, self._user)
        program = str(Path(postgres).with_name("initdb"))
        initdb = [program, "-D", str(data), "-U", "purestep", "--auth=trust", "--no-sync"]
        subprocess.run(initdb, user=self._user, cwd=folder, check=True, capture_output=True)
        options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "fsync": "off"}
        self._command = [postgres, "-D", str(data), *[f"--{name}={value}" for name, value in options.items()]]
        self.address = f"postgresql://purestep@127.0.0.1:{port}"
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = subprocess.Popen(self._command, user=self._user, cwd=self._folder, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + START_S
        while True:
            with suppress(psycopg.OperationalError):
                psycopg.connect(f"{self.address}/postgres").close()
                return
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.05)

    def stop(self) -> None:
        """End it at once; connections break."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(START_S)

    def database(self) -> str:
        """Return the address of a new database."""
        name = f"runs_{uuid4().hex}"
        with psycopg.connect(f"{self.address}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return f"{self.address}/{name}"


@contextmanager
def postgresql_server(postgres: str) -> Iterator[PostgresqlServer]:
    """Run a server until the block ends; postgres: its program. Its files are removed."""
    folder = Path(tempfile.mkdtemp(prefix="purestep-postgresql-"))
    try:
        server = PostgresqlServer(postgres, folder)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
