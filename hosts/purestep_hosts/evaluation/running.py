"""Makes the runs of a plan that have no result yet: some of each model at once, in one event loop, log by log to disk.

Memory holds the runs that go on, and 16 bytes and an offset of each that has ended.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import purestep
from purestep_hosts.evaluation.case_state import CaseState
from purestep_hosts.evaluation.case_tools import CaseCalls
from purestep_hosts.evaluation.cases import GoalUser, Rubric
from purestep_hosts.evaluation.judge_model import judge_definition, judge_message, verdict_of
from purestep_hosts.evaluation.judging import Judgement, end_of, judged
from purestep_hosts.evaluation.loaded_models import LoadedModels
from purestep_hosts.evaluation.logged_run import LoggedRun
from purestep_hosts.evaluation.plan import SCRIPT, EvalModel, EvalPlan, PlannedRun
from purestep_hosts.evaluation.simulated_user import ModelUser, ScriptedUser, SimulatedUser, converse
from purestep_hosts.evaluation.store import EvalStore, RunRecord
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import Model
from purestep_hosts.models.scripted import ScriptedModel, scripted_output
from purestep_hosts.show.counts import Counts

_SHOWN_CHARS: Final = 500
"""Of an answer or a reason in a result; the log holds all of it."""
_SHOWN_CALLS: Final = 16


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
        self._loaded = LoadedModels()

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
        await self._made(first, await self._model(model, first.case.script))

        async def work() -> None:
            for run in due:
                await self._made(run, await self._model(model, run.case.script))

        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(work())
        if model not in (self._plan.judge, *self._plan.users.values()):
            self._loaded.drop(model)

    def _due(self, model: EvalModel) -> Iterator[PlannedRun]:
        return (run for run in self._plan.runs(model.name) if not self._store.has(run.key))

    async def _made(self, run: PlannedRun, model: Model) -> None:
        await asyncio.sleep(0)  # a scripted run waits for nothing, and Ctrl-C has to be seen
        began = time.monotonic()
        state = CaseState(run.state)
        made = LoggedRun(run.agent, run.key[:32], model, CaseCalls(run.tools, state), self._mask)
        user = await self._user(run)
        await converse(made, run.case.said(), user)
        ms = round((time.monotonic() - began) * 1000)
        became = state.value if self._mask.is_empty else self._mask.value(state.value)
        found = user.failure if isinstance(user, ModelUser) else Judgement()
        if not found.cause:
            found = judged(run.case, run.tools, made.log, run.agent.source, (run.end_state, became))
        judge_log, reason = "", ""
        if not found.cause and run.case.judge is not None:
            found, reason, judge_log = await self._asked_judge(run, run.case.judge, made)
        record = _record(run, made, found, ms, reason)
        user_log = user.run.log if isinstance(user, ModelUser) else ""
        state_text = "" if run.case.state is None else _written(became)
        self._store.add(record, {"": made.log, ".judge": judge_log, ".user": user_log, ".state": state_text})
        self._on_result(record)

    async def _user(self, run: PlannedRun) -> SimulatedUser | None:
        """Return what speaks as the user after the case's own words, None where nothing does."""
        user = run.case.user
        if not isinstance(user, GoalUser):
            return None if user is None else ScriptedUser(user)
        assert run.user is not None
        model = await self._model(run.user.model, user.script)
        spoken = LoggedRun(run.user.agent, f"user-{run.key[:32]}", model, CaseCalls({}, CaseState({})), self._mask)
        return ModelUser(user, spoken, run.case.said())

    async def _asked_judge(self, run: PlannedRun, rubric: Rubric, made: LoggedRun) -> tuple[Judgement, str, str]:
        judge = self._plan.judge
        assert judge is not None
        agent = purestep.Agent.load(judge_definition(judge.entry, judge.dialect))
        model = await self._model(judge, rubric.script)
        told, data = judge_message(rubric.rubric, made.said, is_talk=run.case.user is not None)
        asked = LoggedRun(agent, f"judge-{run.key[:32]}", model, CaseCalls({}, CaseState({})), self._mask)
        decision = await asked.say(told, data)
        accepts, reason = verdict_of(decision)
        failed = isinstance(decision, purestep.Failed) and decision.code == "model_error"
        cause = "model_error" if failed else "judge_failed" if accepts is None else "" if accepts else "judge"
        return Judgement(cause, reason if cause else ""), reason, asked.log

    async def _model(self, model: EvalModel, script: list[Any] | None) -> Model:
        """Return a model, loaded once; the one named `script` gives the outputs of the case."""
        return _scripted(script) if model.name == SCRIPT else await self._loaded.of(model)


def _written(state: Any) -> str:
    return json.dumps(state, ensure_ascii=False, indent=1) + "\n"


def _scripted(script: list[Any] | None) -> ScriptedModel:
    return ScriptedModel([scripted_output(value, f"output {at}") for at, value in enumerate(script or [], 1)])


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    """Return the first error of groups in one another."""
    error = errors.exceptions[0]
    return _first(error) if isinstance(error, ExceptionGroup) else error


def _record(run: PlannedRun, made: LoggedRun, found: Judgement, ms: int, reason: str) -> RunRecord:
    counts = Counts()
    for _, event in purestep.read_events(made.log):
        counts.add(event)
    end = end_of(made.log)
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
        head=made.head,
    )
