"""Makes the runs of a plan that have no result yet: some of each model at once, in one event loop, log by log to disk.

Memory holds the runs that go on, and 16 bytes and an offset of each that has ended.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import purestep
from purestep_hosts.async_loop import AsyncPorts, drive, in_thread
from purestep_hosts.effects import RunEffects
from purestep_hosts.evaluation.case_tools import CaseCalls, CaseTool
from purestep_hosts.evaluation.judge_model import judge_definition, judge_message, verdict_of
from purestep_hosts.evaluation.judging import Judgement, end_of, judged
from purestep_hosts.evaluation.plan import SCRIPT, EvalModel, EvalPlan, PlannedRun
from purestep_hosts.evaluation.store import EvalStore, RunRecord
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import Model, refused_by
from purestep_hosts.models.scripted import ScriptedModel, scripted_output
from purestep_hosts.show.counts import Counts

_SHOWN_CHARS: Final = 500
"""Of an answer or a reason in a result; the log holds all of it."""
_SHOWN_CALLS: Final = 16


class _Quiet:
    """A watcher that shows nothing."""

    wants_text = False

    def on_step(self, step: purestep.Step) -> None:
        """Show nothing."""

    def on_calls(self, calls: tuple[purestep.ToolCall, ...]) -> None:
        """Show nothing."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Show nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""


class _Ended(NamedTuple):
    log: str
    step: purestep.Step


class Runner:
    """Makes the missing runs of a plan and keeps them in a store."""

    def __init__(
        self,
        plan: EvalPlan,
        store: EvalStore,
        concurrency: int,
        mask: Mask,
        on_result: Callable[[RunRecord], None] = lambda record: None,
    ) -> None:
        """Begin with nothing made.

        concurrency: runs of a model that go on at once; those of models in this process go one after another. mask:
        hides secrets in logs. on_result: told of each run that has ended, for display.
        """
        self._plan = plan
        self._store = store
        self._concurrency = concurrency
        self._mask = mask
        self._on_result = on_result
        self._judge: Model | None = None

    async def run(self) -> None:
        """Make all runs that are missing; raises EvalError where one cannot be kept.

        Cancelled, it leaves those that go on, and they are made again later.
        """
        models = list(self._plan.models.values())
        here = [model for model in models if model.runs_here]
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._one_after_another(here))
                for model in models:
                    if not model.runs_here:
                        group.create_task(self._all_of(model, self._concurrency))
        except ExceptionGroup as errors:
            raise _first(errors) from None  # the others are of runs that met the same, or were ended for it

    async def _one_after_another(self, models: Sequence[EvalModel]) -> None:
        for model in models:
            await self._all_of(model, 1)

    async def _all_of(self, model: EvalModel, concurrency: int) -> None:
        due = self._due(model)
        first = next(due, None)
        if first is None:
            return  # a model without a missing run is not loaded
        loaded = None if model.load is None else await in_thread(model.load)
        await self._made(first, loaded)

        async def work() -> None:
            for run in due:
                await self._made(run, loaded)

        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(work())

    def _due(self, model: EvalModel) -> Iterator[PlannedRun]:
        return (run for run in self._plan.runs(model.name) if not self._store.has(run.key))

    async def _made(self, run: PlannedRun, model: Model | None) -> None:
        await asyncio.sleep(0)  # a scripted run waits for nothing, and Ctrl-C has to be seen
        began = time.monotonic()
        asked = _scripted(run.case.script) if model is None else model
        ended = await self._driven(run.agent, run.key[:32], asked, run.case.said(), run.tools)
        ms = round((time.monotonic() - began) * 1000)
        found = judged(run.case, run.tools, ended.log, run.agent.source)
        judge_log, reason = "", ""
        if not found.cause and run.case.judge is not None:
            found, reason, judge_log = await self._asked_judge(run, ended)
        record = _record(run, ended, found, ms, reason)
        self._store.add(record, ended.log, judge_log)
        self._on_result(record)

    async def _asked_judge(self, run: PlannedRun, ended: _Ended) -> tuple[Judgement, str, str]:
        model, rubric = self._plan.judge, run.case.judge
        assert model is not None
        assert rubric is not None
        asked: Model
        if model.name == SCRIPT:
            asked = _scripted(rubric.script)
        else:
            if self._judge is None:
                assert model.load is not None
                self._judge = await in_thread(model.load)
            asked = self._judge
        agent = purestep.Agent.load(judge_definition(model.entry, model.dialect))
        answer = getattr(ended.step.decision, "answer", "")
        told, data = judge_message(rubric.rubric, "\n\n".join(run.case.said()), answer)
        judge = await self._driven(agent, f"judge-{run.key[:32]}", asked, [told], {}, data)
        accepts, reason = verdict_of(judge.step.decision)
        failed = isinstance(judge.step.decision, purestep.Failed) and judge.step.decision.code == "model_error"
        cause = "model_error" if failed else "judge_failed" if accepts is None else "" if accepts else "judge"
        return Judgement(cause, reason if cause else ""), reason, judge.log

    async def _driven(
        self,
        agent: purestep.Agent,
        run_id: str,
        model: Model,
        said: Sequence[str],
        tools: dict[str, CaseTool],
        data: Sequence[purestep.DataText] = (),
    ) -> _Ended:
        lines: list[str] = []
        ports = AsyncPorts(
            model=model,
            tools=CaseCalls(tools),
            approve=_approve_all,
            append=lambda log, head: lines.append(log),
            watch=_Quiet(),
            mask=self._mask,
        )
        run = RunEffects(agent, run_id, ports.clock, self._mask)
        run.refused = refused_by(model)
        first, *more = said
        step = await drive(run.ask(first, data=data), ports)
        for text in more:
            if isinstance(step.decision, purestep.Failed):
                break
            step = await drive(run.ask(text), ports)
        return _Ended("".join(lines), step)


def _scripted(script: list[Any] | None) -> ScriptedModel:
    return ScriptedModel([scripted_output(value, f"output {at}") for at, value in enumerate(script or [], 1)])


async def _approve_all(calls: tuple[purestep.ApprovalCall, ...]) -> list[purestep.Approval]:
    """Approve every call: the tools of a case are data, and have no effect."""
    return [purestep.Approval(call_id=call.call_id, key=call.key, approved=True, by="eval") for call in calls]


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """Return the first error of groups in one another."""
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, ExceptionGroup) else error


def _record(run: PlannedRun, ended: _Ended, found: Judgement, ms: int, reason: str) -> RunRecord:
    counts = Counts()
    for _, event in purestep.read_events(ended.log):
        counts.add(event)
    end = end_of(ended.log)
    return RunRecord(
        key=run.key,
        case=run.case.id,
        model=run.variant.model,
        dialect=run.variant.dialect,
        carry=run.variant.carry,
        repeat=run.repeat,
        right=not found.cause,
        cause=found.cause,
        detail=found.detail[:_SHOWN_CHARS],
        reason=reason[:_SHOWN_CHARS],
        answer=(end.answer or "").lstrip()[:_SHOWN_CHARS],
        asks=end.asks,
        calls=tuple(str(call)[:_SHOWN_CHARS] for call in end.calls[:_SHOWN_CALLS]),
        model_calls=counts.model_calls,
        tool_calls=counts.calls.total(),
        decided=counts.decided.total(),
        prompt_tokens=counts.prompt_tokens,
        completion_tokens=counts.completion_tokens,
        cached_tokens=counts.cached_tokens,
        cost=counts.cost.known,
        ms=ms,
        head=ended.step.state.head,
    )
