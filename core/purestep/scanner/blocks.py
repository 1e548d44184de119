"""The walk through blocks: to their end, what they come to, what stands behind, and blocks without an end."""

import re
from typing import Final

from ..bounds import MAX_BLANKS_AFTER_CALL, MAX_BLOCKS, MAX_RESCANNED_CHARS
from ..json_text import NOT_BLANK
from ..values import ReadCall, ignored_text, parse_error, repaired, truncated
from .block_ends import End, find_end
from .markers import MESSAGE, NOTHING, TEXT, Block, BlockResult, BlockStart, undecided_end
from .visible import FENCE
from .walk import Walk

_BRACKETS: Final = re.compile(r"[}\]](?:[ \t\r\n]{0,16}[}\]])*+")
_MORE: Final = re.compile(r"[^ \t\r\n`]")
_MARKUP: Final = re.compile(r"[{}\[\]<>(=]")


def in_block(walk: Walk) -> bool:
    """Look for the end of a block, and read it once it is there."""
    opener, tokens = walk.table.openers[walk.opener], walk.table.tokens[walk.opener]
    walk.scanned, found = find_end(opener, tokens, walk.scanned, walk.text, walk.at, kept=walk.parts, final=walk.final)
    return walk.keep(found) if isinstance(found, int) else _close(walk, found, opener)


def _close(walk: Walk, found: End, opener: BlockStart) -> bool:
    """End a block at a token: read what is inside, and go on behind the token or with it."""
    token, start, end = found
    if token in opener.before:
        # The model went on, so nothing is cut: it left the closing marker out.
        inner_end = end = start
    else:
        inner_end = end if len(token) == 1 else start
    inner = "".join((*walk.parts, walk.text[walk.at : inner_end]))
    walk.parts, walk.at, walk.mode = (), end, "text"
    if token == MESSAGE:
        return True
    _take(walk, inner, walk.text[inner_end:end], opener)
    return True


def _take(walk: Walk, inner: str, closer: str, opener: BlockStart) -> None:
    taken = _read(walk, opener, inner, closed=True) if walk.blocks < MAX_BLOCKS else NOTHING
    walk.blocks += max(1, len(taken.calls))
    if walk.blocks > MAX_BLOCKS:
        walk.out.append(BlockResult(problems=(parse_error(f"the output holds more than {MAX_BLOCKS} calls"),)))
        walk.mode = "over"
        return
    if taken.is_text:
        _show_block(walk, walk.begun + inner + closer)
        return
    if walk.stopped and taken.calls:
        taken = BlockResult(problems=(ignored_text("calls behind the end of the calls were left out"),))
    if taken is not NOTHING:
        walk.out.append(taken)
    walk.called = walk.called or bool(taken.calls)
    walk.visible.any = walk.visible.any or bool(taken.content)
    if not walk.visible.fences:
        walk.visible.break_off()
    if walk.fence or opener.scan in ("balanced", "python"):
        walk.mode, walk.fence = "behind", "\n" if walk.fence else ""
    if opener.stops or taken.ends == "answer":
        walk.stop()
    if taken.ends:
        walk.mode = "rest" if taken.ends == "answer" else "ending"


def _show_block(walk: Walk, text: str) -> None:
    """Show a block that is text after all, with the fence before it."""
    walk.show(walk.fence + text)
    walk.fence = ""


def _read(walk: Walk, opener: BlockStart, inner: str, *, closed: bool) -> BlockResult:
    taken = opener.read(Block(inner, closed, not walk.visible.any, walk.begun, bool(walk.fence)), walk.tools)
    quoted = walk.visible.quotes or walk.visible.fences or walk.fence
    is_answer = taken.ends == "answer" and walk.fence  # all of the output, in a fence
    if quoted and not taken.is_text and not is_answer and not _names_a_tool(walk, taken.calls, inner):
        return TEXT  # quoted markup that names no tool is an example
    return taken


def _names_a_tool(walk: Walk, calls: tuple[ReadCall, ...], inner: str) -> bool:
    if walk.tools is None:
        return bool(calls) and not walk.visible.quotes
    return any(call.tool in walk.tools for call in calls) or (
        not calls and bool(walk.fence) and any(name in inner for name in walk.tools)
    )


