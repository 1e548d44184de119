"""DBOS in this process: launched over a database, with the queue that runs wait in, and ended."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

import msgspec

from purestep_hosts.durable.sqlite_time import timed_connections
from purestep_hosts.extras import DURABLE

with DURABLE:
    from dbos import DBOS, DBOSPortableJSONSerializer

_VERSION: Final = "purestep"
"""The same for all releases: DBOS leaves runs alone that another version began."""

_POLL_S: Final = 0.7
"""How often a process looks into the queue: an answer goes on within a second, and an idle process costs little. DBOS
has no notification for queues, so each look is two transactions."""


class QueueLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How many exchanges may go on, in all processes of a database that use the same model.

    at_once: in all processes together. per_process: in each one. starts: at most so many begin in `period_s` seconds.
    What is None is not limited, or stays as an earlier process has set it.
    """

    at_once: int | None = None
    per_process: int | None = None
    starts: int | None = None
    period_s: float = 60.0


def queue_name(model: str) -> str:
    """Return the name of the queue of a model."""
    return f"purestep {model}"


def launch(url: str, executor: str, queue: str | None, limits: QueueLimits, *, executes: bool) -> None:
    """Launch DBOS, and take runs from a queue if there is one and this process executes."""
    in_new_thread(lambda: _launch(url, executor, queue, limits, executes=executes))


def _launch(url: str, executor: str, queue: str | None, limits: QueueLimits, *, executes: bool) -> None:
    DBOS(
        config={
            "name": "purestep",
            "system_database_url": url,
            "application_version": _VERSION,
            "executor_id": executor,
            "serializer": DBOSPortableJSONSerializer(),  # the default is pickle, which runs what is stored
            "log_level": "CRITICAL",
            "use_listen_notify": True,
            **({"db_engine_kwargs": timed_connections()} if url.startswith("sqlite") else {}),
        }
    )
    DBOS.listen_queues([queue] if queue is not None and executes else [])
    DBOS.launch()
    if queue is not None:
        _register(queue, limits)


def _register(queue: str, limits: QueueLimits) -> None:
    """Make the queue, or set those of its limits that are given."""
    limiter: Any = None if limits.starts is None else {"limit": limits.starts, "period": limits.period_s}
    found = DBOS.retrieve_queue(queue)
    at_once = limits.at_once or (found and found.global_concurrency) or None
    per_process = limits.per_process or (found and found.worker_concurrency) or None
    if at_once is not None and per_process is not None:
        per_process = min(per_process, at_once)  # DBOS takes no more in one process than in all
    DBOS.register_queue(
        queue,
        worker_concurrency=per_process,
        global_concurrency=at_once,
        limiter=limiter or (found and found.limiter) or None,
        polling_interval_sec=_POLL_S,
        on_conflict="always_update",
    )


def end() -> None:
    """End DBOS; what goes on is cut off."""
    in_new_thread(DBOS.destroy)


def in_new_thread(function: Callable[[], Any]) -> None:
    """Call a function in a thread without an event loop: DBOS would take over one that runs here, and block it."""
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
