"""SQLite's time in milliseconds, as DBOS asks for it.

Under Python 3.12 and later DBOS writes `unixepoch('subsec')` into its tables and queries. SQLite knows 'subsec' from
3.42 and gives NULL before that, and the SQLite of a Python is that of its system: Debian 12 has 3.40, also in a
container.
"""

from __future__ import annotations

import sqlite3
import time
from typing import Any, Final

_SUBSEC: Final = ("subsec", "subsecond")


class TimedConnection(sqlite3.Connection):
    """A connection that knows 'subsec' with any SQLite."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Open as sqlite3 does."""
        super().__init__(*arguments, **options)
        if not _knows_subsec(self):
            self.create_function("unixepoch", 1, _seconds)


def _knows_subsec(connection: sqlite3.Connection) -> bool:
    try:
        return bool(connection.execute("SELECT unixepoch('subsec')").fetchone() != (None,))
    except sqlite3.OperationalError:  # before 3.38 there is no such function
        return False


def _seconds(moment: str) -> float:
    """Return the seconds since 1970; raises ValueError for what DBOS does not ask for."""
    if moment not in _SUBSEC:
        raise ValueError(f"expected {' or '.join(_SUBSEC)}, got {moment!r}")
    return time.time()


def timed_connections() -> dict[str, Any]:
    """Return what connections to an SQLite database are made with, those of DBOS too, which adds to them."""
    return {"connect_args": {"factory": TimedConnection}}
