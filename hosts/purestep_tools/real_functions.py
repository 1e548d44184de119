"""Powers, logarithms and trigonometric functions with the same last digit on every machine.

C libraries differ in the last bit of these, and cancellation can make that visible in every digit. Here each value is
computed to 60 decimal digits with integer arithmetic and rounded once to a float.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow

from purestep_tools.arithmetic import Number

# Rounding 60 digits to the 17 of a float goes wrong only where 43 digits in a row happen to be 0 or 9.
_DIGITS = 60
_TRAPS = [DivisionByZero, InvalidOperation, Overflow]


def exp(x: Number) -> float:
    """Return e to the power of `x`."""
    return float(_precise().exp(Decimal(x)))


def log(x: Number, base: Number | None = None) -> float:
    """Return the logarithm of `x` to `base`, by default e."""
    precise = _precise()
    found = precise.ln(Decimal(x))
    return float(found if base is None else precise.divide(found, precise.ln(Decimal(base))))


def log2(x: Number) -> float:
    """Return the logarithm of `x` to the base 2."""
    return log(x, 2)


def log10(x: Number) -> float:
    """Return the logarithm of `x` to the base 10."""
    return float(_precise().log10(Decimal(x)))


def power(base: Number, exponent: Number) -> float:
    """Return `base` to the power of `exponent`; 0 to the power of 0 is 1, as for whole numbers."""
    if exponent == 0:
        return 1.0
    if base == 0 and exponent < 0:
        raise ZeroDivisionError
    return float(_precise().power(Decimal(base), Decimal(exponent)))


def sin(x: Number) -> float:
    """Return the sine of an angle in radians."""
    return float(_sine(*_reduced(x)))


def cos(x: Number) -> float:
    """Return the cosine of an angle in radians."""
    angle, quarter, precise = _reduced(x)
    return float(_sine(angle, quarter + 1, precise))


def tan(x: Number) -> float:
    """Return the tangent of an angle in radians."""
    angle, quarter, precise = _reduced(x)
    return float(precise.divide(_sine(angle, quarter, precise), _sine(angle, quarter + 1, precise)))


def _precise(more_digits: int = 0) -> Context:
    return Context(prec=_DIGITS + more_digits, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=_TRAPS)


def _reduced(x: Number) -> tuple[Decimal, int, Context]:
    """Return the reduced angle of at most an eighth turn, the quarter turns subtracted, and a decimal context."""
    angle = Decimal(float(x))
    # As many digits more as the angle has before its point, or its fraction of a turn would be lost.
    precise = _precise(max(0, angle.adjusted()) + 1)
    quarter = precise.divide(_pi(precise.prec), Decimal(2))
    turns = precise.to_integral_value(precise.divide(angle, quarter))
    rest = precise.subtract(angle, precise.multiply(turns, quarter))
    return rest, int(turns) % 4, precise


def _sine(angle: Decimal, quarter: int, precise: Context) -> Decimal:
    """Return the sine of `angle` plus so many quarter turns."""
    value = _series(angle, quarter % 2, precise)
    return precise.minus(value) if quarter % 4 > 1 else value


def _series(angle: Decimal, is_cosine: int, precise: Context) -> Decimal:
    """Return the sine or cosine of a small angle by its Taylor series."""
    term = Decimal(1) if is_cosine else angle
    minus_square = precise.minus(precise.multiply(angle, angle))
    total, before, n = term, Decimal(2), 0 if is_cosine else 1
    while total != before:
        n += 2
        term = precise.divide(precise.multiply(term, minus_square), Decimal(n * (n - 1)))
        total, before = precise.add(total, term), total
    return total


def _pi(digits: int) -> Decimal:
    """Return pi to this many digits. Source: Machin's formula."""
    unit = 10 ** (digits + 10)
    return Decimal(16 * _inverse_tangent(5, unit) - 4 * _inverse_tangent(239, unit)).scaleb(
        -digits - 10, Context(prec=digits + 20)
    )


def _inverse_tangent(n: int, unit: int) -> int:
    """Return the angle whose tangent is 1/n, in parts of `unit`."""
    term = total = unit // n
    odd = 1
    while term:
        odd += 2
        term = -term // (n * n)
        total += term // odd
    return total
