"""What one process has of a database of runs: its lock, DBOS, the executor of workflows, and the orders."""

from __future__ import annotations

import secrets
import time
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from purestep_hosts.agents.served_agent import ServedAgent
from purestep_hosts.durable.cancel_orders import CancelOrders
from purestep_hosts.durable.database import Database
from purestep_hosts.durable.exchange import Executor, opened
from purestep_hosts.durable.launching import QueueLimits, end, launch, queue_name
from purestep_hosts.durable.leases import LEASE_S, Leases
from purestep_hosts.durable.log_table import LogTable
from purestep_hosts.durable.orders import RunOrders, Stand, new_order
from purestep_hosts.durable.run_table import RunTable
from purestep_hosts.durable.timer_table import TimerTable
from purestep_hosts.durable.timers import Timers
from purestep_hosts.durable.write_check import WriteCheck
from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import DurableError

with DURABLE:
    import sqlalchemy

_POLL_S: Final = 0.05
_CANCELLED_S: Final = 30.0
"""How long a cancelled exchange of this process may take to write so: calls get four seconds to come back."""


class DurableProcess:
    """An open database of runs; a process has one at a time."""

    def __init__(
        self,
        agent: ServedAgent,
        database: Path | str,
        *,
        executor: str,
        folder: Path,
        limits: QueueLimits | None = None,
        executes: bool = True,
        exchange_s: float | None = None,
        lease_s: float = LEASE_S,
    ) -> None:
        """Open the database and go on with what this executor left.

        folder: for files of tools, one for each run. limits: of the queue that orders go through; None starts them in
        this process at once. executes: whether this process takes orders from the queue. exchange_s: longest time of
        an exchange, in seconds. lease_s: after how many seconds without a sign of this process the others take its runs
        over. Raises DurableError: `already_open`, `bad_address`, `database_full`, `database_unusable`,
        `executor_in_use`, `other_version`.
        """
        if opened:
            raise DurableError("already_open", "expected one DurableRuns in a process at a time; close the other first")
        self._database = Database(database, executor)
        self._cancel_orders: CancelOrders | None = None
        self._leases: Leases | None = None
        self._timers: Timers | None = None
        self.is_open = True
        queue = None if limits is None else queue_name(agent.model.name)
        try:
            with self._database.usable():
                logs = LogTable(self._database.connections)
                self.writes = WriteCheck(self._database.connections)
                # Of its own for each process: a name may be given again, and its runs are taken over like any other's.
                own = f"{executor}:{secrets.token_hex(8)}"
                self.executor = Executor(own, agent, logs, folder, exchange_s)
                opened.append(self.executor)
                table = RunTable(self._database.connections)
                self._orders = RunOrders(agent, logs, table, queue, self._database.ordering)
                digest = agent.definition.digest or ""
                self._leases = Leases(
                    self._database.connections, own, name=executor, agent=digest, queue=queue, lease_s=lease_s,
                    writes=self.writes, driven=lambda: list(self.executor.driven),
                )  # fmt: skip
                launch(self._database.url, own, queue, limits or QueueLimits(), executes=executes)
                self._leases.begin(self.executor.lose)
                self._cancel_orders = CancelOrders(self.executor, table)
                self._timers = Timers(self._orders, TimerTable(self._database.connections))
        except BaseException:
            self.close()
            raise

    @property
    def orders(self) -> RunOrders:
        """The orders; raises DurableError `closed`."""
        if not self.is_open:
            raise DurableError("closed", "the database was closed; open it again with DurableRuns")
        return self._orders

    def usable(self) -> AbstractContextManager[None]:
        """Raise DurableError `database_unusable` or `database_full` for what the database raises in a block."""
        return self._database.usable()

    def stand(self, run_id: str) -> Stand:
        """Return where a run stands; raises DurableError `run_not_found`."""
        return self.orders.stand(run_id)

    def cancel(self, run_id: str) -> None:
        """Have a run end as cancelled; returns once the log says so, or an order that does is stored."""
        stand = self.stand(run_id)
        if stand.status in ("done", "failed"):
            return
        if stand.status == "running":
            if self.executor.cancel(stand.workflow_id):
                self._await_end(stand)
                return
            self.orders.stop(stand)
        self.orders.go_on(stand, replace(new_order(run_id), cancels=True))

    def take_over(self, executor: str) -> int:
        """Put what a dead executor was carrying out back into the queue; returns how many exchanges that were.

        Raises DurableError `executor_in_use` while a process has the name.
        """
        with self._database.name_of(executor), self._database.usable():
            assert self._leases is not None
            return self._leases.take_name(executor)

    def check(self) -> None:
        """Write to the database, as a run would; raises DurableError `database_full`, `database_unusable`, `closed`."""
        if not self.is_open or self._leases is None:
            raise DurableError("closed", "the database was closed; open it again with DurableRuns")
        with self._database.usable():
            self._leases.beat()

    def _await_end(self, stand: Stand) -> None:
        deadline = time.monotonic() + _CANCELLED_S
        while self.orders.stand_of(stand.row).status == "running" and time.monotonic() < deadline:
            time.sleep(_POLL_S)

    def close(self) -> None:
        """Stop: what goes on is cut off where it is, and goes on when the database is opened again."""
        if not self.is_open:
            return
        self.is_open = False
        try:
            if self._timers is not None:
                self._timers.close()
            if self._cancel_orders is not None:
                self._cancel_orders.close()
            if self._leases is not None:
                self._leases.close()
            for executor in opened:
                executor.close()
            end()
            if self._leases is not None:
                with suppress(sqlalchemy.exc.SQLAlchemyError):  # the database is away: the lease ends by itself
                    self._leases.leave()
        finally:
            opened.clear()
            self._database.close()
