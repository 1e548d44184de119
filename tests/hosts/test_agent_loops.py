"""Runs in event loops: many at once, calls at once, streams, cancellation, and callers that wait."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

import purestep
from purestep_hosts import Agent, Invocation, RunNotDone, ScriptedModel, calls, says, tool
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import ModelEnd, ModelRequest, ReplySink
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tests.event_loops import run_in_loop

LATE = "did not end within 0.05 seconds; it may have run"


def both(*texts: str) -> str:
    """Return one output with several calls."""
    return f"[{','.join(texts)}]"


def results(log: str) -> list[dict[str, Any]]:
    """Return the logged results."""
    return [event for line in log.splitlines() if (event := json.loads(line))["kind"] == "tool_result"]


class Meeting:
    """Lets nobody go on before so many are there."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.there = 0
        self.all_there = asyncio.Event()

    async def wait(self) -> None:
        """Wait for the others."""
        self.there += 1
        if self.there == self.size:
            self.all_there.set()
        await self.all_there.wait()


def test_two_hundred_runs_go_on_at_once() -> None:
    """All of them are in their tool at the same time, and each ends with its own answer."""

    @tool
    async def meet(number: int, meeting: Invocation[Meeting]) -> int:
        """Wait for everybody."""
        await meeting.deps.wait()
        return number

    def answer(request: ModelRequest) -> str:
        last = str(request.messages[-1]["content"])
        if not last.startswith("I am"):
            return says(f"It gave: {last}")
        return calls("meet", number=int(last.rpartition(" ")[2]))

    async def run_all() -> list[Any]:
        agent, meeting = Agent(ScriptedModel(answer), tools=[meet]), Meeting(200)
        return await asyncio.gather(*(agent.run(f"I am {number}", deps=meeting) for number in range(200)))

    ended = run_in_loop(run_all())
    assert list(range(200)) == [results(result.log)[0]["output"] for result in ended]
    assert {"done"} == {result.status for result in ended}
    assert 200 == len({result.run_id for result in ended})


def test_calls_of_a_turn_run_at_once_and_no_more_than_the_limit() -> None:
    """Async and sync functions run beside each other; limits.max_parallel bounds them."""
    running, most = 0, 0

    @tool
    async def wait(number: int) -> int:
        """Wait for the others of a group of two."""
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(50):
            await asyncio.sleep(0)
        running -= 1
        return number

    four = both(*(calls("wait", number=number) for number in range(4)))
    result = Agent(ScriptedModel([four, says("It gave four.")]), tools=[wait], limits={"max_parallel": 2}).run_sync(
        "Go"
    )
    assert ([0, 1, 2, 3], 2) == ([entry["output"] for entry in results(result.log)], most)


def test_sync_functions_run_at_once_in_threads() -> None:
    """Two functions that wait for each other both come back."""
    barrier = threading.Barrier(2, timeout=300)

    @tool
    def meet(number: int) -> int:
        """Meet the other."""
        barrier.wait()
        return number

    two = both(calls("meet", number=1), calls("meet", number=2))
    result = Agent(ScriptedModel([two, says("It gave both.")]), tools=[meet]).run_sync("Go")
    assert [1, 2] == [entry["output"] for entry in results(result.log)]


def test_both_loops_write_the_same_log() -> None:
    """The sync loop of the command and the async one drive the same effects: not a byte differs."""
    names = ("add_numbers", "echo")
    box = Toolbox(ToolConfig(session_dir=Path("unused"), names=names))
    outputs = [
        "No call and no JSON",
        both(calls("add_numbers", a=1, b=2), calls("echo", text="a")),
        calls("echo", text=""),
        says("It is 3."),
    ]
    agent = Agent(ScriptedModel(outputs), tools=list(box._tools.values()), clock=lambda: 7)

    class Kept:
        log = ""

        def append(self, log: str, head: str) -> None:
            self.log += log

        def on_text(self, text: str) -> None: ...
        def on_retract(self) -> None: ...
        def on_step(self, step: Any) -> None: ...
        def on_result(self, call: Any, result: Any) -> None: ...

    kept = Kept()
    ports = Ports(
        model=ScriptedModel(outputs), tools=box, approve=lambda given: (), log=kept, watch=kept, clock=lambda: 7
    )
    Run(agent.definition, ports, "run-1").ask("Go")
    assert kept.log == agent.run_sync("Go", run_id="run-1").log
    assert "correction" in kept.log


