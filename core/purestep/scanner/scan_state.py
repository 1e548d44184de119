"""The state of one scan, and every change to it; the steps in `text_modes` and `block_modes` decide which one."""

from typing import Final

from ..bounds import MAX_DRAFT_CHARS
from ..json_text import BLANK
from ..values import Tools
from .blocks import FENCE, BlockResult
from .end_search import NOTHING_SCANNED, Scanned
from .markers import Table
from .position import START, Mark, Mode, Position, Segment, kept

_QUOTES: Final = ("`", "``", FENCE, '"', "'", "\u201c", "\u2018", "\xab")


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
        self.out: list[Segment] = []

    def position(self) -> Position:
        """Return the value to go on from."""
        return Position(
            mode=self.mode, block_start=self.block_start, start_marker=self.start_marker, scanned=self.scanned,
            parts=self.parts, last=self.last, ticks=self.ticks, shown=self.shown, fence=self.fence,
            wrapper=self.wrapper, draft=self.draft, called=self.called, stopped=self.stopped,
            answering=self.answering, maybe_reasoning=self.maybe_reasoning, unsure=self.unsure,
            rescanned_chars=self.rescanned_chars, blocks=self.blocks, held=self.text[self.at :],
        )  # fmt: skip

    @property
    def follows_quote(self) -> bool:
        """What follows comes right after a quote."""
        return self.last in _QUOTES

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
        self.out.append(text)
        counted = (self.last if self.last in ("`", "``") else "") + text
        backticks = len(counted) - len(counted.rstrip("`"))
        self.ticks += counted.count(FENCE)
        self.last = "`" * (backticks % 3 or 3) if backticks else text[-1:] or self.last
        self.shown = self.shown or bool(text.strip(BLANK))
        if self.draft and text.strip(BLANK):
            self.draft = ""
        return True

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
