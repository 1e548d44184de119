"""Runs tasks at a level and counts what each took."""

import itertools
import json
import time
from typing import Any

import msgspec

import purestep
from bench.carry.judge import wrong, wrong_calls
from bench.carry.models import Asked
from bench.carry.sets import Task
from bench.carry.toolbox import Ran, SimulatedToolbox
from purestep_hosts.loop import Ports, Run

LEVELS = ("off", "ground", "route", "route+scores")
"""Levels of `models[].carry`; with `+scores` the model also gives scores."""
SUPPORTS = ("json_schema",)
"""What every model of a measurement takes, so that the control reads the same constraints as the real one."""
SAMPLING = {"temperature": 0, "max_tokens": 200}
WINDOW_TOKENS = 4096


class Outcome(msgspec.Struct, kw_only=True):
    """The outcome of one task: `wrong` is empty when it was finished right."""

    task: Task
    wrong: str
    right_calls: bool
    ran: list[Ran]
    asked: list[Asked]
    ended: str
    decided: int
    approved: int
    cpu_s: float
    log: str

    @property
    def prompt_tokens(self) -> int:
        """Tokens read, those out of the cache too."""
        return sum(each.prompt_tokens for each in self.asked)

    @property
    def completion_tokens(self) -> int:
        """Tokens written."""
        return sum(each.completion_tokens for each in self.asked)


class _Recorded:
    """A log and a watcher that keep the lines and show nothing."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.lines += log.splitlines()

    def on_step(self, step: purestep.Step) -> None:
        """Show nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Show nothing."""


def definition(toolbox: SimulatedToolbox, level: str, model: str) -> dict[str, Any]:
    """Give the agent definition of a run; at `off` the key is left out, as in every definition until now."""
    entry: dict[str, Any] = {"name": model, "window_tokens": WINDOW_TOKENS, "supports": list(SUPPORTS)}
    carry, _, scores = level.partition("+")
    if scores:
        entry["supports"].append(scores)
    if carry != "off":
        entry["carry"] = carry
    return {"tools": toolbox.specs(), "models": [entry], "sampling": SAMPLING}


def takes_level(level: str) -> bool:
    """Tell whether the core knows a level."""
    try:
        carry = level.partition("+")[0]
        purestep.Agent.load({"models": [{"name": "m", "carry": carry}]} if carry != "off" else {})
    except purestep.PurestepError:
        return False
    return True


def run_task(task: Task, level: str, model: Any, toolbox: SimulatedToolbox | None = None) -> Outcome:
    """Run one task to its end; approvals are given and counted."""
    toolbox = toolbox or SimulatedToolbox(task)
    agent = purestep.Agent.load(definition(toolbox, level, model.name))
    recorded, approved, ticks = _Recorded(), itertools.count(), itertools.count()
    began_at, core_s, model_s = len(model.asked), time.process_time(), _model_cpu_s(model)
    run = Run(
        agent,
        Ports(
            model=model,
            tools=toolbox,
            approve=lambda calls: [_yes(call, approved) for call in calls],
            log=recorded,
            watch=recorded,
            clock=lambda: next(ticks),
            sleep=lambda seconds: None,
        ),
        f"carry-{task.id}",
    )
    decision = run.ask(task.query).decision
    asked = model.asked[began_at:]
    core_s = time.process_time() - core_s - (_model_cpu_s(model) - model_s)
    answer = decision.answer if isinstance(decision, purestep.Done) else None
    ended = "done" if isinstance(decision, purestep.Done) else f"failed: {decision.code}"
    reason = wrong(task, toolbox.tools, toolbox.ran, answer)
    return Outcome(
        task=task,
        wrong=f"{ended}; {reason}" if reason and ended != "done" else reason,
        right_calls=not wrong_calls(task, toolbox.tools, toolbox.ran),
        ran=toolbox.ran,
        asked=asked,
        ended=ended if ended != "done" else str(answer),
        decided=sum(json.loads(line).get("kind") == "decided" for line in recorded.lines),
        approved=next(approved),
        cpu_s=core_s + sum(each.cpu_s for each in asked),
        log="\n".join(recorded.lines),
    )


def _yes(call: purestep.ApprovalCall, approved: Any) -> purestep.Approval:
    next(approved)
    return purestep.Approval(call_id=call.call_id, key=call.key, approved=True)


def _model_cpu_s(model: Any) -> float:
    return float(getattr(model, "spent_s", 0.0))
