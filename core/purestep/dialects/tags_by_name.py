"""Calls whose arguments are tags named like them, nested as the values are; the schema tells list from text.

Source: the chat template of MiniMax M3, which puts a token of its own before every tag.
"""

import re
from typing import Any, Final

from ..bounds import MAX_TOOL_NAME_CHARS, MAX_VALUE_DEPTH
from ..json_text import BLANK
from ..scanner import Block, BlockResult
from ..values import Problem, ReadCall, Tools
from .json_calls import CUT, NAMELESS, UNFIT, has_all, plain_name
from .typed_text import parameter_schema, typed_value

_TOKEN: Final = "]<]minimax[>["
_TAG: Final = re.compile(
    rf"\]<\]minimax\[>\[<(/?)([A-Za-z_][A-Za-z0-9_.-]{{0,{MAX_TOOL_NAME_CHARS - 1}}})((?:[ \t][^<>\n]{{0,160}})?)>",
    re.ASCII,
)
_NAME: Final = re.compile(r"""name[ \t]*=[ \t]*["']([^"'<>]*)["']""")

Node = tuple[str, str, list[Any], list[str]]
"""A tag: its name, its attributes, the tags in it, and the text in it."""


def read_tags_by_name(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block of `invoke` tags with one tag per argument."""
    root, whole = _tree(block.inner)
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    invoked = [node for node in root[2] if node[0] == "invoke"]
    for number, node in enumerate(invoked):
        named = _NAME.search(node[1])
        name = plain_name(named[1], tools) if named else ""
        params = {child[0]: _value(child, *parameter_schema(tools, name, child[0])) for child in node[2]}
        complete = block.closed or number + 1 < len(invoked) or whole
        if not name:
            problems.append(NAMELESS)
        elif not complete and not has_all(name, params, tools):
            problems.append(CUT)
        else:
            calls.append(ReadCall(tool=name, params=params))
    if not invoked:
        problems = [UNFIT if block.closed else CUT]
    return BlockResult(calls=tuple(calls), problems=tuple(problems))


def _tree(inner: str) -> tuple[Node, bool]:
    """Give the tags as a tree, and whether all of them were closed."""
    root: Node = ("", "", [], [])
    stack, at = [root], 0
    for tag in _TAG.finditer(inner):
        stack[-1][3].append(inner[at : tag.start()])
        at = tag.end()
        if not tag[1] and len(stack) < MAX_VALUE_DEPTH:
            node: Node = (tag[2], tag[3], [], [])
            stack[-1][2].append(node)
            stack.append(node)
        elif tag[1] and len(stack) > 1 and stack[-1][0] == tag[2]:
            stack.pop()
    stack[-1][3].append(inner[at:])
    return root, len(stack) == 1


def _value(node: Node, schema: Any, root: Any) -> Any:
    _, _, children, texts = node
    if not children:
        return typed_value("".join(texts).replace(_TOKEN, ""), schema, root)
    inner = schema if isinstance(schema, dict) else {}
    if all(child[0] == "item" for child in children):
        return [_value(child, inner.get("items"), root) for child in children]
    properties = inner.get("properties")
    known = properties if isinstance(properties, dict) else {}
    return {child[0].strip(BLANK): _value(child, known.get(child[0]), root) for child in children}
