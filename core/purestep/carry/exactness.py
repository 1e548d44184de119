"""Exact values: whether a value is what its words say, and no guess at it: no estimate, no share, no part of a name."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from .clauses import Clause
from .languages import words as word_set
from .leads import takes_name
from .nameless import counts_something, follows, harmless_words, is_recipient
from .names import TITLES, WITHIN
from .places import Place
from .reserved import ends_vaguely
from .sources import IDENTIFYING, Parameter
from .spans import number_value
from .words import Word, stem


class CallWords(Struct, frozen=True):
    """What a tool is known by: its parameters, the stems of its name, and those of all words that tell of it."""

    parameters: tuple[Parameter, ...]
    nouns: frozenset[str]
    own: frozenset[str]


def is_exact(parameter: Parameter, place: Place, clause: Clause, tool: CallWords, *, alone: bool) -> bool:
    """Tell whether a value is what its words say, and no guess at it."""
    text = clause.text[place[0] : place[1]]
    if any(span.kind == "quote" and (span.start, span.end) == place for span in clause.spans):
        return True
    match parameter.source:
        case "number":
            return _is_exact_number(parameter, place, clause, tool)
        case "path" if _is_around(place, clause, tool, alone=alone):
            return False  # "the file in /tmp"
        case "code" | "path":
            if _is_count(place, clause, tool):
                return False
            # A word of small letters may be any word: "cancel order nachher". A fraction is an amount.
            is_number = parameter.source == "code" and isinstance(number_value(text), float)
            named = _stands_beside(place, clause, parameter.words if is_number else clause.language.paths)
            return (
                named if is_number else _is_formed(text) or (parameter.source == "path" and named and " " not in text)
            )
        case "phrase" if takes_name(clause, parameter):
            return _is_exact_name(parameter, place, clause)
        case _:
            return True


def _is_around(place: Place, clause: Clause, tool: CallWords, *, alone: bool) -> bool:
    """Tell whether a part of what a path leads to is meant, or something beside it.

    alone: whether it is the only value of the call, so that no other can be what the verb is about.
    """
    language = clause.language
    before = [word.text for word in clause.words if word.end <= place[0]]
    while before and (before[-1] in language.articles or before[-1] in language.paths):
        before = before[:-1]
    if not alone or not before or before[-1] not in language.around:
        return False
    # "The status of /srv/api": the tool's own noun is what the verb is about, unless it is any word for a file.
    about = before[-2] if len(before) > 1 else ""
    return about in language.paths or stem(about, language) not in tool.nouns


def _is_exact_number(parameter: Parameter, place: Place, clause: Clause, tool: CallWords) -> bool:
    """Tell whether a number is meant as it is read: no share, no estimate, and no sign that could part thousands."""
    text, language = clause.text[place[0] : place[1]], clause.language
    after = follows(clause, place[1])
    if clause.text[place[1] : place[1] + 1] == "%" or after in _SHARES:
        return not _SHARES.isdisjoint(parameter.words)
    counted = any(counts_something(clause, span) for span in clause.spans if (span.start, span.end) == place)
    identifies = any(word in IDENTIFYING or stem(word, language) in tool.nouns for word in parameter.words)
    if counted and identifies and _AMOUNTS.isdisjoint(parameter.words):
        return False  # "the invoice of 120 euros"
    if identifies and _is_count(place, clause, tool):
        return False
    is_amount = not _AMOUNTS.isdisjoint(parameter.words)
    if is_amount and (after in language.clock.seconds or text[:1] in "-\u2212"):
        return False  # "in 25 days"
    if re.search(r"\.[0-9]{3}$", text) or ("," in text and language.thousands != ","):
        return False
    return not ends_vaguely([word for word in clause.words if word.end <= place[0]])


def _is_count(place: Place, clause: Clause, tool: CallWords) -> bool:
    """Tell whether a number counts the tool's objects and identifies none: "pay 12 invoices"."""
    after = follows(clause, place[1])
    is_number = any(span.kind == "number" and (span.start, span.end) == place for span in clause.spans)
    return is_number and bool(after) and stem(after, clause.language) in tool.own


_AMOUNTS: Final = word_set(
    """
    amount sum total price value cost costs fee budget limit balance deposit salary rate tip fine payment refund betrag
    summe preis
    """
)
"""Words of arguments that are amounts, though the tool be named after them."""
_SHARES: Final = word_set("pct percent percentage prozent per")


def _is_formed(text: str) -> bool:
    """Tell whether a text is written as no common word is: with a capital, a digit or a sign in it."""
    return " " not in text and any(not "a" <= character <= "z" for character in text if character < _NOT_ASCII)


_NOT_ASCII: Final = "\u0080"


def _stands_beside(place: Place, clause: Clause, names: Sequence[str]) -> bool:
    """Tell whether a value stands right beside one of some words: "the folder photos"."""
    language = clause.language
    nouns = {stem(word, language) for word in names}
    before = [word.text for word in clause.words if word.end <= place[0]][-1:]
    return any(stem(word, language) in nouns for word in (*before, follows(clause, place[1])))


def _is_exact_name(parameter: Parameter, place: Place, clause: Clause) -> bool:
    """Tell whether words name somebody or something, with no other word among them."""
    text, language = clause.text, clause.language
    words = [word for word in clause.words if place[0] <= word.start and word.end <= place[1]]
    if all(number_value(word.text) is not None for word in words):
        return _stands_beside(place, clause, parameter.words)
    # Words with a capital, digits and what stands between such words in a name are no common words.
    common = [
        word for word in words
        if text[word.start] == word.text[0] and number_value(word.text) is None
        and word.text not in WITHIN | language.articles
    ]  # fmt: skip
    if common and len(common) < len(words) and any(text[word.start] != word.text[0] for word in words):
        return False  # "Anna nachher"
    if common and not _is_whole_name(parameter, place, clause, common):
        return False
    return not is_recipient(parameter) or _names_person(place, clause, words, common)


def _is_whole_name(parameter: Parameter, place: Place, clause: Clause, common: Sequence[Word]) -> bool:
    """Tell whether small words are all of a name: not "kitchen down", nor the "living" of "the living room"."""
    own = {stem(word, clause.language) for word in parameter.words}
    harmless = harmless_words(clause.language)
    is_mixed = " " in clause.text[place[0] : place[1]] and any(word.text in harmless for word in common)
    return not is_mixed and stem(follows(clause, place[1]), clause.language) not in own


def _names_person(place: Place, clause: Clause, words: Sequence[Word], common: Sequence[Word]) -> bool:
    """Tell whether somebody is named, and not described: "the plumber"."""
    language = clause.language
    before = [word.text for word in clause.words if word.end <= place[0]][-1:]
    pointing = language.articles | language.pointing
    is_described = any(word in pointing for word in (*before, *(word.text for word in words[:1])))
    if all(word.text in TITLES or word.end - word.start == 1 for word in words):
        return False  # "Mr"
    return len(common) < _MANY and not (is_described and (common or not language.capitals))


_MANY: Final = 2
"""Small words that are hardly the name of a person."""

__all__ = ["CallWords", "is_exact"]
