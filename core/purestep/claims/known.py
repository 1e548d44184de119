"""Known items: whether an item is one of those that calls, results or the user have, perhaps written in another way.

An answer may write 7 pm for 19:00, December 1 for 2026-12-01, 1.250,50 for 1250.5.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, cached_property
from typing import Any, Final

from ..carry import amounts_of, is_word_character, shortens_hash
from .items import Item, ItemsByPart, digits_of, is_digits, is_number, items_of

_HOURS: Final = 12


class Known:
    """The items that are known, to look others up in; most stand there as they are, so the rest is read when needed."""

    def __init__(self, items: Iterable[str]) -> None:
        self._items = dict.fromkeys(items)

    @cached_property
    def numbers(self) -> bool:
        """Whether one of them is a plain number, with which others can be compared."""
        return any(is_number(item) for item in self._items)

    def has_tags(self, sign: str) -> bool:
        """Tell whether one of them is a name with a sign before it."""
        return any(item.startswith(sign) and not digits_of(item) for item in self._items)

    @cached_property
    def _text(self) -> str:
        return "\0".join(self._items)

    @cached_property
    def _days(self) -> set[tuple[int, ...]]:
        if _may_be_day().search(self._text) is None:
            return set()
        return {day for item in self._items for day in _days(item)}

    @cached_property
    def _pieces(self) -> set[int]:
        return {int(piece) for piece in _pieces().findall(self._text)}

    @cached_property
    def _runs(self) -> list[str]:
        return [run for run in map(digits_of, self._items) if len(run) >= _LONG_DIGITS]

    @cached_property
    def _amounts(self) -> set[Any]:
        return {amount for item in self._items for amount in amounts_in(item)}

    def holds(self, item: Item) -> bool:
        """Tell whether an item is one of them, perhaps written in another way."""
        if item.text in self._items or _without_zeros(item) in self._items:
            return True
        if (days := _days(item.text)) and self._days:
            with_year = {day for day in days if day[0]}
            plain = {day[1:] for day in self._days if not (day[0] and with_year)}
            return not self._days.isdisjoint(with_year) or any(day[1:] in plain for day in days)
        if self._stands(item.text) or self._stands(item.text.lstrip("#")):
            return True
        thousands = _thousands().fullmatch(item.text)
        if thousands is not None and self.holds(Item("number", f"{thousands[1]}000", 0, 0)):
            return True
        if item.kind in ("code", "number") and shortens_hash(item.text, self._items):
            return True
        if item.kind == "path" and any(rest in self._items for rest in _endings(item.text)):
            return True  # a name within the zone or folder of a call
        if item.kind == "number" and not self._amounts.isdisjoint(amounts_in(item.text)):
            return True
        measured = _measured().fullmatch(item.text) if item.kind == "code" else None
        if measured is not None and self.holds(Item("number", measured[1], 0, 0)):
            return True
        if item.kind in ("number", "time", "date"):
            pieces = [int(piece) for piece in _pieces().findall(item.text)]
            if (item.kind != "number" or len(pieces) == 1) and all(
                not piece or not self._pieces.isdisjoint({piece, piece + _HOURS}) for piece in pieces
            ):
                return True
        digits = item.text if item.kind == "number" else digits_of(item.text)
        return len(digits) >= _GROUP_DIGITS and any(
            run.endswith(digits) or (item.kind == "number" and run.startswith(digits)) for run in self._runs
        )

    def _stands(self, text: str) -> bool:
        """Tell whether a text stands among the items, not as a part of a longer word or number."""
        at = self._text.find(text) if text else -1
        while at >= 0:
            end = at + len(text)
            edges = ((self._text[at - 1 : at], text[0]), (self._text[end : end + 1], text[-1]))
            if not any(beside and is_word_character(beside) and is_word_character(edge) for beside, edge in edges):
                return True
            at = self._text.find(text, at + 1)
        return False


def _without_zeros(item: Item) -> str:
    """Give an amount without the zeros at its end: calls have 214.5 where answers say 214.50."""
    if item.kind != "number" or item.text.count(".") != 1 or "," in item.text:
        return item.text
    return item.text.rstrip("0").rstrip(".")


@cache
def _measured() -> "re.Pattern[str]":
    """Give the pattern of a number joined with what it counts: "18-minute"."""
    return re.compile(r"([0-9]+(?:[.,][0-9]+)?)-[a-z]{3,}", re.ASCII)


@cache
def _pieces() -> "re.Pattern[str]":
    return re.compile(r"[0-9]{1,9}", re.ASCII)


@cache
def _thousands() -> "re.Pattern[str]":
    return re.compile(r"([0-9]{1,6})k", re.ASCII)


@cache
def _month_day() -> "re.Pattern[str]":
    return re.compile(r"--([0-9]{2})-([0-9]{2})", re.ASCII)


@cache
def _whole_day() -> "re.Pattern[str]":
    return re.compile(
        r"([0-9]{4})-([0-9]{2})-([0-9]{2})|([0-9]{1,2})[./]([0-9]{1,2})[./]([0-9]{4})", re.ASCII
    )  # fmt: skip


@cache
def _may_be_day() -> "re.Pattern[str]":
    """Give the pattern of what every day has somewhere."""
    return re.compile(r"-[0-9]{2}-[0-9]{2}|[./][0-9]{1,2}[./][0-9]{4}", re.ASCII)


def _days(text: str) -> set[tuple[int, ...]]:
    """Give the days that a date of three numbers may mean: year, month and day."""
    match = _month_day().match(text)
    if match is not None:
        return {(0, int(match[1]), int(match[2]))}
    match = _whole_day().match(text)
    if match is None:
        return set()
    year, month, day, one, two, last = [int(group or 0) for group in match.groups()]
    return {(year, month, day)} if year else {(last, two, one), (last, one, two)}


def _endings(text: str) -> list[str]:
    """Give the ends of a path or of a host's name that are an item by themselves: "foo.dev" of "www.foo.dev"."""
    ends = [text[at + 1 :] for at, character in enumerate(text) if character in "./"]
    return [end for end in ends if "." in end.strip(".")]


