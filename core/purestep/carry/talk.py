"""Talk: what asks for no tool, though it may hold words of one: thanks, musings, statements, questions about tools."""

from itertools import pairwise
from typing import Final

from ..json_text import BLANK
from .clauses import Clause
from .languages import Language
from .orders import Verbs, asks, first_told, opened, said_words
from .sources import name_words


def is_talk(part: Clause, whole: Clause, verbs: Verbs) -> bool:
    """Tell whether a part of a request is talk, which no tool answers."""
    return is_small_talk(part) or is_musing(part) or _is_statement(part, verbs) or _is_about_tools(part, whole, verbs)


def is_small_talk(clause: Clause) -> bool:
    """Tell whether a text holds nothing but greetings and thanks, or no words."""
    language = clause.language
    return all(word.text in language.small_talk or word.text in language.stop_words for word in clause.words)


def is_musing(clause: Clause) -> bool:
    """Tell whether a text asks for an opinion or an explanation, thanks or wishes well, and names no value."""
    language, said = clause.language, _spaced(clause)
    is_courteous = any(said.startswith(f" {start} ") for start in language.courtesies)
    return (is_courteous or _muses(clause, said)) and _is_without_value(clause)


def wants_words(part: Clause) -> bool:
    """Tell whether a part of a request that no tool answers wants an answer of its own ("and tell me a joke")."""
    backward = part.language.backward_words
    is_own = not any(word.text in backward for word in part.words)
    return is_own and _muses(part, _spaced(part)) and _is_without_value(part)


def _muses(clause: Clause, said: str) -> bool:
    """Tell whether a text begins as musings do, or holds a phrase that makes any question one."""
    language = clause.language
    begins = any(said.startswith(f" {start} ") for start in language.musing)
    return begins or any(f" {phrase} " in said for phrase in language.opinion)


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
        and any(_spaced(part).startswith(f" {phrase} ") for phrase in language.ability)
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


def _orders(word: str, language: Language, verbs: Verbs) -> bool:
    return (
        word in language.acting or word in language.reading or word in language.looking or verbs.knows(word, language)
    )


def _is_about_tools(part: Clause, whole: Clause, verbs: Verbs) -> bool:
    """Tell whether a question names a tool itself by the name of its own, of several words ("update_issue")."""
    if not asks(part, whole) or first_told(part) in part.language.looking:
        return False
    return any(len(name_words(name)) > 1 and name in part.text for name in verbs.names)


def _spaced(clause: Clause) -> str:
    return f" {' '.join([word.text for word in clause.words])} "


_LEAST_WORDS: Final = 2

__all__ = ["asks_ability", "holds_value", "is_musing", "is_small_talk", "is_talk", "wants_words"]
