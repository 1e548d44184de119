"""Calls of an MCP server's tool that are made as tasks: begun, followed, cancelled, and found again by any process.

    tools/call with `task` ── tasks/get, again and again ── tasks/result ── the call's result
                                    │
                                    └─ no result within the call's time: `Later`, whose handle names server and task

A handle is letters that are no path and no address; the task's id in it goes to its server and nowhere else. Tasks are
of versions of the protocol up to 2025-11-25, of which the SDK has the types alone: requests are sent as they are.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, get_args
from urllib.parse import quote, unquote

import msgspec

from purestep_hosts.mcp.forms import plain
from purestep_hosts.mcp.replies import SENT
from purestep_hosts.tools.later import Later
from purestep_hosts.tools.tool import ToolFailure

if TYPE_CHECKING:
    from mcp import Client, ClientSession
    from mcp.shared.dispatcher import ProgressFnT
    from mcp_types import Request

    from purestep_hosts.mcp.held_calls import HeldCall
    from purestep_hosts.mcp.server_entry import McpServer

Answer = TypeVar("Answer")
TaskSupport = Literal["forbidden", "optional", "required"]
"""Whether a tool's calls can be tasks, as its server lists it."""

TaskUse = Literal["required", "optional", "later"]
"""Which tools of a server are called as tasks: those that need it; also those that may; these, and none is awaited."""

TASK_USES: Final[tuple[TaskUse, ...]] = get_args(TaskUse)

TaskStatus = Literal["working", "input_required", "completed", "failed", "cancelled"]
_STATUSES: Final[tuple[TaskStatus, ...]] = get_args(TaskStatus)
_ENDED: Final = ("completed", "failed", "cancelled")

_KEPT_MS: Final = 7 * 24 * 60 * 60 * 1000
"""For how long a server is asked to keep a result: one that is dropped before somebody comes for it is lost work."""

_MAX_ID_CHARS: Final = 256
"""Of a task's id: several times what servers give."""

_MAX_HANDLE_CHARS: Final = 512
"""Of a handle, as many as the core takes."""

_POLLS_S: Final = (0.1, 1.0, 10.0)
"""Between two looks at a task: the least, the usual, and the most, whatever its server would like."""

_CANCEL_S: Final = 1.0
"""For the answer to a cancellation: a stopped call has two seconds to come back."""

_HANDLE: Final = re.compile(r"mcp:([A-Za-z0-9_-]{1,32}):([A-Za-z0-9_.~%-]{1,480})")


class BadTask(Exception):
    """What a server says of a task cannot be read; the message says what."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ServerTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task as its server tells of it; `message` is the server's own, made plain."""

    id: str
    status: TaskStatus
    message: str = ""
    poll_s: float = _POLLS_S[1]

    @property
    def has_ended(self) -> bool:
        """Whether nothing changes any more."""
        return self.status in _ENDED


class OpenTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task that has given no result yet, as far as is known; `why` is words for a person.

    `is_silent`: its server has let time pass without an answer.
    """

    why: str
    is_silent: bool = False


def as_task_use(value: Any) -> TaskUse | None:
    """Return a setting that says which tools are called as tasks; None where a value is none."""
    return next((each for each in TASK_USES if each == value), None)


def task_support(entry: dict[str, Any]) -> TaskSupport:
    """Return what a listed tool says of tasks; anything else than the protocol's words is `forbidden`."""
    execution = entry.get("execution")
    said = execution.get("taskSupport") if isinstance(execution, dict) else None
    return "required" if said == "required" else "optional" if said == "optional" else "forbidden"


def is_called_as_task(client: Client, support: TaskSupport, use: TaskUse) -> bool:
    """Whether a tool is called as a task: both the tool and its server have to say that it can be."""
    tasks = client.server_capabilities.tasks
    requests = tasks.requests if tasks is not None else None
    tools = requests.tools if requests is not None else None
    can = tools is not None and tools.call is not None
    return can and (support == "required" or (support == "optional" and use != "required"))


# --- handles --------------------------------------------------------------------------------------------------


def handle_of(server: str, task_id: str) -> str:
    """Return the handle that names a task of a server; raises BadTask for an id that has no room in it."""
    if not 0 < len(task_id) <= _MAX_ID_CHARS:
        raise BadTask(f"its task has an id of {len(task_id)} characters; expected 1 to {_MAX_ID_CHARS}")
    try:
        handle = f"mcp:{server}:{quote(task_id, safe='')}"
    except UnicodeEncodeError:
        raise BadTask("its task has an id that is no text") from None
    if len(handle) > _MAX_HANDLE_CHARS or not _HANDLE.fullmatch(handle):
        raise BadTask("its task has an id that is too long once it is written in letters")
    return handle


