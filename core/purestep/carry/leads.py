"""Where a phrase begins and ends in a request: the words that lead to a value, and those at which it stops."""

from itertools import pairwise
from typing import Final

from ..json_text import BLANK
from .clauses import Clause, is_contracted, once_per_clause, stems_in, trimmed
from .languages import Language
from .languages import words as word_set
from .names import TITLES, is_token
from .orders import known_verbs
from .sources import Parameter
from .words import Word, fold, stem


def after_colon(clause: Clause) -> str:
    """Give what follows the first colon."""
    head, colon, rest = clause.text.partition(": ")
    return trimmed(rest) if colon and "://" not in head else ""


def after_lead(clause: Clause) -> str:
    """Give what follows the first word that leads to a value ("that", "called")."""
    words, language = clause.words, clause.language
    for index in range(1, len(words) - 1):
        if words[index].text in language.leads and words[index + 1].text not in language.places:
            if words[index].text in language.single_leads:
                return clause.text[words[index + 1].start : words[index + 1].end]
            if not is_contracted(clause, index):
                return _after_leads(clause, index)
    return ""


def beside_name(clause: Clause, parameter: Parameter, known: frozenset[str]) -> str:
    """Give the words after the parameter's name ("folder photos"), or the one before it ("the photos folder")."""
    own, language = _head(clause, parameter), clause.language
    told, stems = _told_from(clause), stems_in(clause)
    for index, word in enumerate(clause.words):
        if stems[index] not in own or not index or word.start >= told or _in_quote(clause, word):
            continue
        after = clause.words[index + 1 : index + 2]
        if word.text in language.places and _orders(after, language, known):
            continue  # "I'd like to send ..."
        letter = bool(after) and parameter.schema.get("maxLength") == len(after[0].text)
        if after and (letter or after[0].text not in language.places | language.stop_words):
            if letter:
                return clause.text[after[0].start : after[0].end]
            if takes_all(clause, parameter):
                if after[0].text in language.leads:
                    return _after_leads(clause, index + 1)
                return trimmed(clause.text[after[0].start :])
            heading = bool(_HEADINGS.intersection(parameter.words))
            phrase = until_place(clause, known, after[0].start, name=takes_name(clause, parameter), heading=heading)
            if stem(fold(phrase), language) not in known:
                return phrase  # "the living room light" has its name before
        before = clause.words[index - 1]
        leads = language.stop_words | language.opening | language.places
        # What stands before "to" is no receiver: "50 euros to the plumber".
        is_noun = index > 1 and word.text not in language.places
        if is_noun and before.text not in leads and stem(before.text, language) not in known:
            return trimmed(clause.text[before.start : before.end])
    return ""


def folder_named(clause: Clause, known: frozenset[str]) -> str:
    """Give the name beside a word for a folder ("folder photos", "the photos folder"), or after one for a file."""
    language = clause.language
    nouns, stems = [stem(word, language) for word in language.paths], stems_in(clause)
    for index, word in enumerate(clause.words):
        if stems[index] not in nouns or _in_quote(clause, word):
            continue
        is_file = stems[index] == nouns[-1]
        after, before = clause.words[index + 1 : index + 2], clause.words[max(index - 1, 0)]
        if after and after[0].text not in language.places | language.stop_words:
            name = until_place(clause, known, after[0].start, name=True)
            if not is_file or is_token(name) or fold(name) != name:
                return name  # "files matching *.py" names none
        leads = language.stop_words | language.opening | language.places
        if index and not is_file and before.text not in leads and stem(before.text, language) not in known:
            return trimmed(clause.text[before.start : before.end])
    return ""


_GENERIC: Final = ("name", "id", "path", "number", "code", "value", "key", "string", "slug", "ts", "uid", "uuid")


def _head(clause: Clause, parameter: Parameter) -> frozenset[str]:
    """Give the stems of the word that says what a parameter is, the `table` of `table_name`, and of its short form."""
    telling = [word for word in parameter.words if word not in _GENERIC] or list(parameter.words)
    short = clause.language.short
    return frozenset([stem(word, clause.language) for each in telling[-1:] for word in (each, short.get(each, each))])


def after_slot(clause: Clause, parameter: Parameter, known: frozenset[str]) -> str:
    """Give what follows a word that leads to this very parameter, up to the next such word."""
    told, named = _told_from(clause), takes_name(clause, parameter)
    for index in _slots(clause, leads_to(clause, parameter), in_order=named):
        word = clause.words[index]
        if _orders(clause.words[index + 1 : index + 2], clause.language, known):
            continue
        if word.start < told or word.text in clause.language.telling:
            if takes_all(clause, parameter) and word.text in clause.language.leads:
                return _after_leads(clause, index)
            phrase = until_place(clause, known, clause.words[index + 1].start, name=named)
            if phrase and fold(phrase) not in clause.language.backward_words:
                return phrase
    return ""


def _orders(after: tuple[Word, ...], language: Language, known: frozenset[str]) -> bool:
    """Tell whether the tool's verb comes next, so that the word before it leads to no value."""
    return any(word.text in language.acting and stem(word.text, language) in known for word in after)


def _slots(clause: Clause, leads: tuple[str, ...], *, in_order: bool) -> list[int]:
    """Give where words stand that lead to a value: the likeliest word first, or the one said first."""
    places = [index for index, word in enumerate(clause.words[:-1]) if word.text in leads]
    return sorted(places, key=lambda index: leads.index(clause.words[index].text)) if in_order else places


def leads_to(clause: Clause, parameter: Parameter) -> tuple[str, ...]:
    """Give the words before this very parameter's value ("to" before a recipient)."""
    slots, found = clause.language.slots, list[str]()
    words = [word for word in parameter.words if word in _DIRECTIONS] or parameter.words
    for word in (*reversed(words), *(word[:-1] for word in words if word.endswith("s"))):
        found += slots.get(word, ())
    return tuple(dict.fromkeys(found))


