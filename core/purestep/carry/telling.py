"""What the words of a request tell of tools: their stems, each with its share of a word's weight."""

from typing import Final

from ..bounds import MAX_ROUTED_WORDS
from .arithmetic import operations_in
from .clauses import Clause, inner_from, once_per_clause
from .currencies import names_conversion, names_currency
from .languages import LANGUAGES
from .names import letters_in
from .words import stem

FIRST_SHARE: Final = 160
"""Per cent of its weight that the request's first telling word has: an order begins with its verb."""
INNER_SHARE: Final = 20
"""Per cent of their weight that words have that stand within a value: after a colon, after "that"."""


@once_per_clause
def telling_stems(clause: Clause) -> tuple[tuple[str, int], ...]:
    """Give the distinct stems of a request with the share of its weight that each has."""
    language, shares = clause.language, dict[str, int]()
    inner = inner_from(clause)
    # "Where do I get ...": in a question the verb that asks for most tools tells of none.
    is_question = bool(clause.words) and clause.words[0].text in language.asking
    first = True
    for at, word in enumerate(clause.words[:MAX_ROUTED_WORDS]):
        if word.text in language.stop_words or (is_question and word.text in language.reading):
            continue
        if word.text in _LOOKING[language.name] and _is_done_by_others(clause, at):
            continue
        if any(
            span.kind in ("quote", "url", "email", "path") and span.start <= word.start < span.end
            for span in clause.spans
        ):
            continue
        share = INNER_SHARE if word.start >= inner else 100
        if first and word.text not in language.opening:
            share, first = FIRST_SHARE, False
        key = stem(word.text, language)
        shares[key] = max(shares.get(key, 0), share)
    for sign, meaning in _SIGNS.items():
        if sign in clause.text:
            shares.setdefault(stem(meaning, language), 100)
    if names_currency(clause):
        shares.setdefault(stem("currency", language), 100)
    elif converted := names_conversion(clause):
        shares.setdefault(stem(converted, language), 100)
        shares.setdefault(stem("convert", language), 100)
    if letters_in(clause):
        shares.setdefault(stem(language.letter, language), 100)
    return tuple(shares.items())


def _is_done_by_others(clause: Clause, at: int) -> bool:
    """Tell whether a verb is what somebody does, not what is ordered: "they open", but not "can we open"."""
    said, language = [word.text for word in clause.words[max(0, at - 2) : at]], clause.language
    return bool(said) and said[-1] in language.persons and said[0] not in language.polite


@once_per_clause
def operation_stems(clause: Clause) -> tuple[str, ...]:
    """Give the stems of operations that phrases and signs between numbers stand for: "in total" and "+" of adding.

    They tell of tools that take numbers only: a note is added otherwise.
    """
    language = clause.language
    if sum([span.kind == "number" for span in clause.spans]) < _OPERANDS:
        return ()
    said = f" {' '.join([word.text for word in clause.words[:MAX_ROUTED_WORDS]])} "
    meant = [meaning for phrase, meaning in language.told_by.items() if f" {phrase} " in said]
    verbs = (*meant, *operations_in(clause))
    return tuple(dict.fromkeys([stem(verb, language) for verb in verbs]))


_OPERANDS: Final = 2

_LOOKING: Final = {
    language.name: language.reading.union(*[kin for kin in language.kin if not language.reading.isdisjoint(kin)])
    for language in LANGUAGES
}
"""Verbs that ask for tools that read, and words of their kind, by language."""

_SIGNS: Final = {
    "%": "percent", "$": "money", "\u20ac": "money", "\u00a3": "money", "\u00a5": "money", "\u00b0": "temperature",
}  # fmt: skip
"""Signs that say what a word would say, in any language."""

__all__ = ["operation_stems", "telling_stems"]
