"""Tools in the shapes of others: OpenAI's function, MCP's and Anthropic's tool, read as a definition's own tool spec.

Members that only those shapes have and that change nothing here are left out; all others are checked as our own are.
"""

from typing import Any, Final

from ..errors import PurestepError
from .schema_shapes import in_2020_12, parameters_schema
from .toolspec import OPEN_BY_DEFAULT

_RENAMED: Final = {"inputSchema": "parameters", "input_schema": "parameters", "outputSchema": "output_schema"}
"""MCP's and Anthropic's names for what has another name here."""

_LEFT_OUT: Final = ("_meta", "icons", "execution", "strict", "title")
"""What says how a tool is shown or its server constrained; arguments are held to their schema in any case."""


def in_own_shape(entry: Any, path: str) -> Any:
    """Return a decoded tool in our shape; what is no tool of a known shape comes back as it is, to be refused.

    Our members, such as `approval`, may stand beside OpenAI's `function` or among MCP's members. Raises
    `invalid_agent` for a member that stands there in two shapes.
    """
    if not isinstance(entry, dict):
        return entry
    tool = _unfolded(entry)
    if not any(name in tool for name in _RENAMED):
        return _with_schemas(tool)
    for name, own in _RENAMED.items():
        if name in tool and own in tool:
            raise PurestepError("invalid_agent", f"expected {own} or {name}; got both; leave one out", f"{path}/{name}")
    renamed = {_RENAMED.get(name, name): item for name, item in tool.items()}
    known = _without_foreign(renamed)
    return _with_schemas(_with_label(known) if "inputSchema" in tool else known)


def _unfolded(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a function of OpenAI's shape with its members beside ours, as they also stand in its newer form."""
    if entry.get("type") != "function":
        return entry
    beside = {name: item for name, item in entry.items() if name not in ("type", "function")}
    function = entry.get("function", {})
    if not isinstance(function, dict) or beside.keys() & function.keys():
        return entry
    return _without_foreign({**function, **beside})


def _without_foreign(tool: dict[str, Any]) -> dict[str, Any]:
    """Leave out what has no meaning here, and the nulls that stand for members not given."""
    return {name: item for name, item in tool.items() if name not in _LEFT_OUT and item is not None}


def _with_label(tool: dict[str, Any]) -> dict[str, Any]:
    """Say that the results of a server's tool are open where it says nothing of its world, as MCP has it.

    Empty labels say that they are not, as a tool of our shape says it without any.
    """
    if tool.get("labels") == []:
        return {name: item for name, item in tool.items() if name != "labels"}
    hints = tool.get("annotations")
    is_said = isinstance(hints, dict) and hints.get("openWorldHint") is not None
    return tool if is_said or "labels" in tool else {**tool, "labels": [OPEN_BY_DEFAULT]}


def _with_schemas(tool: dict[str, Any]) -> dict[str, Any]:
    """Read the tool's schemas, which may be of another dialect than ours."""
    read = {"parameters": parameters_schema, "output_schema": in_2020_12}
    return {name: read[name](item) if name in read else item for name, item in tool.items()}