def test_events_come_in_order_and_the_last_is_the_end() -> None:
    """Text of an output that is not the answer is taken back; calls, results and the end follow each other."""

    @tool
    def look(number: int) -> int:
        """Look."""
        return number + 1

    outputs = [says("Let me look, I will now look."), calls("look", number=1), says("It is 2.")]

    async def taken() -> tuple[list[Any], Any]:
        async with Agent(ScriptedModel(outputs), tools=[look], checks=["planning"]).stream("Look") as events:
            return [event async for event in events], events.result

    events, result = run_in_loop(taken())
    assert "text" == events[0].__struct_config__.tag
    after = [event.__struct_config__.tag for event in events if event.__struct_config__.tag != "text"]
    assert ["retract", "call", "result", "done"] == after
    answer = "".join(event.text for event in events[-4:-1])
    assert ("It is 2.", "It is 2.") == (answer, result.answer)


def test_a_stream_ends_waiting_where_nobody_is_asked() -> None:
    """The calls that wait are an event; the end says so."""

    @tool(approval="ask")
    def pay(amount: int) -> str:
        """Pay."""
        return "paid"

    async def taken() -> list[Any]:
        return [event async for event in Agent(ScriptedModel([calls("pay", amount=5)]), tools=[pay]).stream("Pay 5")]

    asked, ended = run_in_loop(taken())
    assert ({"amount": 5}, "waiting", None) == (asked.calls[0].params, ended.status, ended.answer)


def test_the_result_of_a_stream_is_there_after_its_end_only() -> None:
    """Before, it is an error and not None."""

    async def early() -> None:
        events = Agent(ScriptedModel([says("Hi.")])).stream("Hello")
        with pytest.raises(RunNotDone, match="the run has not begun"):
            assert events.result

    run_in_loop(early())


def test_what_goes_wrong_in_the_program_comes_out_of_the_stream() -> None:
    """A mistake of the program is raised where the events are taken."""

    async def take() -> None:
        async for _ in Agent(ScriptedModel([])).stream("Go", after="nonsense"):
            pass

    with pytest.raises(purestep.PurestepError, match="expected a log that begins with run_started"):
        run_in_loop(take())


async def cancelled_in(agent: Agent[Any], started: Callable[[], bool], log: list[str]) -> None:
    """Run an agent, cancel it once something has started, and see that the cancellation comes through."""

    class Kept:
        run_id = "run-1"

        def text(self) -> str:
            return ""

        def clear(self) -> None: ...
        def append(self, text: str, head: str) -> None:
            log.append(text)

    task = asyncio.create_task(agent.run("Go", session=Kept()))
    while not started():
        assert not task.done(), task.result()
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_cancelling_records_results_and_interruptions_before_it_goes_through() -> None:
    """What came is recorded, the rest as interrupted, and the log ends with the cancellation."""
    seen: list[str] = []

    @tool
    async def quick() -> str:
        """Come back."""
        seen.append("quick")
        return "here"

    @tool
    async def slow() -> str:
        """Never come back."""
        seen.append("slow")
        try:
            await asyncio.sleep(1000)
        finally:
            seen.append("ended")
        return "never"

    log: list[str] = []
    agent = Agent(ScriptedModel([both(calls("slow"), calls("quick"))]), tools=[quick, slow])
    run_in_loop(cancelled_in(agent, lambda: len(seen) == 2, log))
    whole = "".join(log)
    assert [(False, "interrupted"), (True, None)] == [
        (entry["ok"], entry.get("error_kind")) for entry in results(whole)
    ]
    assert ["cancelled", "run_failed"] == [json.loads(line)["kind"] for line in whole.splitlines()[-2:]]
    assert seen[2:] == ["ended"]
    assert purestep.verify(whole).ok


