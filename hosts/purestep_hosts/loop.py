"""The loop: performs the effects of a run (`effects`) until it ends. It decides nothing itself.

The log of a step is written before its decision is carried out, so `resume` can continue after a crash: the core is
told that the host was stopped, and says which of the open calls run again and about which a person is asked.

Model and tools work in threads, so that Ctrl-C reaches the main thread at once. Every running call is then stopped, the
results that came are recorded, the others as interrupted, and only then the run is cancelled.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, runtime_checkable

import msgspec

import purestep
from purestep import Agent, DataText, Message, RunState, Step, ToolChoice, replay
from purestep_hosts.attachments import Attachment, AttachmentStore, MemoryAttachments, content_of, sent_request
from purestep_hosts.calls_model import CallsModel, begun_in_thread
from purestep_hosts.effects import (
    CANCELLED,
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
    opened_gate,
)
from purestep_hosts.inner_runs import RunStopped
from purestep_hosts.interrupts import Interrupts, Work
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import Model, refused_by
from purestep_hosts.output_gate import OutputWatcher, WatcherUntil
from purestep_hosts.telling import Telling
from purestep_hosts.tools.lent_model import lending
from purestep_hosts.tools.results import ended, failed, interrupted

_STOP_S: Final = 4.0
"""How long stopped calls may take to come back: a tool gets two seconds, a command half a second until it is killed."""
_STOP_TIMES: Final = 20
_NOT_TOLD: Final = ("ended_at", "usage")
"""Members of a result that say nothing to who watches the call."""


class Log(Protocol):
    """Stores log lines; `append` returns once they are durable."""

    def append(self, log: str, head: str) -> None:
        """Append the lines; `head` is the hash chain after them."""


class Tools(Protocol):
    """Runs tools; `run` returns a result object, or raises RunStopped."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Run one call."""

    def stop(self) -> None:
        """End all calls that run; each comes back soon, with what is known of it."""


@runtime_checkable
class AnsweredTools(Tools, Protocol):
    """Tools of which some ask a person, and are run again with the answer."""

    def run(
        self, tool: str, params: dict[str, Any], key: str, answer: purestep.FormAnswer | None = None
    ) -> dict[str, Any]:
        """Run one call, or go on with one that has asked."""


Approver = Callable[[tuple[purestep.ApprovalCall, ...]], Iterable[purestep.Approval]]
"""Asks a person about calls; returns an answer for each."""


class Watcher(OutputWatcher, Protocol):
    """Receives what happens in a run, for display only; what it raises is logged, and the run goes on (`telling`)."""

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
    attachments: AttachmentStore = msgspec.field(default_factory=MemoryAttachments)
    """Keeps the images and files of user messages."""
    models_below: Mapping[tuple[str, ...], Model] = {}
    """Those of agents that it calls, by their paths; one that has none is asked by `model`."""


