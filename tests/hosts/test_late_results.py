"""Results that come later in Python: a tool says that its work goes on elsewhere, and any process gives the result."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts import (
    Agent,
    Later,
    RunNotDone,
    RunResult,
    ScriptedModel,
    SessionStore,
    calls,
    due_results,
    late_result,
    says,
    tool,
)
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.tools.later import due_ms
from tests.event_loops import run_in_loop


@tool
def report(number: int) -> str | Later:
    """Make a report."""
    return Later(f"job-{number}", note="in an hour")


def script(request: ModelRequest) -> str:
    """Call the report, and say what is known of it."""
    last = str(request.messages[-1]["content"])
    if "42 pages" in last:
        return says("It has 42 pages.")
    return says("It is under way.") if "goes on" in last else calls("report", number=1)


def reporter(*tools: Any, **members: Any) -> Agent[str]:
    """Return an agent that has a report made."""
    return Agent(ScriptedModel(script), tools=[*(tools or (report,))], **members)


def test_another_process_gives_the_result() -> None:
    """The run answers without it; days later its log is all that is needed to go on."""
    first = reporter().run_sync("Report")
    (call,) = first.late
    assert ("done", "It is under way.", "job-1") == (first.status, first.answer, call.handle)
    last = reporter().run_sync(after=first.log, results=[late_result(call, "42 pages")])
    assert ("It has 42 pages.", (), ["succeeded"]) == (last.answer, last.late, [act.status for act in last.acts or ()])
    assert purestep.verify(last.log, last.state.head).ok


def test_no_run_takes_what_another_one_waits_for() -> None:
    """Both wait for a `call_1`; the result says by its key whose it is, and nothing of it is logged or read."""
    first, other = reporter().run_sync("Report"), reporter().run_sync("Report")
    model = ScriptedModel([])
    with pytest.raises(purestep.PurestepError, match="of a call of another run") as refused:
        Agent(model, tools=[report]).run_sync(after=other.log, results=[late_result(first.late[0], "42 pages")])
    assert ("unknown_call", "/observation/results/0/key") == (refused.value.code, refused.value.path)
    assert (
        "It has 42 pages." == reporter().run_sync(after=other, results=[late_result(other.late[0], "42 pages")]).answer
    )


def both_begun() -> RunResult[str]:
    """Return a run of which two calls go on elsewhere."""
    both = f"[{calls('report', number=1)},{calls('report', number=2)}]"
    return Agent(ScriptedModel([both, says("Soon.")]), tools=[report]).run_sync("Report")


def test_results_given_together_are_read_together() -> None:
    """In one call of the model, in whatever order they are given."""
    first = both_begun()
    agent = Agent(ScriptedModel([says("Both.")]), tools=[report])  # a second call would find no output
    results = [late_result(call, f"came of {call.handle}") for call in reversed(first.late)]
    last = agent.run_sync(after=first, results=results)
    assert ("Both.", ()) == (last.answer, last.late)
    assert [True, True] == [text in str(last.messages) for text in ("came of job-1", "came of job-2")]
    assert purestep.verify(last.log, last.state.head).ok


def test_one_result_given_twice() -> None:
    """The message says so, whatever else the run takes."""
    first = both_begun()
    twice = [late_result(first.late[0], each) for each in (1, 2)]
    with pytest.raises(purestep.PurestepError, match="expected one result of call_1; got two") as refused:
        reporter().run_sync(after=first, results=twice)
    assert "duplicate_result" == refused.value.code


def test_a_result_is_an_output_or_an_error() -> None:
    """Both are a mistake, and so is what is no call; without either the call was done, and gave nothing."""
    (call,) = reporter().run_sync("Report").late
    with pytest.raises(TypeError, match="got both: leave one out"):
        late_result(call, "42 pages", error="the printer burns")
    wrong: Any = "call_1"
    with pytest.raises(TypeError, match="late_result has str; expected a call of `late`"):
        late_result(wrong, "42 pages")
    nothing = late_result(call).result
    assert (True, None, None) == (nothing.ok, nothing.output, nothing.error)


def test_a_session_keeps_it(tmp_path: Path) -> None:
    """What a crash leaves between: the result is given to the session that holds the run."""
    store = SessionStore(tmp_path)
    with store.create(query="Report", agent_digest="", model="script") as session:
        first = reporter().run_sync("Report", session=session)
    with store.open(store.ids()[0]) as session:
        last = reporter().run_sync(session=session, results=[late_result(first.late[0], error="the printer burns")])
    assert "the printer burns" in str(last.messages)


def test_an_async_tool_and_one_of_the_toolbox_may_say_so() -> None:
    """Whatever kind of function returns it; nothing of it reaches a stream as a result."""

    @tool
    async def slow(number: int) -> Later:
        """Begin slowly."""
        await asyncio.sleep(0)
        return Later("job-2")

    def asked(request: ModelRequest) -> str:
        return says("Begun.") if "goes on" in str(request.messages[-1]["content"]) else calls("slow", number=1)

    async def names() -> list[str]:
        agent = Agent(ScriptedModel(asked), tools=[slow])
        return [type(event).__name__ async for event in agent.stream("Begin")]

    assert "CallReturned" not in run_in_loop(names())
    assert slow.output_schema is report.output_schema is None


def test_a_run_may_wait_for_it() -> None:
    """With `late: wait` the run stops there, says why it has no answer, and runs nothing twice."""
    ran: list[int] = []

    @tool
    def count(number: int) -> Later:
        """Count."""
        ran.append(number)
        return Later("job-3")

    def asked(request: ModelRequest) -> str:
        return says("Counted.") if "7" in str(request.messages[-1]["content"]) else calls("count", number=1)

    agent = Agent(ScriptedModel(asked), tools=[count])
    source = {**purestep.decode_json(agent.definition.source)}
    waiting = Agent(ScriptedModel(asked), tools=[count])
    waiting.definition = purestep.Agent.load({**source, "tools": [{**source["tools"][0], "late": "wait"}]})
    first = waiting.run_sync("Count")
    assert ("waiting", ["job-3"]) == (first.status, [call.handle for call in first.late])
    with pytest.raises(RunNotDone, match="waits for the result of count"):
        _ = first.answer
    again = waiting.run_sync(after=first.log)
    assert (first.log, [1]) == (again.log, ran)
    last = waiting.run_sync(after=first.log, results=[late_result(first.late[0], 7)])
    assert ("Counted.", [1]) == (last.answer, ran)


def test_the_call_of_an_agent_below_has_its_place() -> None:
    """Its result finds the run below, and the agent's answer its caller."""

    def asked(request: ModelRequest) -> str:
        return says("42 pages.") if "42" in str(request.messages[-1]["content"]) else calls("report", number=1)

    def leads(request: ModelRequest) -> str:
        return says("Done.") if "42" in str(request.messages[-1]["content"]) else calls("desk", question="Report")

    desk = Agent(ScriptedModel(asked), name="desk", tools=[report])
    lead = Agent(ScriptedModel(leads), tools=[desk])
    first = lead.run_sync("Report")
    (call,) = first.late
    assert ("waiting", ("desk",)) == (first.status, call.path)
    last = lead.run_sync(after=first, results=[late_result(call, "42 pages")])
    assert "Done." == last.answer
    assert purestep.verify(last.log, last.state.head).ok


