"""Values that a model wrote, held to their schema: as they are, or read gently where the definition says so."""

from typing import Any

from ..agent import Agent
from ..agent import corrections as words
from ..schema import Issue, Schema, coerce, render_change
from ..values import Problem, repaired


def coerce_to_schema(agent: Agent, schema: Schema, value: Any) -> tuple[Any, tuple[Problem, ...], tuple[Issue, ...]]:
    """Give the value to go on with, what was changed to make it fit, and what keeps it from fitting.

    A value that fits is looked at once and never changed; one with issues comes back as it was written.
    """
    settled, issues = schema.check(value)
    if not issues or not agent.definition.coerce:
        return settled, (), issues
    taken, changes = coerce(schema, value)
    if not changes:
        return value, (), issues
    return taken, tuple(repaired(words.shown(render_change(change))) for change in changes), ()
