"""Talk: what asks for no tool, though it may hold words of one: thanks, musings, statements, questions about tools."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from ..json_text import BLANK
from .clauses import Clause, once_per_clause
from .languages import LANGUAGES, Language
from .orders import Verbs, asks, first_told, opened, said_words
from .sources import name_words
from .words import word_texts


def is_talk(part: Clause, whole: Clause, verbs: Verbs) -> bool:
    """Tell whether a part of a request is talk, which no tool answers."""
    return (
        is_small_talk(part)
        or is_musing(part)
        or _is_composition(part)
        or _is_statement(part, verbs)
        or _is_about_tools(part, whole, verbs)
    )


def is_small_talk(clause: Clause) -> bool:
    """Tell whether a text holds nothing but greetings and thanks, or no words."""
    language = clause.language
    return all(word.text in language.small_talk or word.text in language.stop_words for word in clause.words)


def is_greeting(text: str) -> bool:
    """Tell whether a text begins with a greeting or thanks and says nothing besides, in any language that is known."""
    said = word_texts(text)
    return bool(said) and said[0] in _GREETINGS and _COURTEOUS.issuperset(said)


@once_per_clause
def is_musing(clause: Clause) -> bool:
    """Tell whether a text asks for an opinion or an explanation, thanks or wishes well, and names no value."""
    is_courteous = _spaced(clause).startswith(_COURTESIES[clause.language.name])
    return (is_courteous or _muses(clause)) and _is_without_value(clause)


def _is_composition(part: Clause) -> bool:
    """Tell whether a text is ordered that a model writes by itself ("write me a poem about autumn"), to go nowhere.

    A place to put it, or a quoted text, would be a value; "as a note" names what takes it.
    """
    language = part.language
    said = said_words(part)
    verb = opened(said, language)
    rest = said[verb + 1 :]
    if not rest or said[verb] not in language.composing or not _is_without_value(part):
        return False
    at = next((index for index, word in enumerate(rest[:_MOST_BEFORE]) if word in language.compositions), -1)
    return at >= 0 and not any(word in language.placing for word in rest[at + 1 :])


_MOST_BEFORE: Final = 6
"""Words before the kind of a text: "me a very short birthday wish"."""


def _asks_in_general(clause: Clause) -> bool:
    """Tell whether a question is of the form "is it hard to learn it?", whose answer is no value."""
    said = tuple([word.text for word in clause.words[:_GENERAL_WORDS]])
    begins, ends, others = clause.language.general
    length = len(begins)
    if not begins or said[:length] != begins:
        return False
    return any(word == ends for word in said[length + 1 :]) and others.isdisjoint(said[length : length + 2])


_GENERAL_WORDS: Final = 6


def wants_no_tool(part: Clause) -> bool:
    """Tell whether a part asks for an opinion, for what can be done, or for a text, whatever stands around it."""
    return is_musing(part) or _is_composition(part) or asks_ability(part)


def wants_words(part: Clause) -> bool:
    """Tell whether a part of a request that no tool answers wants an answer of its own ("and tell me a joke")."""
    backward = part.language.backward_words
    is_own = not any(word.text in backward for word in part.words)
    return is_own and _muses(part) and _is_without_value(part)


@once_per_clause
def _muses(clause: Clause) -> bool:
    """Tell whether a text begins as musings do, or holds a phrase that makes any question one."""
    said, language = _spaced(clause), clause.language.name
    return (
        said.startswith(_MUSING[language])
        or _asks_in_general(clause)
        or any(phrase in said for phrase in _OPINION[language])
    )


def _is_without_value(clause: Clause) -> bool:
    return all(span.kind in ("number", "quote") for span in clause.spans)


def holds_value(clause: Clause) -> bool:
    """Tell whether a text holds a value whose form tells its kind, other than a number: questions have those too."""
    return any(span.kind != "number" for span in clause.spans)


def asks_ability(part: Clause) -> bool:
    """Tell whether a question is about what can be done at all: "can you close issues?" points at no issue."""
    language = part.language
    said = {word.text for word in part.words}
    return (
        part.text.rstrip(BLANK).endswith(("?", "\uff1f"))
        and not part.spans
        and _spaced(part).startswith(_ABILITY[language.name])
        and said.isdisjoint(language.pointing)
    )


def _is_statement(part: Clause, verbs: Verbs) -> bool:
    """Tell whether a part only says how things are: a subject and its verb, no value, no order, nothing asked."""
    language = part.language
    said = said_words(part)
    begin = opened(said, language)
    if begin or part.spans or len(said) < _LEAST_WORDS or not language.wishes.isdisjoint(said):
        return False
    if _spaced(part).endswith(tuple([f" {tag} " for tag in language.tags])):
        return True
    if asks(part, part):
        return False
    if said[1] in language.asking & language.finite:
        return True  # "refunds are": the name of a thing, whatever the verb of its form orders
    if _orders(said[0], language, verbs):
        return False
    if said[0] in language.persons:
        return True
    if said[0] in language.subjects:
        return not language.finite.isdisjoint(said[1:])
    is_second = said[1] in language.finite
    return is_second or any(a in language.pronouns and b in language.finite for a, b in pairwise(said))


def tells(part: Clause) -> bool:
    """Tell whether a part says something of its own, with a subject and a verb: "we're off to Norway", not "no"."""
    language, said = part.language, said_words(part)
    return len(said) > _LEAST_WORDS and (said[0] in language.persons or not language.finite.isdisjoint(said))


def _orders(word: str, language: Language, verbs: Verbs) -> bool:
    return (
        word in language.acting or word in language.reading or word in language.looking or verbs.knows(word, language)
    )


def _is_about_tools(part: Clause, whole: Clause, verbs: Verbs) -> bool:
    """Tell whether a question names a tool itself by the name of its own, of several words ("update_issue")."""
    if not asks(part, whole) or first_told(part) in part.language.looking:
        return False
    return any(name in part.text and len(name_words(name)) > 1 for name in verbs.names)


@once_per_clause
def _spaced(clause: Clause) -> str:
    return f" {' '.join([word.text for word in clause.words])} "


def _phrases(phrases: Iterable[str]) -> tuple[str, ...]:
    return tuple([f" {phrase} " for phrase in phrases])


_MUSING: Final = {language.name: _phrases(language.musing) for language in LANGUAGES}
_COURTESIES: Final = {language.name: _phrases(language.courtesies) for language in LANGUAGES}
_OPINION: Final = {language.name: _phrases(language.opinion) for language in LANGUAGES}
_ABILITY: Final = {language.name: _phrases(language.ability) for language in LANGUAGES}
_LEAST_WORDS: Final = 2
_GREETINGS: Final = frozenset[str]().union(*(each.small_talk - each.stop_words for each in LANGUAGES))
_COURTEOUS: Final = _GREETINGS.union(
    *((each.stop_words | each.times) - (each.asking - each.small_talk) for each in LANGUAGES)
)

__all__ = [
    "asks_ability",
    "holds_value",
    "is_greeting",
    "is_musing",
    "is_small_talk",
    "is_talk",
    "tells",
    "wants_no_tool",
    "wants_words",
]
