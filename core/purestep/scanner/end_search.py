"""The values of a search for a block's end: how far it is, and what it found."""

from typing import Final, NamedTuple


class Scanned(NamedTuple):
    """How far the scan of a block is: which part of it, the number of open brackets or tags, what ends a string.

    quote: the quote of an open string, or the name of the tag that an open value began with.
    """

    stage: int = 0
    depth: int = 0
    quote: str = ""


class End(NamedTuple):
    """The token that ends a block, and where it is."""

    token: str
    start: int
    end: int


class EndSearch(NamedTuple):
    """The result of a search: how far the scan is, and the end, if any.

    inside_to: without an end, the place up to which the text is certainly inside of the block.
    """

    scanned: Scanned
    end: End | None = None
    inside_to: int = 0


NOTHING_SCANNED: Final = Scanned()