_DIRECTIONS: Final = frozenset({"from", "to", "source", "target", "base", "origin", "destination"})
"""Words that tell more of where a value stands than those beside them: the `from` of `from_currency`."""


def takes_all(clause: Clause, parameter: Parameter) -> bool:
    """Tell whether a parameter is a text that takes all that is said, such as a message."""
    return not clause.language.content.isdisjoint(parameter.words)


def takes_name(clause: Clause, parameter: Parameter) -> bool:
    """Tell whether a text argument names something, and is no prose or words to search for."""
    return not takes_all(clause, parameter) and not _PROSE.intersection(parameter.words)


_PROSE: Final = word_set(
    """
    query q search keyword keywords term terms topic prompt question text string pattern filter title subject heading
    summary phrase word words instruction instructions reason item items value input sentence
    """
)
"""Names of texts that are more than a name."""

_HEADINGS: Final = frozenset({"subject", "title", "heading", "headline"})


@once_per_clause
def _told_from(clause: Clause) -> int:
    """Give where something begins that is told ("that ..."): no word of it leads to another argument."""
    for index, word in enumerate(clause.words):
        if index and word.text in clause.language.telling and not is_contracted(clause, index):
            return word.start
    return len(clause.text)


def _after_leads(clause: Clause, index: int) -> str:
    """Give what follows a word that leads to a value, and others like it behind it ("saying the words ...")."""
    words, leads = clause.words, clause.language.leads
    while index + 2 < len(words) and words[index + 1].text in leads:
        index += 1
    return trimmed(clause.text[words[index].end :])


def until_place(clause: Clause, known: frozenset[str], start: int, *, name: bool = False, heading: bool = False) -> str:
    """Give the text from a place to the next word of place, to a comma, to a value of a kind, or to the end.

    name: whether it is a name, which also ends before words that say something of it ("is"). heading: whether it is a
    title, which goes on over words of place.
    """
    words = [word for word in clause.words if word.start >= start]
    language = clause.language
    while words and _only_leads(clause, words, known):
        words = words[1:]
    if not words or words[0].text in language.places or (name and words[0].text in language.stops):
        return ""
    end = len(clause.text)
    for before, word in pairwise(words):
        gap = clause.text[before.end : word.start]
        ends = any(mark in gap for mark in ("!", "?", ". ")) and before.text not in TITLES
        apart = ends or any(mark in gap for mark in ',;:\u201c"') or (gap in ("'", "\u2019") and word.text == "s")
        if (
            name
            and word is not words[0]
            and (
                word.text in language.stops
                or word.text in language.times
                or _goes_on(words, word, language, known)
                or (gap and not gap.strip(BLANK) and is_token(clause.text[words[0].start : before.end]))
            )
        ):
            end = before.end
            break
        places = language.telling if heading else language.places | language.leads
        if apart or (not gap.strip(BLANK) and word.text in places):
            end = before.end
            break
    for span in clause.spans:
        if span.kind in TYPED and words[0].start < span.start < end:
            end = span.start
    return _without_closing(trimmed(clause.text[words[0].start : end]), language)


def _goes_on(words: list[Word], word: Word, language: Language, known: frozenset[str]) -> bool:
    """Tell whether a word joins a further order ("and put ...")."""
    at = words.index(word) + 1
    if word.text not in language.joints or at >= len(words):
        return False
    while at + 1 < len(words) and words[at].text in language.clause_words:
        at += 1
    return words[at].text in known_verbs(language) | language.frequent_verbs or stem(words[at].text, language) in known


TYPED: Final = ("url", "email", "date", "datetime", "time", "glob")


def _only_leads(clause: Clause, words: list[Word], known: frozenset[str]) -> bool:
    """Tell whether the first of some words is no part of a value: an article, or the tool's own word before others."""
    first, language = words[0], clause.language
    if len(words) > 1 and clause.text[first.end : words[1].start].strip(BLANK):
        return False
    if language.capitals and first.start and clause.text[first.start] != first.text[0]:
        return False  # "New York"
    leads = first.text in language.opening or first.text in language.naming
    return leads or (len(words) > 1 and stem(first.text, language) in known)


def _in_quote(clause: Clause, word: Word) -> bool:
    return any(span.kind == "quote" and span.start <= word.start < span.end for span in clause.spans)


def _without_closing(phrase: str, language: Language) -> str:
    """Give a phrase without the words at its end that say when, or please."""
    head, space, last = phrase.rpartition(" ")
    while space and (fold(last) in language.closing or fold(last) in language.joints):
        phrase = trimmed(head)
        head, space, last = phrase.rpartition(" ")
    return phrase


def after_place(clause: Clause, known: frozenset[str]) -> tuple[str, ...]:
    """Give what follows each word of place, the last one first."""
    return tuple(
        until_place(clause, known, after.start)
        for word, after in reversed(list(zip(clause.words[1:], clause.words[2:], strict=False)))
        if word.text in clause.language.places
    )


def remainder(clause: Clause, known: frozenset[str]) -> str:
    """Give the request without the words at its beginning that only ask for the tool."""
    language = clause.language
    for word in clause.words:
        says_nothing = (
            word.text in language.stop_words
            or word.text in language.opening
            or any(span.kind in TYPED and span.start <= word.start < span.end for span in clause.spans)
        )
        is_name = language.capitals and word.start > 0 and clause.text[word.start] != word.text[0]
        if is_name or not (says_nothing or stem(word.text, language) in known):
            return _without_closing(trimmed(clause.text[word.start :]), language)
    return ""
