"""Which processes of a database are alive, and the exchanges of those that are not: put back for the others to take.

A process is a row with the time of its last beat, by the clock of the database. One whose lease has ended without a
beat, or that has left, is gone, and whoever sees it first takes its exchanges away: in one transaction it changes the
token of the row and makes the executions void, so that nothing is written by them any more (`LogTable.append`). Then
they are queued. A process that was only paused finds another token at its next beat: it ends what it was doing, and
registers anew.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec

from purestep_hosts.durable.database import reason
from purestep_hosts.durable.tables import RUNS, WORKERS, now_ms, workflows_of
from purestep_hosts.durable.write_check import WriteCheck
from purestep_hosts.extras import DURABLE

with DURABLE:
    import sqlalchemy
    from dbos import DBOS
    from sqlalchemy import delete, insert, select, update

LEASE_S: Final = 15.0
"""How long a process is believed to live without a beat: longer than a short pause of a machine or of the network."""
_BEATS: Final = 3
"""In a lease: one that is late does not end it."""
_UNCHANGED: Final = 2
"""Looks in a row at which a beat that is overdue was the same: after the database was away, who lives beats first."""
_FORGOTTEN_MS: Final = 86_400_000
"""After a day nobody asks what a process was that left nothing."""
_OWN_QUEUE: Final = "_dbos_internal_queue"
"""That of DBOS, for exchanges that were begun without one."""

_logger: Final = logging.getLogger("purestep_hosts.durable")


class _Worker(msgspec.Struct, frozen=True, kw_only=True):
    """The row of a process, whose `token` is another one once its exchanges were taken away."""

    executor: str
    name: str
    agent: str
    token: str
    beat: int
    lease_ms: int


class _Held(msgspec.Struct, frozen=True, kw_only=True):
    """An exchange that a process carries out, and the queue that it came from."""

    workflow_id: str
    queue: str | None


class Leases:
    """The lease of this process, and the looks at those of others."""

    def __init__(
        self,
        connections: sqlalchemy.Engine,
        executor: str,
        *,
        name: str,
        agent: str,
        queue: str | None,
        lease_s: float,
        writes: WriteCheck,
        driven: Callable[[], Collection[str]],
    ) -> None:
        """Register this process; before it takes anything, so that nobody thinks it gone.

        executor: the name that no other process ever had; name: the one that people know. agent: the digest of its
        definition. queue: None for a process that carries out what it orders itself. driven: the exchanges that go on
        in this process.
        """
        self._connections = connections
        self._me = _Worker(
            executor=executor, name=name, agent=agent, token="", beat=0, lease_ms=max(1, round(lease_s * 1000))
        )
        self._queue = queue
        self._writes = writes
        self._driven = driven
        self._stuck: set[str] = set()
        """Exchanges of this process that did not go on in it when it last looked."""
        self._pause_s = lease_s / _BEATS
        self._workflows = workflows_of(connections)
        self._overdue: dict[str, tuple[int, int]] = {}
        """Beats that are late, and at how many looks in a row."""
        self._is_away = False
        self._lost: Callable[[], None] = lambda: None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._register()

    def begin(self, lost: Callable[[], None]) -> None:
        """Take what earlier processes of this name left, and beat from now on; lost: ends what goes on here."""
        self._lost = lost
        self._take(self._held(), is_first=True)
        self._thread = threading.Thread(target=self._work, name="purestep-lease", daemon=True)
        self._thread.start()

    def beat(self) -> None:
        """Renew the lease, and write more where that has failed; raises what the database raises.

        Where the lease was lost, what goes on here is ended.
        """
        mine = (WORKERS.c.executor == self._me.executor, WORKERS.c.token == self._me.token)
        with self._connections.begin() as connection:
            beat = update(WORKERS).where(*mine).values(beat=now_ms(connection))
            is_mine = connection.execute(beat).rowcount == 1
        if not is_mine:
            _logger.warning("%s was paused for longer than its lease: its exchanges were taken over", self._me.name)
            self._lost()
            self._register()
            self._put_back(self._held().get(self._me.executor, []))
        self._writes.check()

    def take_name(self, name: str) -> int:
        """Put back what processes of a name carry out, which are dead; returns how many exchanges that were."""
        held, workers = self._held(), self._workers()[0]
        executors = [each for each in held if each == name or (each in workers and workers[each].name == name)]
        return sum([self._take_from(each, held[each], workers.get(each)) for each in executors])

    def close(self) -> None:
        """Beat no more, and have the others take what is left at once."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def leave(self) -> None:
        """Forget this process, once nothing of it goes on; raises what the database raises."""
        with self._connections.begin() as connection:
            connection.execute(delete(WORKERS).where(WORKERS.c.executor == self._me.executor))

    def _work(self) -> None:
        while not self._stopping.wait(self._pause_s):
            try:
                self.beat()
                held = self._held()
                self._take(held)
                self._take_up_stuck(held.get(self._me.executor, []))
                self._told(None)
            except sqlalchemy.exc.IntegrityError:
                pass  # another process has taken this one for gone at this moment; the next beat says so
            except sqlalchemy.exc.SQLAlchemyError as error:
                self._overdue.clear()
                self._told(error)
            except Exception:  # the thread of a lease may not end
                _logger.exception("the lease of %s could not be looked after", self._me.name)

    def _take_up_stuck(self, own: Iterable[_Held]) -> None:
        """Put back what is this process's to carry out and does not go on in it: its end could not be stored."""
        going = set(self._driven())
        still = [each for each in own if each.workflow_id not in going]
        stuck = [each for each in still if each.workflow_id in self._stuck]
        self._stuck = {each.workflow_id for each in still} - {each.workflow_id for each in stuck}
        self._put_back(stuck)

    def _told(self, error: BaseException | None) -> None:
        """Log once that the database is away, and once that it is back."""
        if error is not None and not self._is_away:
            _logger.error("the database cannot be used (%s); runs wait for it", reason(error))
        if error is None and self._is_away:
            _logger.warning("the database can be used again; runs go on")
        self._is_away = error is not None

    def _register(self) -> None:
        self._me = msgspec.structs.replace(self._me, token=_token())
        with self._connections.begin() as connection:
            row = {**msgspec.structs.asdict(self._me), "beat": now_ms(connection)}
            mine = update(WORKERS).where(WORKERS.c.executor == self._me.executor)
            if connection.execute(mine.values(row)).rowcount == 0:
                connection.execute(insert(WORKERS).values(row))

    def _held(self) -> dict[str, list[_Held]]:
        """Return what each process carries out, as far as this one may put it back."""
        table = self._workflows
        wanted = select(table.c.workflow_uuid, table.c.executor_id, table.c.queue_name).where(
            table.c.status == "PENDING", table.c.name == "purestep_exchange"
        )
        found = defaultdict[str, list[_Held]](list)
        with self._connections.connect() as connection:
            for workflow_id, executor, queue in connection.execute(wanted):
                of_queue = None if queue in (None, _OWN_QUEUE) else queue
                found[executor or ""].append(_Held(workflow_id=workflow_id, queue=of_queue))
        return found

    def _workers(self) -> tuple[dict[str, _Worker], int]:
        """Return all processes, and the time of the database."""
        with self._connections.connect() as connection:
            now = int(connection.scalar(select(now_ms(connection))) or 0)
            rows = [_Worker(**row._asdict()) for row in connection.execute(select(WORKERS))]
        return {row.executor: row for row in rows}, now

    def _take(self, held: dict[str, list[_Held]], *, is_first: bool = False) -> None:
        """Put back what processes that are gone were carrying out."""
        workers, now = self._workers()
        late = {each.executor: each.beat for each in workers.values() if each.beat + each.lease_ms < now}
        self._overdue = {
            executor: (beat, count + 1 if last == beat else 1)
            for executor, beat in late.items()
            for last, count in [self._overdue.get(executor, (beat, 0))]
        }
        for executor, exchanges in held.items():
            worker = workers.get(executor)
            if executor != self._me.executor and self._is_gone(worker, is_first=is_first):
                self._take_from(executor, [each for each in exchanges if self._may_take(each, worker)], worker)
        forgotten = [each for each in workers if each not in held and workers[each].beat + _FORGOTTEN_MS < now]
        if forgotten:
            with self._connections.begin() as connection:
                connection.execute(delete(WORKERS).where(WORKERS.c.executor.in_(forgotten)))

    def _is_gone(self, worker: _Worker | None, *, is_first: bool) -> bool:
        if worker is None:  # every process registers before it takes anything, and leaves at its end
            return True
        if is_first and worker.name == self._me.name:  # this one holds the lock of the name
            return True
        return self._overdue.get(worker.executor, (0, 0))[1] >= _UNCHANGED

    def _may_take(self, held: _Held, worker: _Worker | None) -> bool:
        """Whether those that this exchange is put back for can carry it out: who shares a queue shares an agent."""
        if held.queue is not None:
            return True
        # One of the same name is the same program in its next release: `wait` says what does not fit any more.
        return self._queue is None and (
            worker is None or self._me.agent == worker.agent or self._me.name == worker.name
        )

    def _take_from(self, executor: str, exchanges: list[_Held], worker: _Worker | None) -> int:
        """Take exchanges away from a process that is gone, and put them back; another process may be faster."""
        if not exchanges or not self._claimed(executor, exchanges, worker):
            return 0
        self._put_back(exchanges)
        with self._connections.begin() as connection:
            connection.execute(delete(WORKERS).where(WORKERS.c.executor == executor))
        name = executor.partition(":")[0] if worker is None else worker.name
        _logger.warning("worker %s is gone: %d exchanges of it are taken over", name, len(exchanges))
        return len(exchanges)

    def _claimed(self, executor: str, exchanges: Iterable[_Held], worker: _Worker | None) -> bool:
        """Take them away, in one transaction; a process that dies after it leaves them to the next for a lease more."""
        run_ids = [each.workflow_id.rpartition(":")[0] for each in exchanges]
        try:
            with self._connections.begin() as connection:
                now = now_ms(connection)
                if worker is None:
                    row = {**msgspec.structs.asdict(self._me), "executor": executor, "token": _token(), "beat": now}
                    connection.execute(insert(WORKERS).values(row))
                else:
                    same = (WORKERS.c.executor == executor, WORKERS.c.token == worker.token)
                    taken = update(WORKERS).where(*same, WORKERS.c.beat == worker.beat)
                    if connection.execute(taken.values(token=_token(), beat=now)).rowcount == 0:
                        return False
                connection.execute(update(RUNS).where(RUNS.c.run_id.in_(run_ids)).values(execution=""))
        except sqlalchemy.exc.IntegrityError:
            return False
        return True

    def _put_back(self, exchanges: Iterable[_Held]) -> None:
        by_queue = defaultdict[str | None, list[str]](list)
        for each in exchanges:
            by_queue[each.queue].append(each.workflow_id)
        for queue, ids in by_queue.items():
            DBOS.resume_workflows(ids, queue_name=queue)


def _token() -> str:
    return secrets.token_hex(8)
