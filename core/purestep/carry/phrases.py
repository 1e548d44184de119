"""Phrases of a request that a text argument may be.

A phrase is quoted, follows a word that leads to it, stands beside the parameter's own name, or is what is left of the
request without the words that only ask for the tool.
"""

from typing import Final

from msgspec import Struct

from .clauses import Clause, trimmed
from .leads import (
    TYPED,
    after_colon,
    after_lead,
    after_place,
    after_slot,
    beside_name,
    leads_to,
    remainder,
    takes_all,
    takes_name,
    until_place,
)
from .names import is_token, letters_in, names_in, tokens_in, without_own
from .sources import Parameter, fits
from .words import fold, stem, words_of


class Phrases(Struct, frozen=True):
    """What a text argument may be, the likeliest first, and whether the words lead to it for sure.

    `placed`: it is quoted, or stands beside a word that leads to this very parameter.
    """

    found: tuple[str, ...] = ()
    sure: bool = False
    placed: bool = False


def phrases_of(clause: Clause, parameter: Parameter, known: frozenset[str], used: tuple[str, ...] = ()) -> Phrases:
    """Give the phrases that may be a text argument.

    known: stems of the tool's own words, which begin no value. used: values of other arguments.
    """
    if parameter.schema.get("maxLength") == 1 and (letters := _fresh(clause, letters_in(clause), used)):
        return Phrases(letters, sure=len(letters) == 1, placed=True)
    placed = (
        _quoted(clause, parameter, used, led=True)
        or _fresh(clause, _placed(clause, parameter, known, used), used, typed=True)[:1]
        or _quoted(clause, parameter, used, led=False)
    )
    if placed:
        return Phrases(placed, sure=True, placed=True)
    named = takes_name(clause, parameter)
    led = _fresh(clause, (after_colon(clause), after_lead(clause)), used)[:1]
    if led and (parameter.alone or takes_all(clause, parameter) or (used and not named)):
        if named:
            led = (until_place(clause, frozenset(), clause.text.find(led[0]), name=True),)
        return Phrases(tuple([each for each in led if each]), sure=True)
    if takes_all(clause, parameter):
        rest = remainder(clause, known)
        return Phrases(_fresh(clause, (_before_others(clause, rest, used),), used), sure=bool(rest))
    names = names_left(clause, known, used) if named and clause.language.capitals else ()
    names = tuple([_without_own_words(name, clause, parameter) for name in names])
    return Phrases(names or _left_over(clause, known, used, named=named))


def _without_own_words(name: str, clause: Clause, parameter: Parameter) -> str:
    """Give a name without the parameter's own word before it: "Reader Hannah Vogt"."""
    head, _, tail = name.partition(" ")
    return tail if tail and stem(fold(head), clause.language) in _own(clause, parameter) else name


def names_left(clause: Clause, known: frozenset[str], used: tuple[str, ...]) -> tuple[str, ...]:
    """Give the names and identifiers that no other argument has."""
    found = _fresh(clause, (*without_own(names_in(clause), clause, known), *tokens_in(clause)), used)
    return tuple([name for name in found if not _is_part_of_another(name, used, clause)])


def _left_over(clause: Clause, known: frozenset[str], used: tuple[str, ...], *, named: bool) -> tuple[str, ...]:
    """Give what is left of a request, or stands after its words of place; named: where a name is wanted."""
    rest = remainder(clause, known)
    object_ = until_place(clause, known, clause.text.find(rest), name=named) if rest else ""
    names = without_own(names_in(clause), clause, known)
    found = _fresh(clause, (object_, *names, *after_place(clause, known), rest), used)
    if named:
        found = tuple(dict.fromkeys([_without_choice(each, used) for each in found]))
    units = clause.language.units if named else frozenset()
    return tuple([
        phrase for phrase in found
        if not _is_part_of_another(phrase, used, clause) and fold(phrase) not in units
        and not (named and clause.language.capitals and fold(phrase) == phrase and phrase.count(" ") >= _MAX_NAME_WORDS)
    ])  # fmt: skip


def _without_choice(name: str, used: tuple[str, ...]) -> str:
    """Give a name without another argument's word at its end: "checkout deployment" where that is the kind."""
    head, _, last = name.rpartition(" ")
    return head if head and last in used else name


