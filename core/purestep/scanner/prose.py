"""The walk over what is no block: the beginning, reasoning, visible text and the markers in it."""

import re
from typing import Final

from ..bounds import MAX_BLOCK_START_CHARS
from ..json_text import BLANK, NOT_BLANK
from ..names import LETTER, NAME
from ..values import ignored_text
from .markers import BlockResult, undecided_end
from .walk import Walk

_NAMED: Final = re.compile(rf"{LETTER}{NAME}{{0,95}}[ \t\r\n]{{0,8}}", re.ASCII)
_TITLES: Final = {"<|channel>": "thought\n"}
"""What a tag of reasoning is followed by that is no part of it: Gemma names its channel."""


def at_start(walk: Walk) -> bool:
    """Tell reasoning, which comes first, and a call that begins with its tool's name, from everything else."""
    text, table = walk.text, walk.table
    found = NOT_BLANK.search(text, walk.at)
    if found is None:
        walk.at = len(text)
        return False
    walk.at = begun = found.start()
    if opened := table.thinking.match(text, begun):
        return walk.think(opened[0], opened.end())
    rest = text[begun : begun + MAX_BLOCK_START_CHARS]
    if not walk.final and (rest in table.prefixes and any(mark.startswith(rest) for mark in table.reasoning)):
        return False
    if table.named >= 0 and (named := _NAMED.match(text, begun)):
        tail = text[named.end() : named.end() + MAX_BLOCK_START_CHARS]
        if tail.startswith(table.tails) and _may_be_named(walk, named[0], tail):
            return walk.open(table.named, "", begun)
        if not walk.final and any(mark.startswith(tail) for mark in table.tails) and len(rest) < MAX_BLOCK_START_CHARS:
            return False
    walk.inside = walk.inside and text[begun] not in "{[`"
    walk.mode = "text"
    return True


def _may_be_named(walk: Walk, name: str, tail: str) -> bool:
    # A marker behind it makes any name a tool's; a bracket does so only for a tool that there is.
    if tail[0] == "(":
        return walk.tools is None or name.strip(BLANK) in walk.tools
    if tail[0] == "{":
        return name.startswith("call:") or (walk.tools is not None and name.strip(BLANK) in walk.tools)
    return True


def in_reasoning(walk: Walk) -> bool:
    """Drop everything up to the end of the reasoning."""
    closer = walk.table.reasoning[walk.begun]
    close = walk.text.find(closer, walk.at)
    if close < 0:
        return walk.keep(len(walk.text) if walk.final else undecided_end(walk.text, walk.at, (closer,)))
    thought = "".join((*walk.parts, walk.text[walk.at : close]))
    walk.out.append(BlockResult(reasoning=thought.removeprefix(_TITLES.get(walk.begun, ""))))
    walk.parts, walk.at, walk.mode = (), close + len(closer), "start"
    walk.visible.break_off()
    return True


def in_text(walk: Walk) -> bool:
    """Show text up to a marker, holding back what may be the beginning of one."""
    found = walk.table.opening.search(walk.text, walk.at)
    end = len(walk.text)
    if not walk.final and (found is None or end - found.start() < MAX_BLOCK_START_CHARS):
        # What began earlier comes first, also where it is not decided yet: a fence before a marker.
        end = walk.table.undecided(walk.text, walk.at)
    if found is None or end < found.start():
        walk.show_between(walk.at, end)
        walk.at = end
        return False
    walk.show_between(walk.at, found.start())
    return _at_mark(walk, found)


def _at_mark(walk: Walk, found: re.Match[str]) -> bool:
    """Do what a marker asks for."""
    mark, inner = found[0], found.end()
    index = walk.table.by_mark.get(mark)
    if index is None and (mark in walk.table.reasoning or mark in walk.table.closers):
        return _reasoning_mark(walk, mark, found.start(), inner)
    if index is None:
        number = (found.lastgroup or "p")[1:]
        index, inner = int(number.partition("_")[0]), found.start(f"i{number}")
        mark = walk.text[found.start() : inner]
    walk.at = inner
    match walk.table.openers[index].scan:
        case "none":
            return _pass_over(walk, mark)
        case "closing":
            return _pass_over(walk, mark) if walk.called else walk.show(mark)
        case "result":
            return _end_turn(walk, mark)
        case "fence" if walk.visible.fences:
            return walk.show(mark)  # the end of another
        case "fence":
            walk.fence = mark
            return True
    return walk.open(index, mark, inner)


def _pass_over(walk: Walk, mark: str) -> bool:
    """Leave out a marker that means nothing here, unless it is quoted."""
    return walk.show(mark) if walk.visible.quotes or walk.visible.fences else True


def _end_turn(walk: Walk, mark: str) -> bool:
    """End the turn where a model makes a result up behind its calls; before any call the mark is text."""
    if not walk.called:
        return walk.show(mark)
    walk.out.append(BlockResult(problems=(ignored_text("a result that the model made up was left out"),)))
    walk.stop()
    walk.mode = "over"
    return True


def _reasoning_mark(walk: Walk, mark: str, start: int, end: int) -> bool:
    if mark in walk.table.reasoning and walk.visible.begins_line:
        walk.visible.break_off()
        return walk.think(mark, end)
    if mark in walk.table.closers and walk.inside and not walk.visible.quotes:
        return walk.retract(end)
    walk.show_between(start, end)
    walk.at = end
    return True
