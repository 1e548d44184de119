"""Compiled agents are kept in a bounded table; one that a caller holds begins runs whatever the table holds."""

from purestep import Agent, Done, ModelOutput, UserMessage, start, step
from purestep.bounds import MAX_AGENTS


def test_a_held_agent_begins_a_run_after_many_others() -> None:
    """Its state names it, and the next step finds it again."""
    held = Agent.load({"name": "held", "dialect": "bare"})
    for number in range(MAX_AGENTS + 1):
        Agent.load({"name": f"other {number}", "dialect": "bare"})
    begun = start(held, UserMessage(content="Hello"), "r")
    assert step(begun.state, ModelOutput(content="Good day.")).decision == Done(answer="Good day.")
