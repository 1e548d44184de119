"""Segments: a model's text taken apart into reasoning, visible text and blocks, once for whole and streamed text.

A segmenter is fed chunks and told the end; between two chunks it is a `Position`, a small frozen value. The end of a
block is found by a cheap scan that can be taken up anywhere, the block is read once from its whole text, so the
cost is linear however a text is cut, and any cut gives the same result because nothing else depends on it.
What may be the beginning of a marker is held back, never more.
"""

from collections.abc import Callable
from typing import Final

from . import blocks as block_steps
from . import prose as text_steps
from .position import Mode
from .walk import Walk


class Scanner(Walk):
    """A walk that is fed its text."""

    __slots__ = ()

    def feed(self, chunk: str) -> None:
        """Take apart what is certain with one more chunk."""
        self.text = self.text[self.at :] + chunk
        self.at = 0
        while _STEPS[self.mode](self):
            pass

    def begin(self, chunk: str) -> str | None:
        """Take reasoning off the beginning; gives the text behind it once there is any."""
        self.text = self.text[self.at :] + chunk
        self.at = 0
        while True:
            while self.mode != "text" and _STEPS[self.mode](self):
                pass
            rest = self.text[self.at :]
            if self.mode != "text" or not self.inside:
                return rest if self.mode == "text" else None
            # The template may have opened reasoning of which there is none.
            closer = next((mark for mark in self.table.closers if mark.startswith(rest) or rest.startswith(mark)), None)
            if closer is None:
                return rest
            self.mode = "start"
            if not rest.startswith(closer):
                return None
            self.at, self.inside = self.at + len(closer), False

    def finish(self) -> None:
        """Decide what was held back, for the text is over."""
        self.final = True
        self.feed("")
        while self.mode in ("block", "reasoning"):
            block_steps.end_open(self)
            while _STEPS[self.mode](self):
                pass


_STEPS: Final[dict[Mode, Callable[[Walk], bool]]] = {
    "start": text_steps.at_start,
    "text": text_steps.in_text,
    "reasoning": text_steps.in_reasoning,
    "block": block_steps.in_block,
    "behind": block_steps.behind_block,
    "ending": block_steps.behind_block,
    "rest": block_steps.behind_answer,
    "over": block_steps.after_end,
}