def test_a_function_that_never_returns_is_left_behind_when_the_run_is_cancelled() -> None:
    """The thread is asked to stop and not waited for; the call counts as interrupted."""
    began, release = threading.Event(), threading.Event()

    @tool
    def hang(invocation: Invocation[Any]) -> str:
        """Hang."""
        began.set()
        release.wait(60)
        return "late"

    log: list[str] = []
    run_in_loop(cancelled_in(Agent(ScriptedModel([calls("hang")]), tools=[hang]), began.is_set, log))
    release.set()
    assert ["interrupted"] == [entry["error_kind"] for entry in results("".join(log))]


def test_a_function_past_its_time_limit_is_an_error_result() -> None:
    """Sync and async functions alike; the run goes on."""

    @tool(time_limit_s=0.05)
    def hang(invocation: Invocation[Any]) -> str:
        """Hang until there is no time."""
        while invocation.remaining_s():
            time.sleep(0.01)
        invocation.check()
        return "late"

    @tool(time_limit_s=0.05)
    async def hang_too() -> str:
        """Hang."""
        await asyncio.sleep(1000)
        return "late"

    outputs = [both(calls("hang"), calls("hang_too")), says("It failed.")]
    result = Agent(ScriptedModel(outputs), tools=[hang, hang_too]).run_sync("Go")
    assert ["the time limit was reached; it may have run", f"hang_too {LATE}"] == [
        entry["error"] for entry in results(result.log)
    ]


def test_a_stop_waits_for_functions_that_learn_of_it_and_hardly_for_others() -> None:
    """A thread that cannot know that it is stopped is left behind sooner than one with an Invocation."""

    def left_after(function: Callable[..., Any]) -> float:
        release, began = threading.Event(), time.monotonic()
        made = tool(name="hang", time_limit_s=0.05)(function)
        result = Agent(ScriptedModel([calls("hang"), says("It failed.")]), tools=[made]).run_sync("Go", deps=release)
        taken = time.monotonic() - began
        release.set()
        assert [f"hang {LATE}"] == [entry["error"] for entry in results(result.log)]
        return taken

    ended = threading.Event()

    def deaf() -> str:
        """Hang."""
        ended.wait(60)
        return "late"

    def hearing(invocation: Invocation[threading.Event]) -> str:
        """Hang all the same."""
        invocation.deps.wait(60)
        return "late"

    assert left_after(deaf) * 2 < left_after(hearing)
    ended.set()


class Hanging:
    """A model that writes until it is told to stop, in whatever thread it is asked."""

    name = "hanging"

    def __init__(self) -> None:
        self.began = threading.Event()
        self.ended = threading.Event()
        self.stopped: list[ReplySink] = []

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        """Write for ever."""
        self.began.set()
        while not reply.text("I think. "):
            time.sleep(0.01)
        self.ended.set()
        return purestep.ModelOutput(content="I think.")

    def stop(self) -> None:
        """Nothing is done: the reply says when it is over."""

    def stop_reply(self, reply: ReplySink) -> None:
        """Keep which reply was given up."""
        self.stopped.append(reply)


def test_cancelling_gives_up_the_reply_of_this_run() -> None:
    """The model is told which reply is given up, ends with its next piece, and the run is cancelled."""
    model, log = Hanging(), []  # type: ignore[var-annotated]
    run_in_loop(cancelled_in(Agent(model, dialect="tool_tags"), model.began.is_set, log))
    assert model.ended.wait(30)
    assert 1 == len(model.stopped)
    assert "cancelled" == json.loads("".join(log).splitlines()[-2])["kind"]


def test_leaving_a_stream_cancels_its_run() -> None:
    """`async with` waits until the log of the cancelled run is whole."""
    model = Hanging()

    async def leave() -> None:
        async with Agent(model, dialect="tool_tags").stream("Go") as events:
            async for event in events:
                assert "text" == event.__struct_config__.tag
                break
        assert model.ended.wait(30)

    run_in_loop(leave())
    assert 1 == len(model.stopped)


