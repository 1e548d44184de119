"""Runs that are cancelled or left: the result says so, and has the log, whether or not a session keeps it."""

import asyncio
import json
import os
import signal
import threading
import time
from typing import Any

import pytest

import purestep
from purestep_hosts import Agent, RunInterrupted, RunNotDone, ScriptedModel, calls, cancelled_result, says, tool
from purestep_hosts.agents.events import CallStarted
from tests.event_loops import run_in_loop

ran: list[str] = []


@tool(approval="auto", read_only=True)
async def slow(city: str) -> str:
    """Weather of a city, which takes its time."""
    ran.append(city)
    await asyncio.sleep(60)
    return "sun"


def agent(*tools: Any) -> Agent[str]:
    """Return an agent that calls the tool that takes its time."""
    return Agent(ScriptedModel([calls("slow", city="Oslo"), says("Sun.")]), tools=list(tools) or [slow])


async def begun(events: Any) -> None:
    """Take events until a call runs."""
    async for event in events:
        if isinstance(event, CallStarted):
            return


async def divided(events: Any) -> None:
    """Leave a stream by an error."""
    async with events:
        await begun(events)
        raise ZeroDivisionError


def shown(result: Any) -> tuple[str, str, list[str]]:
    """Return a result's status and code, and the kinds of its log."""
    kinds = [json.loads(line)["kind"] for line in result.log.splitlines()]
    assert purestep.verify(result.log).ok
    return result.status, result.failure.code, kinds


CANCELLED = ("failed", "cancelled")
KINDS = ["run_started", "user_message", "model_response", "tool_call"]


def test_cancelled_run_has_its_log() -> None:
    """Awaited, it raises what asyncio demands; that has the result."""

    async def run() -> None:
        task = asyncio.ensure_future(agent().run("Weather?"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        *code, kinds = shown(cancelled_result(caught.value))
        assert CANCELLED == tuple(code)
        assert KINDS == kinds[:4]
        assert kinds[-1] == "run_failed"

    run_in_loop(run())


def test_timeout_has_the_cancelled_run_as_its_cause() -> None:
    """As asyncio turns the one into the other."""

    async def run() -> None:
        with pytest.raises(TimeoutError) as caught:
            async with asyncio.timeout(0.05):
                await agent().run("Weather?")
        assert CANCELLED == shown(cancelled_result(caught.value))[:2]

    run_in_loop(run())


def test_stream_that_was_left_has_its_result() -> None:
    """After its `async with`, and after `aclose`."""

    async def left() -> None:
        async with agent().stream("Weather?") as events:
            await begun(events)
        assert CANCELLED == shown(events.result)[:2]

    async def closed() -> None:
        events = agent().stream("Weather?")
        await begun(events)
        await events.aclose()
        assert CANCELLED == shown(events.result)[:2]

    async def broken() -> None:
        events = agent().stream("Weather?")
        with pytest.raises(ZeroDivisionError):
            await divided(events)
        assert CANCELLED == shown(events.result)[:2]

    for each in (left, closed, broken):
        run_in_loop(each())


def test_stream_without_an_event_has_no_result() -> None:
    """It never began."""

    async def run() -> None:
        async with agent().stream("Weather?") as events:
            pass
        closed = agent().stream("Weather?")
        await closed.aclose()
        for stream in (events, closed):
            assert [] == [event async for event in stream]  # and that begins nothing either
            with pytest.raises(RunNotDone, match="left before its run began"):
                _ = stream.result
            with pytest.raises(RunNotDone, match="left before its run began"):
                stream.steer("And in Rome?")

    run_in_loop(run())


def test_cancelled_run_goes_on_with_the_next_query() -> None:
    """What it did stands in the log that goes on."""

    async def run() -> None:
        model = ScriptedModel([calls("slow", city="Oslo"), says("Hello.")])
        one = Agent(model, tools=[slow])
        async with one.stream("Weather?") as events:
            await begun(events)
        result = await one.run("Never mind, say hello.", after=events.result)
        assert ("done", "Hello.") == (result.status, result.answer)
        assert one.read(events.result).status == "failed"

    run_in_loop(run())


def test_control_c_leaves_the_log() -> None:
    """`run_sync` raises a KeyboardInterrupt that has the result."""

    def interrupt() -> None:
        while not ran:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    ran.clear()
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        agent().run_sync("Weather?")
    thread.join()
    assert isinstance(caught.value, RunInterrupted)
    assert CANCELLED == shown(caught.value.result)[:2]
    assert caught.value.result is cancelled_result(caught.value)


def test_other_errors_have_no_run() -> None:
    """None, and nothing raised."""
    assert cancelled_result(ValueError()) is None
    assert cancelled_result(None) is None


def test_read_takes_what_after_takes() -> None:
    """A result, or the text of its log."""
    one = Agent(ScriptedModel([says("Hello.")]))
    result = one.run_sync("Hi")
    assert "Hello." == one.read(result).answer == one.read(result.log).answer
