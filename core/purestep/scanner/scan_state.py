"""The state of one scan, and every change to it; the steps in `text_modes` and `block_modes` decide which one."""

from typing import Final, NamedTuple

from ..bounds import MAX_DRAFT_CHARS
from ..json_text import BLANK
from ..values import Tools
from .blocks import FENCE, BlockResult
from .end_search import NOTHING_SCANNED, Scanned
from .markers import Table
from .position import START, Mark, Mode, Position, Segment, kept

_QUOTES: Final = ("`", "``", FENCE, '"', "'", "\u201c", "\u2018", "\xab")


class Visible:
    """What was shown of a text: it tells whether the next block is meant, or quoted as an example.

    last: the last character, or as many backticks as may begin a fence; empty at the beginning and after a block.
    ticks: the number of code fences. any: something was shown that is not blank.
    """

    __slots__ = ("any", "last", "ticks")

    def __init__(self, last: str, ticks: int, any_so_far: bool) -> None:
        self.last, self.ticks, self.any = last, ticks, any_so_far

    def add(self, text: str) -> None:
        """Take more text that is shown; a fence may come in pieces."""
        counted = (self.last if self.last in ("`", "``") else "") + text
        backticks = len(counted) - len(counted.rstrip("`"))
        self.ticks += counted.count(FENCE)
        self.last = "`" * (backticks % 3 or 3) if backticks else text[-1:] or self.last
        self.any = self.any or bool(text.strip(BLANK))

    @property
    def quotes(self) -> bool:
        """What follows comes right after a quote."""
        return self.last in _QUOTES

    @property
    def fences(self) -> bool:
        """What follows is in a code fence."""
        return self.ticks % 2 == 1

    @property
    def begins_line(self) -> bool:
        """What follows is at the beginning of a line."""
        return self.last in ("", "\n")


class OpenBlock(NamedTuple):
    """The block, or the reasoning, that a scan is in.

    start: the index of its start. marker: its start marker as written. scanned: how far the search for its end is.
    parts: its text so far.
    """

    start: int = 0
    marker: str = ""
    scanned: Scanned = NOTHING_SCANNED
    parts: tuple[str, ...] = ()


class Turn:
    """What is known of the output as a whole.

    called: a call came. stopped: no calls count any more. maybe_reasoning: the text may have started inside reasoning.
    answering: it is in a message that is nothing but the answer. wrapper: the closing tag of the answer's wrapper, if
    one is open. draft: the reasoning before, where it may end in calls.
    rescanned_chars, blocks: work done, both bounded. unsure: a bracket too many would make the last call another.
    """

    __slots__ = (
        *("answering", "blocks", "called", "draft", "maybe_reasoning", "rescanned_chars", "stopped", "unsure"),
        "wrapper",
    )

    def __init__(self, position: Position) -> None:
        self.called, self.stopped, self.maybe_reasoning = position.called, position.stopped, position.maybe_reasoning
        self.answering, self.wrapper, self.draft = position.answering, position.wrapper, position.draft
        self.rescanned_chars, self.blocks = position.rescanned_chars, position.blocks
        self.unsure = position.unsure


