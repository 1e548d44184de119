"""Dates in a text by their form: digits in the usual orders, and days beside the name of a month."""

import re
from functools import cache
from typing import Final

from ..text import fold
from .addresses import emails_in, marked, urls_in
from .months import MONTHS

_LETTERS: Final = "A-Za-z\u00c0-\u024f\u0370-\u052f\u0620-\u064a"
_YEAR: Final = "(?:1[0-9]|20|21)[0-9]{2}"
_DAY: Final = "(?:3[01]|[12][0-9]|0?[1-9])"
_MONTH_NUMBER: Final = "(?:1[0-2]|0?[1-9])"
_BEFORE: Final = rf"(?<![0-9{_LETTERS}])(?<![0-9][.,/:-])"
_AFTER: Final = rf"(?![0-9{_LETTERS}]|[./-][0-9])"


@cache
def _forms() -> "tuple[re.Pattern[str], ...]":
    """Give the forms, the longer ones first; made on first use."""
    months = "|".join(sorted(dict.fromkeys(MONTHS.split(None)), key=lambda name: (-len(name), name)))
    month, of = rf"(?:{months})\b\.?", r"(?:(?:of|de|di|del|d')[ ]?)?"
    ordinal, year = r"(?:st|nd|rd|th|er|\.|º|ª)?", rf"(?:,?[ -](?:de[l]?[ ])?(?:{_YEAR}))"
    numbers = (
        rf"{_YEAR}-{_MONTH_NUMBER}-{_DAY}(?:t[0-9]{{2}}:[0-9]{{2}}(?::[0-9]{{2}}(?:\.[0-9]+)?)?(?:z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?",
        rf"{_YEAR}/{_MONTH_NUMBER}/{_DAY}|{_YEAR}\.{_MONTH_NUMBER}\.{_DAY}",
        rf"{_DAY}\.[ ]?{_MONTH_NUMBER}\.[ ]?(?:{_YEAR}|[0-9]{{2}})",
        rf"(?:{_DAY}([/-]){_MONTH_NUMBER}|{_MONTH_NUMBER}([/-]){_DAY})[/-](?:{_YEAR}|[0-9]{{2}})",
    )
    named = (
        rf"{_DAY}{ordinal}[ -]?{of}{month}{year}?",
        rf"{month}[ ]{_DAY}(?:st|nd|rd|th)?{year}?",
        rf"{month}[ ](?:de[l]?[ ])?{_YEAR}",
    )
    east = (
        rf"(?:[0-9]{{4}}[ ]?\u5e74[ ]?)?{_MONTH_NUMBER}[ ]?\u6708[ ]?{_DAY}[ ]?\u65e5",
        rf"(?:[0-9]{{4}}[ ]?\ub144[ ]?)?{_MONTH_NUMBER}[ ]?\uc6d4[ ]?{_DAY}[ ]?\uc77c",
    )
    letters = rf"(?![{_LETTERS}])"
    return (
        *[re.compile(_BEFORE + form.replace(r"\b", letters) + _AFTER, re.ASCII) for form in (*named, *numbers)],
        *[re.compile(form, re.ASCII) for form in east],
    )


def dates_in(text: str) -> tuple[tuple[str, int], ...]:
    """Give the dates of a text in their order, and where each stands; none is part of an address."""
    taken = marked(text, (*urls_in(text), *emails_in(text)))
    folded, found = fold(text), list[tuple[str, int]]()
    for form in _forms():
        for match in form.finditer(folded):
            start, end = match.span()
            if not any(taken[start:end]) and (form is not _forms()[1] or text[start] != folded[start]):
                taken[start:end] = b"\x01" * (end - start)
                found.append((_trimmed(text[start:end]), start))
    return tuple(sorted(found, key=lambda each: each[1]))


def _trimmed(value: str) -> str:
    return value.rstrip(".,")


def may_hold_others(text: str, found: tuple[tuple[str, int], ...]) -> bool:
    """Tell whether a number is left that may belong to a date in a form or a language that is not known."""
    left = "".join([" " if mark else char for char, mark in zip(text, marked(text, found), strict=True)])
    return any(1 <= int(number) <= 31 or 1000 <= int(number) <= 2199 for number in _whole_numbers(left))  # noqa: PLR2004


def _whole_numbers(text: str) -> list[str]:
    return re.findall(r"(?<![0-9A-Za-z.,:/-])[0-9]{1,4}(?![0-9A-Za-z:/%-]|[.,][0-9])", text, re.ASCII)
