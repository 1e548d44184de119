"""Worked examples for corrections: one use of a tool, and an answer, in the form that the model is asked for."""

from collections.abc import Sequence

from ..dialects import Sample
from ..values import ReadCall
from . import corrections
from .agent import Agent
from .prompt import PLAIN_ANSWER, PLAIN_QUERY, made_example


def sample_words(agent: Agent, tools: Sequence[str], *, answers: bool) -> str:
    """Return the words that show a call of each tool and, with `answers`, an answer in plain words."""
    shown = [_call(agent, name) for name in tools]
    if answers and agent.answer is None and not agent.dialect.native_tools:
        shown.append(corrections.worked_example(PLAIN_QUERY, agent.dialect.write(Sample(answer=PLAIN_ANSWER))))
    return "\n".join(part for part in shown if part)


def _call(agent: Agent, name: str) -> str:
    tool = agent.tools[name]
    example = tool.spec.examples[0] if tool.spec.examples else made_example(tool.spec)
    if tool.parameters.check(example.arguments):
        return ""
    if agent.dialect.native_tools:
        return corrections.example_arguments(example.query, name, example.arguments)
    call = ReadCall(tool=name, params=example.arguments)
    return corrections.worked_example(example.query, agent.dialect.write(Sample(calls=(call,))))
