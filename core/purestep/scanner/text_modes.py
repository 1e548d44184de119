"""The steps outside of blocks: the beginning, reasoning, visible text and the markers in it."""

import re
from functools import lru_cache
from typing import Final

from ..bounds import MAX_ADDRESSED_CHARS, MAX_BLOCK_START_CHARS, MAX_MARKER_NAME_CHARS, MAX_MARKER_TABLES
from ..json_text import BLANK, NOT_BLANK
from ..lazy import lazy_pattern
from ..names import NAME, name_up_to
from ..values import ignored_text
from .blocks import AMBIGUOUS, MESSAGE_ENDS, WRAPPERS, BlockResult
from .end_search import undecided_end
from .markers import is_words, start_found
from .reasoning import ends_of, is_token, reasoning_text
from .scan_state import ScanState

_NAMED: Final = lazy_pattern(rf"{name_up_to(MAX_MARKER_NAME_CHARS, NAME)}[ \t\r\n]{{0,8}}", re.ASCII)


def at_start(scan: ScanState) -> bool:
    """Tell reasoning, which comes first, and a call that begins with its tool's name, from everything else."""
    text, table = scan.text, scan.table
    found = NOT_BLANK.search(text, scan.at)
    if found is None:
        return scan.wait(len(text))
    at = found.start()
    if (headed := _at_header(scan, at)) is not None:
        return headed
    if not scan.maybe_reasoning and (wrapped := _at_wrapper(scan, at)) is not None:
        return wrapped
    if (addressed := _at_recipient(scan, at)) is not None:
        return addressed
    if tag := table.patterns.reasoning.match(text, at):
        return scan.begin_reasoning(tag[0], tag.end())
    if not scan.final and _may_be_reasoning(scan, text[at : at + MAX_BLOCK_START_CHARS]):
        return scan.wait(at)
    if table.tails and (named := _NAMED.match(text, at)):
        tail = text[named.end() : named.end() + MAX_BLOCK_START_CHARS]
        if tail.startswith(table.tails) and _may_be_named(scan, named[0], tail):
            return scan.begin_block(table.named_start(named[0], tail), "", at)
        if not scan.final and any(mark.startswith(tail) for mark in table.tails) and _fits(text, at):
            return scan.wait(at)
    if text[at] in "{[`":
        scan.exclude_reasoning()
    return scan.go("text", at)


_OWN_HEADER: Final = lazy_pattern(
    r"(?:<\|im_start\|>|<\|start_header_id\|>|<\|header_start\|>|<start_of_turn>|<\|turn>|<\|start_of_role\|>|"
    r"<\|im_assistant\|>|<\|assistant\|>|\[\|assistant\|\]|<\uff5cAssistant\uff5c>|<\|assistant_start\|>|"
    r"<\|START_OF_TURN_TOKEN\|>(?:<\|CHATBOT_TOKEN\|>)?|\]~b\])(?:assistant|model|ai)?"
    r"(?:<\|end_header_id\|>|<\|header_end\|>|<\|end_of_role\|>|<\|im_sep\|>|<\|im_middle\|>|\n|"
    r"(?=[ \t\r<\[{])|\Z)",
    re.ASCII,
)
"""The header of the model's own turn, which its template wrote and the model repeats."""
_ANY_ROLE: Final = (
    "<|im_start|>", "<|start_header_id|>", "<|header_start|>", "<start_of_turn>", "<|turn>", "<|start_of_role|>",
    "<|START_OF_TURN_TOKEN|>", "]~b]",
)  # fmt: skip
_OWN_ROLE: Final = (
    "<|im_assistant|>", "<|assistant|>", "[|assistant|]", "<\uff5cAssistant\uff5c>", "<|assistant_start|>",
)  # fmt: skip
_OTHER_ROLE: Final = (
    "<|im_user|>", "<|im_system|>", "<|user|>", "[|user|]", "<\uff5cUser\uff5c>", "<|user_start|>",
    "<|begin|>user", "<|begin|>tool", "<|begin|>system",
)  # fmt: skip
_BEFORE_TEXT: Final = (
    "<\uff5cUser\uff5c>", "<\uff5cAssistant\uff5c>", "[|user|]", "[|assistant|]", "<|user_start|>",
    "<|assistant_start|>", "<|begin|>user", "<|begin|>tool", "<|begin|>system",
)  # fmt: skip
"""Headers that are whole: the text of the turn follows at once."""