@cache
def _tokens() -> "re.Pattern[str]":
    """Give the pattern of a number with its groups."""
    return re.compile(r"[0-9]+(?:[.,][0-9]+)*", re.ASCII)


def amounts_in(text: str) -> set[Any]:
    """Give the amounts that the numbers of an item may mean: 1,500 is 1500 or 1.5."""
    if is_digits(text):
        return amounts_of(text)
    found: set[Any] = set()
    for token in _tokens().findall(text):
        *groups, last = token.replace(",", ".").split(".")
        if groups:
            found |= amounts_of(f"{''.join(groups)}.{last}")
        if len(last) == _GROUP_DIGITS or not groups:
            found |= amounts_of("".join([*groups, last]))
    return found


_GROUP_DIGITS: Final = 3
_LONG_DIGITS: Final = 6
"""Digits of a number that is written in groups: a telephone number."""


def value_nowhere(said: ItemsByPart, texts: Sequence[str]) -> str | None:
    """Give the first value of a text that stands in none of the others; numbers of one digit may be counts.

    The others are read only as far as is needed: most values are all of a line, as results say them, or stand there as
    they are written.
    """
    left = [item for item in said.whole if not (item.kind == "number" and len(digits_of(item.text)) == 1)]
    for text in texts if left else ():
        lines = frozenset(text.split("\n"))
        left = [item for item in left if not _is_line(item, lines)]
    found: dict[str, None] = {}
    for text in texts:
        if not left:
            return None
        found |= dict.fromkeys([item.text for item in items_of(text)])
        left = [item for item in left if not (item.text in found or _without_zeros(item) in found)]
    known = Known(found)
    return next((item.text for item in left if not known.holds(item)), None)


def _is_line(item: Item, lines: Collection[str]) -> bool:
    """Tell whether an item is all of a line; a day or a telephone number is not written as its text."""
    return not item.text.startswith(("--", "+")) and (item.text in lines or _without_zeros(item) in lines)
