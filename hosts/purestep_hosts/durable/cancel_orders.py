"""Has exchanges of this process end that another process has ordered to be cancelled."""

from __future__ import annotations

import threading
from typing import Final

from purestep_hosts.durable.exchange import Executor
from purestep_hosts.durable.run_table import RunTable
from purestep_hosts.extras import DURABLE

with DURABLE:
    import sqlalchemy

_POLL_S: Final = 1.0
"""How often they are looked for: one query for all exchanges of the process, and none while there is none."""


class CancelOrders:
    """A thread that looks whether a later order has come for a run that goes on here.

    Only a cancellation is ordered for a run that goes on. A step would notice it by itself, as it may not be written
    any more; a call of a model or a tool is ended by this.
    """

    def __init__(self, executor: Executor, table: RunTable) -> None:
        """Begin to look."""
        self._executor = executor
        self._table = table
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._look, name="purestep-orders", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._stopping.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stopping.wait(_POLL_S):
            own = [each.rpartition(":") for each in list(self._executor.driven)]
            if not own:
                continue
            try:
                ordered = self._table.last_orders([run_id for run_id, _, _ in own])
            except sqlalchemy.exc.SQLAlchemyError:
                continue  # the database is away, and so no order comes either
            for run_id, _, number in own:
                if ordered.get(run_id, 0) > int(number):
                    self._executor.cancel(f"{run_id}:{number}")
