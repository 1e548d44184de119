"""The server: lists its tools, checks what they are called with, and calls them."""

from __future__ import annotations

import logging
from typing import Any, Final, TypeVar

import msgspec

import purestep
from purestep import PurestepError
from purestep_hosts.async_loop import in_thread
from purestep_hosts.extras import MCP
from purestep_hosts.mcp_server.ask_tool import AskArguments, AskTool
from purestep_hosts.mcp_server.core_functions import CORE_FUNCTIONS, CoreFunction
from purestep_hosts.mcp_server.person import AtClient, RequestClient
from purestep_hosts.mcp_server.task_calls import TaskCalls, TaskServer
from purestep_hosts.serve.bodies import converted
from purestep_hosts.serve.faults import ServiceError, fault_of
from purestep_hosts.serve.run_answer import RunAnswer
from purestep_hosts.serve.runs import Runs
from purestep_hosts.sessions import SessionError, SessionStore

with MCP:
    import mcp_types as types
    from mcp.server import Server, ServerRequestContext
    from mcp.shared.exceptions import MCPError

Arguments = TypeVar("Arguments")
Answer = types.CallToolResult | types.InputRequiredResult

_ASK: Final = "ask"
_logger: Final = logging.getLogger("purestep_hosts.mcp_server")
_OF_A_WAITING_RUN: Final = ("ApprovalCall", "Problem", "ArgumentOrigin")
"""Parts of an answer that `ask` never gives: it comes back once nobody is waited for."""

_PURE: Final = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def mcp_server(definition: purestep.Agent, runs: Runs, store: SessionStore) -> Server[Any]:
    """Return the server of an agent, for any transport of the SDK.

    definition: of the agent that `runs` runs. store: where the runs of `ask` are kept; its clients see no others.
    """
    ask = AskTool(runs, store)
    functions = {each.name: each for each in CORE_FUNCTIONS}
    tools = [_ask_tool(definition), *map(_function_tool, CORE_FUNCTIONS)]

    async def on_list_tools(
        request: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def answered(params: types.CallToolRequestParams, client: AtClient) -> Answer:
        try:
            if params.name == _ASK:
                return await _asked(ask, client, params)
            if (function := functions.get(params.name)) is not None:
                return await _computed(function, params)
        except (ServiceError, SessionError, PurestepError) as error:
            fault = fault_of(error)
            return _error(f"{fault.error}: {fault.message}")
        except MCPError:
            raise
        except Exception as error:
            _logger.error("%s in a tool", type(error).__name__)
            return _error(fault_of(error).message)
        known = ", ".join(tool.name for tool in tools)
        raise MCPError(types.INVALID_PARAMS, f"there is no tool of this name; there are {known}")

    async def on_call_tool(request: ServerRequestContext[Any], params: types.CallToolRequestParams) -> Answer:
        return await answered(params, RequestClient(request))

    server = TaskServer(
        definition.definition.name or "purestep",
        version=purestep.__version__,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )
    TaskCalls(_ASK, answered).serve(server)
    return server


async def _asked(ask: AskTool, client: AtClient, params: types.CallToolRequestParams) -> Answer:
    given = _read(params, AskArguments)
    if params.request_state is not None:
        found = await ask.go_on(params.request_state, params.input_responses or {}, client)
    else:
        found = await ask.begin(given, client)
    if isinstance(found, types.InputRequiredResult):
        return found
    return types.CallToolResult(
        content=[types.TextContent(text=_shown(found))],
        structured_content=msgspec.to_builtins(found),
        is_error=found.status != "done",
    )


def _shown(found: RunAnswer) -> str:
    if found.failure is not None:
        return f"{found.failure.code}: {found.failure.message}"
    return found.answer or ""


async def _computed(function: CoreFunction, params: types.CallToolRequestParams) -> Answer:
    given: Any = _read(params, function.takes)
    text = await in_thread(lambda: function.call(given))
    value = purestep.decode_json(text.encode())
    return types.CallToolResult(
        content=[types.TextContent(text=text)], structured_content=value, is_error="error" in value
    )


def _read(params: types.CallToolRequestParams, kind: type[Arguments]) -> Arguments:
    return converted(params.arguments or {}, kind)


def _error(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)


def _ask_tool(definition: purestep.Agent) -> types.Tool:
    own = definition.host_tools
    reads = all(tool.spec.annotations and tool.spec.annotations.readOnlyHint for tool in own.values())
    names = f" It has the tools {', '.join(own)}." if own else ""
    name = definition.definition.name
    return types.Tool(
        name=_ASK,
        title=f"Ask {name}" if name else "Ask the agent",
        description=f"Ask an agent a question, and get its answer.{names} Give `run` to go on with an earlier answer.",
        input_schema=_schema(AskArguments),
        output_schema=_answer_schema(),
        annotations=types.ToolAnnotations(read_only_hint=reads, destructive_hint=not reads, open_world_hint=True),
        execution=types.ToolExecution(task_support="optional"),
    )


def _function_tool(function: CoreFunction) -> types.Tool:
    return types.Tool(
        name=function.name,
        description=function.description,
        input_schema=_schema(function.takes),
        annotations=_PURE,
    )


def _answer_schema() -> dict[str, Any]:
    """Return the schema of what `ask` gives: a run that has ended, for which nobody is waited any more."""
    _, components = msgspec.json.schema_components([RunAnswer], ref_template="#/$defs/{name}")
    parts = {name: _undescribed(part) for name, part in components.items() if name not in _OF_A_WAITING_RUN}
    whole = parts.pop(RunAnswer.__name__)
    properties = {name: each for name, each in whole["properties"].items() if name != "approvals"}
    return {
        **whole,
        "properties": {**properties, "status": {"enum": ["done", "failed", "interrupted"]}},
        "$defs": parts,
    }


def _undescribed(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a schema without the words of this program's author, and open for members to come."""
    return {name: each for name, each in part.items() if name not in ("title", "description", "additionalProperties")}


def _schema(kind: type) -> dict[str, Any]:
    """Return the schema of a struct with its type at the root, as the protocol wants it."""
    _, components = msgspec.json.schema_components([kind])
    return dict(components[kind.__name__])
