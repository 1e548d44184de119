"""The functions for callers in other languages: text in, JSON out.

The output is `{"value"}` or `{"error": {"code", "message", "path"}}`. Codes: `no_value` for a computation without
a result, `invalid_input` for an input of the wrong shape.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from purestep_tools.arithmetic import CalculatorError, Number, add_numbers
from purestep_tools.calculator import calculate
from purestep_tools.html_pages import html_text


def add_numbers_json(input_json: str) -> str:
    """Give the sum of the numbers `a` and `b` of a JSON object."""
    try:
        given = json.loads(input_json)
    except ValueError:
        given = None
    match given:
        case {"a": int() | float() as a, "b": int() | float() as b}:
            return _answer(lambda: add_numbers(a, b))
        case _:
            return _error("invalid_input", "expected an object with the numbers a and b")


def calculate_json(expression: str) -> str:
    """Give the value of an arithmetic expression."""
    return _answer(lambda: calculate(expression))


def html_text_json(page: str) -> str:
    """Give the visible text of an HTML page."""
    return _answer(lambda: html_text(page))


JSON_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "add_numbers": add_numbers_json,
    "calculate": calculate_json,
    "html_text": html_text_json,
}
"""By their names in JavaScript."""


def _answer(compute: Callable[[], str | Number]) -> str:
    try:
        return _json({"value": compute()})
    except CalculatorError as error:
        return _error("no_value", str(error))


def _error(code: str, message: str) -> str:
    return _json({"error": {"code": code, "message": message, "path": ""}})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
