"""What is known of a run that was cancelled or left, and of a tool whose own agent waits for a person."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from purestep_hosts import (
    Agent,
    RunNotDone,
    RunResult,
    RunStream,
    ScriptedModel,
    ToolFailure,
    calls,
    cancelled_result,
    says,
    tool,
)
from tests.event_loops import run_in_loop


@tool(read_only=True)
async def look() -> str:
    """Look for longer than anybody waits."""
    await asyncio.sleep(1000)
    return "late"


@tool(approval="ask")
def refund(order: int) -> str:
    """Refund an order."""
    return f"order {order} refunded"


def looking() -> Agent[str]:
    """Return an agent that looks for ever."""
    return Agent(ScriptedModel([calls("look")]), tools=[look])


def is_told(result: RunResult[Any] | None) -> bool:
    """Whether a result says that its run was cancelled, with a log that says so as well."""
    assert result is not None
    kinds = [json.loads(line)["kind"] for line in result.log.splitlines()]
    assert ["run_started", "cancelled", "run_failed"] == [kinds[0], *kinds[-2:]]
    assert ("failed", "cancelled") == (result.status, result.failure and result.failure.code)
    assert "cancelled" == (looking().read(result).failure or pytest.fail("no failure")).code
    return result.messages[0].content is not None and len(result.run_id) > 0


async def by_task() -> BaseException:
    """Cancel a task that runs an agent."""
    task = asyncio.create_task(looking().run("Go"))
    await asyncio.sleep(0.1)
    task.cancel()
    return await raised_by(task)


async def by_timeout() -> BaseException:
    """Let the time of a block run out."""

    async def limited() -> None:
        async with asyncio.timeout(0.1):
            await looking().run("Go")

    return await raised_by(limited())


async def by_wait_for() -> BaseException:
    """Let `wait_for` run out."""
    return await raised_by(asyncio.wait_for(looking().run("Go"), 0.1))


async def by_gather() -> BaseException:
    """Cancel one of two that are gathered."""
    task = asyncio.create_task(looking().run("Go"))
    gathered = asyncio.gather(task, asyncio.sleep(5))
    await asyncio.sleep(0.1)
    task.cancel()
    return await raised_by(gathered)


async def by_shielded_failure() -> BaseException:
    """Raise another exception in place of the cancellation."""

    async def wrapped() -> None:
        try:
            await looking().run("Go")
        except asyncio.CancelledError as error:
            raise ToolFailure("stopped") from error

    task = asyncio.create_task(wrapped())
    await asyncio.sleep(0.1)
    task.cancel()
    return await raised_by(task)


async def raised_by(work: Awaitable[Any]) -> BaseException:
    """Return what a piece of work raises."""
    try:
        await work
    except BaseException as error:
        return error
    raise AssertionError("it raised nothing")


@pytest.mark.parametrize("leave", [by_task, by_timeout, by_wait_for, by_gather, by_shielded_failure])
def test_a_cancelled_run_gives_its_result(leave: Callable[[], Awaitable[BaseException]]) -> None:
    """The exception holds the result, with status, code and log, where no session has kept it."""

    async def left() -> BaseException:
        return await leave()

    assert is_told(cancelled_result(run_in_loop(left())))


def test_a_run_that_goes_on_after_its_cancelled_result() -> None:
    """The result is one as any other: the next query goes on after it, and knows what was said."""

    async def talk() -> RunResult[str]:
        agent = Agent(ScriptedModel([calls("look"), says("Here I am.")]), tools=[look])
        stopped = cancelled_result(await raised_by(asyncio.wait_for(agent.run("Go"), 0.1)))
        return await agent.run("Are you there?", after=stopped)

    assert "Here I am." == run_in_loop(talk()).answer


def test_another_exception_has_no_result() -> None:
    """Of what cancelled no run, None is told; also of exceptions that name each other as their cause."""
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    assert (None, None) == (cancelled_result(first), cancelled_result(asyncio.CancelledError()))


async def broken_off(events: RunStream[str]) -> None:
    """Break out of the loop in the block."""
    async with events:
        async for _ in events:
            break


async def by_exception(events: RunStream[str]) -> None:
    """Raise in the block."""

    async def take() -> None:
        async with events:
            async for _ in events:
                raise ZeroDivisionError

    assert isinstance(await raised_by(take()), ZeroDivisionError)


async def closed(events: RunStream[str]) -> None:
    """Close it without a block."""
    await anext(events)
    await events.aclose()


async def timed_out(events: RunStream[str]) -> None:
    """Let the time run out around the block."""

    async def take() -> None:
        async with asyncio.timeout(0.2), events:
            async for _ in events:
                pass

    assert isinstance(await raised_by(take()), TimeoutError)


async def task_cancelled(events: RunStream[str]) -> None:
    """Cancel the task that takes the events."""

    async def take() -> None:
        async with events:
            async for _ in events:
                pass

    task = asyncio.create_task(take())
    await asyncio.sleep(0.2)
    task.cancel()
    assert isinstance(await raised_by(task), asyncio.CancelledError)


@pytest.mark.parametrize("leave", [broken_off, by_exception, closed, timed_out, task_cancelled])
def test_a_left_stream_gives_its_result(leave: Callable[[RunStream[str]], Awaitable[None]]) -> None:
    """`result` of a stream that was left has status, code and log, without a session."""

    async def left() -> RunResult[str]:
        events = looking().stream("Go")
        await leave(events)
        return events.result

    assert is_told(run_in_loop(left()))


def test_a_stream_that_has_not_ended_says_what_to_do() -> None:
    """Before its begin, in its middle, and where it was cancelled before anything was logged."""

    async def codes() -> list[str]:
        found = []
        events = looking().stream("Go")
        found.append(code_of(events))
        await anext(events)
        found.append(code_of(events))
        await events.aclose()
        early = looking().stream("Go")
        waiting = asyncio.ensure_future(anext(early))
        await asyncio.sleep(0)
        await early.aclose()
        await asyncio.wait([waiting], timeout=5)
        found.append(code_of(early))
        return found

    assert ["not_begun", "running", "cancelled"] == run_in_loop(codes())


def code_of(events: RunStream[str]) -> str:
    """Return the code with which a stream refuses its result."""
    with pytest.raises(RunNotDone) as raised:
        _ = events.result
    return raised.value.code


def test_ctrl_c_in_run_sync_gives_the_result() -> None:
    """KeyboardInterrupt holds the result of the run that it cancelled."""
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        looking().run_sync("Go")
    assert is_told(cancelled_result(raised.value))


def inner() -> Agent[str]:
    """Return an agent that waits for a person."""
    return Agent(ScriptedModel([calls("refund", order=7), says("Done.")]), tools=[refund])


async def asked_for_answer() -> str:
    """Ask for the answer."""
    return (await inner().run("Refund order 7.")).answer


async def returned() -> Any:
    """Return the result."""
    return await inner().run("Refund order 7.")


async def in_a_list() -> Any:
    """Return the result in a list."""
    return [await inner().run("Refund order 7.")]


async def wrapped() -> str:
    """Raise another failure."""
    try:
        return (await inner().run("Refund order 7.")).answer
    except RunNotDone as error:
        raise ToolFailure("the billing agent failed") from error


async def grouped() -> str:
    """Raise it in a group."""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(asked_for_answer())
    return task.result()


def in_a_thread() -> str:
    """Run it in a thread."""
    return inner().run_sync("Refund order 7.").answer


INNER = [asked_for_answer, returned, in_a_list, wrapped, grouped, in_a_thread]


def test_who_stops_a_stream_elsewhere_does_not_cancel_its_reader() -> None:
    """A button calls `aclose` while a loop reads: the loop ends with the last event, as it does read again later."""

    async def read() -> list[str]:
        events = looking().stream("Go")
        kinds = []
        async for event in events:
            kinds.append(event.type)
            if event.type == "call":
                stopping = asyncio.create_task(events.aclose())
        await stopping
        kinds += [event.type async for event in events]
        return [*kinds, events.result.status]

    assert ["call", "result", "done", "failed"] == run_in_loop(read())


@pytest.mark.parametrize("ask", INNER)
def test_an_inner_run_that_waits_is_no_failed_tool(ask: Callable[[], Any]) -> None:
    """The model is not asked again: the outer run ends with a code of its own and a sentence that names the tool."""
    model = ScriptedModel([calls("billing"), says("The billing tool has failed.")])
    outer = Agent(model, tools=[tool(name="billing", description="Ask billing.")(ask)])
    result = outer.run_sync("Refund order 7.")
    assert ("failed", "inner_run_waiting") == (result.status, result.failure and result.failure.code)
    assert "the tool billing runs an agent that waits for a person" in (result.failure or pytest.fail("none")).message
    assert "billing runs an agent that waits for a person" in result.log
    assert "The billing tool has failed." not in result.log


def test_an_inner_run_that_failed_is_a_failed_tool() -> None:
    """Only a run that waits is taken out: one that failed is what the model reads."""

    @tool(read_only=True)
    def billing() -> str:
        """Ask billing."""
        return Agent(ScriptedModel([])).run_sync("Go").answer

    result = Agent(ScriptedModel([calls("billing"), says("Billing is down.")]), tools=[billing]).run_sync("Go")
    assert "Billing is down." == result.answer


@pytest.mark.parametrize("make", [lambda agent: agent.run, lambda agent: agent.run_sync])
def test_the_run_of_an_agent_is_no_tool(make: Callable[[Agent[str]], Any]) -> None:
    """The sentence says to give the agent itself (`test_agents_that_ask.py`)."""
    with pytest.raises(TypeError, match="expected the agent itself, not its `run`"):
        Agent(ScriptedModel([]), tools=[make(inner())])


def test_read_takes_what_after_takes() -> None:
    """A result, or its log; of anything else it says what is expected."""
    agent = Agent(ScriptedModel([says("Hello.")]))
    result = agent.run_sync("Hi", attachments=())
    assert ["Hello.", "Hello."] == [agent.read(result).answer, agent.read(result.log).answer]
    assert result.attachments is agent.read(result).attachments
    for odd in (None, b"log", 7):
        with pytest.raises(TypeError, match="expected a result, or the text of a log"):
            agent.read(odd)  # type: ignore[arg-type]


def test_output_of_a_result_names_answer() -> None:
    """Who looks for `.output` reads what it is called here."""
    result = Agent(ScriptedModel([says("Hello.")])).run_sync("Hi")
    with pytest.raises(AttributeError, match="its text is `answer`, its typed value is `data`"):
        _ = getattr(result, "output")  # noqa: B009 (a checker refuses it by itself)


def test_an_inner_run_that_asks_somebody_is_a_result() -> None:
    """With `approve` it waits for nobody, and its answer is what the tool returns."""

    async def write() -> str:
        """Refund an order."""
        return (await inner().run("Refund order 7.", approve=lambda call: True)).answer

    outer = Agent(ScriptedModel([calls("write"), says("Refunded.")]), tools=[write])
    result = outer.run_sync("Refund order 7.")
    returned = [json.loads(line).get("output") for line in result.log.splitlines() if '"kind":"tool_result"' in line]
    assert ("Refunded.", ["Done."]) == (result.answer, returned)
