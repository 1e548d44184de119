"""The tools' pure functions for JavaScript: text in, JSON out, `{"value"}` or `{"error": {"code", "message", "path"}}`.

`no_value` says that a computation has none. `invalid_input` is for what is not the text that a function takes.
"""

from collections.abc import Callable

import msgspec

import purestep_tools


class _Addends(msgspec.Struct):
    a: int | float
    b: int | float


def add_numbers(input_json: str) -> str:
    """Give the sum of the numbers `a` and `b` of a JSON object."""
    try:
        given = msgspec.json.decode(input_json, type=_Addends)
    except msgspec.MsgspecError:
        return _error("invalid_input", "expected an object with the numbers a and b")
    return _answer(lambda: purestep_tools.add_numbers(given.a, given.b))


def calculate(expression: str) -> str:
    """Give the value of an arithmetic expression."""
    return _answer(lambda: purestep_tools.calculate(expression))


def html_text(page: str) -> str:
    """Give the text that a reader of an HTML page sees."""
    return _answer(lambda: purestep_tools.html_text(page))


def _answer(compute: Callable[[], str | int | float]) -> str:
    try:
        return _json({"value": compute()})
    except purestep_tools.CalculatorError as error:
        return _error("no_value", str(error))


def _error(code: str, message: str) -> str:
    return _json({"error": {"code": code, "message": message, "path": ""}})


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
