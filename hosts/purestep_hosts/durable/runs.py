"""`DurableRuns`: starts the runs of an agent in a database, answers and reads them; for one agent of one process."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.result import RunResult
from purestep_hosts.durable.database import Database
from purestep_hosts.durable.exchange import (
    ANSWERS,
    Answers,
    ExchangeOrder,
    Executor,
    exchange_workflow,
    json_text,
    opened,
)
from purestep_hosts.durable.log_table import LogTable
from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import DurableError, DurableStatus, as_stored, checked_id, try_exchange

with DURABLE:
    from dbos import DBOS, DBOSPortableJSONSerializer, SetWorkflowID, WorkflowStatus

Data = TypeVar("Data")

_VERSION: Final = "purestep"
"""The same for all releases: DBOS leaves runs alone that another version began."""
_ACTIVE: Final = ("PENDING", "ENQUEUED", "DELAYED")
_POLL_S: Final = 0.05
_TAKEN_S: Final = 30.0
"""How long `approve` waits until the run has taken an answer: the listener looks once a second."""


class DurableRuns(Generic[Data]):
    """The runs of an agent in a database; use it in a `with` block. Its methods block: in async code, call in threads.

    Opened, it goes on with the runs that an earlier process left. A process has one at a time.
    """

    def __init__(self, agent: Agent[Data], database: Path | str, *, executor: str = "local", deps: Any = None) -> None:
        """Open the database, load the model, and go on with what was begun.

        database: the file of an SQLite database, or `postgresql://USER@HOST:PORT/DATABASE`. executor: the name of this
        process among those that execute runs in the database; each goes on with its own. deps: what tools get as
        `Invocation.deps`, the same for all runs. The agent's own `approve` is not asked.

        Raises DurableError: `already_open`, `bad_address`, `database_unusable`, `executor_in_use`; DownloadError and
        ModelLoadError for the model.
        """
        if opened:
            raise DurableError("already_open", "expected one DurableRuns in a process at a time; close the other first")
        run_blocking(agent.loaded_model)
        self.agent = agent
        self._database = Database(database, executor)
        self._is_open = True
        self._answering = threading.Lock()
        try:
            self._logs = LogTable(self._database.connections)
            opened.append(Executor(agent=agent, logs=self._logs, deps=deps))
            # In a thread without an event loop: DBOS would take over one that runs here, and block it.
            _in_new_thread(lambda: _launch(self._database.url, executor))
        except BaseException:
            self.close()
            raise

    def start(self, query: str | None, *, run_id: str | None = None) -> str:
        """Begin a run with a query, or the next exchange of one that has ended; returns its id once it is stored.

        run_id: by default a random one. Without a query, a run that is `broken` goes on from its log. Raises
        DurableError: `bad_run_id`, `run_active`, `run_not_found` (without a query); PurestepError for a query that the
        run does not take.
        """
        newest = None if run_id is None else self._newest(checked_id(run_id))
        if newest is not None and newest.status in _ACTIVE:
            raise _active(newest.workflow_id)
        run_id = run_id or secrets.token_hex(16)
        said = None if query is None else as_stored(self.agent, run_id, purestep.UserMessage(content=query)).content
        order = ExchangeOrder(
            run_id=run_id,
            number=1 if newest is None else _number(newest) + 1,
            query=said,
            at=self.agent.clock(),
            request=secrets.token_hex(8),
        )
        try_exchange(self.agent, run_id, self._logs.text(run_id), said)
        text = json_text(order)
        with SetWorkflowID(order.workflow_id):
            DBOS.start_workflow(exchange_workflow, text)
        stored = DBOS.get_workflow_status(order.workflow_id)
        if stored is None or stored.input is None or stored.input["args"][0] != text:
            raise _active(order.workflow_id)
        return order.run_id

    def approve(self, run_id: str, approvals: Iterable[purestep.Approval]) -> None:
        """Answer calls that wait, with what `approved` and `refused` give; returns once the run has taken it.

        Raises DurableError: `run_not_found`, `not_waiting`, `run_broken`; PurestepError for an answer that does not
        fit the calls; TimeoutError where the answer is stored and not taken yet.
        """
        given = as_stored(self.agent, run_id, purestep.Approvals(approvals=tuple(approvals))).approvals
        with self._answering:  # a second answer is tried on what the first one led to
            status, newest = self._stand(run_id)
            if status != "waiting":
                raise DurableError("not_waiting", f"run {run_id} is {status}; no call of it waits for a person")
            before = self._logs.last(run_id, _number(newest))
            result = self.agent.read(self._logs.text(run_id))
            purestep.step(result.state, purestep.Approvals(approvals=given))
            DBOS.send(newest.workflow_id, json_text(Answers(approvals=given, at=self.agent.clock())), ANSWERS)
            self._await_step(run_id, before)

    def _await_step(self, run_id: str, before: tuple[int, str] | None) -> None:
        """Wait until an exchange has made a step after this one."""
        deadline = time.monotonic() + _TAKEN_S
        while True:
            status, newest = self._stand(run_id)
            if self._logs.last(run_id, _number(newest)) != before:
                return
            if status == "broken":
                raise _broken(newest)
            if time.monotonic() > deadline:
                raise TimeoutError(f"the answer to run {run_id} is stored, and was not taken in {_TAKEN_S:g} seconds")
            time.sleep(_POLL_S)

    def status(self, run_id: str) -> DurableStatus:
        """Return where a run stands; raises DurableError `run_not_found`."""
        status = self._stand(run_id)[0]
        # An answer may not be of the agent's output type.
        return self.agent.read(self.log(run_id)).status if status == "done" else status

    def wait(self, run_id: str, timeout_s: float | None = None) -> RunResult[Data]:
        """Wait until a run has ended or waits for a person, and return where it stands.

        Raises TimeoutError; DurableError: `run_not_found`, `run_broken`.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            status, newest = self._stand(run_id)
            if status == "broken":
                raise _broken(newest)
            if status != "running":
                return self.agent.read(self._logs.text(run_id))
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"run {run_id} goes on after {timeout_s:g} seconds")
            time.sleep(_POLL_S)

    def log(self, run_id: str) -> str:
        """Return the log of a run; raises DurableError `run_not_found`."""
        self._stand(run_id)
        return self._logs.text(run_id)

    def close(self) -> None:
        """Stop: what goes on is cut off where it is, and goes on when the database is opened again."""
        if not self._is_open:
            return
        self._is_open = False
        try:
            _in_new_thread(DBOS.destroy)
        finally:
            opened.clear()
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _stand(self, run_id: str) -> tuple[DurableStatus, WorkflowStatus]:
        newest = self._newest(run_id)
        if newest is None:
            raise DurableError("run_not_found", f"There is no run {run_id!r:.80} in this database.")
        last = self._logs.last(run_id, _number(newest))
        if newest.status in _ACTIVE:
            return ("waiting" if last is not None and last[1] == "waiting" else "running"), newest
        if newest.status != "SUCCESS":
            return "broken", newest
        # An exchange without a step of its own found the run at its end.
        return ("done" if last is None else last[1]), newest

    def _newest(self, run_id: str) -> WorkflowStatus | None:
        """Return the workflow of a run's last exchange."""
        if not self._is_open:
            raise DurableError("closed", "the database was closed; open it again with DurableRuns")
        found = DBOS.list_workflows(workflow_id_prefix=f"{run_id}:", load_output=False)
        own = [each for each in found if each.workflow_id.startswith(f"{run_id}:")]
        return max(own, key=_number, default=None)


def _launch(url: str, executor: str) -> None:
    DBOS(
        config={
            "name": "purestep",
            "system_database_url": url,
            "application_version": _VERSION,
            "executor_id": executor,
            "serializer": DBOSPortableJSONSerializer(),  # the default is pickle, which runs what is stored
            "log_level": "ERROR",
        }
    )
    DBOS.launch()


def _in_new_thread(function: Any) -> None:
    errors: list[BaseException] = []

    def work() -> None:
        try:
            function()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]


def _number(workflow: WorkflowStatus) -> int:
    return int(workflow.workflow_id.rpartition(":")[2])


def _active(workflow_id: str) -> DurableError:
    run_id = workflow_id.rpartition(":")[0]
    return DurableError("run_active", f"run {run_id} goes on, or waits for a person; wait for its end, or answer it")


def _broken(workflow: WorkflowStatus) -> DurableError:
    run_id = workflow.workflow_id.rpartition(":")[0]
    whole = DBOS.get_workflow_status(workflow.workflow_id)
    why = f"{workflow.status}: {whole.error}" if whole is not None and whole.error is not None else workflow.status
    return DurableError(
        "run_broken", f"Run {run_id} cannot go on ({why}). Start it without a query to go on from its log."
    )
