"""The loop: carry out the core's decisions until a run ends. It decides nothing itself.

The log of a step is written before its decision is carried out, so `resume` can continue after a crash. A tool whose
result was not logged runs again with the same idempotency key.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import msgspec

import purestep
from purestep import Agent, Message, RunState, Step, UserMessage, replay
from purestep_hosts.models.model import Model, ModelRequest
from purestep_hosts.output_gate import OutputGate, OutputWatcher


class Log(Protocol):
    """Stores log lines; `append` returns once they are durable."""

    def append(self, log: str, head: str) -> None:
        """Append the lines; `head` is the hash chain after them."""


class Tools(Protocol):
    """Runs tools; `run` returns a result object and never raises."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Run one call."""

    def stop(self) -> None:
        """End all calls that run: after Ctrl-C nobody wants their results."""


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
    sleep: Callable[[float], None] = time.sleep
    """Waits this many seconds before a model is asked again; Ctrl-C ends it."""


class Run:
    """One run in this process: its state, its transcript and its adapters."""

    def __init__(self, agent: Agent, ports: Ports, run_id: str) -> None:
        self.agent = agent
        self.ports = ports
        self.run_id = run_id
        self.messages: list[Message] = []
        self.state: RunState | None = None

    def ask(self, query: str) -> Step:
        """Send a user message and run until `done` or `failed`; returns the last step.

        Raises SessionError when the log cannot be written; no decision is carried out before its log is written.
        """
        message = UserMessage(content=query, at=self.ports.clock())
        if self.state is None:
            return self._run_until_end(self._record(purestep.start(self.agent, message, self.run_id)))
        return self._run_until_end(self._record(purestep.step(self.state, message)))

    def resume(self, log: str) -> Step:
        """Resume a run from its log and run until `done` or `failed`; returns the last step."""
        found = replay(log)
        self.ports.log.append(found.lost, found.state.head)
        self.state, self.messages = found.state, list(found.messages)
        step = Step(state=found.state, decision=found.decision, messages=(), log="")
        self.ports.watch.on_step(step)
        return self._run_until_end(step)

    def _record(self, step: Step) -> Step:
        self.ports.log.append(step.log, step.state.head)
        self.state = step.state
        self.messages += step.messages
        self.ports.watch.on_step(step)
        return step

    def _run_until_end(self, step: Step) -> Step:
        while not isinstance(step.decision, purestep.Done | purestep.Failed):
            try:
                observation = self._carry_out(step)
            except KeyboardInterrupt:
                observation = {"type": "cancel", "reason": "interrupted"}
            observed = msgspec.convert({**observation, "at": self.ports.clock()}, purestep.Observation)
            step = self._record(purestep.step(step.state, observed))
        return step

    def _carry_out(self, step: Step) -> dict[str, Any]:
        match step.decision:
            case purestep.CallModel() as decision:
                return self._call_model(step.state, decision)
            case purestep.InvokeTool(calls=calls):
                return {"type": "tool_results", "results": self._run_tools(calls)}
            case purestep.RequestApproval(calls=calls):
                return {"type": "approvals", "approvals": [msgspec.to_builtins(a) for a in self.ports.approve(calls)]}
            case decision:
                raise AssertionError(f"no action for {type(decision).__name__}")

    def _call_model(self, state: RunState, decision: purestep.CallModel) -> dict[str, Any]:
        if decision.wait_ms:
            self.ports.sleep(decision.wait_ms / 1000)
        model = self.ports.model
        gate = OutputGate(purestep.open_reply(state, model.name), self.ports.watch)
        end = model.complete(model_request(decision, self.messages), gate)
        observation: dict[str, Any] = msgspec.to_builtins(gate.close(end))
        return observation

    def _run_tools(self, calls: tuple[purestep.ToolCall, ...]) -> list[dict[str, Any]]:
        if len(calls) == 1:
            # In the main thread, which receives Ctrl-C and so can stop the tool.
            return [self._run_tool(calls[0])]
        pool = ThreadPoolExecutor(len(calls))  # the decision holds no more than may run at once
        try:
            return list(pool.map(self._run_tool, calls))
        except KeyboardInterrupt:
            # It arrived in this thread alone, and the process would not end before the others do.
            self.ports.tools.stop()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _run_tool(self, call: purestep.ToolCall) -> dict[str, Any]:
        result = self.ports.tools.run(call.tool, call.params, call.key)
        self.ports.watch.on_result(call, result)
        return {"call_id": call.call_id, **result}


def model_request(decision: purestep.CallModel, messages: list[Message]) -> ModelRequest:
    """Return the model request of a decision: its ranges of the transcript and its constraints."""
    chosen = [message for begin, end in decision.prompt for message in messages[begin:end]]
    return ModelRequest(
        messages=msgspec.to_builtins(chosen),
        model=decision.model or None,
        tools=_decoded(decision.tools),
        response_format=_decoded(decision.response_format),
        grammar=decision.grammar or None,
        stop=decision.stop or (),
        sampling=_decoded(decision.sampling) or {},
    )


def _decoded(part: msgspec.Raw | msgspec.UnsetType) -> Any:
    return None if part is msgspec.UNSET else msgspec.json.decode(part)
