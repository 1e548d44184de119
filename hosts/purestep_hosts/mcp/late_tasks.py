"""Results of tasks that calls of a run have begun, asked of their servers by any process, for `results=` of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from purestep import ToolResult, convert_to
from purestep_hosts.agents.late import LateCall, LateResult
from purestep_hosts.mcp.lazy_server import ServerConnection
from purestep_hosts.mcp.listed_tools import ListedTool
from purestep_hosts.mcp.results import ServerResult
from purestep_hosts.mcp.server_tools import output_of
from purestep_hosts.mcp.tasks import OpenTask, named_by
from purestep_hosts.tools.outcome import outcome_of
from purestep_hosts.tools.output_parts import Keep
from purestep_hosts.tools.tool import ToolFailure

ServerTools = Mapping[str, tuple[ServerConnection, ListedTool]]
"""The tools of connected servers by the names that a run has for them."""


def results_of_tasks(
    tools: ServerTools, calls: Iterable[LateCall], tell: Callable[[str], object], keep: Keep | None
) -> Iterator[LateResult]:
    """Yield the results of the tasks that have ended, be it badly; tell: is given a sentence of each that is open.

    Calls of other tools are passed over, whatever their handles say. A server that is silent is asked no more.
    """
    silent: dict[str, OpenTask] = {}
    for call in calls:
        named, found = named_by(call.handle), tools.get(call.tool)
        if named is None or found is None or named[0] != found[0].server.name:
            continue
        connection, listed = found
        came = silent.get(named[0]) or connection.late(listed.name, named[1])
        if isinstance(came, OpenTask):
            if came.is_silent:
                silent[named[0]] = came
            tell(f"{call.tool} is open: {came.why}")
            continue
        output = partial(_output, came, listed, connection.server.name)
        result = {"call_id": call.call_id, "key": call.key, **outcome_of(call.tool, output, keep)}
        yield LateResult(result=convert_to(result, ToolResult), run_id=call.run_id)


def _output(came: ServerResult | ToolFailure, listed: ListedTool, server: str) -> Any:
    if isinstance(came, ToolFailure):
        raise came
    return output_of(came, listed, server)
