"""The state of one scan, and every change to it; the steps in `text_modes` and `block_modes` decide which one."""

from typing import Final

from ..bounds import MAX_DRAFT_CHARS, MAX_WATCHED_BRACKETS
from ..json_text import BLANK, NOT_BLANK
from ..lazy import lazy_pattern
from ..values import Tools, parse_error
from .blocks import FENCE, BlockResult
from .end_search import NOTHING_SCANNED, Scanned
from .markers import Table
from .position import START, Mark, Mode, Position, Segment, kept

_BRACE: Final = lazy_pattern(r"[{}]")
_BRACKET: Final = lazy_pattern(r'["{}\[\]]')
_OPEN_MARKS: Final = ("{", '"', "`", ">")
_AWAITED: Final = "?"
_INDENTED: Final = " "
QUOTED: Final = parse_error(
    "a call stands in quotes, in code or in a quoted text; to make it, write it alone, without quotes around it; to "
    "write about it, describe it in words"
)
_CLOSED_BY: Final = {"{": "}", "[": "]"}
_WITH_QUOTE: Final = {"}": ">", ">": "}", "]": ")", ")": "]"}
"""What closes a bracket after one more quote: no bracket closes one that a quote is open in."""
_WATCHED: Final = "."
_MENDED: Final = "!"
_LEFT: Final = ('"', "\\", "{", "[")
"""Signs of JSON that nobody writes right after it: one that follows a repaired call was part of it."""
SIGN_LEFT: Final = parse_error(
    "a sign of JSON follows a call whose JSON is damaged, so that one in it may be missing or too many; write the call "
    'again, with quotes inside of strings as \\"'
)
GOES_ON: Final = parse_error(
    "the text after a call closes a bracket that it does not open, so a quote in a string of the call may lack its "
    'backslash; write the call again, with quotes inside of strings as \\"'
)
_QUOTES: Final = ("`", "``", FENCE, '"', "'", "\u201c", "\u2018", "\xab")
_CLOSING: Final = {"\u201c": "\u201d", "\u2018": "\u2019", "\xab": "\xbb"}
"""What ends a quote that ends otherwise than it begins."""


def _is_odd(line: str, mark: str, last: str) -> bool:
    """Whether a line has an odd number of a quote; last: the character before it."""
    escaped = line.count("\\" + mark) + (last == "\\" and line[:1] == mark)
    return (line.count(mark) - escaped) % 2 == 1


def _deep_after(text: str, deep: int) -> int:
    """Return how many braces are open after a text of the object that the visible text begins with, up to its end."""
    for found in _BRACE.finditer(text):
        deep = min(deep + 1, MAX_WATCHED_BRACKETS) if found[0] == "{" else deep - 1
        if not deep:
            break
    return deep


