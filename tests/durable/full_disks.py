"""Databases that have no room left, and have some again: on a small disk, or where nobody may mount one, by refusal."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import psycopg

from tests.programs import program_path
from tools.postgresql_server import PostgresqlServer, postgresql_server


class Disk(Protocol):
    """What a database is stored on; `address` is the database's, `words` what a client reads of one without room."""

    address: str
    words: str

    def fill(self, process: int) -> None:
        """Leave no room, for a service with this process."""

    def clear(self, process: int) -> None:
        """Make room again."""


class SmallDisk:
    """A file system in memory that a file fills to the last byte."""

    words = "the disk of the service's database is full"

    def __init__(self, folder: Path) -> None:
        self._ballast = folder / "ballast"
        self.address = ""

    def fill(self, _process: int) -> None:
        """Write until there is no room."""
        with self._ballast.open("ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                return

    def clear(self, _process: int) -> None:
        """Make room again."""
        self._ballast.unlink()


class RefusingServer:
    """A PostgreSQL server that refuses rows as one without room does: by its code for that."""

    words = "the disk of the service's database is full"

    def __init__(self, address: str) -> None:
        self.address = address

    def fill(self, _process: int) -> None:
        """Refuse new rows in all tables."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            for schema, table in self._tables(connection):
                refuse(connection, f"{schema}.{table}", "INSERT", "53100")

    def clear(self, _process: int) -> None:
        """Take them again."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            for schema, table in self._tables(connection):
                connection.execute(f"DROP TRIGGER IF EXISTS no_room ON {schema}.{table}".encode())

    @staticmethod
    def _tables(connection: psycopg.Connection) -> list[tuple[str, str]]:
        wanted = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('public', 'dbos')"
        return [(schema, table) for schema, table in connection.execute(wanted.encode())]


def refuse(connection: psycopg.Connection, table: str, act: str, code: str, when: str = "TRUE") -> None:
    """Have a table refuse an act with an SQLSTATE."""
    body = f"BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '{code}'; END"
    for statement in (
        f"CREATE OR REPLACE FUNCTION no_room_{code.lower()}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$",
        f"CREATE TRIGGER no_room BEFORE {act} ON {table} FOR EACH ROW WHEN ({when}) "
        f"EXECUTE FUNCTION no_room_{code.lower()}()",
    ):
        connection.execute(statement.encode())


class LimitedFiles:
    """A file of SQLite's that may not grow: the system refuses it to the service's process, as a quota does."""

    words = "the database cannot be used"

    def __init__(self, address: str) -> None:
        self.address = address

    def fill(self, process: int) -> None:
        """Let no file of the process grow."""
        subprocess.run(["prlimit", f"--pid={process}", "--fsize=3000:unlimited"], check=True)

    def clear(self, process: int) -> None:
        """Let them grow."""
        subprocess.run(["prlimit", f"--pid={process}", "--fsize=unlimited:unlimited"], check=True)


@contextmanager
def mounted(mib: int) -> Iterator[Path]:
    """Mount a file system of this size in memory until the block ends."""
    folder = Path(tempfile.mkdtemp(prefix="purestep-disk-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def may_mount() -> bool:
    """Whether this process may mount a file system."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return False
        subprocess.run(["umount", folder], check=True)
    return True


@contextmanager
def refusing_server() -> Iterator[Disk]:
    """Run a PostgreSQL server that can be told to refuse."""
    postgres = program_path("postgresql")
    assert postgres is not None
    with postgresql_server(postgres) as server:
        yield RefusingServer(server.database())


@contextmanager
def server_on_small_disk() -> Iterator[Disk]:
    """Run a PostgreSQL server on a small disk."""
    postgres = program_path("postgresql")
    assert postgres is not None
    with mounted(96) as folder:
        server = PostgresqlServer(postgres, folder)
        try:
            disk = SmallDisk(folder)
            disk.address = server.database()
            yield disk
        finally:
            server.stop()


@contextmanager
def limited_files() -> Iterator[Disk]:
    """A database of SQLite's that can be kept from growing."""
    with tempfile.TemporaryDirectory() as folder:
        yield LimitedFiles(f"{folder}/runs.sqlite")


@contextmanager
def file_on_small_disk() -> Iterator[Disk]:
    """A database of SQLite's on a small disk."""
    with mounted(4) as folder:
        disk = SmallDisk(folder)
        disk.address = str(folder / "runs.sqlite")
        yield disk


DISKS: list[Callable[[], AbstractContextManager[Disk]]] = [refusing_server, limited_files]
if may_mount():
    DISKS += [server_on_small_disk, file_on_small_disk]
