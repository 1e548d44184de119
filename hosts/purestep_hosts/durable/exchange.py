"""One exchange as a workflow: performs the effects of a run as steps of DBOS, and writes its log.

Whatever the core is given comes from the order of the workflow, a checkpoint or a message, the time as well, so that a
workflow that runs again makes the same steps.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.calls import ToolCalls
from purestep_hosts.agents.exchange import exchange_effects
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.async_loop import completed, give_up, in_thread
from purestep_hosts.durable.log_table import LogRow, LogTable
from purestep_hosts.effects import (
    AskModel,
    AskPerson,
    CallOutcomes,
    Effect,
    ModelObservation,
    Record,
    RunCalls,
    RunEffects,
    Wait,
    opened_gate,
)
from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import status_of
from purestep_hosts.tools.results import ended, interrupted

with DURABLE:
    from dbos import DBOS

ANSWERS: Final = "answers"
"""The topic of what people answer."""

_WAIT_S: Final = 30 * 24 * 3600.0
"""How long one receive waits before the next one; a run waits until it is answered."""


class ExchangeOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What a workflow is started with.

    number: that of the user message in its run, from 1. query: None where the run goes on as it stands. at: when it was
    asked, in milliseconds since 1970. request: tells this order from another one for the same exchange.
    """

    run_id: str
    number: int
    query: str | None
    at: int
    request: str

    @property
    def workflow_id(self) -> str:
        """The id of the workflow, which the database has once."""
        return f"{self.run_id}:{self.number}"


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What a person answered, and when."""

    approvals: tuple[purestep.Approval, ...]
    at: int


class Executor(msgspec.Struct, frozen=True, kw_only=True):
    """What the workflows of this process are carried out with."""

    agent: Agent[Any]
    logs: LogTable
    deps: Any = None


opened: Final[list[Executor]] = []
"""The one of this process: DBOS calls a workflow by its name, with nothing but its arguments."""


class _CutOff(BaseException):
    """The process stops: DBOS would store a cancellation as the end of the workflow, and this it leaves pending."""


# A run that waits for a person is recovered with each start of its process, however often that is.
@DBOS.workflow(name="purestep_exchange", max_recovery_attempts=None)
async def exchange_workflow(order: str) -> None:
    """Carry one exchange out; order: an `ExchangeOrder` as JSON."""
    try:
        await ExchangeWorkflow(opened[0], msgspec.json.decode(order, type=ExchangeOrder)).run()
    except asyncio.CancelledError:
        raise _CutOff from None


def json_text(value: Any) -> str:
    """Return what is stored of a value, as ASCII: text of a model or a tool may hold what no database takes."""
    return json.dumps(msgspec.to_builtins(value), allow_nan=False)


class ExchangeWorkflow:
    """One execution of a workflow; after a kill there is another one, which begins from the start."""

    def __init__(self, executor: Executor, order: ExchangeOrder) -> None:
        """Begin with the time of the order."""
        agent = executor.agent
        self._agent = agent
        self._logs = executor.logs
        self._order = order
        self._tools = ToolCalls({**agent.tools, **agent.output.tools}, executor.deps)
        self._now = order.at
        self._position = 0
        self._execution = secrets.token_hex(8)
        """Random, and no part of what the core is given."""
        self._recorded_by = ""
        """The execution that handed out the calls which are to run."""
        # Another execution has to make the same digests of hidden texts: it has no random salt of its own.
        self._run = RunEffects(agent.definition, order.run_id, lambda: self._now, agent.mask, order.run_id)

    async def run(self) -> None:
        """Perform the effects until the exchange has ended."""
        order = self._order
        text = await in_thread(lambda: self._logs.text(order.run_id, before=order.number))
        effects = exchange_effects(self._run, RunLog(order.run_id, text, None), ExchangeInput(query=order.query))
        came: Any = None
        while True:
            try:
                effect = effects.send(came)
            except StopIteration:
                return
            came = await self._performed(effect)

    async def _performed(self, effect: Effect) -> Any:
        match effect:
            case Record(step=step):
                return await self._record(step)
            case AskModel():
                return await self._ask_model(effect)
            case RunCalls():
                return await self._run_calls(effect)
            case AskPerson(calls=calls):
                return await self._ask_person(calls)
            case Wait(seconds=seconds):
                await DBOS.sleep_async(seconds)
                self._now += round(seconds * 1000)

    async def _record(self, step: purestep.Step) -> None:
        if not step.log and self._position:
            return  # the first step is recorded also where it only takes a run up: its status is read from the table
        row = LogRow(
            run_id=self._order.run_id,
            exchange=self._order.number,
            position=self._position,
            log=step.log,
            head=step.state.head,
            status=status_of(step.decision),
            execution=self._execution,
        )
        self._recorded_by = await in_thread(lambda: self._logs.append(row))
        self._position += 1

    async def _ask_model(self, effect: AskModel) -> ModelObservation:
        async def ask() -> Any:
            model = await self._agent.loaded_model()
            gate = opened_gate(effect, model.name, None, self._agent.clock)
            try:
                end = await completed(model, effect.request, gate)
            except asyncio.CancelledError:
                gate.stop()
                give_up(model, gate)
                raise
            return self._run.as_logged(gate.close(end))

        observation: ModelObservation = msgspec.convert(await self._step("model", ask), purestep.Observation)
        return observation

    async def _run_calls(self, effect: RunCalls) -> CallOutcomes:
        by = self._recorded_by
        # Steps are numbered in the order in which these begin, which is the same one each time.
        results = await asyncio.gather(*[self._run_call(effect, call, by) for call in effect.calls])
        return CallOutcomes(results=results)

    async def _run_call(self, effect: RunCalls, call: purestep.ToolCall, by: str) -> dict[str, Any] | None:
        async def run() -> dict[str, Any] | None:
            if by != self._execution:
                return None  # handed out by an execution that was killed, so it may have run
            result = effect.hidden(call, await self._tools.run(effect.given(call)))
            task = asyncio.current_task()
            if result == interrupted() and task is not None and task.cancelling():
                raise asyncio.CancelledError  # the next execution tells the core
            return ended(result, self._agent.clock)

        known = effect.known.get(call.call_id)
        if known is not None:
            return ended(known, lambda: self._now)
        result: dict[str, Any] | None = await self._step(f"tool {call.tool}", run)
        return result

    async def _ask_person(self, calls: tuple[purestep.ApprovalCall, ...]) -> list[purestep.Approval]:
        waiting = {(call.call_id, call.key) for call in calls}
        while True:
            sent = await DBOS.recv_async(ANSWERS, timeout_seconds=_WAIT_S)
            if sent is None:
                continue
            given = msgspec.json.decode(sent, type=Answers)
            # A second answer to the same call may have been sent before the first was taken.
            fitting = [answer for answer in given.approvals if (answer.call_id, answer.key) in waiting]
            if fitting:
                self._now = max(self._now, given.at)
                return fitting

    async def _step(self, name: str, body: Callable[[], Awaitable[Any]]) -> Any:
        """Return what a step of DBOS gives: run now, or checkpointed by an earlier execution.

        Secrets are hidden in it: it is stored with when the step ended.
        """

        async def checked() -> str:
            value = await body()
            return json_text([self._agent.clock(), value])

        at, value = json.loads(await DBOS.run_step_async({"name": name}, checked))
        self._now = max(self._now, at)
        return value
