"""Calls in tags that differ from the common ones: spelled otherwise, or named after the arguments.

Most are respelled and read like the common ones. MiniMax M3 nests tags as the values are, each after a token of its
own; the schema tells a list from text. Sources: the chat templates of DeepSeek V3.2 and V4 (DSML), GigaChat 3.5 (GCML),
Kimi K3 (XTML), Solar Open 2, K2 Horizon, Hunyuan from version 3 on, MiniMax M3; what engines document of them.
"""

import re
from typing import Any, Final

from ..bounds import MAX_ATTRIBUTE_CHARS, MAX_TOOL_NAME_CHARS, MAX_VALUE_DEPTH
from ..json_text import BLANK
from ..scanner import Block, BlockResult
from ..values import Problem, ReadCall, Tools
from .call_keys import plain_name
from .json_calls import CUT, NAMELESS, UNFIT, has_all
from .tagged_calls import read_keyed, read_tagged, read_tool_call
from .typed_text import parameter_schema, typed_value

_BARRED: Final = re.compile(r"<(/?)[｜|](?:DSML|GCML)[｜|][ ]?")


def read_barred(block: Block, tools: Tools | None) -> BlockResult:
    """Read calls in tags that have a name between bars before their own."""
    inner = (block.marker if "invoke" in block.marker else "") + block.inner
    return read_tagged(block._replace(inner=_BARRED.sub(r"<\1", inner)), tools)


_XTML_CALL: Final = re.compile(
    rf'[ ]?call tool="([^"<>\n]{{0,{MAX_TOOL_NAME_CHARS}}})"[^<>\n]{{0,{MAX_ATTRIBUTE_CHARS}}}<\|sep\|>', re.ASCII
)
_XTML_ARGUMENT: Final = re.compile(
    rf'<\|open\|>[ ]?argument key="([^"<>\n]{{1,{MAX_TOOL_NAME_CHARS}}})"(?: type="([a-z]{{0,16}})")?[ ]?<\|sep\|>',
    re.ASCII,
)
_XTML_END: Final = re.compile(r"<\|close\|>[ ]?argument[ ]?<\|sep\|>")
_XTML_JSON: Final = re.compile(r"<\|(?:open|close)\|>[ ]?json[^<>\n]{0,40}<\|sep\|>")


def read_xtml(block: Block, tools: Tools | None) -> BlockResult:
    """Read one call in Kimi K3's tags, whose arguments name their types; a `json` tag holds all of them."""
    inner = _XTML_CALL.sub(r'<invoke name="\1">', block.inner, count=1)
    inner = _XTML_JSON.sub("", _XTML_END.sub("</parameter>", _XTML_ARGUMENT.sub(_parameter, inner)))
    return read_tagged(block._replace(inner=inner), tools)


def _parameter(found: re.Match[str]) -> str:
    is_text = found[2] in (None, "string")
    return f'<parameter name="{found[1].replace("&amp;", "&")}" string="{"true" if is_text else "false"}">'


_SOLAR: Final = (
    ("<|tool_arg:start|>", "<arg_key>"),
    ("<|tool_arg:value|>", "</arg_key><arg_value>"),
    ("<|tool_arg:end|>", "</arg_value>"),
)


def read_solar(block: Block, tools: Tools | None) -> BlockResult:
    """Read one call of a name and arguments between Solar's tokens."""
    inner = block.inner
    for token, tag in _SOLAR:
        inner = inner.replace(token, tag)
    return read_keyed(block._replace(inner=inner), tools)


_PREFIXED: Final = re.compile(r"<(/?)ifm\|")
_ARGUMENT_TYPE: Final = re.compile(rf"<arg_type>[^<>]{{0,{MAX_ATTRIBUTE_CHARS}}}</arg_type>[ \t\r\n]*", re.ASCII)


def plain_tags(block: Block) -> Block:
    """Give a block with its tags as most write them; types beside values say what the schema says."""
    return block._replace(inner=_ARGUMENT_TYPE.sub("", _PREFIXED.sub(r"<\1", block.inner)))


_NESTED: Final = re.compile(r"<tool_call>(.*?)(?:(</tool_call>|(?=<tool_call>))|\Z)", re.DOTALL)


def read_nested(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block of `<tool_call>` tags, as Hunyuan writes them from version 3 on."""
    results = []
    for found in _NESTED.finditer(block.inner):
        inner, closed = found[1].replace("<tool_sep>", "\n", 1), block.closed or found[2] is not None
        results.append(read_tool_call(block._replace(inner=inner, closed=closed), tools))
    return BlockResult(
        calls=tuple(call for each in results for call in each.calls),
        problems=tuple(problem for each in results for problem in each.problems),
    )


# --- tags named after the arguments: MiniMax M3 -----------------------------------------------------------

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
