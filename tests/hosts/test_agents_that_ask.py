"""Agents among the tools of another: their models and tools, their approvals, side by side, and after a restart."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep_hosts import Agent, Invocation, RunResult, ScriptedModel, SessionStore, approved, calls, says, tool
from tests.event_loops import run_in_loop

ROOT = Path(__file__).resolve().parents[2]


@tool(approval="ask")
def pay(amount: int) -> str:
    """Pay an amount."""
    return f"{amount} paid"


def desk(*script: Any) -> Agent[str]:
    """Return an agent that pays; without a script it pays 5 and says so."""
    steps = list(script) or [calls("pay", amount=5), says("5 paid.")]
    return Agent(ScriptedModel(steps), name="desk", instructions="You pay.", tools=[pay])


def lead(*agents: Any, script: list[Any] | None = None, **members: Any) -> Agent[str]:
    """Return an agent that asks these, and then answers."""
    asked = script or [calls("desk", question="Pay 5"), says("It is done.")]
    return Agent(ScriptedModel(asked), tools=list(agents), instructions="You lead.", **members)


def verified(result: RunResult[Any]) -> bool:
    """Whether the log of a result verifies to the head of its state."""
    return bool(purestep.verify(result.log, result.state.head).ok)


def test_a_tree_is_shown_as_text_and_as_html() -> None:
    """Each row of an agent names it; what waits below is there, and no text of it becomes HTML."""
    hostile = lead(desk(calls("pay", amount=5), says("<b>5 paid.</b>")))
    first = hostile.run_sync("Pay Tom")
    rows = ['call       desk > pay {"amount": 5}', 'waits      desk > pay {"amount": 5}']
    assert rows == [row for row in str(first).splitlines() if "pay {" in row]
    last = hostile.run_sync(after=first, approvals=[approved(call) for call in first.approvals])
    shown = str(last).splitlines()
    assert ["answer     desk > <b>5 paid.</b>", "answer     It is done."] == [row for row in shown if "answer" in row]
    assert ("&lt;b&gt;5 paid." in last._repr_html_(), "<b>" in last._repr_html_()) == (True, False)


def test_an_agent_answers_another() -> None:
    """Each has its own model and tools; the answer, the acts with their place and the log are of the whole."""
    result = lead(desk(), approve=lambda _call: True).run_sync("Pay Tom")
    assert result.answer == "It is done."
    assert [(act.tool, act.path, act.status) for act in result.acts or ()] == [("pay", ("desk",), "succeeded")]
    assert verified(result)


def test_an_approval_below_waits_and_goes_on_later() -> None:
    """Nobody answers now: the result shows the call; its log goes on in another agent of the same definition."""
    waiting = lead(desk()).run_sync("Pay Tom")
    assert waiting.status == "waiting"
    (call,) = waiting.approvals
    assert (call.tool, call.params) == ("pay", {"amount": 5})
    below = desk(says("5 paid."))
    result = lead(below, script=[says("It is done.")]).run_sync(after=waiting.log, approvals=[approved(call)])
    assert result.answer == "It is done."
    assert verified(result)


def test_agents_run_side_by_side() -> None:
    """Two agents that are called in one turn ask their models, and run their tools, at the same time."""
    meeting = asyncio.Barrier(2) if hasattr(asyncio, "Barrier") else None

    @tool(read_only=True)
    async def meet() -> str:
        """Wait for the other."""
        assert meeting is not None
        await asyncio.wait_for(meeting.wait(), 20)
        return "met"

    def one(name: str) -> Agent[str]:
        return Agent(ScriptedModel([calls("meet"), says(f"{name} met.")]), name=name, tools=[meet])

    both = f"[{calls('a', question='Meet')},{calls('b', question='Meet')}]"
    result = lead(one("a"), one("b"), script=[both, says("Both met.")]).run_sync("Meet")
    assert result.answer == "Both met."
    assert "Result of a: a met.\n\nResult of b: b met." in str(result.messages[-2].content)


def test_two_agents_wait_for_people_at_once() -> None:
    """Each is listed, and each is answered by itself."""
    both = f"[{calls('a', question='Pay 1')},{calls('b', question='Pay 2')}]"

    def one(name: str, amount: int, script: list[Any]) -> Agent[str]:
        return Agent(ScriptedModel(script), name=name, tools=[pay])

    first = lead(one("a", 1, [calls("pay", amount=1)]), one("b", 2, [calls("pay", amount=2)]), script=[both]).run_sync(
        "Pay"
    )
    assert [call.params["amount"] for call in first.approvals] == [1, 2]
    again = lead(one("a", 1, [says("1 paid.")]), one("b", 2, [says("No.")]), script=[says("Done.")])
    second = again.run_sync(after=first.log, approvals=[approved(first.approvals[0])])
    assert [call.params["amount"] for call in second.approvals] == [2]
    third = lead(one("a", 1, []), one("b", 2, [says("2 paid.")]), script=[says("Done.")])
    result = third.run_sync(after=second.log, approvals=[approved(second.approvals[0])])
    assert result.answer == "Done."
    assert verified(result)


def test_as_tool_gives_another_name() -> None:
    """And another description, which the caller's model reads."""
    agent = lead(desk().as_tool(name="till", description="Pays what is asked."))
    assert list(agent.definition.agents) == ["till"]
    assert agent.definition.tools["till"].spec.description == "Pays what is asked."


def test_wrong_agents_among_tools() -> None:
    """Two of one name, one without a name, one named as a tool."""
    with pytest.raises(ValueError, match="two agents are named 'desk'"):
        lead(desk(), desk())
    with pytest.raises(ValueError, match="has no name"):
        lead(Agent(ScriptedModel([])))
    with pytest.raises(purestep.PurestepError, match='a tool and an agent are named "pay"'):
        lead(pay, desk().as_tool(name="pay"))


