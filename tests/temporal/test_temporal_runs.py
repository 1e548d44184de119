"""Runs on a Temporal server: their exchanges, logs, approvals and cancellations, and what is refused."""

from __future__ import annotations

import asyncio
import base64
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from temporalio import workflow

import purestep
from purestep_hosts import Agent, ScriptedModel, approved, calls, says, tool
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.attachments import FolderAttachments
from purestep_hosts.models.model import ModelRequest, ReplySink
from purestep_hosts.temporal import DurableError, TemporalRuns, TemporalWorker
from purestep_hosts.temporal.payloads import WorkflowOrder, payload
from purestep_hosts.temporal.workflow import TemporalExchange
from tests.durable.booking import LIMIT_S, booking_agent, effects
from tests.hosts.test_attachments import png
from tests.temporal.lines import events


def test_a_call_and_an_answer(server: str, queue: str, tmp_path: Path) -> None:
    """A run goes to its end; its log holds to the last byte, and is there without a worker."""
    agent = booking_agent(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(agent, server, queue=queue):
            run_id = runs.start("Send")
            result = runs.wait(run_id, LIMIT_S)
        assert ("done", "It is done.", ["sent ann"]) == (result.status, result.answer, effects(tmp_path))
        assert ("done", result.log) == (runs.status(run_id), runs.log(run_id))
    assert purestep.verify(result.log, result.state.head).ok


def test_the_log_is_that_of_the_native_host(server: str, queue: str) -> None:
    """Given the same observations at the same times, both write the same bytes."""

    @tool
    def order_of(members: str) -> dict[str, Any]:
        """Return members that are not in the order of the alphabet, and text of several scripts."""
        return {"b": members, "a": "ß 字 😀", "c": [1.5, 2**60, None]}

    script = [calls("order_of", members="b, a, c"), says("In their order.")]
    agent = Agent(ScriptedModel(script), tools=[order_of])
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("Order?")
        log = runs.wait(run_id, LIMIT_S).log
    said, first, called_, second = (
        events(log, kind) for kind in ("user_message", "model_response", "tool_result", "model_response")
    )
    asked, answer = first[0], second[1]
    times = [said[0]["at"], asked["asked_at"], asked["first_token_at"], asked["at"], called_[0]["ended_at"]]
    times += [called_[0]["at"], answer["asked_at"], answer["first_token_at"], answer["at"]]
    native = Agent(ScriptedModel(script), tools=[order_of], clock=iter(times).__next__)
    assert log == native.run_sync("Order?", run_id=run_id).log


@pytest.mark.parametrize("is_kept", [True, False])
def test_an_image_that_a_tool_gives(server: str, queue: str, tmp_path: Path, is_kept: bool) -> None:
    """It goes to the model where the workers keep files, with its bytes in no log; else the model is told of it."""

    @tool
    def look() -> bytes:
        """Look."""
        return png()

    model = ScriptedModel([calls("look"), says("A dot.")])
    store = FolderAttachments(tmp_path) if is_kept else None
    agent = Agent(model, tools=[look])
    working = TemporalWorker(agent, server, queue=queue, attachments=store)
    with TemporalRuns(agent, server, queue=queue) as runs, working:
        result = runs.wait(runs.start("What is there?"), LIMIT_S)
    assert "A dot." == result.answer
    sent = str(model.requests[1].messages)
    encoded = base64.b64encode(png()).decode()
    assert (is_kept, not is_kept) == (encoded in sent, "1 images or files are left out: none is kept here" in sent)
    assert encoded not in result.log
    assert is_kept == ("parts" in events(result.log, "tool_result")[0])


def test_an_exchange_after_another_one(server: str, queue: str) -> None:
    """A run that has ended takes the next message; one that goes on does not, and answers have to fit its calls."""
    agent = Agent(ScriptedModel([says("Hello Ann."), calls("add"), says("You are Ann.")]), tools=[_adding()])
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("I am Ann.")
        assert "Hello Ann." == runs.wait(run_id, LIMIT_S).answer
        runs.start("Who am I?", run_id=run_id)
        with pytest.raises(DurableError) as refusal:
            runs.start("And I?", run_id=run_id)
        assert "run_active" == refusal.value.code
        (call,) = runs.wait(run_id, LIMIT_S).approvals
        with pytest.raises(purestep.PurestepError, match="as it waits now") as forged:
            runs.approve(run_id, [purestep.Approval(call_id=call.call_id, key="0" * 32, approved=True)])
        assert "stale_approval" == forged.value.code
        runs.approve(run_id, [approved(call)])
        result = runs.wait(run_id, LIMIT_S)
        assert "You are Ann." == result.answer
        with pytest.raises(DurableError, match="no call of it waits"):
            runs.approve(run_id, [approved(call)])
    assert purestep.verify(result.log, result.state.head).ok


def test_two_people_answer_at_once(server: str, queue: str, tmp_path: Path) -> None:
    """One answer is taken, the other one is told so, and the call runs once."""
    agent = booking_agent(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("Pay")
        (call,) = runs.wait(run_id, LIMIT_S).approvals
        with ThreadPoolExecutor() as people:
            given = [people.submit(runs.approve, run_id, [approved(call, by=name)]) for name in ("ann", "bob")]
        refusals = [answer.exception() for answer in given if answer.exception() is not None]
        assert ["not_waiting"] == [getattr(each, "code", each) for each in refusals]
        assert "done" == runs.wait(run_id, LIMIT_S).status
    assert ["paid 3"] == effects(tmp_path)


def test_two_starts_of_one_run(server: str, queue: str, tmp_path: Path) -> None:
    """One begins it, the other one is refused; nothing is said twice."""
    agent, run_id = booking_agent(tmp_path), uuid4().hex
    with TemporalRuns(agent, server, queue=queue) as runs:
        with ThreadPoolExecutor() as people:
            begun = [people.submit(runs.start, "Send", run_id=run_id) for _ in range(2)]
        codes = [getattr(each.exception(), "code", None) for each in begun]
        assert {None, "run_active"} == set(codes)
        with TemporalWorker(agent, server, queue=queue):
            assert 1 == len(events(runs.wait(run_id, LIMIT_S).log, "user_message"))
    assert ["sent ann"] == effects(tmp_path)


def test_cancelled_while_a_person_is_asked(server: str, queue: str, tmp_path: Path) -> None:
    """The run ends as cancelled, also where it is cancelled while no worker is there."""
    agent = booking_agent(tmp_path)
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(agent, server, queue=queue):
            run_id = runs.start("Pay")
            runs.wait(run_id, LIMIT_S)
        runs.cancel(run_id)
        with TemporalWorker(agent, server, queue=queue):
            while runs.status(run_id) == "waiting":
                time.sleep(0.05)
            result = runs.wait(run_id, LIMIT_S)
            runs.cancel(run_id)
    assert ("failed", "cancelled") == (result.status, result.failure and result.failure.code)
    assert ([], 1) == (effects(tmp_path), len(events(result.log, "cancelled")))
    assert purestep.verify(result.log, result.state.head).ok


def test_cancelled_in_a_call(server: str, queue: str) -> None:
    """The tool is stopped; its call is recorded as interrupted, and the run ends as cancelled."""
    began = threading.Event()

    @tool
    async def slow() -> str:
        """Do not come back."""
        began.set()
        await asyncio.sleep(LIMIT_S)
        return "slow"

    agent = Agent(ScriptedModel([calls("slow")]), tools=[slow])
    with TemporalRuns(agent, server, queue=queue, lost_after_s=6) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("Slow")
        assert began.wait(LIMIT_S)
        runs.cancel(run_id)
        result = runs.wait(run_id, LIMIT_S)
    assert ("failed", "cancelled") == (result.status, result.failure and result.failure.code)
    assert ["interrupted"] == [line["error_kind"] for line in events(result.log, "tool_result")]


def test_cancelled_while_the_model_is_asked(server: str, queue: str) -> None:
    """What the model has said by then is recorded, and the run ends as cancelled."""
    began, go_on = threading.Event(), threading.Event()

    class Slow:
        name = "slow"

        def complete(self, _: ModelRequest, reply: ReplySink) -> purestep.ModelOutput:
            reply.text("So far")
            began.set()
            go_on.wait(LIMIT_S)
            return purestep.ModelOutput()

    agent = Agent(Slow())
    with TemporalRuns(agent, server, queue=queue, lost_after_s=6) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("Slow")
        assert began.wait(LIMIT_S)
        runs.cancel(run_id)
        result = runs.wait(run_id, LIMIT_S)
        go_on.set()
    assert ("failed", "cancelled") == (result.status, result.failure and result.failure.code)
    (line,) = events(result.log, "cancelled")
    assert {"asked_at", "first_token_at"} <= line.keys()


def test_a_worker_that_is_stopped_in_a_call(server: str, queue: str) -> None:
    """The call may have run, as after a kill: the next worker asks a person."""
    began = threading.Event()

    @tool
    async def slow() -> str:
        """Do not come back."""
        began.set()
        await asyncio.sleep(LIMIT_S)
        return "slow"

    agent = Agent(ScriptedModel([calls("slow")]), tools=[slow])
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(agent, server, queue=queue, grace_s=0):
            run_id = runs.start("Slow")
            assert began.wait(LIMIT_S)
        with TemporalWorker(agent, server, queue=queue):
            stopped = runs.wait(run_id, LIMIT_S)
    assert ["outcome_unknown"] == [call.reason for call in stopped.approvals]


def test_a_person_is_told(server: str, queue: str, tmp_path: Path) -> None:
    """`notify` gets the run and its calls; where it fails, the run can be answered all the same."""
    told = []

    def notify(run_id: str, waiting: tuple[purestep.ApprovalCall, ...]) -> None:
        told.append((run_id, [call.tool for call in waiting]))
        raise OSError("no mail today")

    agent = booking_agent(tmp_path)
    worker = TemporalWorker(agent, server, queue=queue, notify=notify)
    with TemporalRuns(agent, server, queue=queue) as runs, worker:
        run_id = runs.start("Pay")
        (call,) = runs.wait(run_id, LIMIT_S).approvals
        runs.approve(run_id, [approved(call)])
        assert "done" == runs.wait(run_id, LIMIT_S).status
    assert (run_id, ["pay"]) == told[0]


def test_a_run_that_is_given_up_waits_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python closes what a worker leaves when it stops: at a person's answer, too, it ends there."""
    agent = booking_agent(tmp_path)

    async def begin() -> None:
        running = asyncio.get_running_loop()
        source = agent.definition.source.decode()
        order = WorkflowOrder(
            run_id="run", number=1, query="Pay", agent=source, earlier="", lost_after_s=1, purestep=purestep.__version__
        )
        exchange = TemporalExchange(payload(order))

        async def endless(_: Any) -> None:
            await running.create_future()

        monkeypatch.setattr(workflow, "wait_condition", endless)
        monkeypatch.setattr(exchange, "_store", lambda _: running.create_task(endless(None)))
        asking = exchange._ask_person(())
        assert asyncio.isfuture(asking.send(None))
        asking.close()

    run_blocking(begin)


def test_secrets_are_in_no_history(server: str, queue: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the log hides, all that the server is given hides as well."""
    secret = "moss-and-granite-4711"
    monkeypatch.setenv("GARDEN_API_KEY", secret)

    @tool
    def peek() -> str:
        """Return what is not to be shown."""
        return f"it is {secret}"

    agent = Agent(ScriptedModel([calls("peek"), says(f"It is {secret}.")]), tools=[peek])
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start(f"Is it {secret}?")
        assert "It is [hidden]." == runs.wait(run_id, LIMIT_S).answer
    handle = runs._client.get_workflow_handle(f"{run_id}:1")
    history = run_blocking(handle.fetch_history)
    stored = b"".join(event.SerializeToString() for event in history.events)
    assert (False, True) == (secret.encode() in stored, b"[hidden]" in stored)


def test_a_run_outgrows_a_history(short_histories: str, queue: str) -> None:
    """It goes on in a new one, in the middle of an exchange; the log is that of one run."""

    @tool(read_only=True)
    def count(number: int) -> int:
        """Return a number back."""
        return number

    agent = Agent(ScriptedModel([*[calls("count", number=each) for each in range(8)], says("Eight.")]), tools=[count])
    with TemporalRuns(agent, short_histories, queue=queue) as runs:
        with TemporalWorker(agent, short_histories, queue=queue):
            run_id = runs.start("Count")
            result = runs.wait(run_id, LIMIT_S)
        handle = runs._client.get_workflow_handle(f"{run_id}:1")
        assert run_blocking(handle.describe).raw_description.workflow_execution_info.first_run_id != ""
        assert (
            run_blocking(handle.fetch_history)
            .events[0]
            .workflow_execution_started_event_attributes.continued_execution_run_id
        )
    assert ("Eight.", list(range(8))) == (result.answer, [line["output"] for line in events(result.log, "tool_result")])
    assert (purestep.verify(result.log, result.state.head).ok, []) == (True, events(result.log, "resumed"))


def test_outputs_beyond_what_a_server_takes_at_once(server: str, queue: str) -> None:
    """Lines that are more than one command may carry are stored in several."""
    named = [{"id": f"c{each}", "function": {"name": "much", "arguments": "{}"}} for each in range(4)]
    several = msgspec.convert({"type": "model_output", "tool_calls": named}, purestep.ModelOutput)

    @tool(read_only=True)
    def much() -> str:
        """Return as much as a result may hold."""
        return "ß" * 499_000

    agent = Agent(ScriptedModel([several, "Much."]), tools=[much], dialect="native")
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        result = runs.wait(runs.start("Much"), LIMIT_S)
    assert ("Much.", 4) == (result.answer, len(events(result.log, "tool_result")))
    assert purestep.verify(result.log, result.state.head).ok


def test_a_model_that_cannot_be_loaded(server: str, queue: str) -> None:
    """The run is broken, `wait` says why, and it goes on from its log when the model is there."""

    class Missing:
        name = "missing"

        def complete(self, *_: Any) -> Any:
            raise OSError("no such device")

    broken, agent = Agent(Missing()), Agent(ScriptedModel([says("Here.")]))
    with TemporalRuns(agent, server, queue=queue) as runs:
        with TemporalWorker(broken, server, queue=queue):
            run_id = runs.start("Are you there?")
            with pytest.raises(DurableError, match="OSError: no such device"):
                runs.wait(run_id, LIMIT_S)
        assert "broken" == runs.status(run_id)
        with pytest.raises(DurableError, match="Start it without a query"):
            runs.start("And now?", run_id=run_id)
        runs.start(None, run_id=run_id)
        with TemporalWorker(agent, server, queue=queue):
            assert "Here." == runs.wait(run_id, LIMIT_S).answer


def test_the_first_exchange_is_past_the_retention(server: str, queue: str) -> None:
    """The server has deleted it; the run goes on after the last one, whose order holds the log."""
    agent = Agent(ScriptedModel([says("One."), says("Two."), says("Three.")]))
    with TemporalRuns(agent, server, queue=queue) as runs, TemporalWorker(agent, server, queue=queue):
        run_id = runs.start("1")
        runs.wait(run_id, LIMIT_S)
        runs.start("2", run_id=run_id)
        runs.wait(run_id, LIMIT_S)
        _delete(runs, f"{run_id}:1")
        while run_blocking(lambda: runs._exchanges._exists(run_id, 1)):
            time.sleep(0.05)
        runs.start("3", run_id=run_id)
        log = runs.wait(run_id, LIMIT_S).log
    assert ["1", "2", "3"] == [line["content"] for line in events(log, "user_message")]


def test_what_cannot_be_used(server: str, tmp_path: Path) -> None:
    """Addresses, namespaces and runs that are none are said with what to do, before anything is begun."""
    agent = booking_agent(tmp_path)
    for address, namespace, code in [
        ("http://127.0.0.1:7233/", "default", "bad_address"),
        ("127.0.0.1:9", "default", "server_unusable"),
        (server, "nowhere", "bad_address"),
    ]:
        for opened in (TemporalRuns, TemporalWorker):
            with pytest.raises(DurableError) as refusal:
                opened(agent, address, namespace=namespace)
            assert code == refusal.value.code
    with TemporalRuns(agent, server) as runs:
        for use in (runs.status, runs.wait, runs.log, runs.cancel, lambda run_id: runs.approve(run_id, [])):
            with pytest.raises(DurableError, match="There is no run"):
                use("another")
        for run_id in ("", "a/b", "x" * 65, "a:1", "ü"):
            with pytest.raises(DurableError, match="expected 1 to 64"):
                runs.start("Send", run_id=run_id)
        with pytest.raises(DurableError, match="give a query"):
            runs.start(None, run_id=uuid4().hex)


def _adding() -> Any:
    @tool(approval="ask")
    def add() -> str:
        """Add."""
        return "added"

    return add


def _delete(runs: TemporalRuns[Any], workflow_id: str) -> None:
    from temporalio.api.common.v1 import WorkflowExecution
    from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest

    execution = WorkflowExecution(workflow_id=workflow_id)
    request = DeleteWorkflowExecutionRequest(namespace="default", workflow_execution=execution)
    run_blocking(lambda: runs._client.workflow_service.delete_workflow_execution(request))
