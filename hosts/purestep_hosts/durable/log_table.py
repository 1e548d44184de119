"""The logs of runs in the database: the lines of each step are a row, which is the checkpoint of the step as well."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

import purestep
from purestep_hosts.attachments import Attachment
from purestep_hosts.durable.tables import ATTACHMENTS, LOG, RESULTS, RUNS, prepare, workflows_of
from purestep_hosts.durable.timer_table import arm
from purestep_hosts.durable.write_check import UNAVAILABLE
from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import StepStatus

with DURABLE:
    import sqlalchemy
    from sqlalchemy import delete, insert, or_, select, update

Value = TypeVar("Value")

_LEAST_PAUSE_S: Final = 0.1
_MOST_PAUSE_S: Final = 5.0
"""Between two attempts to reach a database that is away: it is noticed soon, and not asked all the time."""
_MAX_WAITING: Final = 1000
"""Runs whose waits are read at once: more questions are more than people look at."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


class Superseded(Exception):
    """Another execution goes on with the run: this one may not write any more, nor act."""


class TakenOver(Exception):
    """The exchange was given to another process: this one has nothing more to do for it."""


class LogRow(msgspec.Struct, frozen=True, kw_only=True):
    """The lines of one step.

    exchange: the number of the order, from 1. position: that of the step in its exchange, from 0. status: what the
    step's decision leaves the run as. execution: which execution of the workflow wrote the row.
    """

    run_id: str
    exchange: int
    position: int
    log: str
    head: str
    status: StepStatus
    execution: str


def log_text(connections: sqlalchemy.Engine, run_id: str, before: int | None = None) -> str:
    """Return the lines of a run, of a database that has the tables; before: the exchange up to which, without it."""
    lines = select(LOG.c.log).where(LOG.c.run_id == run_id)
    if before is not None:
        lines = lines.where(LOG.c.exchange < before)
    with connections.connect() as connection:
        return "".join(connection.scalars(lines.order_by(LOG.c.exchange, LOG.c.position)))


