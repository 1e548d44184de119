"""Where a segmenter stands between two chunks, and what it gives: the values that `segments.py` works on."""

from typing import Final, Literal

from msgspec import Struct

from .markers import Taken

Mode = Literal["start", "text", "reasoning", "block", "fence", "over"]


class Place(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a segmenter stands between two chunks.

    opener, stage, depth, quote, begun: the block it is in, how far, and the marker as written. last, ticks: the
    visible character before and the number of code fences. shown: visible text came. inside: the text may have
    begun inside of reasoning. tries, blocks: work done, both bounded. parts: the block so far. held: not decided.
    """

    mode: Mode = "start"
    opener: int = 0
    stage: int = 0
    depth: int = 0
    quote: str = ""
    begun: str = ""
    last: str = ""
    ticks: int = 0
    shown: bool = False
    inside: bool = True
    stopped: bool = False
    fenced: bool = False
    tries: int = 0
    blocks: int = 0
    parts: tuple[str, ...] = ()
    held: str = ""


START: Final = Place()


class Mark(Struct, frozen=True):
    """Something that happened between segments: `stop`, or `retract`, when all before was reasoning.

    behind: how many characters of the text so far come after it.
    """

    kind: Literal["stop", "retract"]
    behind: int = 0


RETRACT: Final = Mark("retract")
Segment = str | Taken | Mark


def kept(parts: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Give the parts of a growing text with one more."""
    if not text:
        return parts
    grown = [*parts, text]
    while len(grown) > 1 and len(grown[-2]) <= len(grown[-1]):
        # Like the digits of a binary counter: each character is copied a logarithmic number of times.
        grown[-2:] = [grown[-2] + grown[-1]]
    return tuple(grown)
