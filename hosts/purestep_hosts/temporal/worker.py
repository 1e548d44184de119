"""`TemporalWorker`: carries out the runs of an agent in this process."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import TracebackType
from typing import Any, Final, Self

from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.attachments import AttachmentStore
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.stop_signals import StopSignals
from purestep_hosts.temporal.activities import Activities, Notify
from purestep_hosts.temporal.server import connected, task_queue
from purestep_hosts.temporal.timers import DueResults, TemporalTimer
from purestep_hosts.temporal.workflow import TemporalExchange

with TEMPORAL:
    from temporalio.client import Client
    from temporalio.worker import UnsandboxedWorkflowRunner, Worker

_BEAT: Final = timedelta(seconds=1)
"""How often a sign of life is sent at most: the answer to it tells of a cancellation."""


class TemporalWorker:
    """A worker of one agent; in a `with` block it works in the background, with `run` until it is told to stop."""

    def __init__(
        self,
        agent: Agent[Any],
        server: Client | str = "127.0.0.1:7233",
        *,
        namespace: str = "default",
        queue: str = "purestep",
        deps: Any = None,
        notify: Notify | None = None,
        grace_s: float = 10.0,
        attachments: AttachmentStore | None = None,
    ) -> None:
        """Load the model and connect.

        server: HOST:PORT, or a client of temporalio, which has a namespace of its own. queue: the beginning of the
        task queue's name, as `TemporalRuns` has it. deps: what tools get as `Invocation.deps`. notify: told of runs
        that wait for a person. grace_s: how long calls may take to end when the worker stops. attachments: keeps the
        images and files that tools give, where every worker finds them; without it the model is told of them alone.

        Raises DurableError: `bad_address`, `server_unusable`; DownloadError and ModelLoadError for the model.
        """
        run_blocking(agent.loaded_model)
        self._activities = Activities(agent, deps, notify, attachments)
        self._queue = task_queue(queue, agent)
        self._grace = timedelta(seconds=grace_s)
        self._client = run_blocking(lambda: connected(server, namespace))
        self._due = DueResults(agent, self._client, self._queue)
        self._worker: Worker | None = None
        self._working: asyncio.Task[None] | None = None
        self._stopping: StopSignals | None = None

    def run(self) -> None:
        """Work until SIGINT or SIGTERM, in the main thread; calls that run may end within the grace."""
        with StopSignals() as stopping:
            self._stopping = stopping
            with self:
                stopping.wait()

    def stop(self) -> None:
        """Stop: calls that do not end within the grace are cut off, and their runs are told so."""
        run_blocking(self._stop)

    def __enter__(self) -> Self:
        run_blocking(self._start)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def _start(self) -> None:
        activities = self._activities
        self._worker = Worker(
            self._client,
            task_queue=self._queue,
            workflows=[TemporalExchange, TemporalTimer],
            activities=[activities.ask_model, activities.run_call, activities.record, self._due.give],
            # The sandbox would import the core anew for each workflow, which takes seconds; what it watches over is
            # pure, and tests replay histories in it.
            workflow_runner=UnsandboxedWorkflowRunner(),
            # The core computes and waits for nothing: a long log on a busy machine would pass for a deadlock.
            debug_mode=True,
            max_heartbeat_throttle_interval=_BEAT,
            graceful_shutdown_timeout=self._grace,
        )
        self._working = asyncio.create_task(self._worker.run())
        if self._stopping is not None:
            stop = self._stopping.stop
            self._working.add_done_callback(lambda _: stop())  # it has failed: `run` says so

    async def _stop(self) -> None:
        worker, working, self._worker, self._working = self._worker, self._working, None, None
        if worker is not None and working is not None:
            await worker.shutdown()
            await working