def named_by(handle: str) -> tuple[str, str] | None:
    """Return the server and the id of the task that a handle names; None for the handle of another tool."""
    found = _HANDLE.fullmatch(handle)
    if found is None:
        return None
    with suppress(UnicodeDecodeError):
        return found[1], unquote(found[2], errors="strict")
    return None


def later(server: str, task: ServerTask, *, is_known: bool = True) -> Later:
    """Return what a call gives whose task goes on; is_known: whether it does, where its server may not be asked."""
    goes_on = "goes on with it as a task" if is_known else "is not heard of any more; its task may go on"
    said = plain(f"The MCP server {server} {goes_on}{_after(task.message)}")
    return Later(handle_of(server, task.id), note=said)


# --- what a server sends --------------------------------------------------------------------------------------


def read_task(sent: Any, task_id: str | None = None) -> ServerTask:
    """Return a task as a server sent it; task_id: whose it must be. Raises BadTask."""
    if not isinstance(sent, dict) or not isinstance(sent.get("taskId"), str):
        raise BadTask("it tells of a task without an id")
    if task_id is not None and sent["taskId"] != task_id:
        raise BadTask("it tells of another task than was asked for")
    status = next((each for each in _STATUSES if each == sent.get("status")), None)
    if status is None:
        raise BadTask("it tells of a task without a status that the protocol has")
    poll: Any = sent.get("pollInterval")
    least, usual, most = _POLLS_S
    is_number = isinstance(poll, int | float) and not isinstance(poll, bool)
    seconds = max(least, min(poll, most * 1000) / 1000) if is_number else usual
    message = " ".join(plain(sent.get("statusMessage")).split())
    return ServerTask(id=sent["taskId"], status=status, message=message, poll_s=seconds)


def is_call_result(sent: dict[str, Any]) -> bool:
    """Whether a server sent the result of a call: anything else must not pass for one that says nothing."""
    return isinstance(sent.get("content"), list) or sent.get("structuredContent") is not None


async def _sent_for(session: ClientSession, request: Request[Any, Any], progress: ProgressFnT | None = None) -> Any:
    from pydantic import RootModel

    raw = (await session.send_request(request, RootModel[dict[str, Any]], progress_callback=progress)).root
    meta = raw.get("_meta")
    return meta[SENT] if isinstance(meta, dict) and isinstance(meta.get(SENT), dict) else raw


async def called_as_task(
    session: ClientSession, server: McpServer, tool: str, params: dict[str, Any], held: HeldCall, told: ProgressFnT
) -> dict[str, Any] | ServerTask:
    """Return what a call gave that is made as a task, or the task where nobody waits for it.

    A call that is cancelled takes its task with it, one that is left does not. Raises ToolFailure, BadTask.
    """
    task = await _begun(session, tool, params, told)
    if not isinstance(task, ServerTask):
        return task
    later(server.name, task)  # raises where no handle could name it
    held.moved(task)
    try:
        if server.tasks == "later" and not task.has_ended:
            return task
        return await followed(session, server.name, tool, task, held.moved)
    except asyncio.CancelledError:
        if not held.is_left:  # whoever waits for the call's future waits for this too
            await cancelled(session, task.id)
        raise


async def _begun(
    session: ClientSession, tool: str, params: dict[str, Any], progress: ProgressFnT
) -> ServerTask | dict[str, Any]:
    """Call a tool as a task; returns the task, or the result where the server gives that at once."""
    from mcp_types import CallToolRequest, CallToolRequestParams, TaskMetadata

    wanted = CallToolRequestParams(name=tool, arguments=params, task=TaskMetadata(ttl=_KEPT_MS))
    sent = await _sent_for(session, CallToolRequest(params=wanted), progress)
    if is_call_result(sent):
        return dict(sent)
    return read_task(sent.get("task"))


async def _looked_at(session: ClientSession, task_id: str) -> ServerTask:
    from mcp_types import GetTaskRequest, GetTaskRequestParams

    return read_task(await _sent_for(session, GetTaskRequest(params=GetTaskRequestParams(task_id=task_id))), task_id)