TURN_MARKS: Final = (*_ANY_ROLE, *_OWN_ROLE, *_OTHER_ROLE)
"""What the header of a turn begins with: of one whose role follows, of the model's own, of another's."""

_OWN_MARKS: Final = (*_ANY_ROLE, *_OWN_ROLE)
_HEADER: Final = lazy_pattern(
    r"<\|(?P<token>[A-Z]{4,8})_TOKEN\|>|"
    r"[ ]?(?P<role>[a-z_]{2,16})?(?:<\|end_header_id\|>|<\|header_end\|>|<\|end_of_role\|>|<\|im_sep\|>|"
    r"<\|im_middle\|>|(?=\r?\n)|\Z)",
    re.ASCII,
)
"""The rest of the header of a turn."""

_OWN_NAMES: Final = ("assistant", "model", "ai", "CHATBOT")
_HEADER_CHARS: Final = 96
_CHANNEL: Final = "<|channel|>"
_BEGUN: Final = tuple(
    f"{channel}{rest}"
    for channel in ("analysis", "commentary", "final")
    for rest in ("<|message|>", "<|constrain|>", " <|constrain|>", " to=")
)
"""A harmony header whose beginning is in the prompt."""


def _at_header(scan: ScanState, at: int) -> bool | None:
    """Pass the header of the model's own turn at its beginning, or begin the message that a header's rest tells."""
    if scan.called or scan.shown or _CHANNEL not in scan.table.by_mark:
        return None
    rest = scan.text[at : at + _HEADER_CHARS]
    if rest.startswith(_BEGUN):
        return scan.begin_block(scan.table.by_mark[_CHANNEL], _CHANNEL, at)
    is_short = not scan.final and len(rest) < _HEADER_CHARS
    if is_short and any(mark.startswith(rest) for mark in (*_BEGUN, *_OWN_MARKS)):
        return scan.wait(at)
    if not rest.startswith(_OWN_MARKS):
        return None
    if is_short:
        return scan.wait(at)
    found = _OWN_HEADER.match(scan.text, at)
    return scan.go("start", found.end()) if found is not None else None


_ALL: Final = "all\n"
_CALLED: Final = lazy_pattern(rf">>>({name_up_to(MAX_MARKER_NAME_CHARS, NAME)})\n[ \t]{{0,8}}\{{", re.ASCII)


def _at_recipient(scan: ScanState, at: int) -> bool | None:
    """Pass the recipient of a text, whose marker is in Functionary's prompt, where a call of a known tool follows."""
    text = scan.text
    if (
        scan.called
        or scan.shown
        or _CHANNEL not in scan.table.by_mark
        or not _ALL.startswith(text[at : at + len(_ALL)])
    ):
        return None
    is_near = not scan.final and len(text) - at < MAX_ADDRESSED_CHARS
    if len(text) - at < len(_ALL):
        return scan.wait(at) if is_near else None
    found = _CALLED.search(text, at, at + MAX_ADDRESSED_CHARS)
    if found is not None and (scan.tools is None or found[1] in scan.tools):
        return scan.go("start", at + len(_ALL))
    return scan.wait(at) if is_near else None


def _at_wrapper(scan: ScanState, at: int) -> bool | None:
    """Pass the tag that opens an answer after its reasoning, or wait for all of it; None where there is none."""
    for begin, closer in WRAPPERS.items():
        if scan.text.startswith(begin, at):
            return scan.expect_wrapper(closer, "start", at + len(begin))
        if not scan.final and len(scan.text) - at < len(begin) and begin.startswith(scan.text[at:]):
            return scan.wait(at)
    return None


def _may_be_reasoning(scan: ScanState, rest: str) -> bool:
    table = scan.table
    return rest in table.patterns.prefixes and any(tag.startswith(rest) for tag in table.reasoning)


def _fits(text: str, at: int) -> bool:
    return len(text) - at < MAX_BLOCK_START_CHARS


def _may_be_named(scan: ScanState, name: str, tail: str) -> bool:
    # A marker after it makes any name a tool's; a bracket does so only for a tool that there is.
    if tail[0] == "(":
        return scan.tools is None or name.strip(BLANK) in scan.tools
    if tail[0] == "{":
        return name.startswith("call:") or (scan.tools is not None and name.strip(BLANK) in scan.tools)
    return True


