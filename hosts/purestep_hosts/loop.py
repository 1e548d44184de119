"""The loop: carry out the core's decisions until a run ends. It decides nothing itself.

The log of a step is written before its decision is carried out, so `resume` can continue after a crash: the core is
told that the host was stopped, and says which of the open calls run again and about which a person is asked.

Model and tools work in threads, so that Ctrl-C reaches the main thread at once. Every running call is then stopped, the
results that came are recorded, the others as interrupted, and only then the run is cancelled.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, Protocol

import msgspec

import purestep
from purestep import Agent, Message, RunState, Step, ToolChoice, UserMessage, prompt_messages, replay, sent_message
from purestep_hosts.interrupts import Interrupts, Work
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import Model, ModelRequest
from purestep_hosts.output_gate import OutputGate, OutputWatcher, WatcherUntil
from purestep_hosts.tools.results import interrupted

_STOP_S: Final = 4.0
"""How long stopped calls may take to come back: a tool gets two seconds, a command half a second until it is killed."""
_STOP_TIMES: Final = 20

_CANCEL: Final = {"type": "cancel", "reason": "interrupted"}
_RESUMED: Final = {"type": "resumed"}


class Log(Protocol):
    """Stores log lines; `append` returns once they are durable."""

    def append(self, log: str, head: str) -> None:
        """Append the lines; `head` is the hash chain after them."""


class Tools(Protocol):
    """Runs tools; `run` returns a result object and never raises."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Run one call."""

    def stop(self) -> None:
        """End all calls that run; each comes back soon, with what is known of it."""


Approver = Callable[[tuple[purestep.ApprovalCall, ...]], Iterable[purestep.Approval]]
"""Asks a person about calls; returns an answer for each."""


