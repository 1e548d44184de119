"""The values of a search for a block's end: what is looked for, how far it is, and what it found."""

import re
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


def undecided_end(text: str, at: int, marks: tuple[str, ...]) -> int:
    """Return the first place at or after `at` from which the end of the text may become one of the marks."""
    longest = max(map(len, marks), default=1) - 1
    for place in range(max(at, len(text) - longest), len(text)):
        rest = text[place:]
        if any(mark.startswith(rest) for mark in marks):
            return place
    return len(text)


class BlockTokens(NamedTuple):
    """What matters inside of a block.

    literals: its markers. ends: those of them that end it. marks: the pattern of them. all: with strings and brackets.
    outside: with what begins a raw value.
    """

    literals: tuple[str, ...]
    ends: frozenset[str]
    marks: re.Pattern[str]
    all: re.Pattern[str]
    outside: re.Pattern[str]

    def undecided(self, text: str, at: int) -> int:
        """Return the first place at or after `at` from which the end of the text may become one of the markers."""
        return undecided_end(text, at, self.literals)
