"""Where a segmenter stands between two chunks, and what it gives: the values that `segments.py` works on."""

from typing import Final, Literal

from msgspec import Struct

from .block_ends import NOTHING_SCANNED, Scanned
from .markers import BlockResult

Mode = Literal["start", "text", "reasoning", "block", "behind", "ending", "rest", "over"]


class Position(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a segmenter stands between two chunks.

    opener, begun, scanned, parts: the block it is in, its marker as written, how far its scan is, its text so far.
    last, ticks: the visible character before, or as many ticks as may begin a fence, and the number of code fences.
    fence: what opened a code fence around calls, which is not shown; a line break once one was taken. shown, called:
    visible text came, a call did. inside: the text may have begun inside of reasoning. tries, blocks: work done, both
    bounded. held: not decided.
    """

    mode: Mode = "start"
    opener: int = 0
    begun: str = ""
    scanned: Scanned = NOTHING_SCANNED
    parts: tuple[str, ...] = ()
    last: str = ""
    ticks: int = 0
    fence: str = ""
    shown: bool = False
    called: bool = False
    inside: bool = True
    stopped: bool = False
    tries: int = 0
    blocks: int = 0
    held: str = ""


START: Final = Position()


class Mark(Struct, frozen=True):
    """Something that happened between segments: `stop`, or `retract`, when all before was reasoning.

    behind: how many characters of the text so far come after it.
    """

    kind: Literal["stop", "retract"]
    behind: int


Segment = str | BlockResult | Mark


def kept(parts: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Give the parts of a growing text with one more."""
    if not text:
        return parts
    grown = [*parts, text]
    while len(grown) > 1 and len(grown[-2]) <= len(grown[-1]):
        # Like the digits of a binary counter: each character is copied a logarithmic number of times.
        grown[-2:] = [grown[-2] + grown[-1]]
    return tuple(grown)
