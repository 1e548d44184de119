"""Calls in known tags that are spelled otherwise: with a suffix, without blanks, or with other things between them.

Each is respelled and read like the common ones. Sources: the chat templates of Hunyuan from version 3 on (every token
ends in a word or digits of its checkpoint) and of Kimi K3; what vLLM and SGLang read of MiniCPM 5 (blanks missing from
tags, or the tokenizer's own characters for them) and of DeepSeek V4 (all arguments in one).
"""

import re
from typing import Final

from msgspec.structs import replace

from ..bounds import MAX_ATTRIBUTE_CHARS, MAX_TOOL_NAME_CHARS
from ..json_text import BLANK, UNREADABLE, read_json
from ..names import DOTTED, LETTER, name_up_to
from ..scanner import Block, BlockReader, BlockResult
from ..values import ReadCall, Tools
from .call_keys import plain_name
from .element_calls import begins_with_name, read_elements, read_name_and_more
from .python_calls import read_python
from .tag_variants import read_xtml
from .tagged_calls import read_tagged, read_tool_call

TOKEN_SUFFIX: Final = "[A-Za-z0-9_-]{1,24}"
"""What each of Hunyuan's tokens ends in."""

_SUFFIXED: Final = re.compile(rf"<(/?)(arg_key|arg_value|tool_sep|parameter|tool_call):{TOKEN_SUFFIX}>", re.ASCII)
_NAME_THEN_TAGS: Final = re.compile(
    rf"[ \t\r\n]*({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)})[ \t\r\n]*(?=<parameter[ ]name=)", re.ASCII
)


def read_suffixed(block: Block, tools: Tools | None) -> BlockResult:
    """Read one call whose tags end in what the tokens of its checkpoint end in."""
    inner = _SUFFIXED.sub(r"<\1\2>", block.inner).replace("<tool_sep>", "\n", 1)
    return read_any_tool_call(block._replace(inner=inner), tools)


def read_any_tool_call(block: Block, tools: Tools | None) -> BlockResult:
    """Read what is in `<tool_call>` tags, a name with what other families write after it too."""
    if begins_with_name(block.inner):
        return read_elements(block, tools)
    if "<parameter" in block.inner:
        block = block._replace(inner=_NAME_THEN_TAGS.sub(r'<invoke name="\1">', block.inner, count=1))
    result = read_tool_call(block, tools)
    if result.calls:
        return result
    loose = read_python(block, tools) if _LISTED.match(block.inner) else read_name_and_more(block, tools)
    return loose if loose.calls else result


_LISTED: Final = re.compile(rf"[ \t\r\n]*\[[ \t\r\n]*{LETTER}{DOTTED}*+\(", re.ASCII)
"""A list of calls as Python writes them."""


_GLYPHS: Final = (
    ("\u0120", " "), ("\u010a", "\n"), ("<functionname=", "<function name="), ("<paramname=", "<param name="),
)  # fmt: skip


def read_collapsed(block: Block, tools: Tools | None) -> BlockResult:
    """Read a call in MiniCPM's tags, whose blanks may be missing or be the tokenizer's own characters."""
    inner = block.marker + block.inner
    if any(glyph in inner for glyph, _ in _GLYPHS):
        for glyph, plain in _GLYPHS:
            inner = inner.replace(glyph, plain)
    return read_tagged(block._replace(inner=inner), tools)


# --- all the arguments in one -----------------------------------------------------------------------------

WRAPPING: Final = ("arguments", "input", "properties", "parameters")
"""Parameters that models make up around all others."""


def unwrapping(read: BlockReader) -> BlockReader:
    """Give a reader that takes arguments out of the one parameter that holds them all, which the tool does not have."""

    def read_unwrapped(block: Block, tools: Tools | None) -> BlockResult:
        result = read(block, tools)
        calls = tuple(_unwrapped(call, tools) for call in result.calls)
        return result if calls == result.calls else BlockResult(calls=calls, problems=result.problems)

    return read_unwrapped


def _unwrapped(call: ReadCall, tools: Tools | None) -> ReadCall:
    spec = tools.get(call.tool) if tools else None
    known = spec.parameters.get("properties") if spec else None
    key, value = next(iter(call.params.items()), ("", None))
    if len(call.params) != 1 or key not in WRAPPING or not isinstance(known, dict) or key in known:
        return call
    inner = read_json(value) if isinstance(value, str) else value
    if inner is UNREADABLE or not isinstance(inner, dict) or not all(name in known for name in inner):
        return call
    return ReadCall(tool=call.tool, params=inner)


# --- Kimi K3's section ------------------------------------------------------------------------------------

_ATTRIBUTE: Final = rf'[ \t\r\n]+[a-z_]{{1,16}}="[^"<>\n]{{0,{MAX_TOOL_NAME_CHARS + MAX_ATTRIBUTE_CHARS}}}"'
_FIRST: Final = re.compile(
    rf'(<\|open\|>[ ]?(?:call|argument))((?:{_ATTRIBUTE}){{1,3}}?)[ \t\r\n]+((?:tool|key)="[^"<>\n]*")', re.ASCII
)
_CALL: Final = re.compile(rf"<\|open\|>[ ]?call(?=(?:{_ATTRIBUTE}){{0,4}}[ ]?<\|sep\|>)", re.ASCII)
_CALL_END: Final = re.compile(r"<\|close\|>[ ]?call[ ]?<\|sep\|>")


def _without_escapes(call: ReadCall, tools: Tools | None) -> ReadCall:
    """Give a call with its names as they are; the template escapes two characters in attributes."""
    if "&" not in call.tool and not any("&" in key for key in call.params):
        return call
    params = {_plain(key): value for key, value in call.params.items()}
    return ReadCall(tool=plain_name(_plain(call.tool), tools), params=params)


def _plain(name: str) -> str:
    return name.replace("&quot;", '"').replace("&amp;", "&")


def read_section(block: Block, tools: Tools | None) -> BlockResult:
    """Read the calls of a section together, since a value in one of them may hold what looks like another."""
    inner = _FIRST.sub(r"\1 \3\2", block.inner)
    if not inner.strip(BLANK) and block.closed:
        return BlockResult()
    result = read_xtml(block._replace(inner=inner, marker=""), tools)
    if not result.calls and len(heads := _CALL.findall(inner)) == 1:
        # What stands around a single call has no meaning.
        begin = inner.index(heads[0])
        ends = [found.end() for found in _CALL_END.finditer(inner, begin)]
        if ends:
            result = read_xtml(block._replace(inner=inner[begin : ends[-1]], marker=""), tools)
    return replace(result, calls=tuple(_without_escapes(call, tools) for call in result.calls))