class Watcher(OutputWatcher, Protocol):
    """Receives what happens in a run, for display only."""

    def on_step(self, step: Step) -> None:
        """A step was made and its log is written."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """A tool call came back."""


class Ports(msgspec.Struct, frozen=True, kw_only=True):
    """The adapters of one run."""

    model: Model
    tools: Tools
    approve: Approver
    log: Log
    watch: Watcher
    clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000
    sleep: Callable[[float], None] | None = None
    """Waits this many seconds before a model is asked again; by default Ctrl-C ends the wait."""
    interrupts: Interrupts = msgspec.field(default_factory=Interrupts)
    mask: Mask = msgspec.field(default_factory=Mask)
    """Hides secrets in what comes from outside, before it is logged."""


class Run:
    """One run in this process: its state, its transcript and its adapters."""

    def __init__(self, agent: Agent, ports: Ports, run_id: str) -> None:
        self.agent = agent
        self.ports = ports
        self.run_id = run_id
        self.messages: list[Message] = []
        self.state: RunState | None = None
        self._lines: list[str] = []
        """The log, where the definition allows that outputs are read on: such calls are answered from it."""

    def ask(self, query: str, tool_choice: ToolChoice | None = None) -> Step:
        """Send a user message and run until `done` or `failed`; returns the last step.

        tool_choice: whether tools may, must or must not be used for this message, instead of what the definition says.
        Raises SessionError when the log cannot be written; no decision is carried out before its log is written.
        """
        message = UserMessage(content=self.ports.mask.text(query), tool_choice=tool_choice, at=self.ports.clock())
        if self.state is None:
            return self._run_until_end(self._record(purestep.start(self.agent, message, self.run_id)))
        return self._run_until_end(self._record(purestep.step(self.state, message)))

    def resume(self, log: str) -> Step:
        """Resume a run from its log and run until `done` or `failed`; returns the last step.

        Calls that were handed out before may have run: the core is told, where it takes that.
        """
        found = replay(log)
        self._keep(log)
        self._keep(found.lost)
        self.ports.log.append(found.lost, found.state.head)
        self.state, self.messages = found.state, list(found.messages)
        step = Step(state=found.state, decision=found.decision, messages=(), log="")
        self.ports.watch.on_step(step)
        if _RESUMED["type"] in purestep.accepted_observations(step.state):
            step = self._observe(step, _RESUMED)
        return self._run_until_end(step)

    def _record(self, step: Step) -> Step:
        self.ports.log.append(step.log, step.state.head)
        self._keep(step.log)
        self.state = step.state
        self.messages += step.messages
        self.ports.watch.on_step(step)
        return step

    def _keep(self, log: str) -> None:
        if self.agent.definition.read_output:
            self._lines.append(log)

    def _run_until_end(self, step: Step) -> Step:
        while not isinstance(step.decision, purestep.Done | purestep.Failed):
            try:
                observations = self._carry_out(step)
            except KeyboardInterrupt:
                observations = [_CANCEL]
            for observation in observations:
                if not isinstance(step.decision, purestep.Done | purestep.Failed):
                    step = self._observe(step, observation)
        return step

    def _observe(self, step: Step, observation: dict[str, Any]) -> Step:
        observed = msgspec.convert({**observation, "at": self.ports.clock()}, purestep.Observation)
        return self._record(purestep.step(step.state, observed))

    def _carry_out(self, step: Step) -> list[dict[str, Any]]:
        """Return what came of a decision, in order; raises KeyboardInterrupt when nothing came of it."""
        match step.decision:
            case purestep.CallModel() as decision:
                return [self.ports.mask.value(self._call_model(step.state, decision))]
            case purestep.InvokeTool(calls=calls) | purestep.InvokeSkill(calls=calls):
                return self._run_tools(calls)
            case purestep.RequestApproval(calls=calls):
                with self.ports.interrupts.raising():
                    answers = [msgspec.to_builtins(answer) for answer in self.ports.approve(calls)]
                return [{"type": "approvals", "approvals": answers}]
            case decision:
                raise AssertionError(f"no action for {type(decision).__name__}")

    def _call_model(self, state: RunState, decision: purestep.CallModel) -> dict[str, Any]:
        interrupts, model = self.ports.interrupts, self.ports.model
        if decision.wait_ms:
            (self.ports.sleep or interrupts.sleep)(decision.wait_ms / 1000)
        watcher = WatcherUntil(self.ports.watch)
        gate = OutputGate(purestep.open_reply(state, model.name), watcher)
        request = model_request(decision, self.messages)
        try:
            end = interrupts.run(lambda: model.complete(request, gate))
        except KeyboardInterrupt:
            gate.stop()
            model.stop()
            watcher.end()
            raise
        observation: dict[str, Any] = msgspec.to_builtins(gate.close(end))
        return observation

    def _run_tools(self, calls: tuple[purestep.ToolCall, ...]) -> list[dict[str, Any]]:
        """Run the calls, each in a thread; after Ctrl-C return what is known of each, and a cancel."""
        interrupts, stopping = self.ports.interrupts, threading.Event()
        # The decision holds no more than may run at once.
        works = [interrupts.begin(partial(self._run_tool, call, stopping)) for call in calls]
        after = []
        try:
            interrupts.wait(works)
        except KeyboardInterrupt:
            stopping.set()
            self._stop_tools(works)
            after = [_CANCEL]
        results = [self._result(call, work) for call, work in zip(calls, works, strict=True)]
        return [{"type": "tool_results", "results": results}, *after]

    def _stop_tools(self, works: list[Work[dict[str, Any]]]) -> None:
        """Stop the calls, again and again: one may be about to begin."""
        for _ in range(_STOP_TIMES):
            self.ports.tools.stop()
            self.ports.interrupts.wait_at_most(works, _STOP_S / _STOP_TIMES)

    def _run_tool(self, call: purestep.ToolCall, stopping: threading.Event) -> dict[str, Any]:
        if stopping.is_set():
            return interrupted()
        if call.part is not msgspec.UNSET:
            result: dict[str, Any] = msgspec.to_builtins(purestep.read_part("".join(self._lines), call.part))
            return result
        return self.ports.tools.run(call.tool, call.params, call.key)

    def _result(self, call: purestep.ToolCall, work: Work[dict[str, Any]]) -> dict[str, Any]:
        result = self.ports.mask.value(work.value()) if work.has_ended else interrupted()
        self.ports.watch.on_result(call, result)
        return {"call_id": call.call_id, **result}


def model_request(decision: purestep.CallModel, messages: list[Message]) -> ModelRequest:
    """Return the model request of a decision: the messages that it names and its constraints."""
    return ModelRequest(
        messages=[sent_message(message) for message in prompt_messages(decision, messages)],
        model=decision.model or None,
        tools=_decoded(decision.tools),
        tool_choice=_decoded(decision.tool_choice),
        response_format=_decoded(decision.response_format),
        grammar=decision.grammar or None,
        stop=decision.stop or (),
        sampling=_decoded(decision.sampling) or {},
        choices=tuple(choice.text for choice in decision.choices or ()),
    )


def _decoded(part: msgspec.Raw | msgspec.UnsetType) -> Any:
    return None if part is msgspec.UNSET else msgspec.json.decode(part)
