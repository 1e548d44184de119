"""What a text says, to find values in: by whole words in a row, in small letters, or as numbers by their size."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from ..json_text import BLANK, UNREADABLE, encode_sorted, read_json, without_terminal_codes
from ..lazy import lazy_pattern
from .numbers import NUMBER, Amount, amounts_of, is_among
from .words import WORD, fold, words_of

_WHOLE_NUMBER: Final = lazy_pattern(
    r"[^0-9A-Za-z\u00c0-\uffff-]{0,3}([-\u2212]?[0-9]+(?:[.,][0-9]+)*)(?![0-9:/-])", re.ASCII
)
"""Matches a number before what may follow it, such as a unit; signs of currencies may stand first."""

_LATER_PART: Final = lazy_pattern(r"(?<=[0-9][-/])[0-9]+", re.ASCII)
"""Matches a number after a hyphen or slash, as in 2024-05-01, which is no negative one."""

_HASH: Final = lazy_pattern(r"[0-9a-f]{32,}", re.ASCII)
_SHORT_HASH: Final = lazy_pattern(r"[0-9a-f]{7,31}", re.ASCII)
"""How a hash is written in short, as the commit 6dcb09b."""


def said_texts(value: Any) -> Iterator[str]:
    """Yield what a JSON value says: its texts, names and numbers; a text that is JSON says what its value says.

    Codes for a terminal say nothing.
    """
    if isinstance(value, str):
        read = read_json(value) if value.strip(BLANK)[:1] in ("{", "[") else UNREADABLE
        if read is UNREADABLE:
            yield without_terminal_codes(value)
            return
        value = read
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            for name, member in reversed(part.items()):
                pending += (member, name)
        elif isinstance(part, list):
            pending += reversed(part)
        else:
            yield without_terminal_codes(part) if isinstance(part, str) else encode_sorted(part).decode()


class WrittenText:
    """A text to look for many values in; it is taken apart once, and only as far as they need it."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _folded(self) -> str:
        return fold(self._text)

    @cached_property
    def _words(self) -> list[str]:
        return WORD.findall(self._folded)

    @cached_property
    def _joined(self) -> str:
        return _joined(self._words)

    def has(self, value: str) -> bool:
        """Whether a value stands there as a sentence writes it: its words in a row, or the number it begins with.

        The text is taken apart only for a value that it does not write as it is, and for no number that is all of a
        line, as results say most.
        """
        if self._writes(value):
            return True
        number = _WHOLE_NUMBER.match(fold(value))
        if number is not None and self._is_line(number[1]):
            return True
        phrase = words_of(value)
        if not phrase or _joined(phrase) in self._joined:
            return True
        if len(phrase) == 1 and self._shortens_hash(phrase[0]):
            return True
        return number is not None and is_among(number[1], amounts_of, self._amounts)

    def _writes(self, value: str) -> bool:
        """Whether the first place of a value as it is written is one between words, where its own words stand."""
        at = self._text.find(value)
        if at < 0:
            return False
        beside = self._text[max(0, at - 1) : at] + self._text[at + len(value) : at + len(value) + 1]
        return "." not in beside and WORD.search(beside) is None

    @cached_property
    def _lines(self) -> frozenset[str]:
        return frozenset(self._folded.split("\n"))

    def _is_line(self, token: str) -> bool:
        """Whether a number is all of a line, as results say one: 214.50 as 214.5."""
        if "," in token or token.count(".") > 1:
            return False
        return (token.rstrip("0").rstrip(".") if "." in token else token) in self._lines

    def _shortens_hash(self, word: str) -> bool:
        if _SHORT_HASH.fullmatch(word) is None:
            return False
        return any(each.startswith(word) and _HASH.fullmatch(each) for each in self._words)

    @cached_property
    def _amounts(self) -> frozenset[Amount]:
        """The sizes of its numbers, which most values do not need: they stand there by their words."""
        tokens = [*NUMBER.findall(self._folded), *_LATER_PART.findall(self._folded)]
        return frozenset([amount for token in tokens for amount in amounts_of(token)])

    def find(self, value: str) -> tuple[str, int] | None:
        """Return how the text writes a value, by the same words, and where; None where it does not stand there.

        A value that stands there as it is comes back as it is.
        """
        same = value.strip(BLANK)
        begin = WORD.search(same)
        if begin is None:
            return None
        first: tuple[str, int] | None = None
        for start, end in self._places(words_of(value)):
            place = start - begin.start()
            if place >= 0 and self._text.startswith(same, place):
                return same, place
            first = first or (self._text[start:end], start)
        return first

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return [found.span() for found in WORD.finditer(self._folded)]

    @cached_property
    def _starts(self) -> list[int]:
        """Where each word begins among the joined ones."""
        return [0, *accumulate(len(word) + 1 for word in self._words)]

    def _places(self, phrase: list[str]) -> Iterator[tuple[int, int]]:
        """Yield where some words stand in a row: from the first one's start to the last one's end."""
        sought = _joined(phrase)
        at = self._joined.find(sought)
        while at >= 0:
            first = bisect_left(self._starts, at)
            yield self._spans[first][0], self._spans[first + len(phrase) - 1][1]
            at = self._joined.find(sought, at + 1)


def _joined(words: list[str]) -> str:
    """Return words with separators that no word has around each, so that only whole words match."""
    return "\0" + "\0".join(words) + "\0"
