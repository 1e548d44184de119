"""Results of calls that went on elsewhere, found by the service itself: of times that have come, and of MCP tasks.

What a run is given was asked for with the handles in its own log, which its tools have written, and the images and
files of a result are kept beside that log: nothing of it goes to another run, or to another user.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import purestep
from purestep_hosts.agents.late import LateCall, LateResult, LateSource, due_results, late_calls
from purestep_hosts.agents.served_agent import ServedAgent
from purestep_hosts.async_loop import in_thread
from purestep_hosts.serve.user_runs import ExchangeRequest, UserRuns
from purestep_hosts.stored_runs import status_of
from purestep_hosts.tools.later import due_ms
from purestep_hosts.tools.output_parts import Keep

_ASKED_S: Final = 10.0
"""How long a user's message waits for what servers say of their tasks; they are asked again later."""
_PENDING: Final = '"kind":"tool_pending"'

_logger: Final = logging.getLogger("purestep_hosts.serve")


class LateFinder:
    """Finds results for the calls of a log; blocking."""

    def __init__(self, source: LateSource | None, clock: Callable[[], int]) -> None:
        """source: where tasks are asked for. clock: milliseconds since 1970."""
        self._source = source
        self._clock = clock

    def due_in_ms(self, log: str) -> int | None:
        """Return when the next call is due that waits for a time, from now on; None where there is none."""
        times = [due for call in open_calls(log) if (due := due_ms(call.handle)) is not None]
        return max(0, min(times) - self._clock()) if times else None

    def has_tasks(self, log: str) -> bool:
        """Whether calls of a log go on where they can be asked for."""
        source = self._source
        return source is not None and any(map(source.knows, open_calls(log)))

    def due(self, log: str) -> tuple[LateResult, ...]:
        """Return the results of calls whose time has come."""
        return tuple(due_results(open_calls(log), self._clock()))

    def of_tasks(self, log: str, keep: Keep) -> tuple[LateResult, ...]:
        """Return the results of tasks that have ended; keep: takes images and files."""
        calls = open_calls(log)
        if self._source is None or not calls:
            return ()
        try:
            return self._source.late_results(calls, keep=keep)
        except Exception:  # a server may say anything, and no message of a user fails for it
            _logger.exception("results of tasks could not be asked for")
            return ()


def finder_of(agent: ServedAgent) -> LateFinder:
    """Return the finder of a service of this agent."""
    return LateFinder(agent.late, agent.clock)


def open_calls(log: str) -> Sequence[LateCall]:
    """Return the calls of a run that go on elsewhere; none of a run that was cancelled or cut off, which is a user's.

    Raises PurestepError for a log that is damaged.
    """
    if _PENDING not in log:
        return ()
    found = purestep.replay(log)
    is_cancelled = isinstance(found.decision, purestep.Failed) and found.decision.code == "cancelled"
    if is_cancelled or status_of(found.decision, found.also or ()) == "running":
        return ()
    return tuple(late_calls(found.state))


async def give_found(runs: UserRuns, run_id: str, finder: LateFinder) -> None:
    """Have a run read what has come by now, in an exchange of its own, before its user's next message.

    What cannot be given is left to later: another request may have given it, or the run goes on.
    """
    log = await runs.log(run_id)
    if _PENDING not in log or await runs.live(run_id) is not None:
        return
    with suppress(purestep.PurestepError):
        results = await in_thread(lambda: finder.due(log))
        with suppress(TimeoutError):
            async with asyncio.timeout(_ASKED_S):
                results += await in_thread(lambda: finder.of_tasks(log, runs.keep(run_id)))
        if results:
            live = await runs.go_on(run_id, ExchangeRequest(results=results, is_detached=True))
            await live.ended()
