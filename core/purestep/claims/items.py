"""Items: what stands in a text as a number, a date, a code, an address or a path, and whether acts had it.

An answer may write an item in another way than a call: 7 pm for 19:00, December 1 for 2026-12-01, 1.250,50 for 1250.5.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property
from typing import Any, Final, Literal

from msgspec import Struct

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_ITEM_TEXT_CHARS
from ..carry import amounts_of, fold, said_texts

ItemKind = Literal["number", "time", "date", "code", "email", "path"]
_HOURS: Final = 12


class Item(Struct, frozen=True):
    """An item of a text: its kind, its text folded, and where it stands."""

    kind: ItemKind
    text: str
    start: int
    end: int


@cache
def _token() -> "re.Pattern[str]":
    return re.compile(
        r"[^\s\"'`\u201c-\u201e\u2018\u2019\u00ab\u00bb()\[\]{}<>,;!?]+(?:,[0-9]+(?:\.[0-9]+)?)*", re.ASCII
    )


@cache
def _telling() -> "re.Pattern[str]":
    """Give the pattern of a character without which no token is an item."""
    return re.compile(r"[0-9@/.]", re.ASCII)


@cache
def _hinting() -> "re.Pattern[str]":
    """Give the pattern of what a text without items seldom has: a point inside a token, or another such character."""
    return re.compile(r"[0-9@/]|\.[^\s]", re.ASCII)


@cache
def _kinds() -> tuple[tuple[ItemKind, "re.Pattern[str]"], ...]:
    forms: tuple[tuple[ItemKind, str], ...] = (
        ("email", r"[^@]+@[^@]+\.[a-z]+"),
        ("number", r"[-+\u2212]?[#$\u20ac\u00a3]?[0-9]+(?:[.,][0-9]+)*[%\u20ac$\u00a3]?"),
        ("time", r"[0-9]{1,2}(?:[:h][0-9]{2}){1,2}(?:am|pm|h|uhr)?|[0-9]{1,2}(?:am|pm|h|uhr)"),
        ("date", r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:t[0-9:.+z-]*)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}"
         r"|[0-9]{1,2}(?:st|nd|rd|th|er|\u00ba)"),
        ("code", r"#?(?=[^0-9]*[0-9])[0-9a-z]+(?:[-_.:][0-9a-z]+)*"),
        ("path", r"[^@]*/[^@]*|[^@/]+\.[a-z][a-z0-9]{0,4}"),
    )  # fmt: skip
    return tuple([(kind, re.compile(form, re.ASCII)) for kind, form in forms])


def items_of(text: str) -> Iterator[Item]:
    """Yield the items of a text in their order."""
    if _hinting().search(text) is None:
        return
    folded = fold(text)
    for match in _token().finditer(folded):
        token = match[0].rstrip(".:\u2026")
        if not 0 < len(token) <= MAX_CLAIM_ITEM_CHARS or _telling().search(token) is None:
            continue
        for kind, form in _kinds():
            if form.fullmatch(token):
                yield Item(kind, token, match.start(), match.start() + len(token))
                break


def items_said(value: Any, limit: int) -> tuple[list[str], bool]:
    """Give the items of a JSON value's texts, each once, and whether there are more than the limit.

    Digits that stand apart in one text are one item as well: "555 0199" and "5550199".
    """
    found: dict[str, None] = {}
    for text in said_texts(value):
        part = text[:MAX_ITEM_TEXT_CHARS]
        found |= dict.fromkeys([item.text for item in items_of(part)])
        if len(found) > limit or len(part) < len(text):
            return list(found)[:limit], True
    return list(found), False


class Known:
    """The items that are known, to look others up in; most stand there as they are, so the rest is read when needed."""

    def __init__(self, items: Iterable[str]) -> None:
        self._items = tuple(items)
        self._text = "\0".join(self._items)
        self._days = {day for item in self._items if len(item) >= _LEAST_DAY_CHARS for day in _days(item)}

    @cached_property
    def numbers(self) -> bool:
        """Whether one of them is a plain number, with which others can be compared."""
        return any(_kinds()[1][1].fullmatch(item) for item in self._items)

    @cached_property
    def _pieces(self) -> set[int]:
        return {int(piece) for piece in re.findall(r"[0-9]{1,9}", self._text, re.ASCII)}

    @cached_property
    def _digits(self) -> str:
        return "\0".join([_digits(item) for item in self._items])

    @cached_property
    def _amounts(self) -> set[Any]:
        return {amount for item in self._items for amount in _amounts(item)}

    def holds(self, item: Item) -> bool:
        """Tell whether an item is one of them, perhaps written in another way."""
        if self._days and (days := _days(item.text)):
            return not self._days.isdisjoint(days)
        if item.text in self._text or item.text.lstrip("#") in self._text:
            return True
        if item.kind == "number" and not self._amounts.isdisjoint(_amounts(item.text)):
            return True
        if item.kind in ("number", "time", "date"):
            pieces = [int(piece) for piece in re.findall(r"[0-9]{1,9}", item.text, re.ASCII)]
            if (item.kind != "number" or len(pieces) == 1) and all(
                not piece or not self._pieces.isdisjoint({piece, piece + _HOURS}) for piece in pieces
            ):
                return True
        digits = item.text if item.kind == "number" else _digits(item.text)
        return len(digits) > 3 and digits in self._digits  # noqa: PLR2004 (fewer digits stand in many numbers)


_LEAST_DAY_CHARS: Final = len("1.1.2026")


def _days(text: str) -> set[tuple[int, ...]]:
    """Give the days that a date of three numbers may mean: year, month and day."""
    match = re.match(r"([0-9]{4})-([0-9]{2})-([0-9]{2})|([0-9]{1,2})[./]([0-9]{1,2})[./]([0-9]{4})", text, re.ASCII)
    if match is None:
        return set()
    year, month, day, one, two, last = [int(group or 0) for group in match.groups()]
    return {(year, month, day)} if year else {(last, two, one), (last, one, two)}


def _digits(text: str) -> str:
    return "".join(re.findall("[0-9]+", text, re.ASCII))


def _amounts(text: str) -> set[Any]:
    """Give the amounts that the numbers of an item may mean: 1,500 is 1500 or 1.5."""
    found: set[Any] = set()
    for token in re.findall(r"[0-9]+(?:[.,][0-9]+)*", text, re.ASCII):
        *groups, last = re.split("[.,]", token, flags=re.ASCII)
        if groups:
            found |= amounts_of(f"{''.join(groups)}.{last}")
        if len(last) == _GROUP_DIGITS or not groups:
            found |= amounts_of("".join([*groups, last]))
    return found


_GROUP_DIGITS: Final = 3


def absent(items: Collection[Item], known: Known) -> Item | None:
    """Give the first item that is not known and of which that can be said."""
    for item in items:
        if (item.kind != "number" or known.numbers) and not known.holds(item):
            return item
    return None


def value_nowhere(text: str, texts: Iterable[str]) -> str | None:
    """Give the first value of a text that stands in none of the others; numbers of one digit may be counts."""
    known = Known([item.text for other in texts for item in items_of(other)])
    for item in items_of(text):
        if not (item.kind == "number" and len(_digits(item.text)) == 1) and not known.holds(item):
            return item.text
    return None
