"""Items: what stands in a text as a number, a date, a code, an address or a path, and whether acts had it.

An answer may write an item in another way than a call: 7 pm for 19:00, December 1 for 2026-12-01, 1.250,50 for 1250.5.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any, Final, Literal

from msgspec import Struct

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_ITEM_TEXT_CHARS
from ..carry import amounts_of, fold, is_word_character, said_texts
from .languages import CLAIM_LANGUAGES, ENGLISH

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
    return re.compile(r"[0-9@/.#]", re.ASCII)


@cache
def _hinting() -> "re.Pattern[str]":
    """Give the pattern of what a text without items seldom has: a point inside a token, or another such character."""
    return re.compile(r"[0-9@/#]|\.[^\s]", re.ASCII)


@cache
def _kinds() -> tuple[tuple[ItemKind, "re.Pattern[str]"], ...]:
    forms: tuple[tuple[ItemKind, str], ...] = (
        ("email", r"[^@]+@[^@]+\.[a-z]+"),
        ("code", r"(?![0-9]{1,3}(?:\.[0-9]{3}){3}$)[0-9]{1,3}(?:\.[0-9]{1,3}){3}"),
        ("number", r"[-+\u2212]?[#$\u20ac\u00a3]?[0-9]+(?:[.,][0-9]+)*[%\u20ac$\u00a3]?"),
        ("time", r"[0-9]{1,2}(?:[:h][0-9]{2}){1,2}(?:am|pm|h|uhr)?|[0-9]{1,2}(?:am|pm|h|uhr)"),
        ("date", r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:t[0-9:.+z-]*)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}"
         r"|[0-9]{1,2}(?:st|nd|rd|th|er|\u00ba)"),
        ("code", r"[#@][a-z][a-z0-9_-]+|#?(?=[^0-9]*[0-9])[0-9a-z]+(?:[-_.:][0-9a-z]+)*"),
        ("path", r"[^@]*/[^@]*|[^@/]+\.[a-z][a-z0-9]{0,4}"),
    )  # fmt: skip
    return tuple([(kind, re.compile(form, re.ASCII)) for kind, form in forms])


@cache
def _number() -> "re.Pattern[str]":
    return next(form for kind, form in _kinds() if kind == "number")


@cache
def _month_dates() -> "re.Pattern[str]":
    names = "|".join(sorted({name for each in CLAIM_LANGUAGES for name in each.months}))
    short = "|".join(sorted({name[:3] for name in ENGLISH.months}))
    day = r"(?<![0-9.,/:-])([0-9]{1,2})(?:st|nd|rd|th|er|\.)?"
    return re.compile(
        rf"{day} (?:of |de )?({names}|{short})(?![a-z])"
        rf"|(?<![a-z])({names}|{short})\.? ([0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9:.]*[0-9])",
        re.ASCII,
    )


def _months() -> dict[str, int]:
    return {form: at for each in CLAIM_LANGUAGES for at, name in enumerate(each.months, 1) for form in (name, name[:3])}


@cache
def _phone() -> "re.Pattern[str]":
    return re.compile(r"\+[0-9]{1,3}(?:[ /-]?\(?[0-9]{2,12}\)?){2,6}", re.ASCII)


def _written(folded: str) -> list[Item]:
    """Give what is written in several words, in its order: days as "--05-31", telephone numbers as their digits."""
    phones = [Item("code", f"+{_digits(each[0])}", each.start(), each.end()) for each in _phone().finditer(folded)]
    return sorted([*phones, *_dates_of(folded)], key=lambda item: item.start)


def _dates_of(folded: str) -> list[Item]:
    """Give the days that are written with the name of their month."""
    found: list[Item] = []
    for match in _month_dates().finditer(folded):
        day, name = match[1] or match[4], match[2] or match[3]
        found.append(Item("date", f"--{_months()[name]:02}-{int(day):02}", match.start(), match.end()))
    return found


def items_of(text: str) -> Iterator[Item]:
    """Yield the items of a text in their order."""
    telling = _telling().search
    if _hinting().search(text) is None:
        return
    folded = fold(text)
    written = _written(folded)[::-1]
    end = 0
    for match in _token().finditer(folded):
        while written and written[-1].start <= match.start():
            end = written[-1].end
            yield written.pop()
        if match.start() < end or telling(match[0]) is None:
            continue
        token = match[0].rstrip(".:\u2026")
        if not 0 < len(token) <= MAX_CLAIM_ITEM_CHARS:
            continue
        for kind, form in _kinds():
            if form.fullmatch(token):
                yield Item(kind, token, match.start(), match.start() + len(token))
                break


def without_items(text: str) -> str:
    """Give a text with 0 and blanks in place of addresses, paths and codes, whose parts are no words of a language."""
    kept, end = list[str](), 0
    for item in items_of(text):
        if item.kind in ("email", "path", "code"):
            kept += (text[end : item.start], "0".ljust(item.end - item.start))
            end = item.end
    return "".join([*kept, text[end:]])


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


def has_digit(text: str) -> bool:
    """Tell whether a text has a digit, in whatever form it stands: "north,140" is no item."""
    return re.search("[0-9]", text, re.ASCII) is not None


def addresses_of(value: Any) -> list[str]:
    """Give the addresses in a JSON value's texts: a person may be looked up by one and known by another after that."""
    texts = [text[:MAX_ITEM_TEXT_CHARS] for text in said_texts(value)]
    return [item.text for text in texts for item in items_of(text) if item.kind == "email"]


