"""The names that members of a call object have in one family or another, tools' names as families write them."""

import re
from typing import Any, Final

from ..json_text import BLANK
from ..lazy import lazy_pattern
from ..values import Tools

NAMES: Final = ("name", "tool_name", "function_name", "function", "tool", "recipient_name")
ARGUMENTS: Final = (
    "arguments", "parameters", "args", "params", "input", "kwargs", "tool_input", "action_input", "tool_parameters",
    "tool_args", "tool_arguments",
)  # fmt: skip
WRAPPERS: Final = (
    "tool_calls", "tool_call", "function_call", "function", "calls", "functionCall", "toolUse", "toolCall", "toolCalls",
)  # fmt: skip
BESIDE: Final = ("id", "tool_call_id", "type", "index", "call_id", "kind", "content")
"""Members beside a name and arguments that mean nothing for the call."""


def plain_name(name: str, tools: Tools | None) -> str:
    """Return a tool's name without what families write around it."""
    name = name.strip(BLANK)
    if tools is not None and name in tools:
        return name
    if tools is not None and name.removesuffix(".call") in tools:
        return name.removesuffix(".call")  # Llama's form for the tools that it was built with
    found = _IN_NAMESPACE.fullmatch(name)
    if found is None:
        return name
    # An identifier that a client cleaned of its dots and colons has the tool's name in it.
    rest = (found["name"], _INDEX.sub("", found["name"]))
    known = next((each for each in rest if tools is not None and each in tools), None)
    return known or (found["name"] if found["mark"] in _MARKS else name)


NAMESPACES: Final = ("functions", "function", "tools", "default_api")
"""What families write before a tool's name: Kimi and harmony, and Gemma from its training on Python's calls."""

_MARKS: Final = (".", ":")
_IN_NAMESPACE: Final = lazy_pattern(rf"(?:{'|'.join(NAMESPACES)})(?P<mark>[.:_/-])(?P<name>.++)", re.DOTALL | re.ASCII)
_INDEX: Final = lazy_pattern(r"[:_-][0-9]{1,4}\Z", re.ASCII)


def parameter_schemas(tools: Tools | None, tool: str) -> tuple[dict[str, Any], Any]:
    """Return the schemas of a tool's parameters by name, and the whole that references count from; None if unknown."""
    spec = tools.get(tool) if tools else None
    properties = spec.parameters.get("properties") if spec is not None else None
    return properties if isinstance(properties, dict) else {}, spec.parameters if spec is not None else None
