"""Items: what stands in a text as a number, a date, a code, an address or a path."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Final, Literal

from msgspec import Struct

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_ITEM_TEXT_CHARS
from ..carry import fold
from .languages import CLAIM_LANGUAGES, ENGLISH

ItemKind = Literal["number", "time", "date", "code", "email", "path"]


class Item(Struct, frozen=True, gc=False):
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


_NUMBER: Final = r"[-+\u2212]?[#$\u20ac\u00a3]?[0-9]+(?:[.,][0-9]+)*[%\u20ac$\u00a3]?"
_KINDS: Final[tuple[tuple[ItemKind, str], ...]] = (
    ("email", r"[^@]+@[^@]+\.[a-z]+"),
    ("code", r"(?![0-9]{1,3}(?:\.[0-9]{3}){3}$)[0-9]{1,3}(?:\.[0-9]{1,3}){3}"),
    ("number", _NUMBER),
    ("time", r"[0-9]{1,2}(?:[:h][0-9]{2}){1,2}(?:am|pm|h|uhr)?|[0-9]{1,2}(?:am|pm|h|uhr)"),
    ("date", r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:t[0-9:.+z-]*)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}"
     r"|[0-9]{1,2}(?:st|nd|rd|th|er|\u00ba)"),
    ("code", r"[#@][a-z][a-z0-9_-]+|#?(?=[^0-9]*[0-9])[0-9a-z]+(?:[-_.:][0-9a-z]+)*"),
    ("path", r"[^@]*/[^@]*|[^@/]+\.[a-z][a-z0-9]{0,4}"),
)  # fmt: skip
"""The forms of each kind; the first that is all of a token tells its kind."""


@cache
def _kind_of() -> "re.Pattern[str]":
    """Give the pattern of all kinds, one group each."""
    return re.compile("|".join([f"({form})" for _, form in _KINDS]), re.ASCII)


@cache
def _number() -> "re.Pattern[str]":
    return re.compile(_NUMBER, re.ASCII)


def is_number(text: str) -> bool:
    """Tell whether an item's text is a plain number."""
    return _number().fullmatch(text) is not None


@cache
def _digit() -> "re.Pattern[str]":
    return re.compile("[0-9]", re.ASCII)


@cache
def _digit_runs() -> "re.Pattern[str]":
    return re.compile("[0-9]+", re.ASCII)


def digits_of(text: str) -> str:
    """Give the digits of a text, joined."""
    return "".join(digit_runs(text))


def digit_runs(text: str) -> list[str]:
    """Give the digits of a text that stand together."""
    return _digit_runs().findall(text)


@cache
def _month_dates() -> "re.Pattern[str]":
    names = "|".join(sorted({name for each in CLAIM_LANGUAGES for name in each.months}))
    short = "|".join(sorted({name[:3] for name in ENGLISH.months}))
    day = r"(?<![0-9.,/:-])([0-9]{1,2})(?:st|nd|rd|th|er|\.)?"
    return re.compile(
        rf"{day} (?:of |de )?({names}|{short})(?![a-z])"
        rf"|(?<![a-z])({names}|{short})\.? ([0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9:.,]*[0-9])",
        re.ASCII,
    )


@cache
def _day_before() -> "re.Pattern[str]":
    """Give the pattern of a short number and a word after it, as in every day that stands before its month."""
    return re.compile(r"[0-9](?<![0-9.,/:-][0-9])[0-9]?(?:st|nd|rd|th|er|\.)? [a-z]", re.ASCII)


@cache
def _day_after() -> "re.Pattern[str]":
    """Give the pattern of a short number after a blank, as in every day that stands after its month."""
    return re.compile(r" [0-9]{1,2}(?![0-9])", re.ASCII)


@cache
def _months() -> dict[str, int]:
    return {form: at for each in CLAIM_LANGUAGES for at, name in enumerate(each.months, 1) for form in (name, name[:3])}


@cache
def _phone() -> "re.Pattern[str]":
    return re.compile(r"\+[0-9]{1,3}(?:[ /-]?\(?[0-9]{2,12}\)?){2,6}", re.ASCII)


def _written(folded: str) -> list[Item]:
    """Give what is written in several words, in its order: days as "--05-31", telephone numbers as their digits."""
    found: list[Item] = []
    if "+" in folded:
        found += [
            Item("code", f"+{digits_of(each[0])}", each.start(), each.end()) for each in _phone().finditer(folded)
        ]
    if _day_after().search(folded) is not None or _day_before().search(folded) is not None:
        found += _dates_of(folded)
    return sorted(found, key=lambda item: item.start)


def _dates_of(folded: str) -> list[Item]:
    """Give the days that are written with the name of their month."""
    found: list[Item] = []
    for match in _month_dates().finditer(folded):
        day, name = int(match[1] or match[4]), match[2] or match[3]
        if 0 < day <= _LAST_DAY:
            found.append(Item("date", f"--{_months()[name]:02}-{day:02}", match.start(), match.end()))
    return found


_LAST_DAY: Final = 31


