"""Calls as JSON without markers: an object amid text is one only where it names a tool that there is."""

from typing import Any

from ..jsontext import BLANK, UNREADABLE, read_json
from ..markers import TEXT, Block, Taken
from ..reading import ReadCall
from ..toolspec import Tools
from .json_calls import ARGUMENTS, UNFIT, WRAPPERS, calls_of, read_damaged


def read_bare(block: Block, tools: Tools | None) -> Taken:
    """Read JSON that stands in text: calls only when it names tools that there are, else text.

    Without a list of tools only what the text begins with counts, and only with a name and arguments.
    """
    value = read_json(block.inner.strip(BLANK))
    if value is UNREADABLE:
        return _read_bare_damaged(block, tools)
    calls, problems = calls_of(value, tools)
    if not calls or not all(_is_known(call, tools) for call in calls):
        return (
            Taken(calls=calls, problems=problems) if _names_one(calls, tools) else _unknown_alone(block, calls, tools)
        )
    if tools is None and not (block.first and _has_arguments(value)):
        return TEXT
    return Taken(calls=calls, problems=problems)


def _unknown_alone(block: Block, calls: tuple[ReadCall, ...], tools: Tools | None) -> Taken:
    """Give a call of an unknown tool where the whole text so far is one; sample JSON amid prose is text."""
    value = read_json(block.inner.strip(BLANK))
    if tools and calls and block.first and not block.fenced and _is_exact(value):
        return Taken(calls=calls)
    return TEXT


def _is_exact(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(
        isinstance(item, dict) and set(item) in ({"name", "arguments"}, {"name", "parameters"}) for item in items
    )


def _names_one(calls: tuple[ReadCall, ...], tools: Tools | None) -> bool:
    return tools is not None and any(call.tool in tools for call in calls)


def _is_known(call: ReadCall, tools: Tools | None) -> bool:
    return tools is None or call.tool in tools


def _has_arguments(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, dict) and any(key in item for key in (*ARGUMENTS, *WRAPPERS)) for item in items)


def _read_bare_damaged(block: Block, tools: Tools | None) -> Taken:
    if tools is None:
        return TEXT
    taken = read_damaged(block.inner.strip(BLANK), block.closed, tools)
    if _names_one(taken.calls, tools):
        return taken
    begins = block.first or block.fenced or not block.closed
    named = any(f'"{name}"' in block.inner or f"'{name}'" in block.inner for name in tools)
    return Taken(problems=taken.problems or (UNFIT,)) if named and not taken.calls and begins else TEXT
