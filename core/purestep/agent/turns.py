"""Turns of a prompt: what a user says, and what a model says in the form of its dialect."""

from ..dialects import Dialect, Sample
from ..values import Example, Message, ReadCall, ToolSpec


def asked(content: str) -> Message:
    """Return a user's turn."""
    return Message(role="user", content=content)


def answered(answer: str, dialect: Dialect) -> Message:
    """Return a model's turn that answers."""
    return Message(role="assistant", content=dialect.write(Sample(answer=answer)))


def call_turns(spec: ToolSpec, example: Example, dialect: Dialect) -> list[Message]:
    """Return an example's request and the call that it leads to."""
    call = ReadCall(tool=spec.name, params=example.arguments)
    return [asked(example.query), Message(role="assistant", content=dialect.write(Sample(calls=(call,))))]
