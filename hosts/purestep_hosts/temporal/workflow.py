"""One exchange as a workflow: the core runs in it, and what it asks of the outside are activities.

A worker replays a workflow from its history, and the core makes the same decisions again. The id of each activity holds
the head of the log before it, so that a replay whose log differs in one byte does not go on: the SDK compares ids.
Lines of the log go into the history with the first command that comes after them, in one transaction of the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from msgspec.structs import replace

import purestep
from purestep_hosts.agents.exchange import exchange_effects
from purestep_hosts.agents.late import LateResult, observed, timers
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.agents_below import all_waiting
from purestep_hosts.effects import (
    CANCELLED,
    DEFERRED,
    AskModel,
    AskPerson,
    CallOutcomes,
    Effect,
    Effects,
    ModelObservation,
    Record,
    RunCalls,
    RunEffects,
    Together,
    Wait,
    performed,
)
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.mask import Mask
from purestep_hosts.stored_runs import StepStatus, status_of
from purestep_hosts.temporal.payloads import (
    APPROVE,
    GIVE,
    LINES_CHARS,
    MAX_BYTES,
    MODEL,
    RECORD,
    TOOL,
    WORKFLOW,
    CallOrder,
    GivenAnswers,
    GivenResults,
    ModelOrder,
    RecordOrder,
    StoredLines,
    WorkflowOrder,
    payload,
    size_of,
    value_of,
)
from purestep_hosts.temporal.timers import Armed
from purestep_hosts.tools.results import ended, interrupted

with TEMPORAL:
    from temporalio import workflow
    from temporalio.common import RawValue, RetryPolicy
    from temporalio.exceptions import ActivityError, ApplicationError, TimeoutError

STOPPED: Final = "worker_stopped"
"""The type of the error of an activity that was cut off as its worker was stopped."""

_OBSERVATION: Final[Any] = purestep.Observation

_LONGEST: Final = timedelta(days=1)
"""How long an activity may take: models and tools have limits of their own, and a lost worker is noticed by its
silence."""

_ENDS: Final = workflow.ActivityCancellationType.TRY_CANCEL
_SAYS_WHAT_CAME: Final = workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED
"""What a cancelled activity does: a call or a model may have come back by then."""

_ONCE: Final = RetryPolicy(maximum_attempts=1)
"""A call that may have run is not made again here: the core is told, and decides."""

_ASKED_AGAIN: Final = RetryPolicy(maximum_attempts=3)
"""A model whose worker was lost is asked again, by few workers: a request that ends them would end all."""


@workflow.defn(name=WORKFLOW)
class TemporalExchange:
    """One execution, from a user message to its end; after a kill it is replayed from its history."""

    @workflow.init
    def __init__(self, given: RawValue) -> None:
        """Begin with nothing done."""
        self._order = order = value_of(given, WorkflowOrder)
        # What comes is hidden by the worker that observed it; a replay has to make the same digests.
        definition = purestep.Agent.load(order.agent)
        self._run = RunEffects(definition, order.run_id, _now_ms, Mask(), order.run_id)
        self._head = ""
        self._status: StepStatus = "running"
        self._log = [order.earlier]
        self._unstored: list[str] = []
        self._is_among_others = False
        self._waiting: tuple[purestep.ApprovalCall, ...] = ()
        self._answers: tuple[purestep.Approval, ...] = ()
        self._is_waiting = False
        self._given: tuple[LateResult, ...] = ()
        self._armed = Armed(order)

    @workflow.run
    async def run(self, given: RawValue) -> RawValue:
        """Perform the effects until the exchange has ended; returns the last `StoredLines`."""
        order = self._order
        log = RunLog(order.run_id, order.earlier, None)
        effects = exchange_effects(self._run, log, ExchangeInput(query=order.query, results=order.results))
        step = await performed(effects, self._performed)
        while status_of(step.decision, step.also) == "waiting":  # for people of several agents, or for results
            came = DEFERRED if self._given else await self._ask_person(_asked(step))
            step = await performed(self._further(came), self._performed)
        await self._store_long()
        await self._armed.begun()
        return payload(self._taken_lines())

    def _further(self, came: Any) -> Effects:
        """Return how the run goes on after it has waited."""
        if came == CANCELLED:
            return self._run.cancel()
        if came != DEFERRED:
            return self._run.answer(came)
        results, self._given = self._given, ()
        return self._run.go_on_with(observed(results))

    @workflow.update(name=APPROVE)
    async def approve(self, given: RawValue) -> None:
        """Take the answers of a person; returns once the run goes on with them."""
        self._answers = value_of(given, GivenAnswers).approvals
        await workflow.wait_condition(lambda: not self._answers)

    @approve.validator
    def _check_answers(self, given: RawValue) -> None:
        if not self._waiting or self._answers or self._given or self._run.state is None:
            raise ApplicationError("no call of the run waits for a person", type="not_waiting", non_retryable=True)
        try:
            purestep.step(self._run.state, purestep.Approvals(approvals=value_of(given, GivenAnswers).approvals))
        except purestep.PurestepError as error:
            raise ApplicationError(error.message, error.path, type=error.code, non_retryable=True) from None

    @workflow.update(name=GIVE)
    async def give_results(self, given: RawValue) -> None:
        """Take results of calls that went on elsewhere; returns once the run goes on with them."""
        self._given = value_of(given, GivenResults).results
        await workflow.wait_condition(lambda: not self._given)

    @give_results.validator
    def _check_results(self, given: RawValue) -> None:
        state = self._run.state
        if not self._is_waiting or self._answers or self._given or state is None:
            raise ApplicationError("the run goes on; give the results again", type="run_active", non_retryable=True)
        try:
            for each in observed(value_of(given, GivenResults).results):
                state = purestep.step(state, each).state
        except purestep.PurestepError as error:
            raise ApplicationError(error.message, error.path, type=error.code, non_retryable=True) from None

    async def _performed(self, effect: Effect) -> Any:
        match effect:
            case Record(step=step):
                self._log.append(step.log)
                self._unstored.append(step.log)
                self._head, self._status = step.state.head, status_of(step.decision, step.also)
                self._armed.arm(timers(step.state))
                return None
            case RunCalls():
                return await self._run_calls(effect)
            case Together(works=works):
                return await self._performed_all(works)
        if self._is_cancelled():
            return CANCELLED
        try:
            match effect:
                case Wait(seconds=seconds):
                    return await asyncio.sleep(seconds)
                case AskModel():
                    return await self._ask_model(effect)
                case AskPerson() if self._run.agent.agents:
                    return DEFERRED  # until nothing else is left to do: an answer to one does not wait for the others
                case AskPerson(calls=calls):
                    return await self._ask_person(calls)
        except asyncio.CancelledError:
            return CANCELLED

    async def _performed_all(self, works: tuple[Generator[Any, Any, Any], ...]) -> list[Any]:
        """Perform what several agents ask for, at once; a cancellation reaches each of them."""
        await self._armed.begun()
        self._continue_as_new()
        await self._store_long()
        self._is_among_others = True
        tasks = [asyncio.ensure_future(performed(work, self._performed)) for work in works]
        while not all(task.done() for task in tasks):
            try:
                await workflow.wait(tasks)
            except asyncio.CancelledError:
                for task in tasks:
                    task.cancel()
        self._is_among_others = False
        return [task.result() for task in tasks]

    async def _ask_model(self, effect: AskModel) -> ModelObservation | str:
        await self._store_long()
        if not self._is_among_others:
            await self._armed.begun()
            self._continue_as_new()
        order = payload(
            ModelOrder(state=effect.state, request=effect.request, path=effect.path, is_below=effect.is_below)
        )
        if size_of(order) > MAX_BYTES:
            limit = f"expected a prompt of at most {MAX_BYTES} bytes, got {size_of(order)}"
            raise ApplicationError(f"{limit}; give the model `window_tokens`", type="too_large", non_retryable=True)
        try:
            came = await self._start(MODEL, self._place(effect), order, _ASKED_AGAIN)
        except ActivityError as error:
            if self._is_cancelled():
                return CANCELLED
            if not _is_lost(error):
                raise
            text = "the workers that asked the model were lost"
            return purestep.ModelError(code="unavailable", message=text, retryable=True)
        observation: ModelObservation = value_of(came, _OBSERVATION)
        return observation

    async def _run_calls(self, effect: RunCalls) -> CallOutcomes:
        if self._is_cancelled():
            return CallOutcomes(results=[interrupted() for _ in effect.calls], is_cancelled=True)
        await self._store_long()
        assert self._run.state is not None
        started: dict[str, workflow.ActivityHandle[RawValue]] = {}
        for call in effect.calls:
            if call.call_id not in effect.known:
                order = CallOrder(
                    run_id=self._order.run_id,
                    state=self._run.state,
                    call=effect.given(call),
                    path=effect.path,
                    is_below=effect.is_below,
                )
                name = f"{self._head}.{call.key if effect.is_below else call.call_id}"
                started[call.call_id] = self._start(TOOL, name, payload(order), _ONCE, call.tool)
        waited = [*started.values()]
        try:
            if waited:
                await workflow.wait(waited)
        except asyncio.CancelledError:
            for handle in waited:
                handle.cancel()
            await workflow.wait(waited)
        came = {call_id: self._came_of(handle) for call_id, handle in started.items()}
        known = {call_id: ended(result, _now_ms) for call_id, result in effect.known.items()}
        results = [{**came, **known}[call.call_id] for call in effect.calls]
        return CallOutcomes(results=results, is_cancelled=self._is_cancelled())

    async def _ask_person(self, calls: tuple[purestep.ApprovalCall, ...]) -> Any:
        await self._store_long()
        self._waiting, self._is_waiting = calls, True
        told = self._store(calls)
        told.add_done_callback(_seen)
        # No `finally`: a worker that gives a run up closes it here, and what is closed may wait for nothing more.
        with suppress(asyncio.CancelledError):
            await workflow.wait_condition(lambda: bool(self._answers or self._given) or self._is_cancelled())
        answers = [*self._answers]
        self._waiting, self._answers, self._is_waiting = (), (), False
        # A worker that cannot tell a person, or was lost with it, does not keep the run from going on.
        told.cancel()
        with suppress(ActivityError, asyncio.CancelledError):
            await told
        if self._is_cancelled():
            return CANCELLED
        return answers or DEFERRED

    async def _store_long(self) -> None:
        """Store lines that are too many to go with the next command."""
        while sum(map(len, self._unstored)) > LINES_CHARS:
            with suppress(ActivityError, asyncio.CancelledError):  # they are stored as it begins
                await self._store(())

    def _store(self, calls: tuple[purestep.ApprovalCall, ...]) -> workflow.ActivityHandle[RawValue]:
        place = f"{self._head}.{sum(map(len, self._unstored))}"
        return self._start(RECORD, place, payload(RecordOrder(run_id=self._order.run_id, calls=calls)), _ASKED_AGAIN)

    def _place(self, effect: AskModel) -> str:
        return f"{self._head}.{effect.state.run_id}" if effect.is_below else self._head

    def _start(
        self, name: str, place: str, order: RawValue, retries: RetryPolicy, summary: str | None = None
    ) -> workflow.ActivityHandle[RawValue]:
        """Begin an activity; place: its id, which a replay compares."""
        return workflow.start_activity(
            name,
            args=[payload(self._taken_lines()), order],
            activity_id=place,
            result_type=RawValue,
            start_to_close_timeout=_LONGEST,
            heartbeat_timeout=timedelta(seconds=self._order.lost_after_s),
            retry_policy=retries,
            cancellation_type=_ENDS if name == RECORD else _SAYS_WHAT_CAME,
            summary=summary,
        )

    def _taken_lines(self) -> StoredLines:
        """Return lines that were not stored yet, as many as go with one command."""
        text = "".join(self._unstored)
        self._unstored = [text[LINES_CHARS:]] if len(text) > LINES_CHARS else []
        return StoredLines(log=text[:LINES_CHARS], status=self._status)

    def _came_of(self, handle: workflow.ActivityHandle[RawValue]) -> dict[str, Any] | None:
        """Return the result of a call; None where nobody knows it."""
        error = asyncio.CancelledError() if handle.cancelled() else handle.exception()
        if error is None:
            return value_of(handle.result(), dict[str, Any])
        if _is_lost(error):
            return None
        if self._is_cancelled():
            return interrupted()
        raise error

    def _continue_as_new(self) -> None:
        """Go on in a new history, where this one grows long and the log fits into the order of the next one."""
        if not workflow.info().is_continue_as_new_suggested():
            return
        order = payload(replace(self._order, query=None, results=(), earlier="".join(self._log)))
        if size_of(order) <= MAX_BYTES:
            workflow.continue_as_new(order)

    def _is_cancelled(self) -> bool:
        """Whether the workflow was asked to be cancelled: its task is told once, at what it waits for."""
        return workflow.cancellation_reason() is not None


def _asked(step: purestep.Step) -> tuple[purestep.ApprovalCall, ...]:
    """Return all calls that people are asked about; none where the run waits for what goes on elsewhere alone."""
    waiting = all_waiting(step.decision, step.also)
    return waiting.calls if isinstance(waiting, purestep.RequestApproval) else ()


def _now_ms() -> int:
    return int(workflow.now().timestamp() * 1000)


def _seen(told: asyncio.Future[RawValue]) -> None:
    """Look at how an activity ended: Python reports errors that nobody looked at, as of a run that is given up."""
    if not told.cancelled():
        told.exception()


def _is_lost(error: BaseException | None) -> bool:
    """Whether the worker of an activity fell silent or was stopped, so that nobody knows what came of it."""
    cause = error.cause if isinstance(error, ActivityError) else None
    return isinstance(cause, TimeoutError) or (isinstance(cause, ApplicationError) and cause.type == STOPPED)