def behind_block(walk: Walk) -> bool:
    """Leave out what belongs to a call and stands behind it: a bracket too many, the end of its fence."""
    found = NOT_BLANK.search(walk.text, walk.at)
    place = found.start() if found else len(walk.text)
    rest = walk.text[place : place + len(FENCE)]
    if place - walk.at > MAX_BLANKS_AFTER_CALL:
        walk.mode = "text"
        return True
    if not walk.final and (not rest or (rest != FENCE and walk.fence and FENCE.startswith(rest))):
        return False
    if walk.mode == "ending" and rest[:1] not in ("{", "[", "}", "]"):
        walk.stop()
    mode, walk.mode = walk.mode, "text"
    if brackets := _BRACKETS.match(walk.text, place):
        walk.out.append(BlockResult(problems=(repaired("a bracket too many was left out"),)))
        walk.at, walk.mode = brackets.end(), mode
    elif rest[:1] == ";":
        walk.at = place + 1
    elif rest == FENCE and walk.fence:
        walk.at, walk.fence = place + len(FENCE), ""
    return True


def behind_answer(walk: Walk) -> bool:
    """Leave out what stands behind an answer, and record it once."""
    if _MORE.search(walk.text, walk.at):
        walk.out.append(BlockResult(problems=(ignored_text("text behind the answer was left out"),)))
        walk.mode = "over"
        return True
    walk.at = len(walk.text)
    return False


def after_end(walk: Walk) -> bool:
    """Drop everything behind the last block that is read, unless all of it proves to be reasoning."""
    closing = walk.table.closing_thought.search(walk.text, walk.at) if walk.inside else None
    if closing is not None:
        return walk.retract(closing.end())
    end = len(walk.text)
    walk.at = undecided_end(walk.text, walk.at, walk.table.closers) if walk.inside and not walk.final else end
    return False


def end_open(walk: Walk) -> None:
    """End a block or reasoning that the text leaves open."""
    inner = "".join((*walk.parts, walk.text[walk.at :]))
    walk.parts, walk.at, walk.text = (), 0, ""
    if walk.mode == "reasoning":
        _end_reasoning(walk, inner)
        return
    opener = walk.table.openers[walk.opener]
    walk.mode = "text"
    walk.tries += len(inner) + 1
    found = _first_closer(walk, opener, inner)
    if found is not None and walk.tries <= MAX_RESCANNED_CHARS:
        # A quote too many hid the end: the first closer it is, and what is behind is looked at again.
        walk.text = inner[found.end() :]
        _take(walk, inner[: found.start()], found[0], opener)
        if found[0] == FENCE:
            walk.fence, walk.mode = "", "text"
        return
    _take_open(walk, opener, inner)


def _take_open(walk: Walk, opener: BlockStart, inner: str) -> None:
    taken = _read(walk, opener, inner, closed=False)
    if walk.visible.any and not taken.calls and not _MARKUP.search(inner):
        taken = TEXT  # prose that only mentions the marker
    if taken.is_text and walk.tries <= MAX_RESCANNED_CHARS:
        _show_block(walk, walk.begun or inner[:1])
        walk.text = inner if walk.begun else inner[1:]
        return
    walk.blocks += max(1, len(taken.calls))
    if walk.blocks > MAX_BLOCKS:
        taken = BlockResult(problems=(parse_error(f"the output holds more than {MAX_BLOCKS} calls"),))
    if taken.is_text:
        _show_block(walk, walk.begun + inner)
    else:
        walk.out.append(taken)


def _first_closer(walk: Walk, opener: BlockStart, inner: str) -> re.Match[str] | None:
    closers = opener.closers or ((FENCE,) if walk.fence else ())
    if not closers or not (walk.scanned.quote or walk.scanned.depth):
        return None
    return re.compile("|".join(map(re.escape, closers))).search(inner)  # ascii: literals


def _end_reasoning(walk: Walk, inner: str) -> None:
    walk.mode = "text"
    if walk.visible.any:
        walk.show(walk.begun + inner)
        return
    walk.out.append(BlockResult(reasoning=inner, problems=(truncated("the reasoning does not end"),)))
