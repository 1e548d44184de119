"""Words that name nothing: pronouns, quantities, times, units and the tool's own nouns are no argument of an effect."""

from functools import cache
from typing import Any, Final

from .clauses import Clause
from .languages import LANGUAGES, Language
from .languages import words as word_set
from .leads import takes_all, takes_name
from .names import is_token
from .sources import Parameter
from .spans import Span
from .words import Word, stem, words_of


def names_nothing(value: Any, parameter: Parameter, clause: Clause, nouns: frozenset[str]) -> bool:
    """Tell whether a text that a tool which acts would take as an argument names nothing.

    nouns: the stems of the tool's name. "Delete that file" leads to no path, and "cancel the order of 25 euros" to no
    order; what is quoted is meant as it stands.
    """
    if not isinstance(value, str) or parameter.source not in ("phrase", "path", "code") or _is_quoted(value, clause):
        return False
    said, language = words_of(value), clause.language
    start = clause.text.find(value)
    if not said or start < 0:
        return False  # a result gives it
    if parameter.source == "phrase" and not takes_name(clause, parameter):
        return not _is_led(start, parameter, clause) and all(
            word.text in _never(language.name)
            or word.text in language.articles | language.closing
            or stem(word.text, language) in nouns
            for word in said
        )
    if parameter.source == "code" and _counts(value, clause):
        return True
    if parameter.source == "phrase" and is_recipient(parameter) and all(_is_figure(word.text) for word in said):
        return True
    if is_token(value):
        return False
    common, never = _common(language.name), _never(language.name)
    return all(
        word.text in never
        or (word.text in common and not _is_capital(clause, start + word.start, word))
        or _is_own(word.text, parameter, language, nouns)
        for word in said
    )


def is_recipient(parameter: Parameter) -> bool:
    """Tell whether an argument names who gets something."""
    return not RECIPIENTS.isdisjoint(parameter.words)


RECIPIENTS: Final = word_set(
    "to recipient recipients receiver addressee attendee attendees cc bcc payee beneficiary creditor"
)
"""Words of arguments that say who gets something."""


def follows(clause: Clause, end: int) -> str:
    """Give the word that stands right after a place, with nothing but a blank between them."""
    after = next((word for word in clause.words if word.start >= end), None)
    return after.text if after is not None and not clause.text[end : after.start].strip(" ") else ""


def counts_something(clause: Clause, span: Span) -> bool:
    """Tell whether a number has a unit or a sign of money beside it."""
    language = clause.language
    signs = clause.text[max(span.start - 1, 0) : span.start] + clause.text[span.end : span.end + 1]
    return any(sign in signs for sign in _SIGNS) or follows(clause, span.end) in _units(language.name)


def unit_words(language: Language) -> frozenset[str]:
    """Give the words beside a number that say what it counts."""
    return _units(language.name)


def _is_led(start: int, parameter: Parameter, clause: Clause) -> bool:
    """Tell whether a colon or a word leads to a text, or the name of an argument that is not all that is said."""
    language = clause.language
    before = [word.text for word in clause.words if word.end <= start][-1:]
    leads = {*language.telling, *language.naming}
    if not takes_all(clause, parameter):
        leads |= {*parameter.words}
    return clause.text[:start].endswith(": ") or not leads.isdisjoint(before)


def _is_quoted(value: str, clause: Clause) -> bool:
    return any(span.kind == "quote" and span.value == value for span in clause.spans)


def _counts(value: str, clause: Clause) -> bool:
    """Tell whether an identifier would be an amount: "25 euros"."""
    numbers = [span for span in clause.spans if span.kind == "number" and value in clause.text[span.start : span.end]]
    return bool(numbers) and all(counts_something(clause, span) for span in numbers)


def _is_figure(text: str) -> bool:
    return text.isascii() and text.isdigit()  # ascii: figures alone


def _is_capital(clause: Clause, at: int, word: Word) -> bool:
    """Tell whether a word has a capital of its own, as a name has: "to Will", and not "to HIM"."""
    text = clause.text[at : at + word.end - word.start]
    return clause.language.capitals and at > 0 and text[:1] != word.text[:1] and text[1:] == word.text[1:]


def _is_own(text: str, parameter: Parameter, language: Language, nouns: frozenset[str]) -> bool:
    """Tell whether a word is a noun of the tool's name, or one of its kind where an argument identifies something."""
    own = stem(text, language)
    if own in nouns:
        return True
    if parameter.source == "phrase":
        return False
    return text in language.paths or not nouns.isdisjoint(_kin(language.name).get(own, frozenset()))


@cache
def _never(name: str) -> frozenset[str]:
    """Give the words of a language that are no name, whatever letters they begin with."""
    language = _NAMED[name]
    return language.referring | language.quantities | language.times | unit_words(language) | language.backward_words


@cache
def _common(name: str) -> frozenset[str]:
    """Give the words of a language that are no name unless they are written as one."""
    language = _NAMED[name]
    return (
        language.stop_words | language.opening | language.closing | language.small_talk | language.pronouns
        | language.pointing | language.fillers
    )  # fmt: skip


def harmless_words(language: Language) -> frozenset[str]:
    """Give the words of a language that add nothing to an order, wherever they stand."""
    return _harmless(language.name)


@cache
def _harmless(name: str) -> frozenset[str]:
    language = _NAMED[name]
    said = language.stop_words.union(
        language.opening, language.closing, language.polite, language.telling, language.places, language.articles,
        language.naming, language.fillers,
    )  # fmt: skip
    # Who greets within an order may say what is to be written: "write hello to a.txt".
    greetings = language.small_talk - language.stop_words - language.closing
    return said - language.quantities - language.doubt - (language.asking - language.finite) - greetings


def backward_words(language: Language) -> frozenset[str]:
    """Give the words of a language that refer to what was said or given before."""
    return _backward(language.name)


@cache
def _backward(name: str) -> frozenset[str]:
    language = _NAMED[name]
    phrases = {word for phrase in language.backward_phrases for word in phrase.split(" ")}
    return language.backward_words.union(language.referring - language.quantities, phrases)


@cache
def _units(name: str) -> frozenset[str]:
    language = _NAMED[name]
    return language.units.union(language.money, language.measures, language.clock.seconds, _CODES)


@cache
def _kin(name: str) -> dict[str, frozenset[str]]:
    """Give for each stem those of its kind."""
    language, found = _NAMED[name], dict[str, frozenset[str]]()
    for group in language.kin:
        stems = frozenset([stem(word, language) for word in group])
        for each in stems:  # order: each is added to what the others gave
            found[each] = found.get(each, frozenset()) | stems
    return found


_NAMED: Final = {language.name: language for language in LANGUAGES}
_CODES: Final = frozenset({code.lower() for language in LANGUAGES for code in language.money.values()})  # ascii: codes
_SIGNS: Final = "%$\u20ac\u00a3\u00a5"

__all__ = [
    "RECIPIENTS", "backward_words", "counts_something", "follows", "harmless_words", "is_recipient", "names_nothing",
    "unit_words",
]  # fmt: skip
