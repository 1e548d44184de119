"""Whether values stand in texts: whole words and whole numbers, never parts of others.

Texts are compared word by word, in small letters, whatever stands between the words; a number is a word with its
fraction. Numbers are compared by size, and a text's number may be meant in more than one way: 1,500 is 1500, 1.5, or 1
and 500. All values are looked for at once (Aho and Corasick 1975, over words), so the work grows with values and texts
together and not with their product.
"""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, Final

from ..bounds import MAX_NUMBER_DIGITS
from ..json_text import BLANK, UNREADABLE, encode_sorted, read_json, without_terminal_codes
from ..names import APART
from .words import fold

Scalar = str | int | float
Amount = tuple[bool, str, int]
"""A number: whether it is negative, its digits without zeros at either end, and the power of ten of the last one."""

_LETTERS: Final = "0-9A-Za-z\u00c0-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1800-\u1fff\u2c00-\u2dff\ua000-\uabff\uf900-\ufdff"


@cache
def word_form() -> "re.Pattern[str]":
    """Return the pattern of a word; a number with a point is one."""
    return re.compile(rf"[{APART}]|[{_LETTERS}]+(?:(?<=[0-9])\.(?=[0-9])[{_LETTERS}]+)*", re.ASCII)


@cache
def number_form() -> "re.Pattern[str]":
    """Return the pattern of a number that no word ends with; a unit may follow it."""
    begin, digits = rf"(?<![{_LETTERS}])(?<![0-9][.,])[-\u2212]?", r"[0-9]+(?:[.,][0-9]+)*(?:e[+-]?[0-9]{1,3})?"
    return re.compile(begin + digits, re.ASCII)


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


def first_absent(values: Sequence[Scalar], texts: Sequence[str]) -> Scalar | None:
    """Return the first value that stands in none of the texts; None where each stands in one.

    A text without words, such as a sign, stands where its characters do; an empty one stands nowhere.
    """
    values = [value for value in values if not _stands_plainly(value, texts)]
    return _first_absent(values, texts) if values else None


def _stands_plainly(value: Scalar, texts: Iterable[str]) -> bool:
    """Whether a whole number stands somewhere between blanks, so that no text has to be taken apart for it."""
    if type(value) is not int or not 0 <= value <= _LARGEST_PLAIN:
        return False
    digits = str(value)
    return any(_is_apart(text, at, at + len(digits)) for text in texts if (at := text.find(digits)) >= 0)


_LARGEST_PLAIN: Final = 10**15


def _is_apart(text: str, begin: int, end: int) -> bool:
    """Whether blanks or signs of a sentence stand around digits, which are a number then."""
    before, after = text[max(0, begin - 1) : begin], text[end : end + 2]
    ends = not after[1:] or after[1] in " \n"
    return before in ("", " ", "\n") and (after[:1] in ("", " ", "\n") or (after[0] in ",.;:!?" and ends))


def _first_absent(values: Sequence[Scalar], texts: Sequence[str]) -> Scalar | None:
    folded = [fold(text) for text in texts]
    phrases = [tuple(word_form().findall(fold(value))) if isinstance(value, str) else () for value in values]
    present = _present({phrase for phrase in phrases if phrase}, folded)
    amounts: set[Amount] = set()
    if any(not isinstance(value, str) for value in values):
        amounts = {amount for text in folded for token in number_form().findall(text) for amount in amounts_of(token)}
    signs = set[str]().union(*texts) if () in phrases else set[str]()
    for value, phrase in zip(values, phrases, strict=True):
        if not isinstance(value, str):
            stands = _amount_of(value) in amounts
        elif phrase:
            stands = phrase in present
        else:
            sign = value.strip(BLANK)
            stands = bool(sign) and signs.issuperset(sign)
        if not stands:
            return value
    return None


