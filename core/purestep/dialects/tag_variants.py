"""Calls in tags that differ from the common ones: spelled otherwise, or named after the arguments.

Most are respelled and read like the common ones. MiniMax M3 nests tags as the values are, each after a token of its
own; the schema tells a list from text. Sources: the chat templates of DeepSeek V3.2 and V4 (DSML), GigaChat 3.5 (GCML),
Solar Open 2, K2 Horizon, Hunyuan from version 3 on, MiniMax M3; what engines document of them.
"""

import re
from typing import Any, Final

from ..bounds import MAX_ATTRIBUTE_CHARS, MAX_TOOL_NAME_CHARS, MAX_VALUE_DEPTH
from ..json_text import BLANK
from ..names import DOTTED, name_up_to
from ..scanner import Block, BlockResult
from ..values import Problem, ReadCall, Tools
from .element_calls import read_name_and_more
from .json_calls import CUT, NAMELESS, UNFIT, has_all, plain_name
from .tagged_calls import read_keyed, read_tagged, read_tool_call
from .typed_text import parameter_schema, typed_value

_BARRED: Final = re.compile(r"<(/?)[｜|](?:DSML|GCML)[｜|][ ]?")


def read_barred(block: Block, tools: Tools | None) -> BlockResult:
    """Read calls in tags that have a name between bars before their own."""
    inner = (block.marker if "invoke" in block.marker else "") + block.inner
    return read_tagged(block._replace(inner=_BARRED.sub(r"<\1", inner)), tools)


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
_NAME_THEN_TAGS: Final = re.compile(
    rf"[ \t\r\n]*({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)})[ \t\r\n]*(?=<parameter[ ]name=)", re.ASCII
)
TOKEN_SUFFIX: Final = "[A-Za-z0-9_-]{1,24}"
"""What each token ends in from version 3 on: a word or digits that differ between checkpoints."""

_SUFFIXED: Final = re.compile(rf"<(/?)(arg_key|arg_value|tool_sep|parameter|tool_call):{TOKEN_SUFFIX}>", re.ASCII)


def read_nested(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block of `<tool_call>` tags, as Hunyuan writes them from version 3 on."""
    results = [
        _read_named(block._replace(inner=found[1], closed=block.closed or found[2] is not None), tools)
        for found in _NESTED.finditer(block.inner)
    ]
    return BlockResult(
        calls=tuple(call for each in results for call in each.calls),
        problems=tuple(problem for each in results for problem in each.problems),
    )


def _read_named(block: Block, tools: Tools | None) -> BlockResult:
    inner = block.inner.replace("<tool_sep>", "\n", 1)
    inner = _NAME_THEN_TAGS.sub(r'<invoke name="\1">', inner, count=1) if "<parameter" in inner else inner
    result = read_tool_call(block._replace(inner=inner), tools)
    if result.calls or UNFIT not in result.problems:
        return result
    return read_name_and_more(block._replace(inner=inner), tools)


def read_suffixed(block: Block, tools: Tools | None) -> BlockResult:
    """Read one call whose tags end in what the tokens of its checkpoint end in."""
    return _read_named(block._replace(inner=_SUFFIXED.sub(r"<\1\2>", block.inner)), tools)


_GLYPHS: Final = (("\u0120", " "), ("\u010a", "\n"), ("<functionname=", "<function name="), ("<paramname=", "<param name="))
WRAPPING: Final = ("properties", "arguments", "parameters")
"""Parameters that MiniCPM makes up around all others."""


def read_collapsed(block: Block, tools: Tools | None) -> BlockResult:
    """Read a call in MiniCPM's tags, whose blanks may be missing or be the tokenizer's own characters."""
    inner = block.marker + block.inner
    if any(glyph in inner for glyph, _ in _GLYPHS):
        for glyph, plain in _GLYPHS:
            inner = inner.replace(glyph, plain)
    result = read_tagged(block._replace(inner=inner), tools)
    calls = tuple(_unwrapped(call, tools) for call in result.calls)
    return result if calls == result.calls else BlockResult(calls=calls, problems=result.problems)


def _unwrapped(call: ReadCall, tools: Tools | None) -> ReadCall:
    """Give a call without the parameter that holds all its arguments, as in the schema that the model was shown."""
    spec = tools.get(call.tool) if tools else None
    known = spec.parameters.get("properties") if spec else None
    key, value = next(iter(call.params.items()), ("", None))
    is_wrapped = len(call.params) == 1 and key in WRAPPING and isinstance(value, dict) and isinstance(known, dict)
    return ReadCall(tool=call.tool, params=value) if is_wrapped and key not in known else call


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