def in_reasoning(scan: ScanState) -> bool:
    """Take everything up to the end of the reasoning."""
    tag = scan.start_marker
    if not tag and not scan.parts and (begun := _own_tag(scan)) is not None:
        return begun
    ends = ends_of(scan.table, tag)
    close = _any_of(ends).search(scan.text, scan.at)
    if close is None:
        return scan.keep_inside(len(scan.text) if scan.final else undecided_end(scan.text, scan.at, ends))
    inner = scan.take_inside(close.start())
    if scan.shown and tag and not is_token(tag):
        # Reasoning comes first: tags further on belong to what is said about them, and no call in them counts.
        scan.show(tag + inner + close[0])
        return scan.go("text", close.end())
    scan.emit(BlockResult(reasoning=reasoning_text(tag, inner)))
    scan.begin_line()
    scan.keep_draft(inner)
    return scan.go("start", close.end())


@lru_cache(maxsize=MAX_MARKER_TABLES)
def _any_of(ends: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, ends)))  # ascii: literals


def _own_tag(scan: ScanState) -> bool | None:
    """Begin the reasoning that a model opens although the template did; None where it did not."""
    found = NOT_BLANK.search(scan.text, scan.at)
    if found is None:
        return scan.wait(len(scan.text))
    tag = scan.table.patterns.reasoning.match(scan.text, found.start())
    if tag is not None and not is_words(scan.table.reasoning[tag[0]][0]):
        return scan.begin_reasoning(tag[0], tag.end())
    if tag is None and _begins_answer(scan, found.start()):
        return scan.go("start", found.start())  # what the template opened is over
    rest = scan.text[found.start() : found.start() + MAX_BLOCK_START_CHARS]
    is_open = not scan.final and scan.table.undecided(scan.text, found.start()) == found.start()
    if tag is None and not scan.final and (is_open or _may_be_reasoning(scan, rest)):
        return scan.wait(found.start())
    return None


def _begins_answer(scan: ScanState, at: int) -> bool:
    """Whether the opener of another channel is at a place: a message, or a tag that is not shown."""
    found = scan.table.patterns.starts.match(scan.text, at)
    if found is None or found[0] in scan.table.reasoning or found[0] in scan.table.reasoning_ends:
        return False
    index = scan.table.by_mark.get(found[0])
    start = scan.table.starts[start_found(found)[0] if index is None else index]
    return start.scan == "message" or (start.scan == "none" and bool(start.pattern))


def in_text(scan: ScanState) -> bool:
    """Show text up to a marker, holding back what may be the beginning of one."""
    found = scan.table.patterns.starts.search(scan.text, scan.at)
    end = len(scan.text)
    if not scan.final and (found is None or end - found.start() < MAX_BLOCK_START_CHARS):
        # What began earlier comes first, also where it is not decided yet: a fence before a marker.
        end = scan.table.undecided(scan.text, scan.at)
    if found is None or end <= found.start():
        # What is a marker may be the fence before another, too.
        scan.show_to(end)
        return False
    scan.show_to(found.start())
    return _at_mark(scan, found)


def _at_mark(scan: ScanState, found: re.Match[str]) -> bool:
    """Do what a marker asks for."""
    mark, inner = found[0], found.end()
    if scan.answering:
        if mark not in MESSAGE_ENDS:
            scan.show_to(inner)
            return True
        scan.end_answer()
    index = scan.table.by_mark.get(mark)
    if index is None and (mark in scan.table.reasoning or mark in scan.table.reasoning_ends):
        return _at_reasoning_tag(scan, mark, inner)
    if index is None:
        index, inner = start_found(found)
        mark = scan.text[found.start() : inner]
    scan.go("text", inner)
    match scan.table.starts[index].scan:
        case "none":
            if scan.table.starts[index].answers(mark):
                scan.begin_answer()
            return _drop(scan, mark)
        case "closing":
            return _drop(scan, mark) if scan.called else scan.show(mark)
        case "wrapper":
            return _close_wrapper(scan, mark)
        case "stray":
            return _at_stray(scan, mark)
        case "result":
            return _end_turn(scan, mark)
        case "fence" if scan.in_code:
            return scan.show(mark)  # the end of another
        case "fence":
            return scan.begin_fence(mark)
    return _begin(scan, index, mark, found.start())


def _begin(scan: ScanState, index: int, mark: str, begin: int) -> bool:
    """Begin a block after its marker, unless it is the message of another role after the model's calls."""
    if mark == _MESSAGE_START and scan.called:
        rest = scan.text[scan.at : scan.at + MAX_BLOCK_START_CHARS]
        if rest.startswith(_OTHER_ROLES):
            return _end_turn(scan, mark)
        if not scan.final and any(role.startswith(rest) for role in _OTHER_ROLES):
            return scan.wait(begin)
    return scan.begin_block(index, mark, scan.at)


