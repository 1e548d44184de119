"""Orders exchanges of runs, and tells where runs stand; blocking, for the library and for the service."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

import purestep
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.agents.served_agent import ServedAgent
from purestep_hosts.attachments import Attachment
from purestep_hosts.durable.database import reason
from purestep_hosts.durable.exchange import exchange_workflow
from purestep_hosts.durable.log_table import LogTable
from purestep_hosts.durable.order import ExchangeOrder, SentFile, decoded_order, json_text, left_of, ordered_effects
from purestep_hosts.durable.run_table import RunRow, RunTable
from purestep_hosts.effects import RunEffects
from purestep_hosts.extras import DURABLE
from purestep_hosts.hidden_texts import HiddenTexts
from purestep_hosts.stored_runs import DurableError, DurableStatus, checked_id, results_as_stored, try_effects

with DURABLE:
    from dbos import DBOS, SetWorkflowID, WorkflowStatus

_ACTIVE: Final = ("PENDING", "ENQUEUED", "DELAYED")
_MAX_SHOWN_CHARS: Final = 200
"""Of the query, in a list of runs."""


class Stand(msgspec.Struct, frozen=True, kw_only=True):
    """Where a run stands: its row, and the status that its last order gives it; why: what broke it.

    is_stored: whether its last order was; a process that dies between two writes leaves one of which there is nothing.
    """

    row: RunRow
    status: DurableStatus
    why: str = ""
    is_stored: bool = True

    @property
    def workflow_id(self) -> str:
        """The workflow of the last order."""
        return f"{self.row.run_id}:{self.row.ordered}"


class RunOrders:
    """The orders of one process, in the order in which they are given."""

    def __init__(
        self,
        agent: ServedAgent,
        logs: LogTable,
        table: RunTable,
        queue: str | None,
        ordering: Callable[[str], AbstractContextManager[None]],
    ) -> None:
        """Use the tables of a database whose DBOS was launched.

        queue: None for exchanges that start here at once. ordering: keeps other processes from ordering for a run.
        """
        self.agent = agent
        self.logs = logs
        self.table = table
        self._queue = queue
        self._ordering = ordering
        self._locks = WeakValueDictionary[str, threading.Lock]()
        self._finding = threading.Lock()

    @contextmanager
    def _one_after_another(self, run_id: str) -> Iterator[None]:
        """An order is two writes, the number of the row and the workflow: nobody may look in between."""
        with self._finding:  # two threads that find none would each make one
            lock = self._locks.setdefault(run_id, threading.Lock())
        with lock, self._ordering(run_id):
            yield

    def begin(
        self,
        run_id: str,
        asked: ExchangeOrder,
        files: Iterable[Attachment] = (),
        owner: str = "",
        chat: str | None = None,
    ) -> None:
        """Begin a run with its first order, which `chat` stands for from now on.

        Raises PurestepError; DurableError `bad_run_id`, `run_active` where there is a run of this id or chat.
        """
        checked_id(run_id)
        order = self._prepared(asked, files)
        row = RunRow(
            run_id=run_id, owner=owner, created_ms=order.at, query=(order.query or "")[:_MAX_SHOWN_CHARS],
            ordered=order.number, exchange=0, status="running",
        )  # fmt: skip
        with self._one_after_another(run_id):
            if self.table.get(run_id) is not None:
                raise active(run_id)
            self._check(order)
            if not self.table.add(row, chat):
                raise active(run_id)
            self._start(order)

    def go_on(self, stand: Stand, asked: ExchangeOrder, files: Iterable[Attachment] = ()) -> int:
        """Order the next exchange of a run that stands still; returns its number.

        Without a query or answers, what is left of a broken order is ordered anew. Raises DurableError `run_active`;
        PurestepError for what does not fit the run.
        """
        with self._one_after_another(stand.row.run_id):
            now = self._stand(stand.row.run_id)  # an order of another request may have come in between
            if now.row.ordered != stand.row.ordered or (now.status == "running" and not asked.cancels):
                raise active(now.row.run_id)
            return self._go_on(now, asked, files)

    def _go_on(self, stand: Stand, asked: ExchangeOrder, files: Iterable[Attachment]) -> int:
        order = self._prepared(replace(asked, number=stand.row.ordered + 1), files)
        is_empty = order.query is None and not order.approvals and not order.results
        if is_empty and (stand.status == "broken" or stand.row.exchange == 0):
            order = self._with_what_is_left(stand, order)
        self._check(order)
        self._place(order)
        return order.number

    def stand(self, run_id: str) -> Stand:
        """Return where a run stands; raises DurableError `run_not_found`."""
        found = self._stand(run_id)
        if found.status != "broken":
            return found
        with self._one_after_another(run_id):  # its order may be half written
            return self._stand(run_id)

    def _stand(self, run_id: str) -> Stand:
        row = self.table.get(run_id)
        if row is None:
            raise DurableError("run_not_found", f"There is no run {run_id!r:.80} in this database.")
        return self.stand_of(row)

    def stand_of(self, row: RunRow) -> Stand:
        """Return where the run of a row stands."""
        found = DBOS.get_workflow_status(f"{row.run_id}:{row.ordered}")
        if found is None:
            return Stand(row=row, status="broken", why="its order was not stored", is_stored=False)
        if found.status in _ACTIVE:
            return Stand(row=row, status="running")
        if found.status == "SUCCESS" and (row.status == "running" or row.exchange != row.ordered):
            newer = self.table.get(row.run_id) or row  # the row may be older than the end
            if newer.ordered != row.ordered:
                return self.stand_of(newer)
            row = newer
        if row.status == "running" or (found.status != "SUCCESS" and not self._has_ended(row)):
            return Stand(row=row, status="broken", why=_reason(found))
        return Stand(row=row, status=row.status)

    def _has_ended(self, row: RunRow) -> bool:
        """Whether the rows of a run say that its last order was carried out, whatever DBOS could store of that."""
        return row.exchange == row.ordered and bool(self.logs.rows(row.run_id, row.ordered))

    def stop(self, stand: Stand) -> None:
        """Have the last order not begin any more, if it has not; one that goes on elsewhere may not write any more."""
        DBOS.cancel_workflow(stand.workflow_id)

    def _prepared(self, order: ExchangeOrder, files: Iterable[Attachment]) -> ExchangeOrder:
        """Return an order as it is stored: without secrets, its files in a table."""
        agent, store = self.agent, self.logs.attachments(order.run_id)
        sent = []
        for each in files:
            store.put(each)
            sent.append(SentFile(digest=each.digest, media_type=each.media_type, name=each.name))
        hidden = HiddenTexts(agent.definition, agent.mask, order.run_id)
        said = order.query
        if said is not None:
            said = hidden.observed(purestep.UserMessage(content=said), None).content
        answers = hidden.observed(purestep.Approvals(approvals=order.approvals), None).approvals
        results = order.results and results_as_stored(
            agent.definition, agent.mask, order.run_id, self.logs.text(order.run_id), order.results
        )
        digest = agent.definition.digest or ""
        return replace(
            order, query=said, approvals=answers, results=results, files=tuple(sent), at=agent.clock(), agent=digest
        )

    def _with_what_is_left(self, stand: Stand, order: ExchangeOrder) -> ExchangeOrder:
        stored = DBOS.get_workflow_status(stand.workflow_id)
        if stored is None or stored.input is None:
            return order
        last = decoded_order(stored.input["args"][0])
        before = self.logs.text(last.run_id, before=last.number)
        left = left_of(last, before, "".join(self.logs.rows(last.run_id, last.number)))
        if order.cancels:
            return replace(order, query=left.query)
        return replace(left, number=order.number, at=order.at, agent=order.agent, cancels=False)

    def _check(self, order: ExchangeOrder) -> None:
        """Make the first steps of an order and drop them: the core refuses what does not fit before it is stored."""
        agent = self.agent
        log = RunLog(order.run_id, self.logs.text(order.run_id), None)
        if log.is_new and order.query is None and not order.cancels:
            raise DurableError("run_not_found", f"There is no log of run {order.run_id!r:.80}; give a query.")
        run = RunEffects(agent.definition, order.run_id, lambda: order.at, agent.mask, order.run_id)
        files = self.logs.attachments(order.run_id)
        try_effects(ordered_effects(run, log, order, files, takes_over=agent.takes_over))

    def _place(self, order: ExchangeOrder) -> None:
        if not self.table.order(order.run_id, order.number):
            raise active(order.run_id)
        self._start(order)

    def _start(self, order: ExchangeOrder) -> None:
        text = json_text(order)
        with SetWorkflowID(order.workflow_id):
            if self._queue is None:
                DBOS.start_workflow(exchange_workflow, text)
            else:
                DBOS.enqueue_workflow(self._queue, exchange_workflow, text)


def new_order(run_id: str | None = None, query: str | None = None) -> ExchangeOrder:
    """Return an order to be completed; its run has a random id where none is given."""
    return ExchangeOrder(run_id=run_id or secrets.token_hex(16), number=1, query=query, at=0)


def active(run_id: str) -> DurableError:
    """Return the error of an order for a run that goes on."""
    return DurableError("run_active", f"run {run_id} goes on, or waits for a person; wait for its end, or answer it")


def _reason(workflow: WorkflowStatus) -> str:
    return workflow.status if workflow.error is None else f"{workflow.status}: {reason(workflow.error)}"
