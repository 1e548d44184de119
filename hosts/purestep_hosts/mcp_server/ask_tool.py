"""The tool `ask`: one exchange with the agent, in a run that later calls may go on with."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from purestep import Approval, events, read_events
from purestep_hosts.async_loop import in_thread
from purestep_hosts.extras import MCP
from purestep_hosts.mcp_server import person
from purestep_hosts.mcp_server.person import AtClient
from purestep_hosts.serve.limits import KEEP_ALIVE_S
from purestep_hosts.serve.live_run import Entry, LiveRun
from purestep_hosts.serve.run_answer import RunAnswer
from purestep_hosts.serve.runs import Runs
from purestep_hosts.serve.user_runs import ExchangeRequest
from purestep_hosts.sessions import SessionStore
from purestep_hosts.show.sanitize import one_line

with MCP:
    from mcp_types import InputRequiredResult


MAX_QUERY_CHARS: Final = 1_000_000
"""As much as a tool's result may have: far more than any model reads."""


class AskArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A query, and the run that it goes on with."""

    query: Annotated[str, Meta(description="What to ask the agent.", min_length=1, max_length=MAX_QUERY_CHARS)]
    run: Annotated[str | None, Meta(description="The run of an earlier answer, to go on with it.")] = None


class AskTool:
    """Asks the agent for clients of this process."""

    def __init__(self, runs: Runs, store: SessionStore) -> None:
        self._runs = runs
        self._store = store

    async def begin(self, given: AskArguments, client: AtClient) -> RunAnswer | InputRequiredResult:
        """Ask the query; raises ServiceError, SessionError, PurestepError."""
        exchange = ExchangeRequest(query=given.query, is_detached=True)
        if given.run is None:
            live = await self._runs.begin(self._store, exchange)
        else:
            live = await self._runs.go_on(self._store, given.run, exchange)
        return await self._ended(live, client)

    async def go_on(self, run_id: str, given: Mapping[str, Any], client: AtClient) -> RunAnswer | InputRequiredResult:
        """Go on with a run whose calls a person was asked about; raises as `begin`."""
        found = await self._stand(run_id)
        if not found.approvals:
            return found
        return await self._ended(await self._answered(run_id, person.answers_of(found.approvals, given)), client)

    async def _ended(self, live: LiveRun, client: AtClient) -> RunAnswer | InputRequiredResult:
        """Wait for the end of a run, with a person asked as often as it waits for one."""
        calls = 0
        while True:
            try:
                calls = await _followed(live, client, calls)
            except asyncio.CancelledError:
                live.cancel()
                raise
            found = await self._stand(live.run_id)
            if not found.approvals:
                return found
            answers = await client.ask(found.approvals, found.run)
            if isinstance(answers, InputRequiredResult):
                return answers
            live = await self._answered(found.run, answers)

    async def _answered(self, run_id: str, answers: tuple[Approval, ...]) -> LiveRun:
        return await self._runs.go_on(self._store, run_id, ExchangeRequest(approvals=answers, is_detached=True))

    async def _stand(self, run_id: str) -> RunAnswer:
        log = await in_thread(lambda: self._store.read(run_id))
        return await in_thread(lambda: self._runs.stand(run_id, log.text))


async def _followed(live: LiveRun, client: AtClient, calls: int) -> int:
    """Wait for the end of a run; the client is told of each call.

    calls: how many it was told of before; returns how many by now. Raises what ended the run from outside.
    """
    async for batch in live.batches(KEEP_ALIVE_S):
        for called in _called(batch):
            calls += 1
            await client.tell(calls, called)
    await live.ended()
    return calls


def _called(batch: Sequence[Entry]) -> Iterator[str]:
    """Yield the names of the tools that lines of a log call, also those of agents below."""
    for lines in batch:
        for _, event in read_events(lines) if isinstance(lines, str) else ():
            inner = event
            while isinstance(inner, events.ChildLine):
                inner = events.event_below(inner)
            if isinstance(inner, events.ToolCallEvent):
                yield one_line(inner.tool_name)
