"""Gives the results of calls that wait for a time, once it has come by this process's clock.

A call is in the table from the transaction on that writes the line of its log, and until its result was ordered: so a
process that dies in between leaves it to the next one. What several processes find at once, one of them orders.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from msgspec.structs import replace

import purestep
from purestep_hosts.agents.late import due_results, late_calls
from purestep_hosts.durable.orders import RunOrders, new_order
from purestep_hosts.durable.timer_table import MAX_LOOKED_AT, TimerTable
from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import DurableError

with DURABLE:
    import sqlalchemy

_POLL_S: Final = 1.0
"""How often they are looked for: one query by an index, and a run that goes on is tried again as soon."""
_PUT_OFF_S: Final = 60.0
"""How long a run is left alone that cannot be gone on with, as one that a person has to repair."""

_logger: Final = logging.getLogger("purestep_hosts.durable")


class Timers:
    """A thread that looks for calls that are due, in all runs that this process's agent goes on with."""

    def __init__(self, orders: RunOrders, table: TimerTable) -> None:
        """Begin to look."""
        self._orders = orders
        self._table = table
        self._put_off: dict[str, float] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="purestep-timers", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._stopping.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._stopping.wait(_POLL_S):
            try:
                self._look()
            except sqlalchemy.exc.SQLAlchemyError:
                pass  # the database is away, and the calls wait in it
            except Exception:  # the thread may not end: other runs have timers too
                _logger.exception("calls that wait for a time could not be looked for")

    def _look(self) -> None:
        agent, now = self._orders.agent, time.monotonic()
        self._put_off = {run_id: until for run_id, until in self._put_off.items() if until > now}
        digest = None if agent.takes_over else agent.definition.digest or ""
        for run_id in self._table.due(agent.clock(), digest, list(self._put_off)):
            if self._stopping.is_set():
                return
            try:
                self._give(run_id)
            except sqlalchemy.exc.SQLAlchemyError:
                raise
            except Exception as error:
                if not (isinstance(error, DurableError) and error.code == "run_active"):
                    self._leave(run_id, error)

    def _give(self, run_id: str) -> None:
        """Order what is due in a run that stands still; raises DurableError `run_active` for one that goes on."""
        keys = self._table.keys(run_id)  # before the log, which then has the calls
        stand = self._orders.stand(run_id)
        if stand.status == "running":
            return
        if stand.status == "broken" and stand.is_stored:
            raise DurableError("run_broken", stand.why)
        found = purestep.replay(self._orders.logs.text(run_id))
        late = [] if _is_cancelled(found.decision) else list(late_calls(found.state))
        results = tuple(due_results(late, self._orders.agent.clock()))
        if results:
            self._orders.go_on(stand, replace(new_order(run_id), results=results))
        given = {(each.run_id, each.result.call_id) for each in results}
        self._table.drop(run_id, keys - {each.key for each in late if (each.run_id, each.call_id) not in given})

    def _leave(self, run_id: str, error: Exception) -> None:
        if len(self._put_off) < MAX_LOOKED_AT:
            self._put_off[run_id] = time.monotonic() + _PUT_OFF_S
        _logger.warning("run %s gets no result of a call whose time has come: %s", run_id, error)


def _is_cancelled(decision: purestep.Decision) -> bool:
    """Whether a run was cancelled: it gets nothing until a person goes on with it, whose exchange waits anew."""
    return isinstance(decision, purestep.Failed) and decision.code == "cancelled"
