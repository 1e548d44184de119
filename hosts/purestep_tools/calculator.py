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

from purestep_tools import real_functions as real
from purestep_tools.arithmetic import CalculatorError, Number, bounded, plain_number, whole_power

# No expression that a person writes is longer.
MAX_EXPRESSION_CHARS = 500
# Far below Python's own recursion limit at four frames a level.
_MAX_DEPTH = 50

# White space, letters and digits are ASCII's.
_TOKEN = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z]\w*|\*\*|//|\S", re.ASCII)
_WHOLE = re.compile(r"[0-9]+")
# Invisible characters and lone surrogates are quoted by code point.
_INVISIBLE = re.compile("[\x00-\x20\x7f-\xa0\xad\u2000-\u200f\u2028-\u202f\u2060-\u206f\ud800-\udfff\ufeff]")
_CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e}
# Name: function, fewest and most arguments.
_FUNCTIONS: dict[str, tuple[Callable[..., Number], int, int]] = {
    "abs": (abs, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "cos": (real.cos, 1, 1),
    "exp": (real.exp, 1, 1),
    "floor": (math.floor, 1, 1),
    "log": (real.log, 1, 2),
    "log10": (real.log10, 1, 1),
    "log2": (real.log2, 1, 1),
    "max": (max, 2, 20),
    "min": (min, 2, 20),
    "round": (round, 1, 1),
    "sin": (real.sin, 1, 1),
    "sqrt": (math.sqrt, 1, 1),
    "tan": (real.tan, 1, 1),
}
_NUMBER_STARTS = "0123456789."
_SUMS = {"+": operator.add, "-": operator.sub}
_PRODUCTS = {"*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod}


def calculate(expression: str) -> Number:
    """Return the value of `expression`, whole where exact, to 15 digits where not; raises CalculatorError."""
    if len(expression) > MAX_EXPRESSION_CHARS:
        raise CalculatorError(
            f"expected an expression of at most {MAX_EXPRESSION_CHARS} characters, not {len(expression)}; "
            "compute it in parts"
        )
    parser = _Parser(_tokens(expression))
    try:
        value = parser.sum(0)
    except ZeroDivisionError:
        raise CalculatorError("division by zero") from None
    except (ValueError, ArithmeticError):
        raise CalculatorError("the value is undefined or too large") from None
    parser.expect_end()
    return plain_number(value)


def _tokens(expression: str) -> list[str]:
    return [*_TOKEN.findall(expression), ""]


class _Parser:
    """A recursive-descent parser that computes the value while it parses; the last token is empty."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def sum(self, depth: int) -> Number:
        if depth > _MAX_DEPTH:
            raise CalculatorError(f"more than {_MAX_DEPTH} levels of parentheses")
        value = self._product(depth)
        while self._peek() in _SUMS:
            value = bounded(_SUMS[self._take()](value, self._product(depth)))
        return value

    def expect_end(self) -> None:
        if self._peek():
            raise CalculatorError(f"unexpected {_quoted(self._peek())}; expected an operator or the end")

    def _product(self, depth: int) -> Number:
        value = self._signed(depth)
        while self._peek() in _PRODUCTS:
            value = bounded(_PRODUCTS[self._take()](value, self._signed(depth)))
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
        problem = f"unexpected {_quoted(token)}; expected a number" if token else "the expression ends early"
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
            count = f"{fewest} to {most} values" if fewest < most else "1 value"
            raise CalculatorError(f"{name} takes {count}, not {len(values)}")
        return bounded(function(*values))

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
    return int(token) if _WHOLE.fullmatch(token) else bounded(float(token))


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(base, int) and isinstance(exponent, int) and exponent >= 0:
        return bounded(whole_power(base, exponent))
    return bounded(real.power(base, exponent))


def _quoted(token: str) -> str:
    return f"'{_INVISIBLE.sub(_escaped, token)}'"


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
