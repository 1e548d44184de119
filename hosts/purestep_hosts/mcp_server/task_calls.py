"""Calls of `ask` that a client wants as tasks: answered at once, looked at, waited for and cancelled later.

    tools/call with `task` ── RunTask ── tasks/get, tasks/cancel
                                 │
                                 └─ tasks/result: waits, and has the person at the client asked meanwhile

Only versions of the protocol up to 2025-11-25 have them; the SDK dispatches what it is given handlers for. A task lives
as long as its process; its run is a session on disk. There is no tasks/list, since not every transport says whose
requests are whose: an id is a secret of the client that was given it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final

from purestep import Approval, ApprovalCall
from purestep_hosts.extras import MCP
from purestep_hosts.mcp_server import person

with MCP:
    import mcp_types as types
    from mcp.server import Server, ServerRequestContext
    from mcp.server.context import CallNext, HandlerResult
    from mcp.shared.exceptions import MCPError
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS
    from pydantic import ValidationError

_MAX_TASKS: Final = 64
"""Of one server, with those that have ended: an answer may have a megabyte."""

_MAX_KEPT_MS: Final = 24 * 60 * 60 * 1000
"""For how long a task is kept; clients that name no time get an hour."""

_USUAL_KEPT_MS: Final = 60 * 60 * 1000
_POLL_MS: Final = 1000
_RELATED: Final = "io.modelcontextprotocol/related-task"

Question = tuple[Sequence[ApprovalCall], "asyncio.Future[tuple[Approval, ...]]"]


class TaskServer(Server[Any]):
    """The SDK's server, which says that it has tasks; versions of the protocol that have none leave that out."""

    def get_capabilities(self, *given: Any, **more: Any) -> types.ServerCapabilities:
        """Return what the server can."""
        call = types.TasksToolsCapability(call=types.TasksCallCapability())
        requests = types.ServerTasksRequestsCapability(tools=call)
        tasks = types.ServerTasksCapability(cancel=types.TasksCancelCapability(), requests=requests)
        return super().get_capabilities(*given, **more).model_copy(update={"tasks": tasks})


class RunTask:
    """One task: how it stands, and what it waits for; the client of its own run."""

    def __init__(self, request: ServerRequestContext[Any], kept_ms: int) -> None:
        self.id = secrets.token_urlsafe(24)
        self.kept_ms = kept_ms
        self.status: types.TaskStatus = "working"
        self.message = ""
        self.result: types.CallToolResult | MCPError | None = None
        self.work: asyncio.Task[None] | None = None
        self.question: Question | None = None
        """What a person is to be asked, until a request for the result takes it."""
        self._can_ask = person.can_ask(request)
        self._begun = self._moved = datetime.now(UTC)
        self._changed = asyncio.Event()

    @property
    def has_ended(self) -> bool:
        """Whether nothing changes any more."""
        return self.status in ("completed", "failed", "cancelled")

    @property
    def is_over(self) -> bool:
        """Whether it has ended, and was kept as long as was said."""
        return self.has_ended and self._was_kept

    @property
    def is_left(self) -> bool:
        """Whether nobody has come for its question for as long as it was to be kept."""
        return self.question is not None and self._was_kept

    @property
    def _was_kept(self) -> bool:
        return (datetime.now(UTC) - self._begun).total_seconds() * 1000 > self.kept_ms

    def as_told(self) -> types.Task:
        """Return how it stands, as the client is told."""
        return types.Task(
            task_id=self.id,
            status=self.status,
            status_message=self.message or None,
            created_at=self._begun.isoformat(),
            last_updated_at=self._moved.isoformat(),
            ttl=self.kept_ms,
            poll_interval=_POLL_MS,
        )

    def move(self, status: types.TaskStatus, message: str = "") -> None:
        """Change how it stands, unless it has ended."""
        if not self.has_ended:
            self.status, self.message, self._moved = status, message, datetime.now(UTC)
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()

    def cancel(self, why: str) -> None:
        """End it, unless it has ended."""
        self.move("cancelled", why)
        if self.work is not None:
            self.work.cancel()

    async def changed(self) -> None:
        """Wait for the next change."""
        await self._changed.wait()

    async def tell(self, calls: int, name: str) -> None:
        """Say which call is made."""
        self.move("working", f"calls {name}")

    async def ask(self, calls: Sequence[ApprovalCall], run_id: str) -> tuple[Approval, ...]:
        """Wait until a request for the result has had the person asked; who has nobody to ask refuses."""
        if not self._can_ask:
            return person.refusals(calls)
        answers: asyncio.Future[tuple[Approval, ...]] = asyncio.get_running_loop().create_future()
        self.question = (calls, answers)
        self.move("input_required", "asks a person about a call")
        found = await answers
        self.move("working")
        return found