_MESSAGE_START: Final = "<|start|>"
_OTHER_ROLES: Final = ("functions", "tool", "user", "system", "developer")
"""Whose message a model makes up after its calls in harmony."""


def _drop(scan: ScanState, mark: str) -> bool:
    """Leave out a marker without a meaning, unless it is quoted."""
    return scan.show(mark) if scan.follows_quote or scan.in_code else True


def _close_wrapper(scan: ScanState, mark: str) -> bool:
    """Leave the closing tag of an answer's wrapper out, once."""
    if scan.wrapper != mark or scan.follows_quote or scan.in_code:
        return scan.show(mark)
    return scan.expect_wrapper("", "text", scan.at)


def _at_stray(scan: ScanState, mark: str) -> bool:
    """Take the end of a value, outside of any, for the sign that a call before it was cut inside of a value.

    It is not where the text quotes it alone: a quote or code that only begins before it may be part of the value too.
    """
    if not scan.blocks:
        return scan.show(mark)
    if scan.follows_quote:
        if scan.at == len(scan.text) and not scan.final:
            return scan.wait(scan.at - len(mark))
        if scan.text.startswith(scan.closing_quote, scan.at):
            return scan.show(mark)
    scan.emit(BlockResult(problems=(AMBIGUOUS,)))
    return True


def _end_turn(scan: ScanState, mark: str) -> bool:
    """End the turn where a model makes a result up after its calls; before any call it is text, a token is nothing."""
    if not scan.called and (headed := _at_turn(scan, mark)) is not None:
        return headed
    if not scan.called:
        return _drop(scan, mark) if "|" in mark or "\uff5c" in mark else _show_turn(scan, mark)
    if mark[0] not in "<\u273f" and not scan.begins_line:
        return scan.show(mark)
    scan.emit(BlockResult(problems=(ignored_text("a result that the model made up was left out"),)))
    scan.stop()
    return scan.go("over")


def _at_turn(scan: ScanState, mark: str) -> bool | None:
    """Pass the header of a turn that the model went on to: its own goes on, another's ends what it said."""
    if mark not in TURN_MARKS or not scan.shown or scan.follows_quote or scan.in_code:
        return None
    begin, rest = scan.at - len(mark), scan.text[scan.at : scan.at + _HEADER_CHARS]
    if not scan.final and len(rest) < _HEADER_CHARS and "\n" not in rest:
        return scan.wait(begin)
    found = _HEADER.match(rest)
    name = (found["role"] or found["token"] or "") if found is not None else ""
    if mark not in _BEFORE_TEXT and (found is None or (mark in _ANY_ROLE and not name)):
        return None
    end = scan.at + (found.end() if found is not None else 0)
    if mark in _OWN_ROLE or (mark in _ANY_ROLE and name in _OWN_NAMES):
        return scan.go("text", end)
    if NOT_BLANK.search(scan.text, end):
        scan.emit(BlockResult(problems=(ignored_text("a turn of another that the model made up was left out"),)))
    elif not scan.final:
        return scan.wait(begin)
    scan.stop()
    return scan.go("over", end)


def _show_turn(scan: ScanState, mark: str) -> bool:
    """Show the mark of another turn, unless it is the last that the text holds."""
    if mark[0] not in "<]" or scan.follows_quote or NOT_BLANK.search(scan.text, scan.at):
        return scan.show(mark)
    if scan.final:
        return scan.wait(len(scan.text))
    begin = scan.at - len(mark)
    return scan.wait(begin) if len(scan.text) - begin < MAX_BLOCK_START_CHARS else scan.show(mark)


def _at_reasoning_tag(scan: ScanState, mark: str, end: int) -> bool:
    is_quoted = scan.follows_quote or scan.in_code
    if mark in scan.table.reasoning and not scan.follows_quote:
        if not is_quoted and (scan.begins_line or is_token(mark)):
            return scan.begin_reasoning(mark, end)
        # Whoever shows an opening tag speaks of the tags, so that a closing one does not end what came before.
        scan.exclude_reasoning()
    if mark in scan.table.reasoning_ends and scan.maybe_reasoning and not scan.follows_quote:
        return scan.retract(end)
    if is_token(mark) and not is_quoted:
        return scan.go("text", end)  # the end of reasoning that ended before
    scan.show_to(end)
    return True
