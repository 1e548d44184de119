"""Numbers as texts write them: a number may be meant in more than one way, as 1,500 is 1500, 1.5, or 1 and 500."""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Final, TypeVar

from ..bounds import MAX_NUMBER_DIGITS
from ..json_text import encode_sorted
from ..lazy import lazy_pattern
from .words import LETTERS

Amount = tuple[bool, str, int]
"""A number: whether it is negative, its digits without zeros at either end, and the power of ten of the last one."""

_Size = TypeVar("_Size")

NUMBER: Final = lazy_pattern(
    rf"(?<![{LETTERS}])(?<![0-9][.,])[-\u2212]?[0-9]+(?:[.,][0-9]+)*(?:e[+-]?[0-9]{{1,3}})?", re.ASCII
)
"""Matches a number of a folded text that no word ends with; a unit may follow it."""

_DIGITS: Final = frozenset("0123456789")


def amount_of(value: int | float) -> Amount:
    """Return the number that a value is."""
    mantissa, _, power = encode_sorted(value).decode().partition("e")
    return _amount(value < 0, mantissa.lstrip("-"), int(power or 0))


def amounts_of(token: str) -> set[Amount]:
    """Return the numbers that a token of digits, separators, sign and exponent may mean; a very long one is a list."""
    if len(token) <= MAX_NUMBER_DIGITS and _DIGITS.issuperset(token):
        return {_amount(False, token, 0)}
    if len(token) > MAX_NUMBER_DIGITS:
        pieces = [piece for piece in token.partition("e")[0].split(",") if len(piece) <= MAX_NUMBER_DIGITS]
        return {_amount(False, digits, 0) for piece in pieces for digits in _dotted(piece.lstrip("-\u2212"))}
    negative = token[0] in "-\u2212"
    mantissa, _, exponent = token.lstrip("-\u2212").partition("e")
    power = int(exponent or 0)
    return {_amount(negative, digits, power) for digits in _readings(mantissa)}


def is_among(token: str, meanings: Callable[[str], Set[_Size]], known: Set[_Size]) -> bool:
    """Whether a number is known, by what it may mean; where its commas may list several, whether all of these are."""
    parts = [meanings(part) for part in token.split(",")]
    if len(parts) == 1:
        return not known.isdisjoint(parts[0])
    whole = set(meanings(token)).difference(*parts)
    return not known.isdisjoint(whole) or all(not known.isdisjoint(part) for part in parts)


def is_grouped(parts: Sequence[str]) -> bool:
    """Whether digits are groups of thousands: at most three, then three each."""
    return len(parts[0]) <= 3 and parts[0] != "0" and all(len(part) == 3 for part in parts[1:])  # noqa: PLR2004


def _readings(mantissa: str) -> Iterator[str]:
    """Yield the decimals that digits with separators may mean: groups of thousands, a fraction, or several numbers."""
    if "," not in mantissa:
        yield from _dotted(mantissa)
        return
    pieces = mantissa.split(",")
    for piece in pieces:
        yield from _dotted(piece)
    whole, _, fraction = pieces[-1].partition(".")
    if is_grouped([*pieces[:-1], whole]) and "." not in fraction:
        yield f"{''.join(pieces[:-1])}{whole}.{fraction}"
    if len(pieces) == 2 and (is_grouped(pieces[0].split(".")) or "." not in pieces[0]) and "." not in pieces[1]:  # noqa: PLR2004
        yield f"{pieces[0].replace('.', '')}.{pieces[1]}"


def _dotted(piece: str) -> Iterator[str]:
    parts = piece.split(".")
    if len(parts) <= 2:  # noqa: PLR2004
        yield piece
    elif not is_grouped(parts):
        yield from parts
    if len(parts) > 1 and is_grouped(parts):
        yield "".join(parts)


def _amount(negative: bool, decimal: str, power: int) -> Amount:
    whole, _, fraction = decimal.partition(".")
    digits = (whole + fraction).lstrip("0")
    kept = digits.rstrip("0")
    if not kept:
        return False, "", 0
    return negative, kept, power - len(fraction) + len(digits) - len(kept)
