"""Tools that only compute: echo, add_numbers, calculate, calculator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from purestep import Example
from purestep_hosts.tools.tool import READ_ONLY, RunningCall, Tool, ToolFailure, parameters, text
from purestep_tools import CalculatorError, Number, add_numbers, calculate

_NUMBER = {"type": "number"}


def tools() -> tuple[Tool, ...]:
    """Return the tools of this module; they need no configuration."""
    return (_ECHO, _ADD_NUMBERS, _CALCULATE, _CALCULATOR)


def _echo(params: dict[str, Any], call: RunningCall) -> Any:
    return params["text"]


def _add_numbers(params: dict[str, Any], call: RunningCall) -> Number:
    return _computed(lambda: add_numbers(params["a"], params["b"]))


def _calculate(params: dict[str, Any], call: RunningCall) -> Number:
    return _computed(lambda: calculate(f"({params['a']!r}) {_SIGNS[params['operation']]} ({params['b']!r})"))


_SIGNS = {"plus": "+", "minus": "-", "times": "*", "divided by": "/", "percent of": "/ 100 *"}


def _calculator(params: dict[str, Any], call: RunningCall) -> Number:
    return _computed(lambda: calculate(params["expression"]))


def _computed(compute: Callable[[], Number]) -> Number:
    try:
        return compute()
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

_CALCULATE = Tool(
    name="calculate",
    description="Calculate with two numbers.",
    parameters=parameters(a=_NUMBER, b=_NUMBER, operation={"type": "string", "enum": list(_SIGNS)}),
    run=_calculate,
    annotations=READ_ONLY,
    output_schema=_NUMBER,
    examples=(
        Example(
            query="What is 12 times 7?",
            arguments={"a": 12, "b": 7, "operation": "times"},
            result=84,
            answer="The result is 84.",
        ),
    ),
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
