"""Tools that only compute: echo, add_numbers, calculator."""

from __future__ import annotations

from typing import Any

from purestep import Example
from purestep_hosts.tools.arguments import number_of, text_of
from purestep_hosts.tools.calculator import MAX_EXPRESSION_CHARS, CalculatorError, calculate, plain_number
from purestep_hosts.tools.port import READ_ONLY, Call, Tool, ToolFailure, parameters, text

_NUMBER = {"type": "number"}
_MAX_ECHO_CHARS = 4000


def tools() -> tuple[Tool, ...]:
    """Return the tools of this module; they need no configuration."""
    return (_ECHO, _ADD_NUMBERS, _CALCULATOR)


def _echo(params: dict[str, Any], call: Call) -> str:
    return text_of(params, "text", max_chars=_MAX_ECHO_CHARS)


def _add_numbers(params: dict[str, Any], call: Call) -> int | float:
    return _number(lambda: number_of(params, "a") + number_of(params, "b"))


def _calculator(params: dict[str, Any], call: Call) -> int | float:
    expression = text_of(params, "expression", max_chars=MAX_EXPRESSION_CHARS)
    return _number(lambda: calculate(expression))


def _number(compute: Any) -> int | float:
    try:
        return plain_number(compute())
    except CalculatorError as error:
        raise ToolFailure(str(error), "invalid_arguments") from None


_ECHO = Tool(
    name="echo",
    description="Repeat a text.",
    parameters=parameters(text=text("the text to repeat")),
    run=_echo,
    annotations=READ_ONLY,
    examples=(
        Example(
            query="Echo the text green apple",
            arguments={"text": "green apple"},
            result="green apple",
            answer="green apple",
        ),
    ),
)

_ADD_NUMBERS = Tool(
    name="add_numbers",
    description="Add two numbers.",
    parameters=parameters(
        a={**_NUMBER, "description": "the first number"},
        b={**_NUMBER, "description": "the second number"},
    ),
    run=_add_numbers,
    annotations=READ_ONLY,
    output_schema=_NUMBER,
    examples=(Example(query="What is 2 plus 3?", arguments={"a": 2, "b": 3}, result=5, answer="The result is 5."),),
)

_CALCULATOR = Tool(
    name="calculator",
    description="Compute the value of an arithmetic expression.",
    parameters=parameters(expression=text("for example (3 + 4) * 2")),
    run=_calculator,
    annotations=READ_ONLY,
    output_schema=_NUMBER,
    examples=(
        Example(
            query="What is 12 times 7?",
            arguments={"expression": "12 * 7"},
            result=84,
            answer="The result is 84.",
        ),
    ),
)
