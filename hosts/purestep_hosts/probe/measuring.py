"""Makes the runs of a probe with a model: the host's part, which carries out and decides nothing."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import purestep
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import Model
from purestep_tools.probe import NextRun, Probe, tool_outcome


class _Record:
    """The log of a run, kept in memory, and a watcher that shows nothing."""

    def __init__(self) -> None:
        self.lines = ""

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.lines += log

    def on_step(self, step: purestep.Step) -> None:
        """Show nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Show nothing."""


class ProbeTools:
    """Runs the calls of the suite, which have no effect."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Run one call; the core has validated its arguments."""
        return tool_outcome(tool, params)

    def stop(self) -> None:
        """Nothing takes long."""


def measured(probe: Probe, model: Model, interrupts: Interrupts) -> Iterator[Probe]:
    """Make the runs that are due, and give the probe after each; raises KeyboardInterrupt."""
    while (due := probe.next_run()) is not None:
        began = time.monotonic()
        log = _log_of(due, model, interrupts)
        probe = probe.with_log(log, time.monotonic() - began)
        yield probe


def _log_of(due: NextRun, model: Model, interrupts: Interrupts) -> str:
    record, ticks = _Record(), itertools.count()
    ports = Ports(
        model=model,
        tools=ProbeTools(),
        approve=_approve_all,
        log=record,
        watch=record,
        clock=lambda: next(ticks),
        interrupts=interrupts,
    )
    agent = purestep.Agent.load(due.way.definition(model.name))
    decision = Run(agent, ports, f"probe-{due.task.id}").ask(due.task.query).decision
    if isinstance(decision, purestep.Failed) and decision.code == "cancelled":
        raise KeyboardInterrupt
    return record.lines


def _approve_all(calls: tuple[purestep.ApprovalCall, ...]) -> list[purestep.Approval]:
    """Approve every call: nothing here has an effect."""
    return [purestep.Approval(call_id=call.call_id, key=call.key, approved=True, by="probe") for call in calls]
