"""Reservations: words that tie an order to a condition, put it off or take it back, in all languages with a file."""

from collections.abc import Iterator, Sequence
from typing import Final

from .languages import RESERVATIONS
from .orders import Openings, openings_of
from .words import Word


def first_reserved(words: Sequence[Word], phrases: Openings) -> tuple[Word, Word] | None:
    """Give the first and the last word of the first such phrase in a text; None without one."""
    return next(reserved_in(words, phrases), None)


def reserved_in(words: Sequence[Word], phrases: Openings) -> Iterator[tuple[Word, Word]]:
    """Give each such phrase by its first and its last word, but for those that take nothing from an order."""
    texts = tuple([word.text for word in words])
    at = 0
    while at < len(words):
        plain = _length(texts, at, _PLAIN)
        length = 0 if plain else _length(texts, at, phrases)
        if length:
            yield words[at], words[at + length - 1]
        at += max(plain, length, 1)


def ends_vaguely(words: Sequence[Word]) -> bool:
    """Tell whether words end with a phrase after which a number is not meant exactly ("about", "up to")."""
    texts = tuple([word.text for word in words[-_MOST_WORDS:]])
    return any(_length(texts, at, _VAGUE) == len(texts) - at for at in range(len(texts)))


def _length(texts: tuple[str, ...], at: int, phrases: Openings) -> int:
    """Give the number of words of the longest phrase that stands at a place; 0 for none."""
    return next((len(each) for each in phrases.get(texts[at], ()) if texts[at : at + len(each)] == each), 0)


CONDITIONS: Final = openings_of(tuple([phrase for each in RESERVATIONS for phrase in each.conditions]))
DELAYS: Final = openings_of(tuple([phrase for each in RESERVATIONS for phrase in each.delays]))
PUT_OFF: Final = openings_of(tuple([phrase for each in RESERVATIONS for phrase in (*each.conditions, *each.delays)]))
TOLD: Final = openings_of(tuple([phrase for each in RESERVATIONS for phrase in each.told]))
_VAGUE: Final = openings_of(tuple([phrase for each in RESERVATIONS for phrase in each.vague]))
_PLAIN: Final = openings_of(tuple([phrase for each in RESERVATIONS for phrase in each.plain]))
_MOST_WORDS: Final = 3
"""Words of the longest phrase before a number: "no more than"."""

__all__ = ["CONDITIONS", "DELAYS", "PUT_OFF", "TOLD", "ends_vaguely", "first_reserved", "reserved_in"]