class TaskCalls:
    """The tasks of a server, whose handlers and middleware it is."""

    def __init__(
        self,
        tool: str,
        call: Callable[
            [types.CallToolRequestParams, person.AtClient], Awaitable[types.CallToolResult | types.InputRequiredResult]
        ],
    ) -> None:
        """Begin without tasks. tool: the one that may be called so. call: answers a call of it."""
        self._tool = tool
        self._call = call
        self._tasks: dict[str, RunTask] = {}

    def serve(self, server: Server[Any]) -> None:
        """Have a server answer the requests that are of tasks."""
        server.middleware.append(self._made)
        server.add_request_handler("tasks/get", types.GetTaskRequestParams, self._get)
        server.add_request_handler("tasks/cancel", types.CancelTaskRequestParams, self._cancel)
        server.add_request_handler("tasks/result", types.GetTaskPayloadRequestParams, self._result)

    async def _made(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer a call that is wanted as a task: the SDK would take a task for no result of it."""
        given = ctx.params or {}
        is_open = ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS and ctx.session.client_params is not None
        if ctx.method != "tools/call" or given.get("task") is None or not is_open:
            return await call_next(ctx)
        try:
            params = types.CallToolRequestParams.model_validate(given, by_name=False)
        except ValidationError:
            return await call_next(ctx)  # says what is wrong
        if params.name != self._tool:
            raise MCPError(types.METHOD_NOT_FOUND, f"only {self._tool} can be a task; call this tool without one")
        task = self._begun(ctx, params)
        return {"task": task.as_told().model_dump(by_alias=True, mode="json", exclude_none=True)}

    def _begun(self, request: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> RunTask:
        self._make_room()
        wanted = params.task.ttl if params.task is not None else None
        task = RunTask(request, min(max(0, wanted if wanted is not None else _USUAL_KEPT_MS), _MAX_KEPT_MS))
        self._tasks[task.id] = task
        task.work = asyncio.get_running_loop().create_task(self._worked(task, params))
        return task

    def _make_room(self) -> None:
        """Forget tasks that were kept long enough, then one that has ended or was left; raises MCPError for no room."""
        for task in [each for each in self._tasks.values() if each.is_over]:
            del self._tasks[task.id]
        if len(self._tasks) < _MAX_TASKS:
            return
        ended = (each for each in self._tasks.values() if each.has_ended)
        left = (each for each in self._tasks.values() if each.is_left)
        oldest = next(chain(ended, left), None)
        if oldest is None:
            raise MCPError(types.INVALID_REQUEST, f"{_MAX_TASKS} tasks are under way; wait for one, or cancel it")
        oldest.cancel("nobody came for its question")
        del self._tasks[oldest.id]

    async def _worked(self, task: RunTask, params: types.CallToolRequestParams) -> None:
        try:
            found = await self._call(params, task)
        except asyncio.CancelledError:
            task.move("cancelled")
            raise
        except MCPError as error:
            task.result = error
            task.move("failed", error.message)
        else:
            assert isinstance(found, types.CallToolResult), "its questions are asked, not answered with"
            task.result = found
            task.move("failed" if found.is_error else "completed")

    def _found(self, task_id: str) -> RunTask:
        task = self._tasks.get(task_id)
        if task is None or task.is_over:
            raise MCPError(types.INVALID_PARAMS, "there is no task of this id, or it is kept no longer")
        return task

    async def _get(self, request: ServerRequestContext[Any], params: types.GetTaskRequestParams) -> HandlerResult:
        return types.GetTaskResult(**self._found(params.task_id).as_told().model_dump())

    async def _cancel(self, request: ServerRequestContext[Any], params: types.CancelTaskRequestParams) -> HandlerResult:
        task = self._found(params.task_id)
        if task.has_ended:
            raise MCPError(types.INVALID_PARAMS, f"the task is {task.status} already")
        task.cancel("the client cancelled it")
        return types.CancelTaskResult(**task.as_told().model_dump())

    async def _result(
        self, request: ServerRequestContext[Any], params: types.GetTaskPayloadRequestParams
    ) -> HandlerResult:
        """Wait for the end of a task, and give what its call gave; its questions are asked through this request."""
        task = self._found(params.task_id)
        while not task.has_ended:
            if task.question is None:
                await task.changed()
            else:
                await _asked(request, task)
        if task.result is None:
            raise MCPError(types.INVALID_PARAMS, "the task was cancelled, and has no result")
        if isinstance(task.result, MCPError):
            raise task.result
        return task.result.model_copy(update={"meta": {_RELATED: {"taskId": task.id}}})


async def _asked(request: ServerRequestContext[Any], task: RunTask) -> None:
    """Have the person asked what a task wants to know; a request that ends before leaves that to the next one."""
    question, task.question = task.question, None
    assert question is not None, "looked at before"
    calls, answers = question
    try:
        found = await person.asked(request, calls)
    except MCPError:
        found = person.refusals(calls)
    except BaseException:
        task.question = question
        task.move(task.status, task.message)  # another request for the result may wait: it asks now
        raise
    if not answers.done():
        answers.set_result(found)
    await asyncio.sleep(0)  # the run takes the answer before this looks again
