"""A run of an evaluation, message by message: its log is kept as text, and nothing of it is shown."""

from __future__ import annotations

from collections.abc import Sequence

import purestep
from purestep_hosts.async_loop import AsyncPorts, AsyncTools, drive
from purestep_hosts.effects import RunEffects
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import Model, refused_by


class _Quiet:
    """A watcher that shows nothing."""

    wants_text = False

    def on_step(self, step: purestep.Step) -> None:
        """Show nothing."""

    def on_calls(self, calls: tuple[purestep.ToolCall, ...]) -> None:
        """Show nothing."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, object]) -> None:
        """Show nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""


class LoggedRun:
    """One run of an agent; the model of a case, its judge and its user have one each."""

    def __init__(self, agent: purestep.Agent, run_id: str, model: Model, tools: AsyncTools, mask: Mask) -> None:
        """Begin with nothing said; mask: hides secrets in the log."""
        self._lines: list[str] = []
        self._ports = AsyncPorts(
            model=model,
            tools=tools,
            approve=_approve_all,
            append=lambda log, head: self._lines.append(log),
            watch=_Quiet(),
            mask=mask,
        )
        self._run = RunEffects(agent, run_id, self._ports.clock, mask)
        self._run.refused = refused_by(model)
        self.said: list[tuple[str, str]] = []
        """What was said to it, with what it answered; "" where it failed."""

    async def say(self, text: str, data: Sequence[purestep.DataText] = ()) -> purestep.Decision:
        """Send a message, and go on until the run ends; returns how it did."""
        step = await drive(self._run.ask(text, data=data), self._ports)
        self.said.append((text, getattr(step.decision, "answer", "")))
        return step.decision

    @property
    def log(self) -> str:
        """All lines that were logged."""
        return "".join(self._lines)

    @property
    def head(self) -> str:
        """The head of the log."""
        return self._run.state.head if self._run.state is not None else ""


async def _approve_all(calls: tuple[purestep.ApprovalCall, ...]) -> list[purestep.Approval]:
    """Approve every call: the tools of a case are data, and have no effect."""
    return [purestep.Approval(call_id=call.call_id, key=call.key, approved=True, by="eval") for call in calls]
