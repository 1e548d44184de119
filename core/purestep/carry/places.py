"""Places: where in the words each value of a call stands, so that no two values are read off the same words."""

from collections.abc import Sequence
from typing import Any

from .amounts import lengths_for, typed
from .candidates import values_of_kind
from .clauses import Clause, Words, trimmed
from .currencies import is_currency
from .leads import takes_name
from .sources import Parameter
from .words import is_word_character

Place = tuple[int, int]
"""Where a value begins and ends in a clause."""
Placed = tuple[tuple[Parameter, Any, tuple[Place, ...]], ...]
"""Each argument with its value and the places of that: several for a list, none where it stands elsewhere."""


def placed(given: Sequence[tuple[Parameter, Any]], words: Words) -> Placed | None:
    """Give where the values of a call stand in a part of a request; None where two would need the same words.

    A value that stands elsewhere has no place: one that the rest of the request or a result gives, to which the part
    refers, and one that follows from words, such as a choice.
    """
    taken: list[Place] = []
    found = []
    # The longest first: a short one may stand within it as well as by itself.
    for parameter, value in sorted(given, key=lambda each: -len(str(each[1]))):
        own: list[Place] = []
        for item in value if isinstance(value, list) else [value]:
            options = _places(parameter, item, words.clause)
            free = next((place for place in options if not _overlaps(place, taken)), None)
            if free is None and (options or not _is_elsewhere(parameter, item, words)):
                return None
            if free is not None:
                taken.append(free)
                own.append(free)
        if not own and parameter.source == "number" and value in lengths_for(parameter, words.clause):
            own = _length_places(words.clause)
        found.append((parameter, value, tuple(own)))
    return tuple(found)


def _places(parameter: Parameter, value: Any, clause: Clause) -> list[Place]:
    """Give the places at which a value stands: as one whose form tells its kind, or as words."""
    if parameter.source in ("choice", "boolean", "expression"):
        return []
    text = str(value)
    spans = [
        (span.start, span.end) for span in clause.spans
        if typed(parameter, span.value) == value or trimmed(clause.text[span.start : span.end]) == text
    ]  # fmt: skip
    return spans or (_standing(text, clause.text) if isinstance(value, str) else [])


def _standing(text: str, within: str) -> list[Place]:
    """Give where a text stands in another as words of its own."""
    found, at = list[Place](), within.find(text)
    while text and at >= 0:
        end = at + len(text)
        joins_before = at > 0 and is_word_character(within[at - 1]) and is_word_character(text[0])
        joins_after = end < len(within) and is_word_character(within[end]) and is_word_character(text[-1])
        if not joins_before and not joins_after:
            found.append((at, end))
        at = within.find(text, at + 1)
    return found


def _overlaps(place: Place, others: Sequence[Place]) -> bool:
    return any(place[0] < end and begin < place[1] for begin, end in others)


def _is_elsewhere(parameter: Parameter, value: Any, words: Words) -> bool:
    """Tell whether words name a value without writing it, or refer to one that was said or given before."""
    if parameter.source in ("choice", "boolean", "expression") or is_currency(parameter):
        return True
    if parameter.source == "number" and value in lengths_for(parameter, words.clause):
        return True
    if words.clause is not words.whole and _places(parameter, value, words.whole):
        return True
    if values_of_kind(words.whole, parameter.source):
        return False  # "read a.txt and delete it": not what a.txt names
    # A name of several words that a result holds is a sentence: "there is no such file".
    is_named = parameter.source != "phrase" or not takes_name(words.clause, parameter) or " " not in str(value)
    return words.looks_back and is_named


def _length_places(clause: Clause) -> list[Place]:
    """Give the places of the words that a length of time is made of."""
    clock = clause.language.clock
    said = {
        *clock.seconds,
        *clock.one,
        *(word for phrase in (*clock.parts, *clock.halves) for word in phrase.split(" ")),
    }
    numbers = [(span.start, span.end) for span in clause.spans if span.kind == "number"]
    return [*numbers, *((word.start, word.end) for word in clause.words if word.text in said)]


__all__ = ["Place", "Placed", "placed"]