class Known:
    """The items that are known, to look others up in; most stand there as they are, so the rest is read when needed."""

    def __init__(self, items: Iterable[str]) -> None:
        self._items = tuple(items)
        self._text = "\0".join(self._items)
        self._days = {day for item in self._items if len(item) >= _LEAST_DAY_CHARS for day in _days(item)}

    @cached_property
    def numbers(self) -> bool:
        """Whether one of them is a plain number, with which others can be compared."""
        return any(_number().fullmatch(item) for item in self._items)

    @cached_property
    def _pieces(self) -> set[int]:
        return {int(piece) for piece in re.findall(r"[0-9]{1,9}", self._text, re.ASCII)}

    @cached_property
    def _runs(self) -> list[str]:
        return [_digits(item) for item in self._items]

    @cached_property
    def _amounts(self) -> set[Any]:
        return {amount for item in self._items for amount in _amounts(item)}

    def holds(self, item: Item) -> bool:
        """Tell whether an item is one of them, perhaps written in another way."""
        if self._days and (days := _days(item.text)):
            with_year = {day for day in days if day[0]}
            plain = {day[1:] for day in self._days if not (day[0] and with_year)}
            return not self._days.isdisjoint(with_year) or any(day[1:] in plain for day in days)
        if self._stands(item.text) or self._stands(item.text.lstrip("#")):
            return True
        thousands = re.fullmatch(r"([0-9]{1,6})k", item.text, re.ASCII)
        if thousands is not None and self.holds(Item("number", f"{thousands[1]}000", 0, 0)):
            return True
        if item.kind == "path" and any(rest in self._items for rest in _endings(item.text)):
            return True  # a name within the zone or folder of a call
        if item.kind == "number" and not self._amounts.isdisjoint(_amounts(item.text)):
            return True
        if item.kind in ("number", "time", "date"):
            pieces = [int(piece) for piece in re.findall(r"[0-9]{1,9}", item.text, re.ASCII)]
            if (item.kind != "number" or len(pieces) == 1) and all(
                not piece or not self._pieces.isdisjoint({piece, piece + _HOURS}) for piece in pieces
            ):
                return True
        digits = item.text if item.kind == "number" else _digits(item.text)
        return len(digits) >= _GROUP_DIGITS and any(
            run.endswith(digits) or (item.kind == "number" and run.startswith(digits))
            for run in self._runs
            if len(run) >= _LONG_DIGITS
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


_LEAST_DAY_CHARS: Final = len("--05-31")


def _days(text: str) -> set[tuple[int, ...]]:
    """Give the days that a date of three numbers may mean: year, month and day."""
    match = re.match(r"--([0-9]{2})-([0-9]{2})", text, re.ASCII)
    if match is not None:
        return {(0, int(match[1]), int(match[2]))}
    match = re.match(r"([0-9]{4})-([0-9]{2})-([0-9]{2})|([0-9]{1,2})[./]([0-9]{1,2})[./]([0-9]{4})", text, re.ASCII)
    if match is None:
        return set()
    year, month, day, one, two, last = [int(group or 0) for group in match.groups()]
    return {(year, month, day)} if year else {(last, two, one), (last, one, two)}


def _endings(text: str) -> list[str]:
    """Give the ends of a path or of a host's name that are an item by themselves: "foo.dev" of "www.foo.dev"."""
    ends = [text[at + 1 :] for at, character in enumerate(text) if character in "./"]
    return [end for end in ends if "." in end.strip(".")]


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
_LONG_DIGITS: Final = 6
"""Digits of a number that is written in groups: a telephone number."""


def absent(item: Item, known: Known) -> bool:
    """Tell whether an item is not known, and that can be said of it."""
    return (item.kind != "number" or known.numbers) and not known.holds(item)


def value_nowhere(text: str, texts: Iterable[str]) -> str | None:
    """Give the first value of a text that stands in none of the others; numbers of one digit may be counts."""
    known = Known([item.text for other in texts for item in items_of(other)])
    for item in items_of(text):
        if not (item.kind == "number" and len(_digits(item.text)) == 1) and not known.holds(item):
            return item.text
    return None
