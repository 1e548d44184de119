"""What watches runs: a queue of the lines that were stored, and one thread that folds them for each watch."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec.structs import replace

import purestep
from purestep import events, read_events
from purestep_formats import Projection, feed_projection, open_projection
from purestep_hosts.costs import CostCount

MAX_QUEUED: Final = 10_000
"""Steps that wait to be folded, each with the few kB that it has logged; folding one takes less than a millisecond."""
_CLOSE_S: Final = 2.0
"""How long a process that ends waits for what is queued."""

_logger: Final = logging.getLogger("purestep_hosts.watching")


class WatchedRun(msgspec.Struct, kw_only=True, eq=False, weakref=True):
    """An exchange of a run, and where the folds of its log stand.

    `waiting`: when each call that waits for a person was asked about, by its id; of the lines before those that are
    told. `unit`: that of the definition's prices. `is_lost`: nothing of it is told any more.
    """

    run_id: str
    projection: Projection = msgspec.field(default_factory=lambda: open_projection("otel"))
    waiting: dict[str, int] = {}
    unit: str = ""
    is_lost: bool = False

    def note(self, lines: Iterable[events.Event]) -> None:
        """Keep what lines say of waiting calls and of prices."""
        for line in map(counted, lines):
            match line:
                case events.ApprovalRequestEvent(call_id=call_id, at=at):
                    self.waiting[call_id] = at if isinstance(at, int) else 0
                case events.ApprovalEvent(call_id=call_id):
                    self.waiting.pop(call_id, None)
                case events.FinalAnswer() | events.RunFailed():
                    self.waiting.clear()
                case events.RunStarted() | events.AgentChangedEvent():
                    self.waiting.clear()
                    prices = CostCount()
                    prices.add(line)
                    self.unit = prices.unit


def counted(line: events.Event) -> events.Event:
    """Return what is counted of a line: of that of an agent's run what people and checks said, by ids of its place."""
    if not isinstance(line, events.ChildLine):
        return line
    inner = counted(events.event_below(line))
    match inner:
        case events.ApprovalRequestEvent() | events.ApprovalEvent() | events.VerdictEvent():
            return replace(inner, call_id=f"{line.call_id}/{inner.call_id}")
        case events.CorrectionEvent():
            return inner
    return line


class RunWatch(Protocol):
    """Is told of runs, in the one thread of `Watching`; what it raises ends the watching of that exchange."""

    def began(self, run: WatchedRun) -> None:
        """An exchange began, whose log before it has been read."""
        ...

    def told(self, run: WatchedRun, lines: Sequence[events.Event], spans: Sequence[dict[str, Any]]) -> None:
        """Lines were stored; spans: those that they end."""
        ...

    def ended(self, run: WatchedRun) -> None:
        """The exchange ended, or waits for a person: nothing more of it comes."""
        ...

    def close(self) -> None:
        """The process ends."""
        ...


class WatchUsage(msgspec.Struct):
    """What was not watched: exchanges that were left because the queue was full, and such that could not be read."""

    overflowed: int = 0
    unreadable: int = 0


class Watching:
    """Tells watches of runs, in a thread of its own."""

    def __init__(self, watches: Iterable[RunWatch], *, max_queued: int = MAX_QUEUED) -> None:
        """Begin without a thread; the first exchange starts it. max_queued: steps that may wait, at least 1."""
        self.watches = tuple(watches)
        self.usage = WatchUsage()
        self._jobs: queue.Queue[Callable[[], None]] = queue.Queue(max_queued)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def exchange(self, run_id: str, before: str) -> ExchangeWatch:
        """Return what the steps of an exchange are told to; before: the log that it goes on from."""
        run = WatchedRun(run_id=run_id)
        watch = ExchangeWatch(self, run)
        watch.put(lambda: self._begin(run, before))
        return watch

    def read(self, run_id: str, log: str) -> None:
        """Have a log read as if its exchange had just ended: what waits in it is known after that."""
        self.exchange(run_id, log).end()

    def put(self, job: Callable[[], None]) -> bool:
        """Queue a job without waiting; returns whether there was room."""
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            return False
        if self._thread is None:
            self._start()
        return True

    def flush(self, timeout_s: float) -> bool:
        """Wait until what is queued now is folded; returns whether it is."""
        done = threading.Event()
        return self.put(done.set) and done.wait(timeout_s)

    def close(self) -> None:
        """Fold what is queued, for a short time, and close the watches."""
        self.flush(_CLOSE_S)
        for watch in self.watches:
            watch.close()

    def tell(self, run: WatchedRun, log: str) -> None:
        """Fold lines of a run; called in the thread."""
        lines = [line for _, line in read_events(log)]
        run.projection, spans = feed_projection(run.projection, log)
        for watch in self.watches:
            watch.told(run, lines, spans)
        run.note(lines)

    def tell_end(self, run: WatchedRun) -> None:
        """Say that an exchange has ended; called in the thread."""
        for watch in self.watches:
            watch.ended(run)

    def _begin(self, run: WatchedRun, before: str) -> None:
        if before:
            run.projection, _ = feed_projection(run.projection, before)
            run.note(line for _, line in read_events(before))
        for watch in self.watches:
            watch.began(run)

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="purestep-watching", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while True:
            self._jobs.get()()


class ExchangeWatch:
    """Takes the steps of one exchange; none of its methods waits or raises."""

    def __init__(self, watching: Watching, run: WatchedRun) -> None:
        self._watching = watching
        self._run = run

    def step(self, log: str) -> None:
        """Take the lines of a step, which are stored."""
        if log:
            self.put(lambda: self._watching.tell(self._run, log))

    def end(self) -> None:
        """Take the end of the exchange."""
        self.put(lambda: self._watching.tell_end(self._run))

    def put(self, job: Callable[[], None]) -> None:
        """Queue a job of this exchange; the first one that finds no room is the last one."""
        if self._run.is_lost or self._watching.put(lambda: self._do(job)):
            return
        self._run.is_lost = True
        self._watching.usage.overflowed += 1
        if self._watching.usage.overflowed == 1:
            _logger.error("more happens than can be watched: exchanges are left out of metrics, logs and traces")

    def _do(self, job: Callable[[], None]) -> None:
        if self._run.is_lost:
            return
        try:
            job()
        except Exception as error:  # a run is never disturbed by what watches it
            self._run.is_lost = True
            self._watching.usage.unreadable += 1
            text = getattr(error, "message", None) or type(error).__name__
            is_defect = not isinstance(error, purestep.PurestepError)
            _logger.error("run %s is not watched any more: %s", self._run.run_id, text, exc_info=is_defect)
            self._watching.tell_end(self._run)