class LogTable:
    """The logs of all runs of a database."""

    def __init__(self, connections: sqlalchemy.Engine) -> None:
        """Make the tables if there are none; raises DurableError `other_version`."""
        self._connections = connections
        self._workflows = workflows_of(connections)
        prepare(connections)

    def claim(self, run_id: str, exchange: int, execution: str, executor: str) -> None:
        """Have an execution of an exchange be the one that writes from now on.

        Raises Superseded if a later exchange is; TakenOver if another process carries the exchange out by now.
        """
        table = self._workflows
        given = select(table.c.executor_id).where(table.c.workflow_uuid == f"{run_id}:{exchange}")
        claim = update(RUNS).where(RUNS.c.run_id == run_id, RUNS.c.exchange <= exchange)
        with self._connections.begin() as connection:
            if connection.execute(claim.values(exchange=exchange, execution=execution)).rowcount == 0:
                raise Superseded
            if connection.scalar(given) != executor:
                raise TakenOver

    def append(self, row: LogRow, timers: Mapping[str, int] | None = None, agent: str = "") -> None:
        """Write a row, in the transaction that says where the run stands.

        timers: when calls are due that are to be waited for, by their keys; agent: the digest of whose they are.
        Raises Superseded where a later exchange writes, or another execution of this one: what follows from the row is
        that one's to do.
        """
        of_run = RUNS.c.run_id == row.run_id
        stand = select(RUNS.c.exchange, RUNS.c.status, RUNS.c.execution).where(of_run).with_for_update()
        try:
            with self._connections.begin() as connection:
                # First: SQLite begins its transaction, and so its lock, with what writes.
                connection.execute(insert(LOG).values(msgspec.structs.asdict(row)))
                found = connection.execute(stand).first()
                if found is None or (found.exchange, found.execution) != (row.exchange, row.execution):
                    raise Superseded
                if found.status != row.status:
                    connection.execute(update(RUNS).where(of_run).values(status=row.status))
                arm(connection, row.run_id, agent, timers or {})
        except sqlalchemy.exc.IntegrityError:
            if self._has(row):
                return  # written before the connection was lost
            raise Superseded from None

    def _has(self, row: LogRow) -> bool:
        wanted = select(LOG.c.execution).where(
            LOG.c.run_id == row.run_id, LOG.c.exchange == row.exchange, LOG.c.position == row.position
        )
        with self._connections.connect() as connection:
            return connection.scalar(wanted) == row.execution

    def text(self, run_id: str, before: int | None = None) -> str:
        """Return the lines of a run; before: the exchange up to which, without it."""
        return log_text(self._connections, run_id, before)

    def rows(self, run_id: str, exchange: int, after: int = -1) -> list[str]:
        """Return the lines of each step of an exchange, from the step after a position."""
        rows = select(LOG.c.log).where(LOG.c.run_id == run_id, LOG.c.exchange == exchange, LOG.c.position > after)
        with self._connections.connect() as connection:
            return list(connection.scalars(rows.order_by(LOG.c.position)))

    def asked(self) -> list[tuple[str, str]]:
        """Return lines of the runs that wait, with the run's id, in order: those that ask, answer or end exchanges."""
        waiting = select(RUNS.c.run_id).where(RUNS.c.status == "waiting").limit(_MAX_WAITING)
        kinds = ("approval_request", "approval", "agent_changed", "final_answer", "run_failed")
        lines = select(LOG.c.run_id, LOG.c.log).where(
            LOG.c.run_id.in_(waiting), or_(*[LOG.c.log.contains(f'"kind":"{kind}"') for kind in kinds])
        )
        with self._connections.connect() as connection:
            found = connection.execute(lines.order_by(LOG.c.run_id, LOG.c.exchange, LOG.c.position))
            return [(run_id, log) for run_id, log in found]

    def keep_result(self, run_id: str, execution: str, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Keep the result of a call that runs beside others, which the log does not have yet; raises Superseded."""
        of_run = (RUNS.c.run_id == run_id, RUNS.c.execution == execution)
        text = json.dumps(result, allow_nan=False)
        values = {"run_id": run_id, "call_id": call.call_id, "key": call.key, "result": text}
        with self._connections.begin() as connection:
            connection.execute(
                delete(RESULTS).where(
                    RESULTS.c.run_id == run_id, RESULTS.c.call_id == call.call_id, RESULTS.c.key == call.key
                )
            )
            connection.execute(insert(RESULTS).values(values))
            if connection.execute(select(RUNS.c.run_id).where(*of_run).with_for_update()).first() is None:
                raise Superseded

    def kept_results(self, run_id: str, calls: Sequence[purestep.ToolCall]) -> dict[str, dict[str, Any]]:
        """Return the results that are kept of calls, by the call's key."""
        rows = select(RESULTS.c.call_id, RESULTS.c.key, RESULTS.c.result).where(RESULTS.c.run_id == run_id)
        with self._connections.connect() as connection:
            found = {(call_id, key): result for call_id, key, result in connection.execute(rows)}
        named = [(call.call_id, call.key) for call in calls]
        return {each[1]: json.loads(found[each]) for each in named if each in found}

    def drop_results(self, run_id: str) -> None:
        """Forget the results that were kept, as the log has them."""
        with self._connections.begin() as connection:
            connection.execute(delete(RESULTS).where(RESULTS.c.run_id == run_id))

    def attachments(self, run_id: str) -> TableAttachments:
        """Return what keeps the images and files of a run."""
        return TableAttachments(self._connections, run_id)


class TableAttachments:
    """Keeps images and files of one run in the database."""

    def __init__(self, connections: sqlalchemy.Engine, run_id: str) -> None:
        self._connections = connections
        self._run_id = run_id

    def put(self, attachment: Attachment) -> None:
        """Keep the bytes durably."""
        if self.get(attachment.digest) is None:
            values = {"run_id": self._run_id, "digest": attachment.digest, "data": attachment.data}
            with self._connections.begin() as connection:
                connection.execute(insert(ATTACHMENTS).values(values))

    def get(self, digest: str) -> bytes | None:
        """Return what was kept under a digest; None for nothing."""
        if _DIGEST.fullmatch(digest) is None:
            return None
        wanted = select(ATTACHMENTS.c.data).where(ATTACHMENTS.c.run_id == self._run_id, ATTACHMENTS.c.digest == digest)
        with self._connections.connect() as connection:
            found = connection.scalar(wanted)
        return None if found is None else bytes(found)


def persistently(function: Callable[[], Value], has_closed: Callable[[], bool]) -> Value:
    """Call a function of the database until that is there again, and has room.

    has_closed: tells that nobody waits any more.
    """
    pause_s = _LEAST_PAUSE_S
    while True:
        try:
            return function()
        except UNAVAILABLE:
            if has_closed():
                raise
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, _MOST_PAUSE_S)
