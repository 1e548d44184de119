"""What a worker does for a workflow: asks the model, runs a call, tells a person. What it gives has no secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from typing import Any, Final

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.calls import ToolCalls
from purestep_hosts.async_loop import called, completed, give_up, in_thread
from purestep_hosts.attachments import AttachmentStore, MemoryAttachments, sent_request
from purestep_hosts.effects import AskModel, opened_gate
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.hidden_texts import HiddenTexts
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.temporal.payloads import (
    MAX_BYTES,
    MODEL,
    RECORD,
    TOOL,
    CallOrder,
    ModelOrder,
    RecordOrder,
    payload,
    size_of,
    value_of,
)
from purestep_hosts.temporal.workflow import STOPPED
from purestep_hosts.tools.results import ended, failed, interrupted

with TEMPORAL:
    from temporalio import activity
    from temporalio.common import RawValue
    from temporalio.exceptions import ApplicationError

Notify = Callable[[str, tuple[purestep.ApprovalCall, ...]], Any]
"""Told of a run that waits for a person: its id, and the calls. May be async; may be called more than once."""

_BEATS: Final = 6
"""Signs of life in the time after which a worker counts as lost."""


class Activities:
    """The activities of one agent in this process."""

    def __init__(
        self, agent: Agent[Any], deps: Any, notify: Notify | None, attachments: AttachmentStore | None = None
    ) -> None:
        """Begin nothing; attachments: keeps the images and files that tools give, for all workers."""
        self._agent = agent
        self._attachments = attachments
        keep = None if attachments is None else attachments.put
        self._tools = {
            path: ToolCalls({**each.tools, **each.output.tools}, deps, keep) for path, each in _with_below(agent)
        }
        self._notify = notify

    @activity.defn(name=MODEL)
    async def ask_model(self, _: RawValue, given: RawValue) -> RawValue:
        """Ask the model; gives the observation of what came."""
        return payload(await _lively(self._asked(value_of(given, ModelOrder))))

    @activity.defn(name=TOOL)
    async def run_call(self, _: RawValue, given: RawValue) -> RawValue:
        """Run a call; gives its result."""
        return payload(await _lively(self._ran(value_of(given, CallOrder))))

    @activity.defn(name=RECORD)
    async def record(self, _: RawValue, given: RawValue) -> None:
        """Have lines of the log stored, which stand in the order of it, and tell of calls that wait."""
        order = value_of(given, RecordOrder)
        if order.calls and self._notify is not None:
            await _lively(called(self._notify, order.run_id, order.calls))

    async def _asked(self, order: ModelOrder) -> purestep.Observation:
        agent, state = _at(self._agent, order.path), order.state
        model = await agent.loaded_model()
        gate = opened_gate(AskModel(state=state, request=order.request), model.name, None, agent.clock)
        request = await self._with_bytes(order.request)
        try:
            came: purestep.Observation = gate.close(await completed(model, request, gate))
        except asyncio.CancelledError:
            came = gate.cancel()
            give_up(model, gate)
            if not _is_wanted():
                raise
        hidden = self._hidden(state.run_id)
        logged: purestep.Observation = hidden.masked(came) if order.is_below else hidden.observed(came, state)
        return logged

    async def _with_bytes(self, request: ModelRequest) -> ModelRequest:
        store = MemoryAttachments() if self._attachments is None else self._attachments
        return await in_thread(lambda: sent_request(request, store, self._agent.mask))

    async def _ran(self, order: CallOrder) -> dict[str, Any]:
        result = await self._tools[order.path].run(order.call)
        task = asyncio.current_task()
        if result == interrupted() and task is not None and task.cancelling() and not _is_wanted():
            raise asyncio.CancelledError
        hidden = self._hidden(order.run_id)
        shown = hidden.masked_result(result) if order.is_below else hidden.result(order.call, result, order.state)
        size = size_of(payload(shown))
        if size > MAX_BYTES:
            text = f"{order.call.tool} ran; expected a result of at most {MAX_BYTES} bytes, got {size}"
            return failed(text, "execution")
        return ended(shown, self._agent.clock)

    def _hidden(self, run_id: str) -> HiddenTexts:
        return HiddenTexts(self._agent.definition, self._agent.mask, run_id)


def _at(agent: Agent[Any], path: tuple[str, ...]) -> Agent[Any]:
    for name in path:
        agent = agent.agents[name]
    return agent


def _with_below(agent: Agent[Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Agent[Any]]]:
    """Yield an agent and all below it, with the names down to each."""
    yield path, agent
    for name, each in agent.agents.items():
        yield from _with_below(each, (*path, name))


def _is_wanted() -> bool:
    """Whether the run that cancelled this waits for what is known of it: a worker that stops leaves it unknown."""
    details = activity.cancellation_details()
    return details is not None and details.cancel_requested


async def _lively(work: Coroutine[Any, Any, Any]) -> Any:
    """Return what came of a piece of work, and give signs of life meanwhile."""
    beats = asyncio.ensure_future(_beat())
    try:
        return await work
    except asyncio.CancelledError:
        if _is_wanted():
            raise
        raise ApplicationError("the worker was stopped", type=STOPPED) from None
    except Exception as error:
        kind = type(error).__name__
        raise ApplicationError(f"{kind}: {error}", type=kind, non_retryable=True) from None
    finally:
        beats.cancel()
        with suppress(asyncio.CancelledError):
            await beats


async def _beat() -> None:
    limit = activity.info().heartbeat_timeout
    assert limit is not None
    while True:
        activity.heartbeat()
        await asyncio.sleep(limit.total_seconds() / _BEATS)
