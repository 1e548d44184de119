"""Visible text: what was shown so far, as far as it tells whether what follows is meant or an example."""

from typing import Final

from ..json_text import BLANK

FENCE: Final = "```"
_QUOTES: Final = ("`", "``", FENCE, '"', "'")


class Visible:
    """What was shown of a text.

    last: the last character, or as many ticks as may begin a fence; empty at the beginning and behind a block.
    ticks: the code fences so far. any: something was shown that is not blank.
    """

    __slots__ = ("any", "last", "ticks")

    def __init__(self, last: str, ticks: int, any_so_far: bool) -> None:
        self.last, self.ticks, self.any = last, ticks, any_so_far

    def add(self, text: str) -> None:
        """Take more text that is shown; a fence may come in pieces."""
        counted = (self.last if self.last in ("`", "``") else "") + text
        run = len(counted) - len(counted.rstrip("`"))
        self.ticks += counted.count(FENCE)
        self.last = "`" * (run % 3 or 3) if run else text[-1]
        self.any = self.any or bool(text.strip(BLANK))

    @property
    def quotes(self) -> bool:
        """What follows stands right behind a quote."""
        return self.last in _QUOTES

    @property
    def fences(self) -> bool:
        """What follows stands in a code fence."""
        return self.ticks % 2 == 1

    @property
    def begins_line(self) -> bool:
        """What follows stands at the beginning of a line."""
        return self.last in ("", "\n")

    def break_off(self) -> None:
        """Begin anew behind a block."""
        self.last = ""

    def clear(self) -> None:
        """Forget all, for it was reasoning."""
        self.last, self.ticks, self.any = "", 0, False
