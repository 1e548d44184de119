"""An MCP server over stdio whose tools give tasks, made of the SDK's low-level server; tests start it.

Its argument is a folder: tasks stand there as files, so that they outlive their process, and the file `asked` has a
line for each request that came. With `reads` after that, its tools say that they change nothing.
"""

import asyncio
import json
import os
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

FOLDER = Path(sys.argv[1])
ANY = {"type": "object", "properties": {"seconds": {"type": "number"}, "ends": {"type": "string"}}}
NUMBER = {"type": "object", "properties": {"pages": {"type": "integer"}}, "required": ["pages"]}
SUPPORT: dict[str, Any] = {"report": "required", "maybe": "optional", "plain": "forbidden"}
FORM: Any = {"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}


class TaskServer(Server[Any]):
    """A server that says that it has tasks."""

    def get_capabilities(self, *given: Any, **more: Any) -> types.ServerCapabilities:
        """Return what it can."""
        call = types.TasksToolsCapability(call=types.TasksCallCapability())
        tasks = types.ServerTasksCapability(
            cancel=types.TasksCancelCapability(), requests=types.ServerTasksRequestsCapability(tools=call)
        )
        return super().get_capabilities(*given, **more).model_copy(update={"tasks": tasks})


def stored(task_id: str) -> dict[str, Any]:
    """A task as it stands."""
    try:
        task: dict[str, Any] = json.loads((FOLDER / f"task-{task_id}").read_text())
    except OSError:
        raise MCPError(types.INVALID_PARAMS, "Task not found") from None
    if task["ends"] == "asks" and "year" not in task:
        return {**task, "status": "input_required", "message": "which year?"}
    if task["status"] == "working" and time.time() >= task["due"]:
        return {**task, "status": task["ends"] if task["ends"] in ("failed", "cancelled") else "completed"}
    return task


def store(task_id: str, task: dict[str, Any]) -> None:
    """Keep a task."""
    (FOLDER / f"task-{task_id}").write_text(json.dumps(task))


def told(task_id: str) -> dict[str, Any]:
    """A task as a client is told of it."""
    task = stored(task_id)
    return {
        "taskId": task_id,
        "status": task["status"],
        "statusMessage": task.get("message", "printing"),
        "createdAt": "2026-01-01T00:00:00Z",
        "lastUpdatedAt": "2026-01-01T00:00:00Z",
        "ttl": task["ttl"],
        "pollInterval": 100,
    }


async def on_list(request: Any, params: Any) -> types.ListToolsResult:
    """List the tools."""
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=name,
                input_schema=ANY,
                output_schema=NUMBER,
                annotations=types.ToolAnnotations(read_only_hint=True) if "reads" in sys.argv else None,
                execution=types.ToolExecution(task_support=support),
            )
            for name, support in SUPPORT.items()
        ]
    )


async def on_call(request: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    """Answer a call that is no task."""
    return result(1)


def result(pages: int) -> types.CallToolResult:
    """The result of a call."""
    return types.CallToolResult(content=[types.TextContent(text=f"{pages} pages")], structured_content={"pages": pages})


async def on_task(request: Any, call_next: Any) -> Any:
    """Make a call a task, and note what came."""
    params = request.params or {}
    with (FOLDER / "asked").open("a") as file:
        file.write(f"{request.method} {json.dumps(params.get('task', ''))}\n")
    if request.method == "server/discover":  # of a version that has no tasks
        raise MCPError(types.METHOD_NOT_FOUND, "no")
    if request.method == "tools/call" and params.get("task") is not None:
        given = params["arguments"]
        task_id = f"{uuid.uuid4().hex}/\x1b[2J"
        due = time.time() + given.get("seconds", 0)
        store(name(task_id), {"status": "working", "due": due, "ends": given.get("ends", ""), **params["task"]})
        return {"task": {**told(name(task_id)), "taskId": task_id}}
    return await call_next(request)


def name(task_id: str) -> str:
    """The part of an id that names a file."""
    return task_id.partition("/")[0]


async def on_get(request: Any, params: types.GetTaskRequestParams) -> dict[str, Any]:
    """Answer tasks/get."""
    if (FOLDER / "dies").exists():
        (FOLDER / "dies").unlink()
        os._exit(1)
    while (FOLDER / "silent").exists():
        await asyncio.sleep(0.1)
    return {**told(name(params.task_id)), "taskId": params.task_id}


async def on_cancel(request: Any, params: types.CancelTaskRequestParams) -> dict[str, Any]:
    """Answer tasks/cancel."""
    task = stored(name(params.task_id))
    store(name(params.task_id), {**task, "status": "cancelled", "message": "nobody wants it"})
    return {**told(name(params.task_id)), "taskId": params.task_id}


async def on_result(request: Any, params: types.GetTaskPayloadRequestParams) -> Any:
    """Answer tasks/result, once the task has ended; meanwhile a person is asked."""
    task_id = name(params.task_id)
    while (task := stored(task_id))["status"] in ("working", "input_required"):
        if task["status"] == "input_required":
            said = await request.session.elicit_form("Which year?", FORM, request.request_id)
            year = (said.content or {}).get("year", 0)
            store(task_id, {**task, "status": "working", "year": year, "message": f"printing {year}"})
        await asyncio.sleep(0.05)
    if task["status"] == "failed":
        raise MCPError(types.INTERNAL_ERROR, "the printer burns")
    if task["ends"] == "error":
        return types.CallToolResult(content=[types.TextContent(text="no paper")], is_error=True)
    if task["ends"] == "shape":
        return {"contents": [], "tools": 5}
    if task["ends"] == "broken":
        return types.CallToolResult(content=[], structured_content={"pages": "many"})
    return result(task.get("year", 42))


async def main() -> None:
    """Serve."""
    server = TaskServer("reports", version="1", on_list_tools=on_list, on_call_tool=on_call)
    server.middleware.append(on_task)
    server.add_request_handler("tasks/get", types.GetTaskRequestParams, on_get)
    server.add_request_handler("tasks/cancel", types.CancelTaskRequestParams, on_cancel)
    server.add_request_handler("tasks/result", types.GetTaskPayloadRequestParams, on_result)
    async with stdio_server() as (reader, writer):
        await serve_loop(server, reader, writer, lifespan_state={})


if __name__ == "__main__":
    asyncio.run(main())