class ScanState:
    """One text being taken apart.

    text, at, final: what is held of the text, the place in it, and whether nothing follows. cut: the host says that the
    text was cut. mode: what is read there.
    block, fence: the open block, and the code fence before it. visible, turn: what came so far. out: the segments.
    """

    __slots__ = ("at", "block", "cut", "fence", "final", "mode", "out", "table", "text", "tools", "turn", "visible")

    def __init__(self, table: Table, tools: Tools | None, position: Position = START) -> None:
        self.table, self.tools = table, tools
        self.text, self.at, self.final, self.cut = position.held, 0, False, False
        self.mode: Mode = position.mode
        self.block = OpenBlock(position.block_start, position.start_marker, position.scanned, position.parts)
        self.fence = position.fence
        self.visible = Visible(position.last, position.ticks, position.shown)
        self.turn = Turn(position)
        self.out: list[Segment] = []

    def position(self) -> Position:
        """Return the value to go on from."""
        block, visible, turn = self.block, self.visible, self.turn
        return Position(
            mode=self.mode, block_start=block.start, start_marker=block.marker, scanned=block.scanned,
            parts=block.parts, last=visible.last, ticks=visible.ticks, shown=visible.any, fence=self.fence,
            called=turn.called, maybe_reasoning=turn.maybe_reasoning, answering=turn.answering, wrapper=turn.wrapper,
            draft=turn.draft, stopped=turn.stopped,
            rescanned_chars=turn.rescanned_chars, blocks=turn.blocks, unsure=turn.unsure, held=self.text[self.at :],
        )  # fmt: skip

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
        """Show text."""
        self.out.append(text)
        self.visible.add(text)
        if self.turn.draft and text.strip(BLANK):
            self.turn.draft = ""
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
        self.block = self.block._replace(marker=tag, parts=())
        self.exclude_reasoning()
        return self.go("reasoning", at)

    def begin_block(self, start: int, marker: str, at: int) -> bool:
        """Begin a block after its start marker."""
        self.block = OpenBlock(start, marker)
        return self.go("block", at)

    def scanned_to(self, scanned: Scanned) -> None:
        """Note how far the search for the block's end is."""
        self.block = self.block._replace(scanned=scanned)

    def keep_inside(self, end: int) -> bool:
        """Keep the block's text up to a place, from which on nothing is decided; says that there is no more to do."""
        self.block = self.block._replace(parts=kept(self.block.parts, self.text[self.at : end]))
        return self.wait(end)

    def take_inside(self, end: int) -> str:
        """Return the block's whole text, which ends at a place, and go on there."""
        inner = "".join((*self.block.parts, self.text[self.at : end]))
        self.block = self.block._replace(parts=())
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
        """Return a block's result, or a note."""
        self.out.append(result)

    def emit_calls(self, result: BlockResult) -> None:
        """Return the result of a block that was closed."""
        self.emit(result)
        self.turn.called = self.turn.called or bool(result.calls)
        self.turn.unsure = result.unsure
        self.visible.any = self.visible.any or bool(result.content)

    def begin_line(self) -> None:
        """Take what follows for the beginning of a line, as after a block."""
        self.visible.last = ""

    # --- what is known of the whole, and the work done ----------------------------------------------------

    def expect_wrapper(self, closer: str, mode: Mode, at: int) -> bool:
        """Pass a tag of an answer's wrapper: note which one closes it, if any; says that there is more to do."""
        self.turn.wrapper = closer
        return self.go(mode, at)

    def keep_draft(self, inner: str) -> None:
        """Keep reasoning that may end in calls: they count where the output holds nothing else."""
        self.turn.draft = inner if inner.rstrip(BLANK)[-1:] in ("}", ">", "]") and len(inner) <= MAX_DRAFT_CHARS else ""

    def keep_block(self, text: str) -> None:
        """Keep a block that the reasoning may end in, where the text may have started inside of reasoning."""
        if self.turn.maybe_reasoning and len(self.turn.draft) <= MAX_DRAFT_CHARS:
            # One character too many, and what is kept ends amid a block: it is no whole call then.
            self.turn.draft = (self.turn.draft + text)[: MAX_DRAFT_CHARS + 1]

    def exclude_reasoning(self) -> None:
        """Note that the text cannot have started inside reasoning."""
        self.turn.maybe_reasoning = False

    def begin_answer(self) -> None:
        """Note that a message begins in which nothing is a call."""
        self.turn.answering = True
        self.exclude_reasoning()

    def end_answer(self) -> None:
        """Note that such a message is over."""
        self.turn.answering = False

    def count_block(self, result: BlockResult) -> int:
        """Count a block, or its calls; gives the number so far."""
        self.turn.blocks += max(1, len(result.calls))
        return self.turn.blocks

    def count_rescanned(self, chars: int) -> None:
        """Count characters that are scanned again."""
        self.turn.rescanned_chars += chars

    # --- the end ------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Let no calls count from here on; say so once, unless words before may prove to be reasoning."""
        if not self.turn.stopped and not (self.turn.maybe_reasoning and self.visible.any):
            self.out.append(Mark("stop", len(self.text) - self.at))
        self.turn.stopped = True

    def retract(self, at: int) -> bool:
        """Continue after the end of reasoning that the chat template opened: all text before it was reasoning."""
        self.out.append(Mark("retract", len(self.text) - at))
        self.turn.maybe_reasoning = self.turn.called = self.turn.stopped = False
        self.visible = Visible("", 0, False)
        if self.turn.draft:
            self.turn.blocks = 0
        return self.go("start", at)