_MAX_NAME_WORDS: Final = 4
"""More words in small letters name nothing: "difference between a pod and a node"."""


def _is_part_of_another(phrase: str, used: tuple[str, ...], clause: Clause) -> bool:
    """Tell whether a phrase is a piece of another argument's text, runs over it, or only leads to a value."""
    return (
        any(phrase in value or (" " in value and value in phrase) for value in used)
        or fold(phrase) in clause.language.leads
        or fold(phrase) in clause.language.backward_words
    )


def _placed(clause: Clause, parameter: Parameter, known: frozenset[str], used: tuple[str, ...]) -> tuple[str, ...]:
    """Give the phrases that the parameter's own name, or a word that leads to it, stands beside."""
    led = after_slot(clause, parameter, known)
    if led and takes_name(clause, parameter) and not _is_named(led) and names_in(clause) and clause.language.capitals:
        led = ""  # where names are said, "because of a fever" names nobody
    if parameter.source == "path" and led.isascii() and led.isdigit():  # ascii: figures alone
        led = ""  # "see you at 5" names no file
    found = (beside_name(clause, parameter, known), led)
    return tuple(
        [_before_others(clause, phrase, used) for phrase in found if phrase and not _says_nothing(clause, phrase)]
    )


def _says_nothing(clause: Clause, phrase: str) -> bool:
    """Tell whether a phrase only looks back, or is thanks at the end."""
    language = clause.language
    common = language.backward_words | language.small_talk | language.closing
    return all(word.text in common for word in words_of(phrase))


def _is_named(phrase: str) -> bool:
    return is_token(phrase) or fold(phrase) != phrase


def _fresh(clause: Clause, phrases: tuple[str, ...], used: tuple[str, ...], *, typed: bool = False) -> tuple[str, ...]:
    """Give the phrases that are something, stand outside of quotes, and are no other argument's.

    typed: whether a value of another kind, a date for instance, may be one.
    """
    values = (
        () if typed else {trimmed(clause.text[span.start : span.end]) for span in clause.spans if span.kind in TYPED}
    )
    outside = _outside_quotes(clause)
    own = [_without_used(phrase, used) for phrase in phrases]
    return tuple(
        dict.fromkeys(each for each in own if each and each not in values and each not in used and each in outside)
    )


def _outside_quotes(clause: Clause) -> str:
    """Give the text with what is quoted blanked out."""
    text = clause.text
    for span in clause.spans:
        if span.kind == "quote":
            text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def _without_used(phrase: str, used: tuple[str, ...]) -> str:
    """Give a phrase without another argument's value at its beginning: the "80" of "80 EUR"."""
    for value in used:
        if phrase.startswith(f"{value} "):
            return trimmed(phrase[len(value) :])
    return phrase


def _before_others(clause: Clause, phrase: str, used: tuple[str, ...]) -> str:
    """Give a phrase up to the word of place that leads to another argument's value ("into the file a.txt")."""
    start = clause.text.find(phrase)
    for value in used:
        at = phrase.find(value)
        if at > 0:
            before = [word for word in clause.words if start < word.start and word.end <= start + at]
            places = [word for word in before[-_REACH:] if word.text in clause.language.places]
            if places:
                return trimmed(clause.text[start : places[0].start])
    return phrase


_REACH: Final = 4
"""Words between a word of place and the value that it leads to: "into the file"."""


def _quoted(clause: Clause, parameter: Parameter, used: tuple[str, ...], *, led: bool) -> tuple[str, ...]:
    """Give the quoted phrase that a word leads to or, with `led` false, the first that no other argument has."""
    quotes = [span for span in clause.spans if span.kind == "quote" and span.value not in used]
    if not quotes:
        return ()
    leads = leads_to(clause, parameter)
    for span in quotes:
        before = [word.text for word in clause.words if word.end <= span.start][-1:]
        if before and (before[0] in leads or stem(before[0], clause.language) in _own(clause, parameter)):
            return (str(span.value),)
    if led or (len(quotes) == 1 and parameter.beside_content and takes_name(clause, parameter)):
        return ()
    fitting = [str(span.value) for span in quotes if fits(parameter.schema, span.value)]
    return tuple(fitting[:1])


def _own(clause: Clause, parameter: Parameter) -> frozenset[str]:
    return frozenset([stem(word, clause.language) for word in parameter.words])
