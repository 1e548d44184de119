"""Runs the tasks of the suite in one way and counts what they took."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

import purestep
from purestep import events
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import Model
from purestep_hosts.probe.combinations import Combination
from purestep_hosts.probe.suite import Task, probe_suite, wrong
from purestep_hosts.probe.toolbox import ProbeToolbox, approve_all


class Probed(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one task: `wrong` is empty when it was finished right, `refusal` names a model that gave nothing."""

    task: str
    wrong: str = ""
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    refusal: str = ""


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the tasks of one combination; a refusal ended it at the task that met it."""

    combination: Combination
    tasks: tuple[Probed, ...]

    @property
    def right(self) -> int:
        """How many tasks were finished right."""
        return sum(not probed.wrong for probed in self.tasks)

    @property
    def refusal(self) -> str:
        """Why the model gave nothing, if that ended the combination."""
        return self.tasks[-1].refusal if self.tasks else ""

    def total(self, name: str) -> Any:
        """Return the sum of a figure over the tasks."""
        return sum(getattr(probed, name) for probed in self.tasks)


class _Record:
    """A log and a watcher that count and show nothing."""

    def __init__(self) -> None:
        self.model_calls = 0

    def append(self, log: str, head: str) -> None:
        """Count the times that a model was asked."""
        kinds = map(events.decode_event, log.encode().splitlines())
        self.model_calls += sum(isinstance(kind, events.ModelResponse | events.ModelErrorEvent) for kind in kinds)

    def on_step(self, step: purestep.Step) -> None:
        """Show nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Show nothing."""


def measure(
    combination: Combination,
    tasks: Sequence[Task],
    model: Model,
    interrupts: Interrupts,
    notice: Callable[[Measured], None],
) -> Measured:
    """Run the tasks; `notice` is told after each. Raises KeyboardInterrupt, PurestepError for a definition."""
    agent = purestep.Agent.load(combination.definition(model.name))
    measured = Measured(combination=combination, tasks=())
    for task in tasks:
        probed = _run(agent, task, model, interrupts)
        measured = Measured(combination=combination, tasks=(*measured.tasks, probed))
        notice(measured)
        if probed.refusal:
            break
    return measured


def _run(agent: purestep.Agent, task: Task, model: Model, interrupts: Interrupts) -> Probed:
    record, toolbox, ticks = _Record(), ProbeToolbox(probe_suite()), itertools.count()
    ports = Ports(
        model=model,
        tools=toolbox,
        approve=approve_all,
        log=record,
        watch=record,
        clock=lambda: next(ticks),
        interrupts=interrupts,
    )
    began = time.monotonic()
    step = Run(agent, ports, f"probe-{task.id}").ask(task.query)
    decision = step.decision
    if isinstance(decision, purestep.Failed) and decision.code == "cancelled":
        raise KeyboardInterrupt
    done = isinstance(decision, purestep.Done)
    found = wrong(task, toolbox.ran, decision.answer) if isinstance(decision, purestep.Done) else ""
    refused = isinstance(decision, purestep.Failed) and decision.code == "model_error"
    return Probed(
        task=task.id,
        wrong=found if done else f"failed: {getattr(decision, 'code', '')}",
        model_calls=record.model_calls,
        prompt_tokens=step.state.input_tokens,
        completion_tokens=step.state.output_tokens,
        seconds=time.monotonic() - began,
        refusal=str(getattr(decision, "message", "")) if refused else "",
    )
