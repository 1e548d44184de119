"""Values as a sentence writes them, looked for in what a text says."""

import re
from collections.abc import Iterable
from functools import cache, cached_property

from .occurrence import Amount, amounts_of, number_form, word_form
from .words import fold


@cache
def _whole_number() -> "re.Pattern[str]":
    """Return the pattern of a number before what may follow it, such as a unit; signs of currencies may stand first."""
    return re.compile(r"[^0-9A-Za-z\u00c0-\uffff-]{0,3}([-\u2212]?[0-9]+(?:[.,][0-9]+)*)(?![0-9:/-])", re.ASCII)


@cache
def _later_part() -> "re.Pattern[str]":
    """Return the pattern of a number after a hyphen or slash, as in 2024-05-01, which is no negative one."""
    return re.compile(r"(?<=[0-9][-/])[0-9]+", re.ASCII)


@cache
def _hash() -> "re.Pattern[str]":
    return re.compile(r"[0-9a-f]{32,}", re.ASCII)


@cache
def _short_hash() -> "re.Pattern[str]":
    return re.compile(r"[0-9a-f]{7,31}", re.ASCII)


def shortens_hash(text: str, known: Iterable[str]) -> bool:
    """Whether a text is how one of the known hashes is written in short: the commit 6dcb09b."""
    if _short_hash().fullmatch(text) is None:
        return False
    return any(each.startswith(text) and _hash().fullmatch(each) for each in known)


class WrittenValues:
    """What a text says, to look for values in that a sentence writes: by their words, or as numbers by their size."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _folded(self) -> str:
        return fold(self._text)

    @cached_property
    def _words(self) -> list[str]:
        return word_form().findall(self._folded)

    @cached_property
    def _joined(self) -> str:
        return "\0" + "\0".join(self._words) + "\0"

    @cached_property
    def _amounts(self) -> frozenset[Amount]:
        """The sizes of its numbers, which most values do not need: they stand there by their words."""
        tokens = [*number_form().findall(self._folded), *_later_part().findall(self._folded)]
        return frozenset([amount for token in tokens for amount in amounts_of(token)])

    def has(self, value: str) -> bool:
        """Whether a value stands there: its words in a row, or the number that it begins with.

        The text is taken apart only for a value that it does not write as it is, and for no number that is all of a
        line, as results say most.
        """
        if self._writes(value):
            return True
        folded = fold(value)
        number = _whole_number().match(folded)
        if number is not None and self._is_line(number[1]):
            return True
        phrase = word_form().findall(folded)
        if not phrase or "\0" + "\0".join(phrase) + "\0" in self._joined:
            return True
        if len(phrase) == 1 and shortens_hash(phrase[0], self._words):
            return True
        return number is not None and self._has_number(number[1])

    def _writes(self, value: str) -> bool:
        """Whether the first place of a value as it is written is one between words, where its own words stand."""
        at = self._text.find(value)
        if at < 0:
            return False
        beside = self._text[max(0, at - 1) : at] + self._text[at + len(value) : at + len(value) + 1]
        return "." not in beside and word_form().search(beside) is None

    @cached_property
    def _lines(self) -> frozenset[str]:
        return frozenset(self._folded.split("\n"))

    def _is_line(self, token: str) -> bool:
        """Whether a number is all of a line, as results say one: 214.50 as 214.5."""
        if "," in token or token.count(".") > 1:
            return False
        return (token.rstrip("0").rstrip(".") if "." in token else token) in self._lines

    def _has_number(self, token: str) -> bool:
        """Whether a number stands there as one; where its commas may list several, whether all of these do."""
        parts = [amounts_of(part) for part in token.split(",")]
        if len(parts) == 1:
            return not self._amounts.isdisjoint(parts[0])
        whole = amounts_of(token).difference(*parts)
        return not self._amounts.isdisjoint(whole) or all(not self._amounts.isdisjoint(part) for part in parts)
