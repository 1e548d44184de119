"""The calculator: right values, clear errors, bounded work."""

from __future__ import annotations

import math
import random
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep_tools import CalculatorError, add_numbers, calculate, real_functions


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 + 3", 5),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 4 - 3", 3),
        ("7 // 2", 3),
        ("7 % 3", 1),
        ("10 / 4", 2.5),
        ("10 / 5", 2),
        ("-2 ** 2", -4),
        ("2 ** 3 ** 2", 512),
        ("2 ** -1", 0.5),
        ("2 ^ 10", 1024),
        ("--3", 3),
        ("2 * -3", -6),
        (".5 + 1.5e1", 15.5),
        ("0.1 + 0.2", 0.3),
        ("sqrt(16) + abs(-2)", 6),
        ("max(1, 2, 3) - min(4, 5)", -1),
        ("round(2.6)", 3),
        ("log(8, 2)", 3),
        ("2 * pi", 2 * math.pi),
        ("9007199254740993", 9007199254740993),
        ("10 ** 18", 10**18),
        ("10 ** 30", 1e30),
    ],
)
def test_value(expression: str, value: float) -> None:
    """Precedence, grouping and numbers are those of arithmetic; whole values come back whole."""
    found = calculate(expression)
    assert found == pytest.approx(value, rel=1e-14)
    assert isinstance(found, int) == isinstance(value, int)


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "2 +",
        "2 3",
        "(2",
        "2)",
        "()",
        "1 / 0",
        "1 % 0",
        "0 ** -1",
        "(-8) ** 0.5",
        "sqrt(-1)",
        "log(0)",
        "exp(1000)",
        "1e999",
        "9 ** 9 ** 9",
        "9 ** 9 ** 9 ** 9",
        "2.0 ** 100000",
        "10 ** 1000 * 1.5",
        "(10 ** 1200) ** 2",
        "10 ** 1000",
        "__import__('os')",
        "abs",
        "abs(1, 2)",
        "max(1)",
        "floor(1e308 * 10)",
        "1_000",
        "1 if 2 else 3",
        "x = 5",
        "２ + ３",
        "(" * 60 + "1" + ")" * 60,
        "2**" * 60 + "2",
        "1+" * 400 + "1",
    ],
)
def test_what_has_no_value_is_an_error(expression: str) -> None:
    """Everything else ends in a CalculatorError with a sentence."""
    with pytest.raises(CalculatorError, match=r"\w"):
        calculate(expression)


def test_hostile_expressions_cost_little() -> None:
    """No expression of the longest length costs more than some ordinary ones of that length."""
    ordinary = "+".join(["1.5"] * 125)
    hostile = ["9**9**9**9", "9" * 500, "2**" * 49 + "2", "sin(1e308)" + "+1" * 200, "((1e308))**0.1234567" * 1]
    assert max(map(_seconds, hostile)) < 100 * _seconds(ordinary)


def _seconds(expression: str) -> float:
    began = time.process_time()
    for _ in range(20):
        with suppress(CalculatorError):
            calculate(expression)
    return time.process_time() - began


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("2 3", "unexpected '3'; expected an operator or the end"),
        ("2 \u00d7 3", "unexpected '\u00d7'; expected an operator or the end"),
        ("2 \u2062 3", "unexpected '\\u2062'; expected an operator or the end"),
        ("\ud800", "unexpected '\\ud800'; expected a number"),
        ("abs(1, 2)", "abs takes 1 value, not 2"),
        ("log(1, 2, 3)", "log takes 1 to 2 values, not 3"),
        ("1" * 501, "expected an expression of at most 500 characters, not 501; compute it in parts"),
    ],
)
def test_error_quotes_what_can_be_seen(expression: str, error: str) -> None:
    """A character that nobody sees is quoted by its number, whatever a Python release takes for printable."""
    with pytest.raises(CalculatorError) as raised:
        calculate(expression)
    assert error == str(raised.value)


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [
        (2, 3, 5),
        (0.1, 0.2, 0.3),
        (2.0, 2**53 - 1, 2**53 + 1),
        (2**62, 2**62, 9.22337203685478e18),
        (-0.5, 0.5, 0),
        (1e22, 1, 1e22),
    ],
)
def test_sum(a: float, b: float, value: float) -> None:
    """Whole numbers are added exactly, written with a point or not; others to 15 digits."""
    found = add_numbers(a, b)
    assert (value, type(value)) == (found, type(found))


@pytest.mark.parametrize("a", [1e308, 10**400, float("nan")])
def test_sum_that_is_too_large_is_an_error(a: float) -> None:
    """What no JSON number holds is no result."""
    with pytest.raises(CalculatorError, match="too large"):
        add_numbers(a, 1e308)


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "exp", "log", "log2", "log10"])
def test_real_functions_are_right_to_the_last_digit_but_one(name: str) -> None:
    """They agree with the C library as closely as one C library does with another."""
    numbers = random.Random(7)
    for _ in range(300):
        x = numbers.uniform(1e-3, 7) * 10.0 ** numbers.randrange(-4, 3 if name == "exp" else 8)
        assert math.isclose(getattr(math, name)(x), getattr(real_functions, name)(x), rel_tol=4e-16, abs_tol=0)


def test_known_values_of_real_functions() -> None:
    """Correctly rounded values. Source: the sine of 10^22 and of pi's float are the classic tests of reduction."""
    assert -0.8522008497671888 == real_functions.sin(1e22)
    assert 1.2246467991473532e-16 == real_functions.sin(math.pi)
    assert 5e-324 == real_functions.power(2.0, -1074)
    assert (1.0, 1.0) == (real_functions.power(0, 0), real_functions.power(-1.0, 1e300))
    assert 0.0 == real_functions.exp(-1e300)
    assert (3.0, 3.0, -2.0) == (real_functions.log(8, 2), real_functions.log10(1000), real_functions.log2(0.25))


PIECES = [
    *"0123456789.+-*/%^(), e",
    "**",
    "//",
    "1e308",
    "9" * 40,
    "sqrt(",
    "log(",
    "sin(",
    "min(",
    "pi",
    "\u00d7",
    "\ud800",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_has_a_number_or_an_error(expression: str) -> None:
    """Whatever is written, the outcome is a JSON number or a CalculatorError, and nothing else is raised."""
    with suppress(CalculatorError):
        found = calculate(expression)
        assert isinstance(found, int | float)
        assert math.isfinite(found)
        assert abs(found) < 2**63 or isinstance(found, float)