class Run:
    """One run in this process: its state, its transcript and its adapters."""

    def __init__(self, agent: Agent, ports: Ports, run_id: str) -> None:
        self.agent = agent
        self.ports = ports
        self.run_id = run_id
        self._effects = RunEffects(agent, run_id, ports.clock, ports.mask)
        self._effects.refused = refused_by(ports.model)
        self._stops: list[RunStopped] = []
        self._telling = Telling()

    @property
    def state(self) -> RunState | None:
        """The state after the last step; None before the first."""
        return self._effects.state

    @property
    def messages(self) -> list[Message]:
        """The transcript."""
        return self._effects.messages

    def ask(
        self,
        query: str,
        tool_choice: ToolChoice | None = None,
        attachments: Sequence[Attachment] = (),
        data: Sequence[DataText] = (),
        *,
        pinned: bool = False,
    ) -> Step:
        """Send a user message and run until `done` or `failed`; returns the last step.

        tool_choice: whether tools may, must or must not be used for this message, instead of what the definition says.
        attachments: images and files that are sent with it. data: texts that came along and are not the user's.
        pinned: the policy `history` never leaves it out.
        Raises SessionError when the log cannot be written; no decision is carried out before its log is written;
        AttachmentError where bytes are missing.
        """
        content = content_of(query, attachments)
        for each in attachments:
            self.ports.attachments.put(each)
        return self._drive(self._effects.ask(content, tool_choice, data=data, pinned=pinned))

    def steer(self, text: str) -> None:
        """Have the model told something while the run goes on, from another thread; see `RunEffects.steer`."""
        self._effects.steer(text)

    def resume(self, log: str) -> Step:
        """Resume a run from its log and run until `done` or `failed`; returns the last step.

        Calls that were handed out before may have run: the core is told, where it takes that.
        """
        return self._drive(self._effects.resume(log, replay(log)))

    def give(self, results: Iterable[purestep.ToolResults]) -> Step:
        """Send results of calls that went on elsewhere, and run until `done` or `failed`; returns the last step."""
        return self._drive(self._effects.go_on_with(results))

    def _drive(self, effects: Effects) -> Step:
        """Perform the effects of a run one after another until it has none left."""
        step: Step = self._worked(effects)
        return step

    def _performed(self, effect: Effect) -> Any:
        match effect:
            case Record(step=step):
                self.ports.log.append(step.log, step.state.head)
                self._telling.tell(self.ports.watch.on_step, step)
                self._telling.check()
                return None
            case RunCalls():
                return self._run_tools(effect)
            case Together(works=works):
                return [self._worked(work) for work in works]
        try:
            match effect:
                case Wait(seconds=seconds):
                    return (self.ports.sleep or self.ports.interrupts.sleep)(seconds)
                case AskModel():
                    return self._ask_model(effect)
                case AskPerson(calls=calls):
                    with self.ports.interrupts.raising():
                        return list(self.ports.approve(calls))
        except KeyboardInterrupt:
            return CANCELLED

    def _worked(self, work: Generator[Any, Any, Any]) -> Any:
        """Perform effects until there are none left; several agents take turns here."""
        came: Any = None
        while True:
            try:
                effect = work.send(came)
            except StopIteration as end:
                return end.value
            came = self._performed(effect)

    def _ask_model(self, effect: AskModel) -> ModelObservation:
        if self.ports.interrupts.has_come:
            raise KeyboardInterrupt
        interrupts, model = self.ports.interrupts, self.ports.models_below.get(effect.path, self.ports.model)
        request = sent_request(effect.request, self.ports.attachments, self.ports.mask)
        # What an agent below says is no answer to the user.
        watcher = None if effect.is_below else WatcherUntil(self.ports.watch, self._telling)
        gate = opened_gate(effect, model.name, watcher, self.ports.clock)
        try:
            end = interrupts.run(lambda: model.complete(request, gate))
        except KeyboardInterrupt:
            stopped = gate.cancel()
            model.stop()
            if watcher is not None:
                watcher.end()
            return stopped
        return gate.close(end)

    def _run_tools(self, effect: RunCalls) -> CallOutcomes:
        """Run the calls, each in a thread; after Ctrl-C return what is known of each."""
        if self.ports.interrupts.has_come:  # while an agent beside this one worked: nothing begins after it
            return CallOutcomes(results=[interrupted() for _ in effect.calls], is_cancelled=True)
        self._stops.clear()
        interrupts, stopping = self.ports.interrupts, threading.Event()
        works = [interrupts.begin(partial(self._run_tool, effect, call, stopping)) for call in effect.calls]
        is_cancelled = False
        try:
            interrupts.wait(works)
        except KeyboardInterrupt:
            is_cancelled = True
            stopping.set()
            self._stop_tools(works)
        results = [self._result(effect, call, work) for call, work in zip(effect.calls, works, strict=True)]
        if self._stops:
            return CallOutcomes(results=results, is_cancelled=True, reason=self._stops[0].message)
        return CallOutcomes(results=results, is_cancelled=is_cancelled)

    def _stop_tools(self, works: list[Work[dict[str, Any]]]) -> None:
        """Stop the calls, again and again: one may be about to begin."""
        for _ in range(_STOP_TIMES):
            self.ports.tools.stop()
            self.ports.interrupts.wait_at_most(works, _STOP_S / _STOP_TIMES)

    def _run_tool(self, effect: RunCalls, call: purestep.ToolCall, stopping: threading.Event) -> dict[str, Any]:
        if stopping.is_set():
            return interrupted()
        known, lent = effect.known.get(call.call_id), self._lent(effect, call)
        try:
            with lending(lent):
                result = known if known is not None else self._called(effect.given(call))
        except RunStopped as stopped:
            self._stops.append(stopped)
            result = failed(stopped.message, "interrupted")
        return lent.counted(ended(result, self.ports.clock))

    def _lent(self, effect: RunCalls, call: purestep.ToolCall) -> CallsModel:
        model = self.ports.models_below.get(effect.path, self.ports.model)
        return CallsModel(effect, call, model.name, partial(begun_in_thread, model), lambda _: model.stop())

    def _called(self, call: purestep.ToolCall) -> dict[str, Any]:
        tools = self.ports.tools
        if not call.answer:
            return tools.run(call.tool, call.params, call.key)
        assert isinstance(tools, AnsweredTools), "only a tool that has asked is answered"
        return tools.run(call.tool, call.params, call.key, call.answer)

    def _result(self, effect: RunCalls, call: purestep.ToolCall, work: Work[dict[str, Any]]) -> dict[str, Any]:
        result = effect.hidden(call, work.value()) if work.has_ended else interrupted()
        told = {name: value for name, value in result.items() if name not in _NOT_TOLD}
        self._telling.tell(self.ports.watch.on_result, call, told)
        return result
