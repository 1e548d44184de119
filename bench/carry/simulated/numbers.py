"""Numbers, money, measures."""

from typing import Any

from bench.carry.simulated.failure import Failure, World
from purestep_tools import CalculatorError, Number, calculate


def add(world: World, a: Number, b: Number) -> Number:
    """Add two numbers."""
    return _plain(a + b)


def multiply(world: World, a: Number, b: Number) -> Number:
    """Multiply two numbers."""
    return _plain(a * b)


def compute(world: World, expression: str) -> Number:
    """Compute an expression."""
    try:
        return calculate(expression)
    except CalculatorError as error:
        raise Failure(str(error)) from None


def percent(world: World, percent: Number, amount: Number) -> Number:
    """Compute a part of an amount."""
    return _plain(percent * amount / 100)


def split(world: World, total: Number, people: int) -> Number:
    """Share a bill."""
    if people < 1:
        raise Failure("at least one person must pay")
    return _plain(total / people)


def currency(world: World, amount: Number, source: str, target: str) -> str:
    """Convert money at the world's rates."""
    rates = world["rates"]
    for code in (source, target):
        if code not in rates:
            raise Failure(f"no rate for {code}; the codes are {', '.join(rates)}")
    return f"{_plain(amount / rates[source] * rates[target])} {target}"


def units(world: World, value: Number, source: str, target: str) -> str:
    """Convert a length or a weight."""
    kinds = world["units"]
    if source not in kinds or target not in kinds or kinds[source][0] != kinds[target][0]:
        raise Failure(f"cannot convert {source} to {target}")
    return f"{_plain(value * kinds[source][1] / kinds[target][1])} {target}"


def loan(world: World, amount: Number, rate: Number, years: Number) -> Number:
    """Compute simple interest."""
    return _plain(amount * rate * years / 100)


def _plain(value: Any) -> Number:
    rounded = round(value, 2)
    return int(rounded) if rounded == int(rounded) else rounded
