"""Readings: what each call that only looked was about and gave, so that no answer swaps them.

"Paris 20, Rome 14" is false where the call for Paris gave 14 and that for Rome 20, though both values are in results.
Judged is only an answer in which what was read and its values take turns; any other order of them is in doubt.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_TOLD_CHARS
from ..carry import fold, is_word_character, said_texts
from ..values import ReadValues
from .answers import Answer
from .done import FalseClaim
from .items import Item, digits_of, items_of
from .known import amounts_in

_MAX_SUBJECTS: Final = 4
_MAX_VALUES: Final = 8
"""Of one call; a result with more is a table, whose values no answer tells one by one."""


def reading_of(params: Mapping[str, Any], said: Sequence[str]) -> ReadValues | None:
    """Give what a call that only looked was about and what values it gave; None where that is nothing, or too much.

    said: what its result says.
    """
    about = [fold(text) for value in params.values() for text in said_texts(value)]
    is_short = len(said) <= _MAX_VALUES * 4 and sum(map(len, said)) <= MAX_TOLD_CHARS
    is_short = is_short and all(0 < len(text) <= MAX_CLAIM_ITEM_CHARS for text in about)
    values = [item.text for text in said for item in items_of(text)] if is_short else []
    if not (0 < len(about) <= _MAX_SUBJECTS and 0 < len(values) <= _MAX_VALUES):
        return None
    return ReadValues(about=tuple(about), values=tuple(dict.fromkeys(values)))


class _Mention(Struct, frozen=True):
    """Where an answer says what was read, or a value, and of which reading it is; -1 for one of several."""

    start: int
    kind: Literal["about", "value"]
    of: int
    text: str


def swapped(answer: Answer, readings: Sequence[ReadValues]) -> FalseClaim | None:
    """Judge the values of an answer by what each was read of: those of two or more readings must not change places."""
    if len(readings) < 2:  # noqa: PLR2004 - one cannot be swapped
        return None
    pairs = _pairs(_without_repeats(sorted(_mentions(answer, readings), key=lambda each: each.start)))
    wrong = [(about, value) for about, value in pairs if value.of >= 0 and value.of != about.of]
    if not wrong or {about.of for about, _ in wrong} != {value.of for _, value in wrong}:
        return None
    about, value = wrong[0]
    return FalseClaim((), value.text, about=about.text)


def _mentions(answer: Answer, readings: Sequence[ReadValues]) -> Iterator[_Mention]:
    """Yield where an answer says what only one reading was about, and the values of readings."""
    folded = fold(answer.items.text)
    taken: set[int] = set()
    for at, reading in enumerate(readings):
        others = {text for other in readings if other is not reading for text in (*other.about, *other.values)}
        for text in reading.about:
            for start in _places(text, folded) if text not in others else ():
                taken.add(start)
                yield _Mention(start, "about", at, text)
    owned = [_meant([item for text in each.values for item in items_of(text)]) for each in readings]
    for item in answer.items.whole:
        owners = [at for at, meant in enumerate(owned) if not meant.isdisjoint(_meant([item]))]
        if owners and item.start not in taken:
            yield _Mention(item.start, "value", owners[0] if len(owners) == 1 else -1, item.text)


def _meant(items: Iterable[Item]) -> set[Any]:
    """Give what values mean: the amounts of numbers, the texts of others."""
    return {meant for item in items for meant in (amounts_in(item.text) if item.kind == "number" else (item.text,))}


def _places(text: str, folded: str) -> Iterator[int]:
    """Yield where a text stands by itself, not as a part of a longer word or number."""
    at = folded.find(text)
    while at >= 0:
        end = at + len(text)
        before, after = folded[max(0, at - 2) : at], folded[end : end + 2]
        is_inside = is_word_character(before[-1:] or " ") or is_word_character(after[:1] or " ")
        # Not the 3 of "36.9, 41.3" and "3:15".
        in_number = (before[-1:] in _POINTS and digits_of(before)) or (after[:1] in _POINTS and digits_of(after))
        if not (is_inside or in_number):
            yield at
        at = folded.find(text, end)


_POINTS: Final = frozenset(".,:")


def _without_repeats(mentions: Iterable[_Mention]) -> list[_Mention]:
    """Give mentions without those of the same right after the first."""
    kept: list[_Mention] = []
    for each in mentions:
        if not kept or (kept[-1].kind, kept[-1].of) != (each.kind, each.of):
            kept.append(each)
    return kept


def _pairs(mentions: Sequence[_Mention]) -> list[tuple[_Mention, _Mention]]:
    """Give each value with what it is told of, where both take turns; none where they do not."""
    kinds = [each.kind for each in mentions]
    turns = len(kinds) // 2
    if kinds == ["about", "value"] * turns:
        return list(zip(mentions[::2], mentions[1::2], strict=True))
    if kinds == ["value", "about"] * turns:
        return list(zip(mentions[1::2], mentions[::2], strict=True))
    return []
