"""Currencies and units of measure in a request: by code, by sign, or by name; currencies as ISO 4217 codes them."""

from typing import Final

from .clauses import Clause
from .languages import words as word_set
from .sources import Parameter


def is_currency(parameter: Parameter) -> bool:
    """Tell whether an argument is a currency."""
    return parameter.source == "phrase" and not _NAMES.isdisjoint(parameter.words)


def names_currency(clause: Clause) -> bool:
    """Tell whether a text has a code that means money wherever it stands."""
    return any(word.text in _COMMON for word in clause.words)


def currencies_for(parameter: Parameter, *clauses: Clause) -> tuple[str, ...]:
    """Give the currencies that an argument may be: the first is converted from, the others to.

    clauses: texts of which the first that names any counts.
    """
    found = next((codes for codes in map(_currencies_in, clauses) if codes), ())
    if len(found) > 1 and not FROM.isdisjoint(parameter.words):
        return found[:1]
    if len(found) > 1 and not TO.isdisjoint(parameter.words):
        return found[1:]
    return found


def _currencies_in(clause: Clause) -> tuple[str, ...]:
    places = {word.start: _code(word.text, clause) for word in clause.words}
    places |= {clause.text.find(sign): code for sign, code in _SIGNS.items() if sign in clause.text}
    return tuple(dict.fromkeys([places[start] for start in sorted(places) if places[start]]))


def signs_said(clause: Clause) -> dict[str, int]:
    """Give the codes of currencies and the signs of units that a text names, in small letters, with their places."""
    found: dict[str, int] = {}
    ends = {span.end for span in clause.spans if span.kind == "number"}
    for word in clause.words:
        code, unit = clause.language.money.get(word.text, ""), clause.language.measures.get(word.text, "")
        if word.end - word.start == 1 and not ends.isdisjoint((word.start, word.start - 1)):
            unit = word.text  # the "g" of "500 g"
        for sign in (code.lower(), unit):  # ascii: codes are
            if sign:
                found.setdefault(sign, word.start)
    for sign, code in _SIGNS.items():
        if sign in clause.text:
            found.setdefault(code.lower(), clause.text.find(sign))  # ascii: codes are
    return found


def names_conversion(clause: Clause) -> str:
    """Tell what is to be converted where a text names two currencies, or two units: "currency", "unit", or nothing."""
    said = [word.text for word in clause.words]
    if len({clause.language.money[word] for word in said if word in clause.language.money}) > 1:
        return "currency"
    return "unit" if len({clause.language.measures[w] for w in said if w in clause.language.measures}) > 1 else ""


def _code(word: str, clause: Clause) -> str:
    return word.upper() if word in _CODES else clause.language.money.get(word, "")  # ascii: codes are


_NAMES: Final = frozenset({"currency", "currencies", "waehrung"})
FROM: Final = frozenset({"from", "source", "base"})
TO: Final = frozenset({"to", "target", "quote", "destination"})
_SIGNS: Final = {"\u20ac": "EUR", "$": "USD", "\u00a3": "GBP", "\u00a5": "JPY"}
_COMMON: Final = word_set("usd eur gbp chf jpy cad aud cny sek nok dkk pln inr")
"""Codes that mean money wherever they stand."""
_CODES: Final = _COMMON | word_set(
    "nzd czk huf brl mxn zar krw sgd hkd thb ils uah ron bgn isk aed sar php idr myr vnd clp cop egp"
)
"""Those of the most traded currencies that are no words of English or German ("try", "all")."""

__all__ = ["FROM", "TO", "currencies_for", "is_currency", "names_conversion", "names_currency", "signs_said"]