def test_secrets_of_a_note_are_hidden() -> None:
    """The note is told to the model and logged: no secret of this host is in it."""

    @tool
    def leak(number: int) -> Later:
        """Leak."""
        return Later("job-4", note="with hunter2hunter2")

    def asked(request: ModelRequest) -> str:
        return says("Begun.") if "goes on" in str(request.messages[-1]["content"]) else calls("leak", number=1)

    agent = Agent(ScriptedModel(asked), tools=[leak], mask=Mask({"hunter2hunter2"}))
    assert "hunter2" not in agent.run_sync("Leak").log


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ("call_1", "results is str"),
        ([purestep.ToolResult(call_id="call_1", ok=True)], "expected what `late_result` gives"),
    ],
)
def test_results_of_another_kind(results: Any, message: str) -> None:
    """They are refused in words."""
    first = reporter().run_sync("Report")
    with pytest.raises(TypeError, match=message):
        reporter().run_sync(after=first, results=results)
    with pytest.raises(TypeError, match="are for calls of a run"):
        reporter().run_sync("Report", results=[late_result(first.late[0], 1)])


@pytest.mark.parametrize("given", [("",), ("x" * 513,), ("a", "b" * 501)])
def test_handles_and_notes_are_bounded(given: tuple[str, ...]) -> None:
    """What the core would not take is an error where it is written."""
    with pytest.raises(ValueError, match="expected a handle of 1 to 512"):
        Later(*given)


def test_a_handle_says_when_its_call_is_due() -> None:
    """A time of any zone, in UTC; what is no time of the calendar, or no such handle, is due never."""
    noon = datetime(2026, 5, 1, 14, 30, tzinfo=timezone(timedelta(hours=2, minutes=30)))
    assert Later("until:2026-05-01T12:00:00.000Z", "then") == Later.until(noon, "then")
    assert 1_777_636_800_000 == due_ms(Later.until(noon).handle)
    for time in (datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)):
        assert due_ms(Later.until(time).handle) is not None
    for handle in ("job-1", "until:soon", "until:2026-02-30T00:00:00.000Z", "until:2026-05-01T12:00:00Z"):
        assert due_ms(handle) is None


@pytest.mark.parametrize("time", [datetime(2026, 5, 1), datetime.max.replace(tzinfo=timezone(-timedelta(hours=1)))])
def test_a_time_without_a_zone_or_past_the_calendar_is_refused(time: datetime) -> None:
    """Whoever writes the tool is told what is expected."""
    with pytest.raises(ValueError, match="expected a time"):
        Later.until(time)


@pytest.mark.parametrize("time", ["2020", 5, None])
def test_what_is_no_time_is_refused(time: Any) -> None:
    """Text and numbers are none: which zone, and which unit, would be a guess."""
    with pytest.raises(TypeError, match=r"expected a datetime in Later.until\(time\), such as .*; got "):
        Later.until(time)


def test_what_is_due_is_given_by_any_host() -> None:
    """Not before its time; calls that wait for something else are passed over."""

    @tool
    def wait() -> Later:
        """Wait."""
        return Later.until(datetime(2026, 5, 1, tzinfo=UTC))

    both = f"[{calls('wait')},{calls('report', number=1)}]"
    agent = Agent(ScriptedModel([both, says("I wait."), says("It is time.")]), tools=[wait, report])
    first = agent.run_sync("Wait")
    due = due_ms(first.late[0].handle)
    assert due is not None
    assert [] == [*due_results(first.late, due - 1)]
    last = agent.run_sync(after=first, results=due_results(first.late, due))
    assert ("It is time.", ["job-1"]) == (last.answer, [call.handle for call in last.late])
    assert "The time has come: 2026-05-01T00:00:00.000Z." in str(last.messages)
