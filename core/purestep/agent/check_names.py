"""The names of the checks that outputs and answers are held to, as verdicts and failures name them."""

from collections.abc import Iterable
from typing import Final

from msgspec import to_builtins

from .agent import Agent
from .checks import CompiledCheck

_SAYS_HOW: Final = ("message", "params")
"""Members of a postcondition that are no check of their own."""


def checks_of_output(agent: Agent, tool: str) -> tuple[str, ...]:
    """Name the checks of a tool's outputs in their order: guardrails, its output schema, postconditions."""
    known = agent.tool(tool)
    if known is None:
        return agent.open_guardrails
    schema = () if known.output is None else ("output_schema",)
    return (*known.guardrails, *schema, *_names(known.postconditions))


def checks_of_answer(agent: Agent, *, by_model: bool = True) -> tuple[str, ...]:
    """Name the checks of an answer in their order.

    by_model: the model wrote it; one that the core made of the results is held to the postconditions alone.
    """
    conditions = _names(agent.answer_postconditions)
    if not by_model:
        return conditions
    guardrails = [entry.name for entry in agent.answer_guardrails]
    schema = () if agent.answer is None else ("answer_schema",)
    citations = () if agent.definition.citations is None else ("citations",)
    return (*guardrails, *schema, *conditions, *citations)


def _names(checks: Iterable[CompiledCheck]) -> tuple[str, ...]:
    """Return each kind of postcondition once."""
    members = [name for check in checks for name in to_builtins(check.spec) if name not in _SAYS_HOW]
    return tuple(dict.fromkeys([f"postcondition:{name}" for name in members]))
