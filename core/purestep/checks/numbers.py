"""The numbers of an answer, looked for in what the user and the results of an exchange have said."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from ..text import NUMBER, amounts_of, fold, is_among, is_grouped

_FEW_DIGITS: Final = 2
"""A whole number of so few digits is a count, a day or a hour: answers count what results list."""

_Size = tuple[str, int]
"""A number without its sign: its digits, and the power of ten of the last one."""


def unsaid_number(answer: str, texts: Iterable[str]) -> str | None:
    """Return the first number of an answer that none of the texts says, in any notation; None where each is said.

    1,250.50, 1.250,50 and 1250.5 are one value, and so are 12.5 % and 0.125. A sign says nothing: a loss of 5 is -5.
    """
    numbers = [each for each in _numbers(answer) if not _is_count(each[0])]
    if not numbers:
        return None
    said = {size for text in texts for number in _numbers(text) for size in _sizes(*number)}
    for token, is_percent in numbers:
        if not is_among(token, partial(_sizes, is_percent=is_percent), said):
            return token
    return None


def _numbers(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the numbers of a text as they are written, and whether per cent stands after each."""
    folded = fold(text)
    for match in NUMBER.finditer(folded):
        token = match[0].lstrip("-\u2212")
        is_percent = folded[match.end() : match.end() + 2].lstrip(" \u00a0\u202f").startswith("%")
        if token.count(".") > 1 and "," not in token and not is_grouped(token.split(".")):
            yield from ((part, False) for part in token.split("."))  # a date, a version or an address
        else:
            yield token, is_percent


def _is_count(token: str) -> bool:
    return len(token) <= _FEW_DIGITS


def _sizes(token: str, is_percent: bool) -> set[_Size]:
    sizes = {(digits, power) for _, digits, power in amounts_of(token)}
    return sizes | {(digits, power - 2) for digits, power in sizes} if is_percent else sizes
