"""What several dialects' readers share: call objects in the shapes models write, and how tools are described."""

import re
from typing import Any, Final

from ..json_text import BLANK, encode_sorted, read_json
from ..values import ReadCall, Tools, ToolSpec

NAME_KEYS = ("tool_name", "name", "tool", "function")
ARGUMENT_KEYS = ("arguments", "args", "parameters", "params", "input")


def call_from(value: Any, name_keys: tuple[str, ...], argument_keys: tuple[str, ...]) -> ReadCall | None:
    """Give the call of an object with a name and an arguments object, or None.

    Arguments may be an object, JSON text of one, null or absent; what else the object holds is passed over.
    """
    if not isinstance(value, dict):
        return None
    name = next((value[key] for key in name_keys if isinstance(value.get(key), str)), None)
    if not name:
        return None
    given = [key for key in argument_keys if key in value]
    params = arguments_from(value[given[0]]) if given else {}
    return ReadCall(tool=name, params=params) if params is not None else None


def arguments_from(value: Any) -> dict[str, Any] | None:
    """Give an arguments object from an object, JSON text of one or null; None for anything else."""
    match value:
        case None:
            return {}
        case dict():
            return value
        case str():
            inner = read_json(value) if value.strip(BLANK) else {}
            return {} if inner is None else inner if isinstance(inner, dict) else None
        case _:
            return None


def describe_tools(tools: Tools) -> str:
    """Give the tools as lines for a system text: name, description, parameters schema as JSON."""
    return "\n".join(describe_tool(spec) for spec in tools.values())


_WHITE: Final = re.compile("[ \t\r\n]+")


def one_line(text: str) -> str:
    """Give the text with each run of white space as one space."""
    return _WHITE.sub(" ", text.strip(BLANK))


def describe_tool(spec: ToolSpec) -> str:
    """Give one tool as a line for a system text."""
    about = f": {one_line(spec.description)}" if spec.description else ""
    return f"- {spec.name}{about}\n  parameters: {encode_sorted(spec.parameters).decode()}"
