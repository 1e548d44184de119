"""Tags that differ from the common ones in spelling only: they are respelled, and read like those.

Sources: the chat templates of DeepSeek V3.2 and V4 (DSML), GigaChat 3.5 (GCML), Kimi K3 (XTML), Solar Open 2, K2
Horizon, Hunyuan from version 3 on; what engines document of them.
"""

import re
from typing import Final

from ..bounds import MAX_ATTRIBUTE_CHARS, MAX_TOOL_NAME_CHARS
from ..scanner import Block, BlockResult
from ..values import Tools
from .tagged_calls import read_keyed, read_tagged, read_tool_call

_BARRED: Final = re.compile(r"<(/?)[｜|](?:DSML|GCML)[｜|][ ]?")


def read_barred(block: Block, tools: Tools | None) -> BlockResult:
    """Read calls in tags that have a name between bars before their own."""
    inner = (block.opener if "invoke" in block.opener else "") + block.inner
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
    taken = []
    for found in _NESTED.finditer(block.inner):
        inner, closed = found[1].replace("<tool_sep>", "\n", 1), block.closed or found[2] is not None
        taken.append(read_tool_call(block._replace(inner=inner, closed=closed), tools))
    return BlockResult(
        calls=tuple(call for each in taken for call in each.calls),
        problems=tuple(problem for each in taken for problem in each.problems),
    )
