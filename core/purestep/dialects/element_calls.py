"""Calls whose parts are elements: `<name>` holds the tool's name, another element its arguments.

They are JSON, tags of parameters, or one element for each. Sources: prompts that teach `<tool_use><name>`, Claude's
first function calls (`<invoke><tool_name>`), Hermes' drift to `<tool_call><name>`.
"""

import re
from typing import Any, Final

from ..bounds import MAX_KEY_CHARS, MAX_TOOL_NAME_CHARS
from ..json_text import BLANK
from ..names import DOTTED, KEY, LETTER, name_up_to
from ..scanner import Block, BlockResult
from ..values import ReadCall, Tools
from .call_keys import plain_name
from .json_calls import CUT, UNFIT, arguments_of, no_object, read_block
from .python_calls import read_python
from .tagged_calls import read_tagged, trimmed
from .typed_text import parameter_schema, typed_value

_NAME: Final = re.compile(
    rf"[ \t\r\n]*<(name|tool_name|function_name|tool|function)>[ \t\r\n]*"
    rf"({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)})[ \t\r\n]*</\1>[ \t\r\n]*",
    re.ASCII,
)
_ARGUMENTS: Final = re.compile(
    r"<(arguments|args|parameters|params|input|tool_input)>(.*)</\1>[ \t\r\n]*", re.DOTALL | re.ASCII
)
_ELEMENT: Final = re.compile(
    rf"[ \t\r\n]*<({LETTER}{KEY}{{0,{MAX_KEY_CHARS - 1}}})>(.*?)</\1>[ \t\r\n]*", re.DOTALL | re.ASCII
)


_NAME_FIRST: Final = re.compile(
    rf"[ \t\r\n]*(?:function[ \t\r\n]+)?({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)})[ \t\r\n]*(?=[(<`])", re.ASCII
)


def begins_with_name(inner: str) -> bool:
    """Tell whether a block begins with an element that names a tool."""
    return _NAME.match(inner) is not None


def read_elements(block: Block, tools: Tools | None) -> BlockResult:
    """Read one call of elements, or JSON."""
    named = _NAME.match(block.inner)
    if named is None:
        return read_block(block, tools)
    name, rest = plain_name(named[2], tools), block.inner[named.end() :]
    found = _ARGUMENTS.fullmatch(rest)
    body = found[2] if found is not None else rest
    if body.lstrip(BLANK)[:1] == "{":
        params, notes = arguments_of(body.strip(BLANK), name, tools, closed=block.closed)
        if params is not None:
            return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)
        return BlockResult(problems=notes or (no_object(name),))
    if not block.closed:
        return BlockResult(problems=(CUT,))
    if body.lstrip(BLANK).startswith(("<parameter", "<param ", "<argument ")):
        return read_tagged(block._replace(inner=f'<invoke name="{name}">{body}'), tools)
    params = _elements(body, name, tools)
    return (
        BlockResult(problems=(UNFIT,)) if params is None else BlockResult(calls=(ReadCall(tool=name, params=params),))
    )


def read_name_and_more(block: Block, tools: Tools | None) -> BlockResult:
    """Read a known tool's name with what other families write after it: Python, an object in a fence, elements."""
    named = _NAME_FIRST.match(block.inner)
    name = plain_name(named[1], tools) if named else ""
    if named is None or tools is None or name not in tools or not block.closed:
        return BlockResult(problems=(UNFIT if block.closed else CUT,))
    rest = block.inner[named.end() :].strip(BLANK)
    if rest.startswith("<"):
        params = _elements(rest, name, tools)
        known = tools[name].parameters.get("properties")
        fits = params is not None and isinstance(known, dict) and all(key in known for key in params)
        return (
            BlockResult(calls=(ReadCall(tool=name, params=params or {}),)) if fits else BlockResult(problems=(UNFIT,))
        )
    inside = rest.strip("`").removeprefix("json") if rest.startswith("`") else rest[1:].removesuffix(")")
    params, notes = arguments_of(inside.strip(BLANK), name, tools)
    if params is not None and inside.strip(BLANK):
        return BlockResult(calls=(ReadCall(tool=name, params=params),), problems=notes)
    if notes and inside.lstrip(BLANK).startswith("{"):
        return BlockResult(problems=notes)
    return read_python(block, tools)


def _elements(body: str, tool: str, tools: Tools | None) -> dict[str, Any] | None:
    """Give arguments that are one element each; None where there is anything else."""
    params: dict[str, Any] = {}
    at = 0
    while found := _ELEMENT.match(body, at):
        schema, root = parameter_schema(tools, tool, found[1])
        params[found[1]] = typed_value(trimmed(found[2]), schema, root)
        at = found.end()
    return None if body[at:].strip(BLANK) else params