def items_of(text: str) -> tuple[Item, ...]:
    """Give the items of a text in their order."""
    if _hinting().search(text) is None:
        return ()
    if is_digits(text):  # as the numbers of a JSON value
        return (Item("number", text, 0, len(text)),) if len(text) <= MAX_CLAIM_ITEM_CHARS else ()
    folded, telling, kind_of = fold(text), _telling().search, _kind_of().fullmatch
    written = _written(folded)[::-1]
    found: list[Item] = []
    end = 0
    for match in _token().finditer(folded):
        start = match.start()
        while written and written[-1].start <= start:
            end = written[-1].end
            found.append(written.pop())
        if start < end or telling(match[0]) is None:
            continue
        token = match[0].rstrip(".:\u2026")
        if not 0 < len(token) <= MAX_CLAIM_ITEM_CHARS:
            continue
        kind = kind_of(token)
        if kind is not None and kind.lastindex is not None:
            found.append(Item(_KINDS[kind.lastindex - 1][0], token, start, start + len(token)))
    return tuple(found)


def is_telling(item: Item) -> bool:
    """Tell whether an item is no count, no unit and no ordinal: "TXK92P", "84.90", "#1432", and not "5kg"."""
    if item.kind == "number":
        return len(digits_of(item.text)) > _FEW_DIGITS or "." in item.text.strip(".") or "," in item.text
    return item.kind == "email" or (len(item.text) > _FEW_CHARS and item.text[0] != "@")


def is_tag(item: Item) -> bool:
    """Tell whether an item is a name with a sign before it: a channel or a person, which calls may have by an id."""
    return item.text[0] in "#@" and not has_digit(item.text)


_FEW_DIGITS: Final = 2
_FEW_CHARS: Final = 4


def is_digits(text: str) -> bool:
    """Tell whether a text has nothing but digits."""
    return _DIGITS.issuperset(text)


_DIGITS: Final = frozenset("0123456789")


class ItemsByPart:
    """The items of a text and of its parts, each read once, when they are asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: dict[tuple[int, int], tuple[Item, ...]] = {}

    @cached_property
    def whole(self) -> tuple[Item, ...]:
        """The items of the whole text."""
        return items_of(self.text)

    @cached_property
    def _is_plain(self) -> bool:
        """Whether it has no days and telephone numbers: no other item has a blank in it."""
        return not any(item.text.startswith(("--", "+")) for item in self.whole)

    def of(self, start: int, end: int) -> tuple[Item, ...]:
        """Give the items of a part by itself, with their places in it."""
        found = self._found.get((start, end))
        if found is None:
            if self._is_plain and self._is_between(start) and self._is_between(end):
                found = tuple([
                    Item(item.kind, item.text, item.start - start, item.end - start)
                    for item in self.whole if start <= item.start < end
                ])  # fmt: skip
            else:
                found = items_of(self.text[start:end])
            self._found[start, end] = found
        return found

    def _is_between(self, at: int) -> bool:
        """Tell whether no item without a blank goes on over a place."""
        beside = self.text[max(0, at - 1) : at + 1]
        return at in (0, len(self.text)) or " " in beside or "\n" in beside


def without_items(text: str, items: Iterable[Item]) -> str:
    """Give a text with 0 and blanks in place of addresses, paths and codes, whose parts are no words of a language."""
    kept, end = list[str](), 0
    for item in items:
        if item.kind in ("email", "path", "code"):
            kept += (text[end : item.start], "0".ljust(item.end - item.start))
            end = item.end
    return "".join([*kept, text[end:]])


def items_said(texts: Iterable[str], limit: int) -> tuple[list[str], bool]:
    """Give the items of what a JSON value says, each once, and whether there are more than the limit."""
    found: dict[str, None] = {}
    for part, is_cut in _on_lines(texts):
        found |= dict.fromkeys([item.text for item in items_of(part)])
        if len(found) > limit or is_cut:
            return list(found)[:limit], True
    return list(found), False


def _on_lines(texts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield texts to be read at once, each on a line of its own, and whether one of them was cut.

    No item goes on over the end of a line. A telephone number may stand within a word, where what follows decides
    whether it is seen; a text that may have one is read alone.
    """
    lines, chars = list[str](), 0
    for text in texts:
        alone = "+" in text or len(text) > MAX_ITEM_TEXT_CHARS
        if lines and (alone or chars > MAX_ITEM_TEXT_CHARS):
            yield "\n".join(lines), False
            lines, chars = [], 0
        if alone:
            yield text[:MAX_ITEM_TEXT_CHARS], len(text) > MAX_ITEM_TEXT_CHARS
        else:
            lines.append(text)
            chars += len(text)
    yield "\n".join(lines), False


def has_digit(text: str) -> bool:
    """Tell whether a text has a digit, in whatever form it stands: "north,140" is no item."""
    return _digit().search(text) is not None


def addresses_in(texts: Iterable[str]) -> list[str]:
    """Give the addresses in what a call says: a person may be looked up by one and known by another after that."""
    told = [text[:MAX_ITEM_TEXT_CHARS] for text in texts if "@" in text]
    return [item.text for text in told for item in items_of(text) if item.kind == "email"]
