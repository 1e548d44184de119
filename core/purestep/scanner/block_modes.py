"""The steps in blocks: to their end, through what follows, and the blocks that the text leaves open."""

import re
from typing import Final

from msgspec.structs import replace

from ..bounds import MAX_BLANKS_AFTER_CALL, MAX_BLOCKS, MAX_RESCANNED_CHARS, MAX_STRAY_MARKERS
from ..json_text import BLANK, NOT_BLANK
from ..lazy import lazy_pattern
from ..values import ReadCall, ignored_text, parse_error, repaired, truncated
from .block_ends import IN_MESSAGE, find_end
from .blocks import FENCE, MESSAGE, NOTHING, TEXT, Block, BlockResult, BlockStart
from .end_search import NOTHING_SCANNED, End, undecided_end
from .markers import is_words
from .raw_values import IN_VALUE
from .reasoning import is_token, reasoning_text
from .scan_state import QUOTED, ScanState

CUT: Final = truncated("the tool call ends before it is complete")
BEHIND_THE_END: Final = ignored_text("calls behind the end of the calls were left out")
_BRACKETS: Final = lazy_pattern(r"[}\]](?:[ \t\r\n]{0,16}[}\]])*+")
_STRING: Final = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(")?'
_MEMBER: Final = lazy_pattern(
    "[ \\t\\r\\n]{0,16}(?:,[ \\t\\r\\n]{0,16}(?:[\"'`\u201c\u2018]|[A-Za-z_][A-Za-z0-9_-]{0,32}(?:[:=]|\\Z)|\\Z)|\\Z)",
    re.ASCII,
)
_MEMBER_MARKS: Final = ('"', "'", "`", "\u201c", "\u2018", ":", "=")
"""What the beginning of a member ends with, after a comma: the first quote of its name, or its colon."""

_MEMBER_QUOTES: Final = ('"', "'", "\u201d")
"""What ends a string, right after a bracket that stood in it."""

_UNSURE: Final = BlockResult(
    problems=(parse_error("a bracket is too many, and members may belong to another object; write the call again"),)
)
_FINAL: Final = lazy_pattern(r"[ \t\r\n]{0,16}\{[ \t\r\n]{0,16}\"kind\"[ \t\r\n]{0,16}:[ \t\r\n]{0,16}\"final\"")
_MORE: Final = lazy_pattern(r"[^ \t\r\n`]")
_MARKUP: Final = lazy_pattern(r"[{}\[\]<>(=]")
_ENDLESS: Final = truncated("the reasoning does not end")
_CALL_ENDS: Final = lazy_pattern(
    r"</(?:[A-Za-z]+:)?(?:function|invoke|tool|tool_call|steptml:invoke)>|</[\uff5c|](?:DSML|GCML)[\uff5c|][ ]?invoke>|"
    r"<\|tool_call_end\|>|<[\uff5c|]tool[▁_ ]call[▁_ ]end[\uff5c|]>|\]<\]minimax\[>\[</invoke>|<\|tool_call:end\|>|"
    r"<\|close\|>[ ]?call[ ]?<\|sep\|>|<\|plamo:end_tool_arguments:plamo\|>",
    re.ASCII,
)
"""The ends of single calls in blocks that hold several."""

_CLOSING: Final = {"{": ("}",), "[": ("]",)}
_TOO_MANY: Final = BlockResult(problems=(parse_error(f"the output holds more than {MAX_BLOCKS} calls"),))


def in_block(scan: ScanState) -> bool:
    """Look for the end of a block, and read it once it is there."""
    start, tokens = scan.table.starts[scan.block_start], scan.table.patterns.tokens[scan.block_start]
    search = find_end(start, tokens, scan.scanned, scan.text, scan.at, kept=scan.parts, final=scan.final)
    if search.end is not None and start.scan == "balanced" and len(search.end.token) == 1:
        following = _MEMBER.match(scan.text, search.end.end)
        if following and not _is_final(scan, search.end.end):
            if following[0].endswith(_MEMBER_MARKS):
                # The bracket came too early: what follows it is inside too.
                scan.scanned_to(search.scanned)
                scan.keep_inside(search.end.end)
                return True
            if not scan.final:
                return False
        elif _is_apart(scan, start) and (goes_on := _arguments_go_on(scan, search.end.end)) is not False:
            if goes_on is None:
                return False
            scan.scanned_to(search.scanned)
            scan.keep_inside(search.end.end)
            return True
    scan.scanned_to(search.scanned)
    if search.end is None:
        return scan.keep_inside(search.inside_to)
    return _close(scan, search.end, start)


def _is_apart(scan: ScanState, start: BlockStart) -> bool:
    """Whether a block's object is the arguments of a call alone, apart from its name."""
    first = next((char for part in (*scan.parts, scan.text[scan.at :]) for char in part.lstrip(BLANK)[:1]), "{")
    return start.apart or first not in ("{", "[")


def _arguments_go_on(scan: ScanState, end: int) -> bool | None:
    """Whether what follows a bracket can only belong to the arguments; None where the text does not tell yet.

    A quote at once: the bracket stood in a string. Another object, also after a comma, unless it is a call of its own.
    """
    following = scan.text[end : end + 1]
    if following in _MEMBER_QUOTES:
        return True
    after = end + (following == ",")
    found = NOT_BLANK.search(scan.text, after, after + MAX_BLANKS_AFTER_CALL)
    if found is None and following == "," and not scan.final and len(scan.text) - after < MAX_BLANKS_AFTER_CALL:
        return None
    if found is None or found[0] != "{" or scan.table.patterns.starts.match(scan.text, found.start()):
        return False
    return None if not scan.final and scan.table.undecided(scan.text, found.start()) == found.start() else True


def _is_final(scan: ScanState, end: int) -> bool:
    """Tell an answer's object, which is told at once, from a call, which waits for the character after it."""
    return _FINAL.match("".join((*scan.parts, scan.text[scan.at : end]))) is not None


def _close(scan: ScanState, end: End, start: BlockStart) -> bool:
    """End a block at a token: read what is inside, and go on after the token or with it."""
    if end.token in start.before:
        # The model went on, so nothing is cut: it left the closing marker out.
        inner_end = after = end.start
    else:
        inner_end, after = end.end if len(end.token) == 1 else end.start, end.end
    inner, closer = scan.take_inside(inner_end), scan.text[inner_end:after]
    scan.go("text", after)
    if end.token == scan.start_marker and end.token in start.before and not inner.strip(BLANK):
        return True  # the same marker again
    if end.token != MESSAGE:
        _take(scan, inner, closer, start)
        return True
    if scan.shown and scan.last != "\n":
        scan.show("\n")  # messages stand apart
    if start.answers(inner):
        scan.begin_answer()
    return True


def _take(scan: ScanState, inner: str, closer: str, start: BlockStart) -> None:
    """Read a block that is closed, and decide what may follow it."""
    result = _read(scan, start, inner, closed=True) if scan.blocks < MAX_BLOCKS else NOTHING
    if scan.count_block(result) > MAX_BLOCKS:
        scan.emit(_TOO_MANY)
        scan.go("over")
        return
    if result.is_text:
        scan.show_block(scan.start_marker + inner + closer)
        return
    if scan.stopped and result.calls:
        result = BlockResult(problems=(BEHIND_THE_END,))
    if result is not NOTHING:
        scan.emit_calls(result)
        scan.keep_block(scan.start_marker + inner + closer)
    if not scan.in_code:
        scan.begin_line()
    _go_on_after(scan, result, start)


def _go_on_after(scan: ScanState, result: BlockResult, start: BlockStart) -> None:
    if scan.fence or start.scan in ("balanced", "python"):
        scan.pass_fence()
        scan.go("behind")
    if result.calls and (start.scan == "balanced" or result.problems):
        scan.watch_brackets(bool(result.problems))
    if start.stops or result.ends == "answer":
        scan.stop()
    if result.ends:
        scan.go("rest" if result.ends == "answer" else "ending")


def _read(scan: ScanState, start: BlockStart, inner: str, *, closed: bool) -> BlockResult:
    block = Block(inner, closed, not scan.shown, scan.start_marker, bool(scan.fence))
    result = start.read(block, scan.tools)
    is_quoted = scan.follows_quote or scan.in_code or scan.fence
    is_answer = result.ends == "answer" and scan.fence  # all of the output, in a fence
    if not result.is_text and result.calls and scan.tools is not None and _names_a_tool(scan, result.calls, inner):
        if scan.follows_quote or scan.in_code or scan.in_quotes:
            return BlockResult(problems=(QUOTED,))
        if scan.shown and scan.fence:
            scan.await_text()
    if is_quoted and not result.is_text and not is_answer and not _names_a_tool(scan, result.calls, inner):
        return TEXT  # quoted markup that names no tool is an example
    return result


def _names_a_tool(scan: ScanState, calls: tuple[ReadCall, ...], inner: str) -> bool:
    if scan.tools is None:
        return bool(calls) and not scan.follows_quote
    return any(call.tool in scan.tools for call in calls) or (
        not calls and bool(scan.fence) and any(name in inner for name in scan.tools)
    )


# --- after a block ----------------------------------------------------------------------------------------


def after_block(scan: ScanState) -> bool:
    """Leave out what follows a call and belongs to it: a bracket too many, the end of its fence."""
    found = NOT_BLANK.search(scan.text, scan.at)
    place = found.start() if found else len(scan.text)
    rest = scan.text[place : place + len(FENCE)]
    if place - scan.at > MAX_BLANKS_AFTER_CALL:
        return scan.go("text")
    if not scan.final and (not rest or (rest != FENCE and scan.fence and FENCE.startswith(rest))):
        return False
    if scan.mode == "ending" and rest[:1] not in ("{", "[", "}", "]"):
        scan.stop()
    if brackets := _BRACKETS.match(scan.text, place):
        scan.emit(_UNSURE if scan.unsure else BlockResult(problems=(repaired("a bracket too many was left out"),)))
        return scan.go(scan.mode, brackets.end())
    if rest[:1] == ",":
        following = NOT_BLANK.search(scan.text, place + 1)
        if following is None and not scan.final:
            return False
        if following is not None and following[0] == "{":
            return scan.go("text", place + 1)
    if rest[:1] == ";":
        return scan.go("text", place + 1)
    if rest == FENCE and scan.fence:
        scan.end_fence()
        return scan.go("text", place + len(FENCE))
    return scan.go("text")


def after_answer(scan: ScanState) -> bool:
    """Leave out what follows an answer, and record it once."""
    if _MORE.search(scan.text, scan.at):
        scan.emit(BlockResult(problems=(ignored_text("text behind the answer was left out"),)))
        return scan.go("over")
    return scan.wait(len(scan.text))


def after_end(scan: ScanState) -> bool:
    """Drop everything after the last block that is read, unless all of it proves to be reasoning."""
    if not scan.maybe_reasoning:
        return scan.wait(len(scan.text))
    closing = scan.table.patterns.reasoning_ends.search(scan.text, scan.at)
    if closing is not None:
        return scan.retract(closing.end())
    ends = scan.table.reasoning_ends
    return scan.wait(len(scan.text) if scan.final else undecided_end(scan.text, scan.at, ends))


# --- blocks without an end --------------------------------------------------------------------------------


def end_open(scan: ScanState) -> None:
    """End a block or reasoning that the text leaves open."""
    inner, mode = scan.take_inside(len(scan.text)), scan.mode
    scan.scan_again("")
    scan.go("text")
    if mode == "reasoning":
        _end_reasoning(scan, inner)
        return
    start = scan.table.starts[scan.block_start]
    scan.count_rescanned(len(inner) + 1)
    if scan.scanned.stage in (IN_VALUE, IN_MESSAGE):
        end = _end_in_value(scan, start, inner) if scan.rescanned_chars <= MAX_RESCANNED_CHARS else None
        if end is None:
            _take_open(scan, start, inner)
        else:
            scan.scan_again(inner)
            _close(scan, end, start)
        return
    found = _first_closer(scan, start, inner)
    if found is not None and scan.rescanned_chars <= MAX_RESCANNED_CHARS:
        # A quote too many hid the end: the first closer it is, and the text after it is scanned again.
        scan.scan_again(inner[found.end() :])
        _take(scan, inner[: found.start()], found[0], start)
        if found[0] == FENCE:
            scan.end_fence()
            scan.go("text")
        return
    _take_open(scan, start, inner)


def _end_in_value(scan: ScanState, start: BlockStart, inner: str) -> End | None:
    """Return the end of a block whose last value has none, if tags inside of values, or one left out, explain that."""
    tokens = scan.table.patterns.tokens[scan.block_start]
    search = find_end(start, tokens, NOTHING_SCANNED, inner, 0, kept=(), final=True, counting=False)
    end = search.end
    if end is not None and start.values is None:
        return end  # of a thought, after which an answer may come as it is
    if end is not None and _goes_on(scan, inner, end.start if end.token in start.before else end.end):
        return end
    for found in tokens.marks.finditer(inner):
        if found[0] in start.closers and _holds_only_strays(scan, inner, found.end()):
            return End(found[0], found.start(), found.end())
    return None


def _goes_on(scan: ScanState, text: str, at: int) -> bool:
    """Whether another block, or nothing that matters, is at a place."""
    if _holds_only_strays(scan, text, at):
        return True
    place = NOT_BLANK.search(text, at)
    found = scan.table.patterns.starts.match(text, place.start()) if place is not None else None
    return found is not None and scan.table.begins_block(found)


def _holds_only_strays(scan: ScanState, text: str, at: int) -> bool:
    """Whether nothing but markers without a meaning is after a place."""
    place = NOT_BLANK.search(text, at)
    for _ in range(MAX_STRAY_MARKERS):
        if place is None:
            return True
        found = scan.table.patterns.starts.match(text, place.start())
        index = scan.table.by_mark.get(found[0]) if found else None
        if found is None or index is None or scan.table.starts[index].scan not in ("none", "closing"):
            return False
        place = NOT_BLANK.search(text, found.end())
    return False


def _take_open(scan: ScanState, start: BlockStart, inner: str) -> None:
    result, marker = _read(scan, start, inner, closed=False), scan.start_marker
    if scan.cut and not result.is_text:
        thoughts = replace(result, problems=(_ENDLESS,)) if result.reasoning and not result.calls else None
        result = thoughts or _read_cut(scan, start, inner)
    if scan.shown and not result.calls and not _MARKUP.search(inner) and NOT_BLANK.search(inner):
        result = TEXT  # prose that only mentions the marker
    if result.is_text and scan.rescanned_chars <= MAX_RESCANNED_CHARS:
        scan.show_block(marker or inner[:1])
        scan.scan_again(inner if marker else inner[1:])
        return
    if scan.count_block(result) > MAX_BLOCKS:
        result = _TOO_MANY
    if result.is_text:
        scan.show_block(marker + inner)
    else:
        scan.emit(result)


def _read_cut(scan: ScanState, start: BlockStart, inner: str) -> BlockResult:
    """Read a block that the host says was cut: the calls in it whose own end came, and nothing that needs mending."""
    end = max((found.end() for found in _CALL_ENDS.finditer(inner)), default=0)
    last = _CLOSING.get(inner.lstrip(BLANK)[:1], ("}", "]", ")"))
    if not end and not start.closers and inner.rstrip(BLANK).endswith(last):
        end = len(inner)  # brackets are the end of a form without markers
    result = _read(scan, start, inner[:end], closed=False) if end else NOTHING
    if not result.calls or result.problems:
        return BlockResult(problems=(CUT,))
    return replace(result, problems=(CUT,)) if inner[end:].strip(BLANK) else result


def _first_closer(scan: ScanState, start: BlockStart, inner: str) -> re.Match[str] | None:
    closers = start.closers or ((FENCE,) if scan.fence else ())
    if not closers or not (scan.scanned.quote or scan.scanned.depth):
        return None
    marks = "|".join(map(re.escape, closers))
    alone = re.compile(marks)  # ascii: literals
    if scan.scanned.quote:
        # Which of the quotes is one too many is not known, so none counts.
        return alone.search(inner)
    # A string that nothing closes takes the rest in one match: each quote in it would begin such a string again.
    for found in re.compile(f"{marks}|{_STRING}", re.DOTALL).finditer(inner):  # ascii: literals
        if found[0] in closers:
            return found
        if found[1] is None:
            return alone.search(inner, found.start() + 1)
    return None


def _end_reasoning(scan: ScanState, inner: str) -> None:
    tag = scan.start_marker
    if tag and is_words(scan.table.reasoning[tag][0]) and not scan.cut:
        scan.show(tag)  # a sentence that reasoning may begin with began an answer
        scan.scan_again(inner)
        return
    if (scan.shown or scan.blocks) and not is_token(tag):
        scan.count_rescanned(len(inner) + 1)
        scan.show(tag)
        if scan.rescanned_chars <= MAX_RESCANNED_CHARS:
            scan.scan_again(inner)
        else:
            scan.show(inner)
        return
    thoughts = reasoning_text(tag, inner)
    is_cut = thoughts.strip(BLANK) or not scan.shown
    scan.emit(BlockResult(reasoning=thoughts, problems=(_ENDLESS,) if is_cut else ()))