async def _result(session: ClientSession, task_id: str) -> dict[str, Any]:
    """Return what the task's call gave, once it is there; meanwhile its server asks what it has to ask."""
    from mcp_types import GetTaskPayloadRequest, GetTaskPayloadRequestParams

    sent = await _sent_for(session, GetTaskPayloadRequest(params=GetTaskPayloadRequestParams(task_id=task_id)))
    if not is_call_result(sent):
        raise BadTask("the result of its task is none of a call")
    return dict(sent)


async def cancelled(session: ClientSession, task_id: str) -> None:
    """Have a server end a task; whether it does is its own affair, and known to nobody."""
    from mcp_types import CancelTaskRequest, CancelTaskRequestParams

    request = CancelTaskRequest(params=CancelTaskRequestParams(task_id=task_id))
    with suppress(Exception):  # whatever becomes of it, the call is given up
        await asyncio.wait_for(_sent_for(session, request), _CANCEL_S)


# --- the end of a task ----------------------------------------------------------------------------------------


async def followed(
    session: ClientSession, server: str, tool: str, task: ServerTask, moved: Callable[[ServerTask], None]
) -> dict[str, Any]:
    """Follow a task to its end; returns what its call gave. Raises ToolFailure where that is nothing.

    moved: is told of each change. A task that needs input is asked for its result at once: that is where its server
    asks a person.
    """
    asking: asyncio.Task[dict[str, Any]] | None = None
    try:
        while not task.has_ended:
            if task.status == "input_required" and asking is None:
                asking = asyncio.ensure_future(_result(session, task.id))
            await asyncio.sleep(task.poll_s)
            before, task = task, await _known(session, server, tool, task.id)
            if not task.has_ended and (before.status, before.message) != (task.status, task.message):
                moved(task)
        return await _outcome(session, server, tool, task, asking)
    finally:
        if asking is not None:
            asking.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await asking


async def looked_up(session: ClientSession, server: str, tool: str, task_id: str) -> dict[str, Any] | OpenTask:
    """Return what the call of a task has given, which an earlier process began; raises ToolFailure as `followed`."""
    task = await _known(session, server, tool, task_id)
    if task.status == "input_required":
        return OpenTask(why="it asks a person, whom it reaches only while a call is waited for")
    if not task.has_ended:
        return OpenTask(why=f"it still works{_after(task.message)}")
    return await _outcome(session, server, tool, task)


async def _known(session: ClientSession, server: str, tool: str, task_id: str) -> ServerTask:
    """Return how a task stands; raises ToolFailure for one that its server does not know any more."""
    return await _of_known(server, tool, _looked_at(session, task_id))


async def _of_known(server: str, tool: str, answer: Awaitable[Answer]) -> Answer:
    """Return what a server answers about a task; raises ToolFailure where it does not know it any more."""
    from mcp import MCPError
    from mcp_types import INVALID_PARAMS

    try:
        return await answer
    except MCPError as error:
        if error.code != INVALID_PARAMS:
            raise
        what = f"does not know the task of {tool} any more, nor what came of it"
        raise ToolFailure(f"the MCP server {server} {what}; it may have run", "interrupted") from None


async def _outcome(
    session: ClientSession,
    server: str,
    tool: str,
    task: ServerTask,
    asking: asyncio.Task[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the result of a task that has ended; raises ToolFailure for one that has failed or was cancelled.

    asking: a request for the result that was sent before.
    """
    from mcp import MCPError

    said = task.message
    if task.status == "cancelled":
        what = f"cancelled the task of {tool}{_after(said)}; it may have run"
        raise ToolFailure(f"the MCP server {server} {what}", "interrupted")
    if task.status == "completed":
        try:
            return await _of_known(server, tool, _given(session, task.id, asking))
        except BadTask as error:  # what it has done, it has done
            what = f"failed: {error.message}; {tool} may have run"
            raise ToolFailure(f"the MCP server {server} {what}", "interrupted") from None
    try:
        sent = await _given(session, task.id, asking)
    except MCPError as error:
        said = said or plain(error.message)
    except BadTask:
        pass
    else:
        if sent.get("isError") is True:
            return sent
    raise ToolFailure(f"the MCP server {server} failed in the task of {tool}{_after(said)}")


async def _given(session: ClientSession, task_id: str, asking: asyncio.Task[dict[str, Any]] | None) -> dict[str, Any]:
    from mcp import MCPError

    if asking is not None:
        with suppress(MCPError, BadTask):  # it was asked before the end: now it is asked again
            return await asking
    return await _result(session, task_id)


def _after(said: str) -> str:
    return f": {said}" if said else ""
