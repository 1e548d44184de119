"""`DurableRuns`: starts the runs of an agent in a database, answers and reads them; for one agent of one process."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

from msgspec.structs import replace

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.late import LateResult
from purestep_hosts.agents.result import RunResult
from purestep_hosts.agents.served_agent import served
from purestep_hosts.durable.orders import Stand, active, new_order
from purestep_hosts.durable.process import DurableProcess
from purestep_hosts.stored_runs import DurableError, DurableStatus, checked_id

Data = TypeVar("Data")

_POLL_S: Final = 0.05


class DurableRuns(Generic[Data]):
    """The runs of an agent in a database; use it in a `with` block. Its methods block: in async code, call in threads.

    Opened, it goes on with the runs that an earlier process left. A process has one at a time.
    """

    def __init__(
        self,
        agent: Agent[Data],
        database: Path | str,
        *,
        executor: str = "local",
        deps: Any = None,
        takes_over: bool = False,
    ) -> None:
        """Open the database, load the model, and go on with what was begun.

        database: the file of an SQLite database, or `postgresql://USER@HOST:PORT/DATABASE`. executor: the name of this
        process among those that execute runs in the database; each goes on with its own. deps: what tools get as
        `Invocation.deps`, the same for all runs. takes_over: whether runs that were begun with another definition go on
        under this one, as `Agent.take_over` has it. The agent's own `approve` is not asked.

        Raises DurableError: `already_open`, `bad_address`, `database_full`, `database_unusable`, `executor_in_use`,
        `other_version`; DownloadError and ModelLoadError for the model.
        """
        self.agent = agent
        ready = replace(run_blocking(lambda: served(agent, deps)), takes_over=takes_over)
        self._process = DurableProcess(ready, database, executor=executor, folder=Path(tempfile.gettempdir()))

    def start(self, query: str | None, *, run_id: str | None = None) -> str:
        """Begin a run with a query, or the next exchange of one that has ended; returns its id once it is stored.

        run_id: by default a random one. Without a query, a run that is `broken` goes on from its log. Raises
        DurableError: `bad_run_id`, `run_active`, `run_not_found` (without a query); PurestepError for a query that the
        run does not take.
        """
        with self._process.usable():
            return self._started(query, run_id)

    def _started(self, query: str | None, run_id: str | None) -> str:
        orders = self._process.orders
        order = new_order(run_id, query)
        if run_id is None or orders.table.get(checked_id(run_id)) is None:
            if query is None:
                raise DurableError("run_not_found", f"There is no log of run {order.run_id!r:.80}; give a query.")
            orders.begin(order.run_id, order)
            return order.run_id
        stand = orders.stand(run_id)
        if stand.status == "waiting":
            raise active(run_id)
        orders.go_on(stand, order)
        return run_id

    def approve(self, run_id: str, approvals: Iterable[purestep.Approval]) -> None:
        """Answer calls that wait, with what `approved` and `refused` give; returns once the answer is stored.

        Raises DurableError: `run_not_found`, `not_waiting`, `run_broken`; PurestepError for an answer that does not
        fit the calls.
        """
        stand = self._stand(run_id)
        if stand.status != "waiting":
            raise DurableError("not_waiting", f"run {run_id} is {stand.status}; no call of it waits for a person")
        try:
            with self._process.usable():
                self._process.orders.go_on(stand, replace(new_order(run_id), approvals=tuple(approvals)))
        except DurableError as error:
            if error.code != "run_active":
                raise
            raise DurableError("not_waiting", f"run {run_id} was answered meanwhile") from None

    def give_results(self, run_id: str, results: Iterable[LateResult]) -> None:
        """Give results of calls that went on elsewhere, made by `late_result`; returns once they are stored.

        Raises DurableError: `run_not_found`, `run_broken`, `run_active` while the run goes on: give them again then;
        PurestepError for one that was given before, or that its tool's schema does not take.
        """
        stand = self._stand(run_id)
        if stand.status == "broken":
            raise _broken(stand)
        with self._process.usable():
            self._process.orders.go_on(stand, replace(new_order(run_id), results=tuple(results)))

    def cancel(self, run_id: str) -> None:
        """Have a run end as cancelled, wherever it goes on; returns once that is stored.

        Raises DurableError `run_not_found`. A call that had begun may have had its effect, and the log says so.
        """
        with self._process.usable():
            self._process.cancel(run_id)

    def status(self, run_id: str) -> DurableStatus:
        """Return where a run stands; raises DurableError `run_not_found`."""
        status = self._stand(run_id).status
        # An answer may not be of the agent's output type.
        return self.agent.read(self.log(run_id)).status if status == "done" else status

    def wait(self, run_id: str, timeout_s: float | None = None) -> RunResult[Data]:
        """Wait until a run has ended, or waits for a person or a result, and return where it stands.

        Raises TimeoutError; DurableError: `run_not_found`, `run_broken`.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            stand = self._stand(run_id)
            if stand.status == "broken":
                raise _broken(stand)
            if stand.status != "running":
                return self.agent.read(self._text(run_id))
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"run {run_id} goes on after {timeout_s:g} seconds")
            time.sleep(_POLL_S)

    def log(self, run_id: str) -> str:
        """Return the log of a run; raises DurableError `run_not_found`."""
        self._stand(run_id)
        return self._text(run_id)

    def close(self) -> None:
        """Stop: what goes on is cut off where it is, and goes on when the database is opened again."""
        self._process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _stand(self, run_id: str) -> Stand:
        with self._process.usable():
            return self._process.stand(run_id)

    def _text(self, run_id: str) -> str:
        with self._process.usable():
            return self._process.orders.logs.text(run_id)


def _broken(stand: Stand) -> DurableError:
    run_id = stand.row.run_id
    return DurableError(
        "run_broken", f"Run {run_id} cannot go on ({stand.why}). Start it without a query to go on from its log."
    )
