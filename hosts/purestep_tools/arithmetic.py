"""Numbers of bounded size, and results in a form that every JSON reader decodes alike."""

from __future__ import annotations

import math

Number = int | float

# 4,096 bits are 1,233 digits; larger integers only cost time.
_MAX_BITS = 4096
# JSON readers agree on integers of 64 bits at most; larger ones become floating-point numbers.
_MAX_EXACT = 2**63 - 1
# Up to here a float represents every integer exactly; a larger float that looks whole was rounded.
_MAX_WHOLE_FLOAT = 2**53


class CalculatorError(Exception):
    """A computation has no result; the message says why."""


def add_numbers(a: Number, b: Number) -> Number:
    """Return the sum of two JSON numbers, exact for whole ones; raises CalculatorError when it is too large.

    2.0 counts as the whole number 2, since JavaScript writes both alike.
    """
    try:
        return plain_number(_whole_if_exact(a) + _whole_if_exact(b))
    except OverflowError:
        raise CalculatorError("the value is too large") from None


def plain_number(value: Number) -> Number:
    """Return `value` as JSON readers agree on it: whole where exact, to 15 digits where not.

    Raises CalculatorError when it is too large even for that.
    """
    if isinstance(value, int) and abs(value) <= _MAX_EXACT:
        return value
    try:
        rounded = float(f"{value:.15g}")  # exact: CPython rounds decimals correctly itself, on every machine
    except OverflowError:
        rounded = math.inf
    if not math.isfinite(rounded):
        raise CalculatorError("the value is too large")
    return _whole_if_exact(rounded)


def bounded(value: object) -> Number:
    """Return a number that is real, finite and of bounded size; raises CalculatorError for any other value."""
    if isinstance(value, int):
        if value.bit_length() > _MAX_BITS:
            raise CalculatorError("the value is too large")
        return value
    if not isinstance(value, float) or not math.isfinite(value):
        raise CalculatorError("the value is undefined or too large")
    return value


def whole_power(base: int, exponent: int) -> int:
    """Return a whole number to the power of a whole number of at least 0; raises CalculatorError before long work."""
    if exponent * (abs(base).bit_length() - 1) > _MAX_BITS:
        raise CalculatorError("the power is too large")
    return int(base**exponent)


def _whole_if_exact(value: Number) -> Number:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _MAX_WHOLE_FLOAT else value
