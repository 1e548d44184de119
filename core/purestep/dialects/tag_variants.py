"""Calls in tags that differ from the common ones: with bars or special tokens in them, or nested.

Sources: the chat templates of DeepSeek V3.2 and V4 (DSML), GigaChat 3.5 (GCML), Kimi K3 (XTML), Solar Open 2, Hunyuan
from version 3 on; what engines document of them.
"""

import re
from typing import Final

from ..scanner import AMBIGUOUS, Block, BlockResult, BlockStart, Table, read_segments
from ..values import Tools
from .json_calls import CUT, UNFIT
from .tag_syntax import ANGLED, SOLAR, XTML
from .tagged_calls import read_keyed, read_tagged, read_tool_call


def read_barred(block: Block, tools: Tools | None) -> BlockResult:
    """Read calls in tags that have a name between bars before their own."""
    return read_tagged(block._replace(inner=block.marker + block.inner) if "invoke" in block.marker else block, tools)


_XTML_JSON: Final = re.compile(r"<\|(?:open|close)\|>[ ]?json[^<>\n]{0,40}<\|sep\|>")


def read_xtml(block: Block, tools: Tools | None) -> BlockResult:
    """Read one call in Kimi K3's tags, whose arguments name their types; a `json` tag holds all of them."""
    whole = block._replace(inner=block.marker + block.inner)
    if not any(tag.kind == "open" for tag in XTML.tags_in(whole.inner)):
        whole = whole._replace(inner=_XTML_JSON.sub("", whole.inner))
    return read_tagged(whole, tools, XTML)


def read_solar(block: Block, tools: Tools | None) -> BlockResult:
    """Read one call of a name and arguments between Solar's tokens."""
    return read_keyed(block, tools, SOLAR)


def _read_with_break(block: Block, tools: Tools | None) -> BlockResult:
    return read_tool_call(block._replace(inner=block.inner.replace("<tool_sep>", "\n", 1)), tools)


_NESTED: Final = Table(
    (
        BlockStart(
            mark="<tool_call>",
            closers=("</tool_call>",),
            before=("<tool_call>",),
            scan="tagged",
            values=ANGLED.values,
            read=_read_with_break,
        ),
    )
)


def read_nested(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block of `<tool_call>` tags, as Hunyuan writes them from version 3 on."""
    reading = read_segments(_NESTED, block.inner, tools)
    if reading.calls and reading.content is not None and "</" in reading.content:
        # The end of a call between calls: an earlier one stood in a value.
        return BlockResult(problems=(AMBIGUOUS,))
    problems = reading.problems if reading.calls or reading.problems else (UNFIT if block.closed else CUT,)
    return BlockResult(calls=reading.calls, problems=problems)
