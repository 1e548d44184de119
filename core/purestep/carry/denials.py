"""Orders to leave something undone: "do not delete it", "die Datei bitte nicht löschen", "ne supprime pas".

They are looked for in all languages whose words for that are known, whatever the language of the text.
"""

from typing import Final

from .clauses import Clause
from .languages import DENIALS, LANGUAGES, Denials
from .orders import after_openings, asks, openings_of, told_words
from .words import Word


def denies(part: Clause) -> bool:
    """Tell whether a part of a request is an order to leave something undone, for which nothing may be called."""
    words = told_words(part)
    return bool(words) and any(_denies(part, words, denials) for denials in DENIALS)


def casts_denial(clause: Clause) -> bool:
    """Tell whether a part holds a word that may forbid what acts, though it may also stand in a report or a name."""
    anywhere = clause.language.denials.anywhere
    return denies(clause) or any(word.text in anywhere for word in told_words(clause))


def _denies(part: Clause, words: tuple[Word, ...], denials: Denials) -> bool:
    said = tuple([word.text for word in words])
    if not denials.undone.isdisjoint(said):
        return False
    at = after_openings(said, _OPENINGS[denials.begins])
    rests = [f"{' '.join(said[begin:])} " for begin in range(at + 1)]  # "no" may open the phrase, or stand before it
    begins = any(rest.startswith(f"{phrase} ") for rest in rests for phrase in denials.begins)
    if begins or _is_parted(part, words[at:], denials):
        return True
    if asks(part, part):
        return False
    within = any(f" {phrase} " in f" {rests[0]}" for phrase in denials.within)
    return within or _is_framed(said[at:], denials)


def _is_parted(part: Clause, words: tuple[Word, ...], denials: Denials) -> bool:
    """Tell whether a first half of a denial begins what is said, and a second one follows with no mark between."""
    if not words or words[0].text not in denials.first:
        return False
    for word in words[1 : 1 + _MOST_BETWEEN]:
        if any(mark in part.text[words[0].end : word.start] for mark in _MARKS):
            return False
        if word.text in denials.second:
            return True
    return False


def _is_framed(said: tuple[str, ...], denials: Denials) -> bool:
    """Tell whether a word denies an order whose verb stands first, or last with that word right before it.

    "Zeige nicht bezahlte Rechnungen" denies nothing, "lies die Datei nicht" does.
    """
    if not said or denials.anywhere.isdisjoint(said):
        return False
    if said[0] in denials.verbs:
        return said[0] not in _LOOKING or said[-1] in denials.anywhere
    near = (said[0], *said[-_MOST_BETWEEN:])
    return said[-1] in denials.verbs and not denials.anywhere.isdisjoint(near)


_MOST_BETWEEN: Final = 4
_MARKS: Final = (",", ". ", ";", ":", "!", "?")
_LOOKING: Final = frozenset[str]().union(*(language.looking for language in LANGUAGES))
_POLITE: Final = tuple(phrase for language in LANGUAGES for phrase in language.order_openings)
_OPENINGS: Final = {each.begins: openings_of((*each.openings, *_POLITE)) for each in DENIALS}

__all__ = ["casts_denial", "denies"]
