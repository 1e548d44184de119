"""Arithmetic by recursive descent, with bounds on length, depth and size of numbers.

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/" | "//" | "%") signed }
    signed  = ("-" | "+") signed | power
    power   = atom [ ("**" | "^") signed ]
    atom    = number | constant | function "(" sum { "," sum } ")" | "(" sum ")"

As in Python, a power binds tighter than the sign before it and to the right: -2 ** 2 is -4 and 2 ** 3 ** 2
is 512.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence

Number = int | float

# No sum that a person writes is longer.
MAX_EXPRESSION_CHARS = 500
# Far below Python's own recursion limit at four frames a level.
_MAX_DEPTH = 50
# 4,096 bits hold 1,233 digits; larger whole numbers only cost time.
_MAX_BITS = 4096
# JSON readers agree on whole numbers of 64 bits at most; larger ones become floating-point numbers.
_MAX_EXACT = 2**63 - 1

_TOKEN = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z]\w*|\*\*|//|\S", re.ASCII)
_CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e}
# Name: function, fewest and most arguments.
_FUNCTIONS: dict[str, tuple[Callable[..., Number], int, int]] = {
    "abs": (abs, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "cos": (math.cos, 1, 1),
    "exp": (math.exp, 1, 1),
    "floor": (math.floor, 1, 1),
    "log": (math.log, 1, 2),
    "log10": (math.log10, 1, 1),
    "log2": (math.log2, 1, 1),
    "max": (max, 2, 20),
    "min": (min, 2, 20),
    "round": (round, 1, 1),
    "sin": (math.sin, 1, 1),
    "sqrt": (math.sqrt, 1, 1),
    "tan": (math.tan, 1, 1),
}
_NUMBER_STARTS = "0123456789."
_SUMS = {"+": operator.add, "-": operator.sub}
_PRODUCTS = {"*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod}


class CalculatorError(Exception):
    """The expression has no value; the message says why."""


def calculate(expression: str) -> Number:
    """Return the value of `expression`; raises CalculatorError."""
    if len(expression) > MAX_EXPRESSION_CHARS:
        raise CalculatorError(f"the expression is longer than {MAX_EXPRESSION_CHARS} characters")
    parser = _Parser(_tokens(expression))
    try:
        value = parser.sum(0)
    except ZeroDivisionError:
        raise CalculatorError("division by zero") from None
    except (ValueError, OverflowError):
        raise CalculatorError("the value is undefined or too large") from None
    parser.expect_end()
    return value


def plain_number(value: Number) -> Number:
    """Return `value` as JSON readers agree on it: whole where exact, to 15 digits where not.

    Raises CalculatorError when it is too large even for that.
    """
    if isinstance(value, int) and abs(value) <= _MAX_EXACT:
        return value
    try:
        rounded = float(f"{value:.15g}")
    except OverflowError:
        rounded = math.inf
    if not math.isfinite(rounded):
        raise CalculatorError("the value is too large")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded


def _tokens(expression: str) -> list[str]:
    return [*_TOKEN.findall(expression), ""]


class _Parser:
    """Reads tokens from left to right and computes as it goes; the last token is empty."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def sum(self, depth: int) -> Number:
        if depth > _MAX_DEPTH:
            raise CalculatorError(f"more than {_MAX_DEPTH} levels of parentheses")
        value = self._product(depth)
        while self._peek() in _SUMS:
            value = _bounded(_SUMS[self._take()](value, self._product(depth)))
        return value

    def expect_end(self) -> None:
        if self._peek():
            raise CalculatorError(f"unexpected {self._peek()!r}; expected an operator or the end")

    def _product(self, depth: int) -> Number:
        value = self._signed(depth)
        while self._peek() in _PRODUCTS:
            value = _bounded(_PRODUCTS[self._take()](value, self._signed(depth)))
        return value

    def _signed(self, depth: int) -> Number:
        negative = False
        while self._peek() in _SUMS:
            negative ^= self._take() == "-"
        value = self._power(depth)
        return -value if negative else value

    def _power(self, depth: int) -> Number:
        base = self._atom(depth)
        if self._peek() not in ("**", "^"):
            return base
        self._take()
        if depth > _MAX_DEPTH:
            raise CalculatorError("too many powers of powers")
        return _power(base, self._signed(depth + 1))

    def _atom(self, depth: int) -> Number:
        token = self._take()
        if token == "(":
            value = self.sum(depth + 1)
            self._close()
            return value
        if token in _FUNCTIONS:
            return self._function(token, depth)
        if token in _CONSTANTS:
            return _CONSTANTS[token]
        if token[:1] in _NUMBER_STARTS and token not in ("", "."):
            return _literal(token)
        problem = f"unexpected {token!r}; expected a number" if token else "the expression ends early"
        raise CalculatorError(problem)

    def _function(self, name: str, depth: int) -> Number:
        function, fewest, most = _FUNCTIONS[name]
        if self._take() != "(":
            raise CalculatorError(f"expected ( after {name}")
        values = [self.sum(depth + 1)]
        while self._peek() == ",":
            self._take()
            values.append(self.sum(depth + 1))
        self._close()
        if not fewest <= len(values) <= most:
            raise CalculatorError(f"{name} takes {fewest} to {most} values, not {len(values)}")
        return _bounded(function(*values))

    def _close(self) -> None:
        if self._take() != ")":
            raise CalculatorError("a parenthesis is not closed")

    def _peek(self) -> str:
        return self._tokens[self._at]

    def _take(self) -> str:
        token = self._tokens[self._at]
        self._at += token != ""
        return token


def _literal(token: str) -> Number:
    return int(token) if token.isdigit() else _bounded(float(token))


def _power(base: Number, exponent: Number) -> Number:
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and abs(base) > 1 and abs(exponent) * math.log2(abs(base)) > _MAX_BITS:
        raise CalculatorError("the power is too large")
    return _bounded(base**exponent)


def _bounded(value: object) -> Number:
    """Return a number that is real, finite and of bounded size."""
    if isinstance(value, int):
        if value.bit_length() > _MAX_BITS:
            raise CalculatorError("the value is too large")
        return value
    if not isinstance(value, float) or not math.isfinite(value):
        raise CalculatorError("the value is undefined or too large")
    return value