def test_a_stream_that_is_left_over_and_over_waits_for_its_log() -> None:
    """anyio, and so each ASGI framework, cancels again at every await until the task is over."""
    log: list[str] = []

    @tool(read_only=True)
    async def look() -> str:
        """Look for longer than anybody waits."""
        await asyncio.sleep(1000)
        return "late"

    class Kept:
        run_id = "run-1"

        def text(self) -> str:
            return ""

        def clear(self) -> None: ...
        async def append(self, text: str, head: str) -> None:
            await asyncio.sleep(0.05)
            log.append(text)

    async def leave() -> None:
        agent = Agent(ScriptedModel([calls("look")]), tools=[look])
        with anyio.CancelScope() as scope:
            async with agent.stream("Go", session=Kept()) as events:
                async for event in events:
                    assert "call" == event.__struct_config__.tag
                    scope.cancel()
        assert scope.cancelled_caught
        assert ["cancelled", "run_failed"] == [json.loads(line)["kind"] for line in "".join(log).splitlines()[-2:]]

    run_in_loop(leave())


def test_a_stream_that_is_dropped_cancels_its_run() -> None:
    """A `break` out of the loop is enough where nothing else holds the stream."""
    model = Hanging()

    async def leave() -> None:
        async for _ in Agent(model, dialect="tool_tags").stream("Go"):
            break
        assert await asyncio.to_thread(model.ended.wait, 30)

    run_in_loop(leave())
    assert 1 == len(model.stopped)


def test_run_sync_works_where_a_loop_runs_already() -> None:
    """As in a notebook, and from a sync tool of another run."""

    @tool
    def ask_another() -> str:
        """Ask another agent."""
        return Agent(ScriptedModel([says("Hi.")])).run_sync("Hello").answer

    async def in_loop() -> str:
        outputs = [calls("ask_another"), says("It said Hi.")]
        result = Agent(ScriptedModel(outputs), tools=[ask_another]).run_sync("Ask")
        assert ["Hi."] == [entry["output"] for entry in results(result.log)]
        return result.answer

    assert "It said Hi." == run_in_loop(in_loop())


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_an_exit_in_a_program_s_function_leaves_the_other_runs_alone(error: BaseException) -> None:
    """It comes out of run_sync, and the next run_sync has its event loop; a loop that died would never answer."""

    @tool(approval="ask")
    def pay(amount: int) -> str:
        """Pay."""
        return "paid"

    def approve(call: Any) -> bool:
        raise error

    with pytest.raises(type(error)):
        Agent(ScriptedModel([calls("pay", amount=5)]), tools=[pay], approve=approve).run_sync("Pay 5")
    assert "Hi." == Agent(ScriptedModel([says("Hi.")])).run_sync("Hello").answer


def test_run_sync_in_an_async_tool_says_what_to_do() -> None:
    """It would wait for itself: the model gets an error, and the run goes on."""

    @tool
    async def ask_another() -> str:
        """Ask another agent."""
        return Agent(ScriptedModel([says("Hi.")])).run_sync("Hello").answer

    result = Agent(ScriptedModel([calls("ask_another"), says("It failed.")]), tools=[ask_another]).run_sync("Ask")
    assert "await run there" in results(result.log)[0]["error"]


INTERRUPTED = """
import signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
from purestep_hosts import Agent, ScriptedModel, SessionStore, calls, tool
@tool
def hang() -> str:
    "Hang."
    print("hangs", flush=True)
    threading.Event().wait()
store = SessionStore(sys.argv[1])
agent = Agent(ScriptedModel([calls("hang")]), tools=[hang])
try:
    with store.create(query="Go", agent_digest="", model="script") as session:
        agent.run_sync("Go", session=session)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_in_run_sync_cancels_the_run_and_comes_through(tmp_path: Path) -> None:
    """KeyboardInterrupt reaches the program, once the log says what became of the call."""
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "hangs\n" == process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert "interrupted\n" == process.stdout.read()
    assert 0 == process.returncode
    (log,) = [path.read_text() for path in tmp_path.glob("*/log.jsonl")]
    kinds = [json.loads(line)["kind"] for line in log.splitlines()]
    assert ["tool_result", "cancelled", "run_failed"] == kinds[-3:]
