"""The stores that runs are killed in, by name."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from .files import FileRuns
from .scenario import MadeAgent, agent_of
from .trial import Store

STORES: Final = ("files", "sqlite", "postgresql", "page")
"""A server has to be named for `postgresql`."""


@contextmanager
def opened_store(name: str, server: str | None, made: MadeAgent = agent_of) -> Iterator[Store]:
    """Return the store of a name, whose tables are made once.

    server: the address of a PostgreSQL server. made: makes the agents; those of a page have no others below them.
    """
    if name == "files":
        yield partial(FileRuns, made=made)
        return
    # Only where they are needed: a process is forked for every trial, and these double what it costs.
    if name == "page":
        from .page import PageRuns

        yield PageRuns
        return
    from .database import DatabaseRuns, PostgresqlDatabases, SqliteFiles

    match name:
        case "sqlite":
            with tempfile.TemporaryDirectory() as folder:
                yield partial(DatabaseRuns, SqliteFiles(Path(folder) / "runs.sqlite"), made=made)
        case _:
            assert server is not None  # the command asks for it
            with closing(PostgresqlDatabases(server)) as databases:
                yield partial(DatabaseRuns, databases, made=made)