class WrittenWords:
    """The words of a text, to find many values in."""

    __slots__ = ("_joined", "_matches", "_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._matches = [(match.start(), match.end()) for match in word_form().finditer(fold(text))]
        words = [fold(text[start:end]) for start, end in self._matches]
        # A separator that no word has, so that only whole words match.
        self._joined = "\0" + "\0".join(words) + "\0"
        self._starts = [0, *accumulate(len(word) + 1 for word in words)]

    def find(self, value: str) -> tuple[str, int] | None:
        """Return how the text writes a value, by the same words, and where; None where it does not stand there.

        A value that stands there as it is comes back as it is.
        """
        same = value.strip(BLANK)
        begin = word_form().search(same)
        if begin is None:
            return None
        first: tuple[str, int] | None = None
        for start, end in self._places(word_form().findall(fold(value))):
            place = start - begin.start()
            if place >= 0 and self._text.startswith(same, place):
                return same, place
            first = first or (self._text[start:end], start)
        return first

    def _places(self, phrase: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield where some words stand in a row: from the first one's start to the last one's end."""
        sought = "\0" + "\0".join(phrase) + "\0"
        at = self._joined.find(sought)
        while at >= 0:
            first = bisect_left(self._starts, at)
            yield self._matches[first][0], self._matches[first + len(phrase) - 1][1]
            at = self._joined.find(sought, at + 1)


# --- numbers ------------------------------------------------------------------------------------------------


def _amount_of(value: int | float) -> Amount:
    mantissa, _, power = encode_sorted(value).decode().partition("e")
    return _amount(value < 0, mantissa.lstrip("-"), int(power or 0))


def amounts_of(token: str) -> set[Amount]:
    """Return the numbers that a token of digits, separators, sign and exponent may mean; a very long one is a list."""
    if len(token) <= MAX_NUMBER_DIGITS and _DIGITS.issuperset(token):
        return {_amount(False, token, 0)}
    if len(token) > MAX_NUMBER_DIGITS:
        pieces = [piece for piece in token.partition("e")[0].split(",") if len(piece) <= MAX_NUMBER_DIGITS]
        return {_amount(False, digits, 0) for piece in pieces for digits in _dotted(piece.lstrip("-\u2212"))}
    negative = token[0] in "-\u2212"
    mantissa, _, exponent = token.lstrip("-\u2212").partition("e")
    power = int(exponent or 0)
    return {_amount(negative, digits, power) for digits in _readings(mantissa)}


_DIGITS: Final = frozenset("0123456789")


def _readings(mantissa: str) -> Iterator[str]:
    """Yield the decimals that digits with separators may mean: groups of thousands, a fraction, or several numbers."""
    if "," not in mantissa:
        yield from _dotted(mantissa)
        return
    pieces = mantissa.split(",")
    for piece in pieces:
        yield from _dotted(piece)
    whole, _, fraction = pieces[-1].partition(".")
    if _is_grouped([*pieces[:-1], whole]) and "." not in fraction:
        yield f"{''.join(pieces[:-1])}{whole}.{fraction}"
    if len(pieces) == 2 and (_is_grouped(pieces[0].split(".")) or "." not in pieces[0]) and "." not in pieces[1]:  # noqa: PLR2004
        yield f"{pieces[0].replace('.', '')}.{pieces[1]}"


def _dotted(piece: str) -> Iterator[str]:
    parts = piece.split(".")
    if len(parts) <= 2:  # noqa: PLR2004
        yield piece
    elif not _is_grouped(parts):
        yield from parts
    if len(parts) > 1 and _is_grouped(parts):
        yield "".join(parts)


def _is_grouped(parts: Sequence[str]) -> bool:
    """Whether digits are groups of thousands: at most three, then three each."""
    return len(parts[0]) <= 3 and parts[0] != "0" and all(len(part) == 3 for part in parts[1:])  # noqa: PLR2004


def _amount(negative: bool, decimal: str, power: int) -> Amount:
    whole, _, fraction = decimal.partition(".")
    digits = (whole + fraction).lstrip("0")
    kept = digits.rstrip("0")
    if not kept:
        return False, "", 0
    return negative, kept, power - len(fraction) + len(digits) - len(kept)


# --- words --------------------------------------------------------------------------------------------------

Phrase = tuple[str, ...]


def _present(phrases: Iterable[Phrase], texts: Iterable[str]) -> set[Phrase]:
    """Return the phrases that stand in one of the folded texts."""
    edges: list[dict[str, int]] = [{}]
    ends: dict[Phrase, int] = {}
    for phrase in phrases:
        node = 0
        for word in phrase:
            node = edges[node].setdefault(word, len(edges))
            if node == len(edges):
                edges.append({})
        ends[phrase] = node
    order, shorter = _suffixes(edges)
    met = [False] * len(edges)
    for text in texts if ends else ():
        node = 0
        for found in word_form().finditer(text):
            node = _next(edges, shorter, node, found[0])
            met[node] = True
    for node in reversed(order):
        if met[node]:
            met[shorter[node]] = True
    return {phrase for phrase, node in ends.items() if met[node]}


def _suffixes(edges: list[dict[str, int]]) -> tuple[list[int], list[int]]:
    """Return the nodes but the root in order of depth, and for each the node of its longest suffix."""
    order, shorter = list(edges[0].values()), [0] * len(edges)
    pending = deque(order)
    while pending:
        node = pending.popleft()
        for word, child in edges[node].items():
            shorter[child] = _next(edges, shorter, shorter[node], word)
            order.append(child)
            pending.append(child)
    return order, shorter


def _next(edges: list[dict[str, int]], shorter: list[int], node: int, word: str) -> int:
    """Return the node after a word: of the longest suffix that goes on with it."""
    while node and word not in edges[node]:
        node = shorter[node]
    return edges[node].get(word, 0)
