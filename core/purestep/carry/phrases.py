"""Phrases of a request that a text argument may be: quoted, after a word that leads to a value, or what is left of it."""

from typing import Final

from .languages import Language
from .sources import Parameter
from .spans import Span
from .words import Word, stem

_EDGES: Final = " \t\n.,;:!?\"'`()[]\u201c\u201d\u201e\u00ab\u00bb\u2026\u2013\u2014-"


class Clause:
    """A part of the user's words: its text, its words and values with their places in it, and its language."""

    __slots__ = ("language", "spans", "text", "words")

    def __init__(self, text: str, words: tuple[Word, ...], spans: tuple[Span, ...], language: Language) -> None:
        self.text = text
        self.words = words
        self.spans = spans
        self.language = language


def trimmed(text: str) -> str:
    """Give a phrase without the punctuation around it."""
    return text.strip(_EDGES)


def phrases_of(clause: Clause, parameter: Parameter, known: frozenset[str]) -> tuple[tuple[str, ...], bool]:
    """Give the phrases that may be a text argument, the likeliest first, and whether they are sure.

    known: stems of the tool's own words, which are no part of a value at its beginning.
    """
    slotted = _after_slot(clause, parameter)
    quotes = tuple(dict.fromkeys(str(span.value) for span in clause.spans if span.kind == "quote"))
    if quotes:
        return _preferred(quotes, slotted), True
    if slotted:
        return (slotted,), True
    led = _after_colon(clause) or _after_lead(clause)
    if led:
        return (led,), True
    placed = _after_place(clause)
    rest = _remainder(clause, known)
    found = (*placed, *_names(clause), rest)
    return tuple(dict.fromkeys(phrase for phrase in found if phrase)), False


def _preferred(quotes: tuple[str, ...], slotted: str) -> tuple[str, ...]:
    exact = tuple(quote for quote in quotes if quote == slotted or slotted.startswith(quote))
    return exact or quotes


def _after_colon(clause: Clause) -> str:
    head, colon, rest = clause.text.partition(": ")
    return trimmed(rest) if colon and "://" not in head else ""


def _after_lead(clause: Clause) -> str:
    """Give what follows the first word that leads to a value ("that", "called"), if the request does not begin by it."""
    for index, word in enumerate(clause.words[:-1]):
        if index and word.text in clause.language.leads:
            last = word
            for follower in clause.words[index + 1 : -1]:
                if follower.text not in clause.language.leads:
                    break
                last = follower
            return trimmed(clause.text[last.end :])
    return ""


def _after_slot(clause: Clause, parameter: Parameter) -> str:
    """Give what follows a word that leads to this very parameter ("to" before a recipient), up to the next such word."""
    slots = clause.language.slots
    leads = [lead for word in (*reversed(parameter.words), *_of_name(parameter)) for lead in slots.get(word, ())]
    for lead in dict.fromkeys(leads):
        for index, word in enumerate(clause.words[:-1]):
            if word.text == lead and index:
                phrase = _until_place(clause, index + 1)
                if phrase:
                    return phrase
    return ""


def _of_name(parameter: Parameter) -> tuple[str, ...]:
    return tuple(word[:-1] for word in parameter.words if word.endswith("s"))


def _until_place(clause: Clause, begin: int) -> str:
    """Give the text from a word to the next word of place, to a comma, or to the end."""
    words, language = clause.words, clause.language
    end = len(clause.text)
    for index in range(begin + 1, len(words)):
        gap = clause.text[words[index - 1].end : words[index].start]
        if words[index].text in language.places or words[index].text in language.leads or "," in gap or ";" in gap:
            end = words[index - 1].end
            break
    return _without_article(trimmed(clause.text[words[begin].start : end]), language)


def _without_article(phrase: str, language: Language) -> str:
    head, space, rest = phrase.partition(" ")
    return rest if space and head.lower() in language.opening else phrase


def _after_place(clause: Clause) -> tuple[str, ...]:
    """Give what follows each word of place, the last one first."""
    places = [
        index + 1 for index, word in enumerate(clause.words[:-1]) if word.text in clause.language.places and index
    ]
    found = []
    for begin in reversed(places):
        found += [
            _until_place(clause, begin),
            _without_article(trimmed(clause.text[clause.words[begin].start :]), clause.language),
        ]
    return tuple(found)


def _names(clause: Clause) -> tuple[str, ...]:
    """Give runs of words with a capital, but for the request's first word."""
    found, begin, end = [], -1, -1
    for index, word in enumerate(clause.words):
        capital = clause.text[word.start] != word.text[0]
        if capital and index:
            begin = word.start if begin < 0 or clause.text[end : word.start].strip() else begin
            end = word.end
            continue
        if begin >= 0:
            found.append(trimmed(clause.text[begin:end]))
        begin = -1
    if begin >= 0:
        found.append(trimmed(clause.text[begin:end]))
    return tuple(found)


def _remainder(clause: Clause, known: frozenset[str]) -> str:
    """Give the request without the words at its beginning that only ask for the tool."""
    language = clause.language
    asking = frozenset(word for group in language.kin for word in group)
    for word in clause.words:
        says_nothing = word.text in language.stop_words or word.text in language.opening
        if not (says_nothing or word.text in asking or stem(word.text, language) in known):
            return trimmed(clause.text[word.start :])
    return ""
