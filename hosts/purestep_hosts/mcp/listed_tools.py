"""The tools that an MCP server lists, read one by one: what is wrong with one of them costs that one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

import purestep
from purestep_hosts.mcp.schemas import loosened, without_null_members
from purestep_hosts.mcp.tasks import TaskSupport, task_support

_MAX_DESCRIPTION_CHARS: Final = 2000
"""Several times what good ones have: all of them stand in every prompt."""

_MAX_SHOWN_CHARS: Final = 120
"""Of a name or a pattern in a warning: what is longer is not read."""


class RefusedTool(Exception):
    """A listed tool that cannot be used; the message says why."""


class ListedTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as a server lists it: `output_schema` is None where it has none, or none that the core can check.

    `warnings` say what of it is left to the server. `tasks`: whether its calls can be tasks.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    output_schema: dict[str, Any] | None
    hints: dict[str, bool]
    warnings: tuple[str, ...]
    tasks: TaskSupport = "forbidden"


def name_of(entry: Any, number: int) -> str:
    """Return how an entry is named in a warning; number: its place in the list, from 1 on."""
    name = entry.get("name") if isinstance(entry, dict) else None
    return repr(name[:_MAX_SHOWN_CHARS]) if isinstance(name, str) and name else f"number {number}"


def listed_tool(entry: Any) -> ListedTool:
    """Return a tool of a server's list; members that are null count as absent. Raises RefusedTool."""
    if not isinstance(entry, dict):
        raise RefusedTool("it is no object")
    name, schema = entry.get("name"), entry.get("inputSchema")
    if not isinstance(name, str) or not name:
        raise RefusedTool("it has no name")
    if not isinstance(schema, dict):
        raise RefusedTool("it has no inputSchema" if schema is None else "its inputSchema is no object")
    try:
        found = loosened(without_null_members(schema), _load, "/tools/0/parameters")
        spec = _load(found.schema)
    except purestep.PurestepError as error:
        raise RefusedTool(error.message) from None
    output, about_output = _output_schema(entry.get("outputSchema"))
    left = tuple(f"the server alone judges the pattern {_shown(pattern)}" for pattern in found.patterns)
    return ListedTool(
        name=name,
        description=_description(entry),
        parameters=msgspec.to_builtins(spec.parameters),
        output_schema=output,
        hints=_hints(entry.get("annotations")),
        warnings=(*left, *about_output),
        tasks=task_support(entry),
    )


def _load(schema: dict[str, Any]) -> Any:
    """Return the core's tool with a schema; raises PurestepError."""
    entry = {"name": "tool", "description": "", "inputSchema": schema}
    return purestep.Agent.load({"tools": [entry]}).definition.tools[0]


def _output_schema(schema: Any) -> tuple[dict[str, Any] | None, tuple[str, ...]]:
    """Return the schema of outputs, whatever its root is; None and why where the core cannot check it."""
    if schema is None or schema is True:
        return None, ()
    if not isinstance(schema, dict):
        return None, ("its outputSchema is no object, and is not checked",)
    try:
        found = loosened(without_null_members(schema), lambda each: purestep.check_json(each, None), "/schema")
    except purestep.PurestepError as error:
        return None, (f"its outputSchema is not checked: {error.message}",)
    return found.schema, ()


def _hints(annotations: Any) -> dict[str, bool]:
    """Return the hints that are given as true or false; anything else says nothing."""
    given = annotations if isinstance(annotations, dict) else {}
    return {name: value for name, value in given.items() if isinstance(value, bool)}


def _description(entry: dict[str, Any]) -> str:
    said = next((each for each in _texts(entry, "description", "title") if each), "")
    text = "".join(c if c.isprintable() or c == "\n" else " " for c in said)
    return text if len(text) <= _MAX_DESCRIPTION_CHARS else f"{text[:_MAX_DESCRIPTION_CHARS]}…"


def _texts(entry: dict[str, Any], *names: str) -> Iterable[str]:
    return (value for name in names if isinstance(value := entry.get(name), str))


def _shown(pattern: str) -> str:
    return pattern if len(pattern) <= _MAX_SHOWN_CHARS else f"{pattern[:_MAX_SHOWN_CHARS]}…"
