"""Calls as JSON without markers: an object amid text is one only where it names a tool that there is."""

from typing import Any

from ..json_text import BLANK, UNREADABLE
from ..scanner import TEXT, Block, BlockResult
from ..values import ReadCall, Tools
from .json_calls import ARGUMENTS, UNFIT, WRAPPERS, calls_of, read_damaged


def read_bare(block: Block, value: Any, tools: Tools | None) -> BlockResult:
    """Read JSON that stands in text: calls only when it names tools that there are, else text.

    value: the block decoded. Without a list of tools only what the text begins with counts, and only with a name and
    arguments; a text that is nothing but a call of an unknown tool is one, too, while sample JSON amid prose is text.
    """
    if value is UNREADABLE:
        return _read_damaged(block, tools)
    calls, problems = calls_of(value, tools)
    taken = BlockResult(calls=calls, problems=problems)
    if not calls:
        return TEXT
    if tools is None:
        return taken if block.first and _has_arguments(value) else TEXT
    if _names_one(calls, tools):
        return taken
    return BlockResult(calls=calls) if tools and block.first and not block.fenced and _is_exact(value) else TEXT


def _is_exact(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(
        isinstance(item, dict) and set(item) in ({"name", "arguments"}, {"name", "parameters"}) for item in items
    )


def _names_one(calls: tuple[ReadCall, ...], tools: Tools) -> bool:
    return any(call.tool in tools for call in calls)


def _has_arguments(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, dict) and any(key in item for key in (*ARGUMENTS, *WRAPPERS)) for item in items)


def _read_damaged(block: Block, tools: Tools | None) -> BlockResult:
    if tools is None:
        return TEXT
    taken = read_damaged(block.inner.strip(BLANK), block.closed, tools)
    if _names_one(taken.calls, tools):
        return taken
    begins = block.first or block.fenced or not block.closed
    named = any(f'"{name}"' in block.inner or f"'{name}'" in block.inner for name in tools)
    return BlockResult(problems=taken.problems or (UNFIT,)) if named and not taken.calls and begins else TEXT
