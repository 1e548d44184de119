"""A run that was handed over goes on with any agent of the way: the one that began it, or one that took over."""

from __future__ import annotations

import pytest

from purestep_hosts import Agent, Later, ScriptedModel, calls, late_result, says, tool


@tool
def refund(amount: int) -> str:
    """Refund an amount."""
    return f"{amount} refunded"


@tool(read_only=True)
def report() -> str | Later:
    """Have a report made elsewhere."""
    return Later("job-1")


def chain(*outputs: str) -> tuple[Agent[str], Agent[str], Agent[str]]:
    """Return three agents, of which each hands over to the next; outputs: of the last one."""
    desk = Agent(ScriptedModel([*outputs]), name="desk", instructions="You refund.", tools=[refund, report])
    hall = Agent(ScriptedModel([calls("desk")]), name="hall", instructions="You sort.", tools=[desk.as_hand_off()])
    front = Agent(ScriptedModel([calls("hall")]), instructions="You greet.", tools=[hall.as_hand_off()])
    return front, hall, desk


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_run_goes_on_with_each(place: int) -> None:
    """Whoever has the log and the agent that is needed can go on; its tools and its model are found."""
    first = chain(says("How much?"))[0].run_sync("Refund me")
    assert first.answer == "How much?"
    agent = chain(calls("refund", amount=5), says("Done."))[place]
    then = agent.run_sync("5", after=first.log)
    assert ("Done.", [("refund", "succeeded")]) == (then.answer, [(act.tool, act.status) for act in then.acts or ()])


@pytest.mark.parametrize("place", [0, 2])
def test_a_late_result_finds_who_took_over(place: int) -> None:
    """The result of a call that the last one made is read by the last one."""
    first = chain(calls("report"), says("It is under way."))[0].run_sync("Report")
    then = chain(says("It has 42 pages."))[place]
    results = [late_result(call, "42 pages") for call in first.late]
    assert then.run_sync(after=first.log, results=results).answer == "It has 42 pages."