class ScanState:
    """One text being taken apart; the members of its position are explained there.

    text, at, final: what is held of the text, the place in it, and whether nothing follows. cut: the host says that the
    text was cut. out: the segments so far.
    """

    __slots__ = (*Position.__struct_fields__, "at", "cut", "final", "out", "table", "text", "tools")

    def __init__(self, table: Table, tools: Tools | None, position: Position = START) -> None:
        self.table, self.tools = table, tools
        self.text, self.at, self.final, self.cut = position.held, 0, False, False
        self.mode: Mode = position.mode
        self.block_start, self.start_marker = position.block_start, position.start_marker
        self.scanned, self.parts = position.scanned, position.parts
        self.last, self.ticks, self.shown = position.last, position.ticks, position.shown
        self.fence, self.wrapper, self.draft = position.fence, position.wrapper, position.draft
        self.called, self.stopped, self.answering = position.called, position.stopped, position.answering
        self.maybe_reasoning, self.unsure = position.maybe_reasoning, position.unsure
        self.rescanned_chars, self.blocks = position.rescanned_chars, position.blocks
        self.brackets, self.quoting = position.brackets, position.quoting
        self.out: list[Segment] = []

    def position(self) -> Position:
        """Return the value to go on from."""
        return Position(
            mode=self.mode, block_start=self.block_start, start_marker=self.start_marker, scanned=self.scanned,
            parts=self.parts, last=self.last, ticks=self.ticks, shown=self.shown, fence=self.fence,
            wrapper=self.wrapper, draft=self.draft, called=self.called, stopped=self.stopped,
            answering=self.answering, maybe_reasoning=self.maybe_reasoning, unsure=self.unsure,
            rescanned_chars=self.rescanned_chars, blocks=self.blocks, brackets=self.brackets,
            quoting=self.quoting, held=self.text[self.at :],
        )  # fmt: skip

    @property
    def follows_quote(self) -> bool:
        """What follows comes right after a quote."""
        return self.last in _QUOTES

    @property
    def closing_quote(self) -> str:
        """What ends the quote that what follows comes right after."""
        return _CLOSING.get(self.last, self.last)

    @property
    def in_code(self) -> bool:
        """What follows is in a code fence."""
        return self.ticks % 2 == 1

    @property
    def begins_line(self) -> bool:
        """What follows is at the beginning of a line."""
        return self.last in ("", "\n")

    # --- moving through the text --------------------------------------------------------------------------

    def take(self, chunk: str) -> None:
        """Hold one more chunk."""
        self.text, self.at = self.text[self.at :] + chunk, 0

    def go(self, mode: Mode, at: int | None = None) -> bool:
        """Go on in a mode, at another place where one is given; says that there is more to do."""
        self.mode = mode
        if at is not None:
            self.at = at
        return True

    def wait(self, at: int) -> bool:
        """Wait for more text from a place on; says that there is nothing more to do."""
        self.at = at
        return False

    # --- visible text -------------------------------------------------------------------------------------

    def show(self, text: str) -> bool:
        """Show text; a code fence in it may come in pieces."""
        self._count_quotes(text)
        self.out.append(text)
        counted = (self.last if self.last in ("`", "``") else "") + text
        backticks = len(counted) - len(counted.rstrip("`"))
        self.ticks += counted.count(FENCE)
        self.last = "`" * (backticks % 3 or 3) if backticks else text[-1:] or self.last
        self.shown = self.shown or bool(text.strip(BLANK))
        if self.brackets:
            self._count_brackets(text)
        if self.draft and text.strip(BLANK):
            self.draft = ""
        return True

    @property
    def in_quotes(self) -> bool:
        """What follows is in quotes, in a quoted line, or in an object that the text begins with."""
        return any(mark in self.quoting for mark in _OPEN_MARKS)

    def await_text(self) -> None:
        """Note that the last call, in a fence after text, is a quoted one if text follows."""
        self.quoting += _AWAITED

    def _count_quotes(self, text: str) -> None:
        """Follow what is open in the text that is shown."""
        quoting = self.quoting
        if quoting.endswith(_AWAITED) and NOT_BLANK.search(text):
            self.emit(BlockResult(problems=(QUOTED,)))
            quoting = quoting.removesuffix(_AWAITED)
        deep = quoting.count("{")
        if deep or (not self.shown and text.lstrip(BLANK)[:1] == "{"):
            deep = _deep_after(text, deep)
        _, line_break, line = text.rpartition("\n")
        is_open = "" if line_break else quoting
        begins = bool(line_break) or self.begins_line or _INDENTED in is_open
        quoted = [mark for mark in ('"', "`") if (mark in is_open) != _is_odd(line, mark, self.last)]
        if (begins and line.lstrip(BLANK)[:1] == ">") or ">" in is_open:
            quoted.append(">")
        indented = _INDENTED if begins and line and not line.strip(BLANK) else ""
        awaited = _AWAITED if quoting.endswith(_AWAITED) else ""
        self.quoting = "{" * deep + "".join(quoted) + indented + awaited

    def watch_brackets(self, mended: bool) -> None:
        """Begin to look at brackets after a call that may end later: text that closes one more was part of a string.

        mended: the call had to be repaired, so that a quote right after it may belong to it as well.
        """
        self.brackets = _MENDED if mended else _WATCHED

    def _count_brackets(self, text: str) -> None:
        if self.brackets == _MENDED:
            self.brackets = _WATCHED
            if text.startswith(_LEFT):
                self.emit(BlockResult(problems=(SIGN_LEFT,)))
        for found in _BRACKET.finditer(text):
            char, brackets = found[0], self.brackets
            if char in _CLOSED_BY:
                self.brackets = brackets + _CLOSED_BY[char] if len(brackets) < MAX_WATCHED_BRACKETS else ""
            elif char == '"':
                brackets = brackets if char in brackets else char + brackets
                self.brackets = brackets[:-1] + _WITH_QUOTE.get(brackets[-1], brackets[-1])
            elif brackets[-1] == char:
                self.brackets = brackets[:-1]
            elif '"' in brackets:
                self.brackets = ""
                self.emit(BlockResult(problems=(GOES_ON,)))
            if not self.brackets:
                return

    def show_to(self, end: int) -> None:
        """Show the text up to a place and go on there."""
        if self.at < end:
            self.show(self.text[self.at : end])
        self.at = end

    def show_block(self, text: str) -> None:
        """Show a block that proves to be text, with the fence before it."""
        self.show(self.fence + text)
        self.end_fence()

    # --- blocks and reasoning -----------------------------------------------------------------------------

    def begin_reasoning(self, tag: str, at: int) -> bool:
        """Begin reasoning after its tag."""
        self.start_marker, self.parts = tag, ()
        self.exclude_reasoning()
        return self.go("reasoning", at)

    def begin_block(self, start: int, marker: str, at: int) -> bool:
        """Begin a block after its start marker."""
        self.block_start, self.start_marker, self.scanned, self.parts = start, marker, NOTHING_SCANNED, ()
        return self.go("block", at)

    def scanned_to(self, scanned: Scanned) -> None:
        """Note how far the search for the block's end is."""
        self.scanned = scanned

    def keep_inside(self, end: int) -> bool:
        """Keep the block's text up to a place, from which on nothing is decided; says that there is no more to do."""
        self.parts = kept(self.parts, self.text[self.at : end])
        return self.wait(end)

    def take_inside(self, end: int) -> str:
        """Return the block's whole text, which ends at a place, and go on there."""
        inner = "".join((*self.parts, self.text[self.at : end]))
        self.parts = ()
        self.at = end
        return inner

    def scan_again(self, text: str) -> None:
        """Go on with this text, of which part was scanned before."""
        self.text, self.at = text, 0

    def begin_fence(self, mark: str) -> bool:
        """Take the start of a code fence for part of the block that follows it."""
        self.fence = mark
        return True

    def pass_fence(self) -> None:
        """Note that the block in the fence was read: only the fence's end belongs to it now."""
        self.fence = "\n" if self.fence else ""

    def end_fence(self) -> None:
        """Leave the code fence."""
        self.fence = ""

    def emit(self, result: BlockResult) -> None:
        """Add a block's result, or a note."""
        self.out.append(result)

    def emit_calls(self, result: BlockResult) -> None:
        """Add the result of a block that was closed."""
        self.emit(result)
        self.brackets = ""
        self.called = self.called or bool(result.calls)
        self.unsure = result.unsure
        self.shown = self.shown or bool(result.content)

    def begin_line(self) -> None:
        """Take what follows for the beginning of a line, as after a block."""
        self.last = ""

    # --- what is known of the whole, and the work done ----------------------------------------------------

    def expect_wrapper(self, closer: str, mode: Mode, at: int) -> bool:
        """Pass a tag of an answer's wrapper: note which one closes it, if any; says that there is more to do."""
        self.wrapper = closer
        return self.go(mode, at)

    def keep_draft(self, inner: str) -> None:
        """Keep reasoning that may end in calls: they count where the output holds nothing else."""
        self.draft = inner if inner.rstrip(BLANK)[-1:] in ("}", ">", "]") and len(inner) <= MAX_DRAFT_CHARS else ""

    def keep_block(self, text: str) -> None:
        """Keep a block that the reasoning may end in, where the text may have started inside of reasoning."""
        if self.maybe_reasoning and len(self.draft) <= MAX_DRAFT_CHARS:
            # One character too many, and what is kept ends amid a block: it is no whole call then.
            self.draft = (self.draft + text)[: MAX_DRAFT_CHARS + 1]

    def exclude_reasoning(self) -> None:
        """Note that the text cannot have started inside reasoning."""
        self.maybe_reasoning = False

    def begin_answer(self) -> None:
        """Note that a message begins in which nothing is a call."""
        self.answering = True
        self.exclude_reasoning()

    def end_answer(self) -> None:
        """Note that such a message is over."""
        self.answering = False

    def count_block(self, result: BlockResult) -> int:
        """Count a block, or its calls; gives the number so far."""
        self.blocks += max(1, len(result.calls))
        return self.blocks

    def count_rescanned(self, chars: int) -> None:
        """Count characters that are scanned again."""
        self.rescanned_chars += chars

    # --- the end ------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Let no calls count from here on; say so once, unless words before may prove to be reasoning."""
        if not self.stopped and not (self.maybe_reasoning and self.shown):
            self.out.append(Mark("stop", len(self.text) - self.at))
        self.stopped = True

    def retract(self, at: int) -> bool:
        """Continue after the end of reasoning that the chat template opened: all text before it was reasoning."""
        self.out.append(Mark("retract", len(self.text) - at))
        self.maybe_reasoning = self.called = self.stopped = False
        self.last, self.ticks, self.shown = "", 0, False
        if self.draft:
            self.blocks = 0
        return self.go("start", at)
