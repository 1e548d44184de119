"""Whether a database takes what runs write: in doubt from the first write that fails until a large one is taken.

A disk that is full still takes small changes, in the free part of pages that are there: they tell nothing. So after a
failure what is tried is a row that needs pages of its own.
"""

from __future__ import annotations

import secrets
import threading
from typing import Final

from purestep_hosts.durable.tables import ATTACHMENTS
from purestep_hosts.extras import DURABLE

with DURABLE:
    import sqlalchemy
    from sqlalchemy import delete, insert

_TRIED_BYTES: Final = 65_536
"""As much as a long step writes, in eight pages of PostgreSQL and sixteen of SQLite."""
_OF_NO_RUN: Final = ""
"""The run of the row that is tried: no run has this id."""

UNAVAILABLE: Final = (sqlalchemy.exc.OperationalError, sqlalchemy.exc.InterfaceError, sqlalchemy.exc.InternalError)
"""What a database raises that is full, is away or is broken, in other words: what may be over later."""


class WriteCheck:
    """What failed last in a database, and the write that shows that it is over."""

    def __init__(self, connections: sqlalchemy.Engine) -> None:
        """Note from now on what fails in these connections."""
        self._connections = connections
        self._lock = threading.Lock()
        self.failed: BaseException | None = None
        sqlalchemy.event.listen(connections, "handle_error", self._noted)

    def _noted(self, failure: sqlalchemy.engine.ExceptionContext) -> None:
        if isinstance(failure.sqlalchemy_exception, UNAVAILABLE):
            self.fail(failure.sqlalchemy_exception)

    def fail(self, error: BaseException) -> None:
        """Note that something could not be written."""
        self.failed = error

    def check(self) -> None:
        """Where it is in doubt, write as much as a run does; raises what the database raises."""
        if self.failed is None:
            return
        with self._lock:
            row = (ATTACHMENTS.c.run_id == _OF_NO_RUN, ATTACHMENTS.c.digest == "tried")
            tried = {"run_id": _OF_NO_RUN, "digest": "tried", "data": secrets.token_bytes(_TRIED_BYTES)}
            with self._connections.begin() as connection:
                connection.execute(delete(ATTACHMENTS).where(*row))
                connection.execute(insert(ATTACHMENTS).values(tried))
            with self._connections.begin() as connection:
                connection.execute(delete(ATTACHMENTS).where(*row))
            self.failed = None
