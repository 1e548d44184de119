"""Orders to leave something undone: "do not delete it", "die Datei bitte nicht löschen", "ne supprime pas".

They are looked for in all languages whose words for that are known, whatever the language of the text.
"""

from typing import Final

from .clauses import Clause, once_per_clause
from .languages import DENIALS, LANGUAGES, Denials
from .orders import after_openings, asks, openings_of, told_words


@once_per_clause
def denies(part: Clause) -> bool:
    """Tell whether a part of a request is an order to leave something undone, for which nothing may be called."""
    paths = [span for span in part.spans if span.kind == "path"]
    words = [word for word in told_words(part) if not any(s.start <= word.start < s.end for s in paths)]
    said = tuple([word.text for word in words])
    return any(not _TRIGGERS[denials.begins].isdisjoint(said) and _denies(part, said, denials) for denials in DENIALS)


@once_per_clause
def casts_denial(clause: Clause) -> bool:
    """Tell whether a part that denies nothing holds a word that may forbid what acts, in a report or a name perhaps."""
    anywhere = clause.language.denials.anywhere
    return any(word.text in anywhere for word in told_words(clause))


def _denies(part: Clause, said: tuple[str, ...], denials: Denials) -> bool:
    if not denials.undone.isdisjoint(said):
        return False
    at = after_openings(said, _OPENINGS[denials.begins])
    # "No" may begin the phrase, or stand before it.
    rests = [f"{' '.join(said[begin:])} " for begin in range(max(0, at - _MOST_BETWEEN), at + 1)]
    begins = any(rest.startswith(_BEGINNINGS[denials.begins]) for rest in rests)
    if begins or _is_parted(said[at:], denials):
        return True
    if asks(part, part):
        return False
    spaced = f" {' '.join(said)} "
    within = any(phrase in spaced for phrase in _WITHIN[denials.begins])
    return within or _is_framed(said[at:], denials)


def _is_parted(said: tuple[str, ...], denials: Denials) -> bool:
    """Tell whether a first half of a denial begins what is said, and a second one follows soon."""
    if not said or said[0] not in denials.first:
        return False
    return any(word in denials.second for word in said[1 : 1 + _MOST_BETWEEN])


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
_LOOKING: Final = frozenset[str]().union(*(language.looking for language in LANGUAGES))
_POLITE: Final = tuple(phrase for language in LANGUAGES for phrase in language.order_openings)
_OPENINGS: Final = {each.begins: openings_of((*each.openings, *_POLITE)) for each in DENIALS}
_BEGINNINGS: Final = {each.begins: tuple([f"{phrase} " for phrase in each.begins]) for each in DENIALS}
_TRIGGERS: Final = {
    each.begins: each.first | each.anywhere | {phrase.partition(" ")[0] for phrase in (*each.begins, *each.within)}
    for each in DENIALS
}
"""The words of which one stands in every denial: most requests have none."""
_WITHIN: Final = {each.begins: tuple([f" {phrase} " for phrase in each.within]) for each in DENIALS}

__all__ = ["casts_denial", "denies"]