def test_agents_get_the_deps_of_the_run() -> None:
    """What a tool below takes as its Invocation's is what the run was given."""

    @tool(read_only=True)
    def who(invocation: Invocation[str]) -> str:
        """Say who asks."""
        return invocation.deps

    below = Agent(ScriptedModel([calls("who"), says("Tom asks.")]), name="desk", tools=[who])
    assert lead(below).run_sync("Who?", deps="Tom").answer == "It is done."
    with pytest.raises(TypeError, match=r"Invocation\[str\]"):
        lead(below).run_sync("Who?", deps=5)


def test_an_agent_of_an_agent() -> None:
    """Two levels down the tools are its own, though a tool of that name is above."""

    @tool(name="pay", read_only=True)
    def other() -> str:
        """Not this one."""
        raise AssertionError("the tool of the wrong agent was run")

    middle = Agent(
        ScriptedModel([calls("desk", question="Pay 5"), says("The desk has paid.")]), name="lead", tools=[desk(), other]
    )
    top = Agent(
        ScriptedModel([calls("lead", question="Pay 5"), says("Paid.")]), tools=[middle, other], approve=lambda _: True
    )
    result = top.run_sync("Pay")
    assert result.answer == "Paid."
    assert [act.path for act in result.acts or ()] == [("lead", "desk")]


def test_a_cancelled_run_stops_its_agents() -> None:
    """The task is cancelled while a tool below runs: the log says so of both, and what may have been done."""
    begun = asyncio.Event()

    @tool(approval="auto")
    async def slow() -> str:
        """Never end."""
        begun.set()
        await asyncio.sleep(60)
        return "never"

    async def cancelled() -> str:
        below = Agent(ScriptedModel([calls("slow")]), name="desk", tools=[slow])
        task = asyncio.ensure_future(lead(below).run("Go"))
        await asyncio.wait_for(begun.wait(), 20)
        task.cancel()
        from purestep_hosts import cancelled_result

        try:
            await task
        except asyncio.CancelledError as error:
            found = cancelled_result(error)
            assert found is not None
            return found.log
        raise AssertionError("expected the cancellation to come through")

    log = run_in_loop(cancelled())
    kinds = [json.loads(line)["kind"] for line in log.splitlines()]
    assert kinds[-1] == "run_failed"
    assert json.loads(log.splitlines()[-1])["acts"][0]["status"] == "unknown"
    assert purestep.verify(log).ok


PROGRAM = """
    import os, pathlib, signal, sys
    from purestep_hosts import Agent, ScriptedModel, SessionStore, approved, calls, says, tool

    @tool(approval="ask")
    def refund(amount: int) -> str:
        "Refund an amount."
        return f"{amount} refunded"

    both = f"[{calls('desk', question='Refund 5')},{calls('search', question='Find Tom')}]"
    script = {"first": ([both], [calls("refund", amount=5)], [says("Tom is found.")]),
              "again": ([says("Refunded, and Tom is found.")], [says("5 refunded.")], [])}[sys.argv[1]]
    lead, desk, search = map(ScriptedModel, script)
    desk = Agent(desk, name="desk", instructions="You refund.", tools=[refund])
    search = Agent(search, name="search", instructions="You search.")
    lead = Agent(lead, instructions="You lead.", tools=[desk, search])
    store = SessionStore(pathlib.Path(sys.argv[2]))
    first = sys.argv[1] == "first"
    opened = store.create(query="", agent_digest=None, model="") if first else store.open(store.ids()[0])
    with opened as session:
        if first:
            lead.run_sync("Refund Tom", session=session)
            os.kill(os.getpid(), signal.SIGKILL)
        waits = lead.run_sync(session=session)
        print(lead.run_sync(session=session, approvals=[approved(call) for call in waits.approvals]).answer)
"""


def test_an_orchestrator_survives_kill_9(tmp_path: Path) -> None:
    """Two agents, one of which waits for approval: the process is killed, and another one goes on."""

    def run(part: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", textwrap.dedent(PROGRAM), part, str(tmp_path)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)

    first = run("first")
    assert first.returncode == -signal.SIGKILL, first.stderr
    again = run("again")
    assert (again.stdout, again.returncode) == ("Refunded, and Tom is found.\n", 0), again.stderr


def test_sessions_hold_trees(tmp_path: Path) -> None:
    """A session that waits below is taken up by its log alone."""
    store = SessionStore(tmp_path)
    with store.create(query="Pay Tom", agent_digest=None, model="") as session:
        waiting = lead(desk()).run_sync("Pay Tom", session=session)
    with store.open(store.ids()[0]) as session:
        again = lead(desk(says("5 paid.")), script=[says("It is done.")])
        result = again.run_sync(session=session, approvals=[approved(call) for call in waiting.approvals])
    assert result.answer == "It is done."


def test_events_of_a_stream_name_the_agent() -> None:
    """Calls of an agent below come with its path; what it writes is no text of the answer."""

    async def told() -> list[Any]:
        run = lead(lead(desk()).as_tool("head"), script=[calls("head", question="Pay 5"), says("Done.")]).stream(
            "Pay Tom", approve=lambda _call: True
        )
        return [event async for event in run]

    events = [json.loads(msgspec.json.encode(event)) for event in run_in_loop(told())]
    assert [("call", ["head", "desk"]), ("result", ["head", "desk"])] == [
        (event["type"], event["path"]) for event in events if "path" in event
    ]
    assert "Done." == "".join([event["text"] for event in events if event["type"] == "text"])
    assert "retract" not in {event["type"] for event in events}
