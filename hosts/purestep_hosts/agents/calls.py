"""Runs an agent's tools in an event loop: async functions in it, others in threads, each within its time limit."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Final

import purestep
from purestep_hosts.agents.function_tool import FunctionTool
from purestep_hosts.agents.parameters import Invocation
from purestep_hosts.agents.type_shapes import json_value
from purestep_hosts.async_loop import in_thread
from purestep_hosts.inner_runs import RunStopped
from purestep_hosts.tools.call_note import CallNote
from purestep_hosts.tools.later import Later, pending
from purestep_hosts.tools.lent_model import lent_model
from purestep_hosts.tools.outcome import check_arguments, failure_of, outcome_of, result_of, unusable
from purestep_hosts.tools.output_parts import Keep, OutputParts, holds_parts, taken_apart
from purestep_hosts.tools.results import failed, interrupted, overdue
from purestep_hosts.tools.tool import RunningCall, Tool

AnyTool = FunctionTool[..., Any] | Tool
OnNote = Callable[[purestep.ToolCall, CallNote], None]

_GRACE_S: Final = 2.0
"""How long a call that was stopped may take to come back, as in a toolbox."""

_UNHEARD_GRACE_S: Final = 0.1
"""That of a function in a thread that cannot learn of a stop: it comes back only if it was about to."""


class ToolCalls:
    """The tools of one run by name, with what the run was given for them."""

    def __init__(
        self, tools: Mapping[str, AnyTool], deps: Any, keep: Keep | None = None, note: OnNote | None = None
    ) -> None:
        """Take the tools.

        keep: takes the images and files that they give, None where those are left out. note: is told what calls tell
        while they run.
        """
        self._tools = tools
        self._deps = deps
        self._keep = keep
        self._note = note
        self.stopped: RunStopped | None = None
        """What a tool met that no model can mend."""

    async def run(self, call: purestep.ToolCall) -> dict[str, Any]:
        """Run one call and return a result object; cancelled, it returns soon with what is known of the call.

        Raises RunStopped where the function ran an agent that waits for a person: that is no failure of the tool.
        """
        try:
            return await self._run(call)
        except RunStopped as stopped:
            self.stopped = stopped
            raise

    async def _run(self, call: purestep.ToolCall) -> dict[str, Any]:
        found = self._tools.get(call.tool)
        if found is None:
            return failed(f"there is no tool {call.tool!r}", "invalid_arguments")
        note = None if self._note is None else partial(self._note, call)
        running = RunningCall(call.key, found.time_limit_s, call.answer or None, note, lent_model())
        invocation = Invocation(self._deps, call.call_id, call.tool, running)
        task = asyncio.ensure_future(_outcome(found, call.params, invocation, running, self._keep))
        try:
            await asyncio.wait((task,), timeout=found.time_limit_s)
            if not task.done():
                return await _stopped(task, running, found) or overdue(found.name, found.time_limit_s)
        except asyncio.CancelledError:
            running.interrupt()
            result = await _stopped(task, running, found)
            # The failure of a tool that was stopped does not say whether it had its effect.
            return result if result is not None and result["ok"] else interrupted()
        finally:
            running.finish()
        return task.result()


async def _stopped(task: asyncio.Future[dict[str, Any]], running: RunningCall, tool: AnyTool) -> dict[str, Any] | None:
    """Stop a call; returns its result if it still gives one."""
    running.stop()
    if _is_async(tool):
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait((task,), timeout=_GRACE_S if _hears_stop(tool) else _UNHEARD_GRACE_S)
    if not task.done() or task.cancelled():
        task.cancel()  # a thread goes on, and nobody waits for it
        return None
    return task.result()


async def _outcome(
    tool: AnyTool, params: dict[str, Any], invocation: Invocation[Any], running: RunningCall, keep: Keep | None
) -> dict[str, Any]:
    if isinstance(tool, Tool):
        return await in_thread(lambda: outcome_of(tool.name, lambda: _run(tool, params, running), keep))
    if tool.is_async:
        return await _awaited(tool.name, lambda: tool.run(params, invocation), keep)
    result = await in_thread(lambda: _called(tool, params, invocation, keep))
    return result if isinstance(result, dict) else await _awaited(tool.name, lambda: result, keep)


def _called(
    tool: FunctionTool[..., Any], params: dict[str, Any], invocation: Invocation[Any], keep: Keep | None
) -> Any:
    """Return the result object of a function, or the awaitable that it returned."""
    try:
        value = tool.run(params, invocation)
    except BaseException as error:  # a tool is foreign code: whatever it raises is its result
        return failure_of(tool.name, error)
    return value if inspect.isawaitable(value) else _result(tool.name, value, keep)


def _result(name: str, value: Any, keep: Keep | None) -> dict[str, Any]:
    try:
        output = plain_output(value)
    except BaseException as error:  # a value's own conversion is foreign code too
        return failure_of(name, unusable(name, error))
    return pending(output) if isinstance(output, Later) else result_of(name, lambda: output, keep)


def plain_output(value: Any) -> Any:
    """Return what a function gave as JSON values, its images and files beside them; or that it comes later."""
    found = taken_apart(value)
    if isinstance(found, Later):
        return found
    if isinstance(found, OutputParts):
        return OutputParts(output=json_value(found.output), attachments=found.attachments)
    return json_value(found)


async def _awaited(name: str, begin: Callable[[], Awaitable[Any]], keep: Keep | None) -> dict[str, Any]:
    task = asyncio.current_task()
    assert task is not None
    try:
        value = await begin()
    except BaseException as error:  # also an exit, which would end the event loop
        if isinstance(error, asyncio.CancelledError) and task.cancelling():
            raise  # not the function's own
        return failure_of(name, error)
    if isinstance(value, list | tuple) or holds_parts(type(value)):  # what is kept is written to a disk
        return await in_thread(lambda: _result(name, value, keep))
    return _result(name, value, keep)


def _run(tool: Tool, params: dict[str, Any], running: RunningCall) -> Any:
    check_arguments(tool, params)
    return tool.run(params, running)


def _is_async(tool: AnyTool) -> bool:
    return isinstance(tool, FunctionTool) and tool.is_async


def _hears_stop(tool: AnyTool) -> bool:
    """Return whether a function can learn that it is stopped: by a cancellation, or from its `Invocation`."""
    return isinstance(tool, Tool) or tool.is_async or tool.parameters.invocation is not None
