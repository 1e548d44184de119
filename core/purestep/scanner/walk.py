"""Where a walk over a model's text is, and what its steps do to it."""

from ..values import Tools
from .block_ends import NOTHING_SCANNED
from .markers import Table
from .position import START, Mark, Mode, Position, Segment, kept
from .visible import Visible


class Walk:
    """One text being taken apart; `out` holds the segments so far. Steps tell whether there is more to be done."""

    __slots__ = (
        "at", "begun", "blocks", "called", "fence", "final", "inside", "mode", "opener", "out", "parts", "scanned",
        "stopped", "table", "text", "tools", "tries", "visible",
    )  # fmt: skip

    def __init__(self, table: Table, tools: Tools | None, place: Position = START) -> None:
        self.table, self.tools = table, tools
        self.mode: Mode = place.mode
        self.opener, self.begun, self.scanned, self.parts = place.opener, place.begun, place.scanned, place.parts
        self.visible = Visible(place.last, place.ticks, place.shown)
        self.fence, self.called, self.inside, self.stopped = place.fence, place.called, place.inside, place.stopped
        self.tries, self.blocks = place.tries, place.blocks
        self.text, self.at, self.final = place.held, 0, False
        self.out: list[Segment] = []

    def place(self) -> Position:
        """Give the value to go on from."""
        return Position(
            mode=self.mode, opener=self.opener, begun=self.begun, scanned=self.scanned, parts=self.parts,
            last=self.visible.last, ticks=self.visible.ticks, shown=self.visible.any, fence=self.fence,
            called=self.called, inside=self.inside, stopped=self.stopped, tries=self.tries, blocks=self.blocks,
            held=self.text[self.at :],
        )  # fmt: skip

    def retract(self, at: int) -> bool:
        """Go on behind the end of reasoning that the chat template had opened: all that came so far was part of it."""
        self.out.append(Mark("retract", len(self.text) - at))
        self.inside = self.called = self.stopped = False
        self.visible.clear()
        self.at, self.mode = at, "start"
        return True

    def show(self, text: str) -> bool:
        """Show text."""
        self.out.append(text)
        self.visible.add(text)
        return True

    def show_between(self, begin: int, end: int) -> None:
        """Show the text between two places."""
        if begin < end:
            self.show(self.text[begin:end])

    def think(self, opened: str, at: int) -> bool:
        """Begin reasoning behind its tag."""
        self.begun, self.at, self.parts = opened, at, ()
        self.inside = False
        self.mode = "reasoning"
        return True

    def open(self, index: int, begun: str, at: int) -> bool:
        """Begin the block of an opener behind its marker."""
        self.opener, self.begun, self.at = index, begun, at
        self.scanned, self.parts = NOTHING_SCANNED, ()
        self.mode = "block"
        return True

    def keep(self, end: int) -> bool:
        """Keep the block's text up to a place for later; what is behind it is not decided."""
        self.parts = kept(self.parts, self.text[self.at : end])
        self.at = end
        return False

    def stop(self) -> None:
        """Let nothing behind this place count; say so once, unless words before may prove to be reasoning."""
        if not self.stopped and not (self.inside and self.visible.any):
            self.out.append(Mark("stop", len(self.text) - self.at))
        self.stopped = True
