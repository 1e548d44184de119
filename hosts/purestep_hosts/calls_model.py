"""The model of a run, lent to one of its calls: asked as its definition has it, and what it used is counted.

It is given the words of the tool alone: no transcript, no tools, no instructions of the agent. Secrets are hidden in
what it is sent and in what it says, as in the results of that tool.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, Final

import purestep
from purestep_formats import open_reply
from purestep_hosts.agents_below import agent_below
from purestep_hosts.effects import RunCalls
from purestep_hosts.models.model import Model, ModelEnd, ModelRequest
from purestep_hosts.output_gate import OutputGate
from purestep_hosts.tools.lent_model import LentModelError, LentReply, PlainMessage, StoppableCall

Begin = Callable[[ModelRequest, OutputGate], "Future[ModelEnd]"]
"""Begins to ask the model."""

GiveUp = Callable[[OutputGate], object]
"""Gives up a reply that was begun."""

_COUNTS: Final = purestep.Usage.__struct_fields__


class CallsModel:
    """The model of the run that made a call, as that call may have it asked; used in any thread."""

    def __init__(self, effect: RunCalls, call: purestep.ToolCall, model: str, begin: Begin, give_up: GiveUp) -> None:
        """Ask nothing yet. model: its name, where the definition has none."""
        self._effect, self._call, self._model = effect, call, model
        self._begin, self._give_up = begin, give_up
        self._lock = threading.Lock()
        self._used: dict[str, int] = {}

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the agents down to the one whose call that is."""
        return self._effect.path

    def ask(self, messages: Sequence[PlainMessage], max_tokens: int, call: StoppableCall) -> LentReply:
        """Ask the model and wait; raises LentModelError, TimeoutError, CancelledError."""
        request = self._request(self._hidden([each.text for each in messages]), messages, max_tokens)
        gate = OutputGate(open_reply(None, request.model or self._model, is_shown=False))
        begun = self._begin(request, gate)

        def stop() -> None:
            gate.stop()
            begun.cancel()
            self._give_up(gate)

        try:
            with call.cut_by(stop):
                end = begun.result(call.remaining_s())
        except BaseException as error:
            stop()
            self._count(gate.cancel().usage)
            if isinstance(error, Exception) and not isinstance(error, TimeoutError):
                raise LentModelError(f"the model failed: {type(error).__name__}") from error
            raise
        came = gate.close(end)
        self._count(came.usage)
        if isinstance(came, purestep.ModelError):
            raise LentModelError(f"the model gave nothing ({came.code})")
        (text,) = self._hidden([_said(came.content or "")])
        name = came.model or request.model or self._model
        return LentReply(text=text, model=name, is_cut=came.finish_reason == "length")

    def counted(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return the result of the call, with what it had the model use."""
        with self._lock:
            return {**result, "usage": dict(self._used)} if self._used else result

    def _count(self, usage: purestep.Usage | None) -> None:
        with self._lock:
            for name in _COUNTS if usage is not None else ():
                if (more := getattr(usage, name)) is not None:
                    self._used[name] = self._used.get(name, 0) + more

    def _hidden(self, texts: list[str]) -> list[str]:
        shown = self._effect.hidden(self._call, {"ok": True, "output": texts}).get("output")
        if not isinstance(shown, list) or len(shown) != len(texts):
            raise LentModelError("what was said cannot be hidden as the definition has it")
        return [each if isinstance(each, str) else json.dumps(each) for each in shown]

    def _request(self, texts: list[str], messages: Sequence[PlainMessage], max_tokens: int) -> ModelRequest:
        """Return the request, in the form that the server of the model at hand takes."""
        agent, state = self._effect.agent, self._effect.state
        if agent is None or state is None:
            raise LentModelError("this host lends no model")
        agent, state = agent_below(agent, state, self._effect.run_id)
        without, models, at = tuple(agent.left_out(state)), agent.definition.models, state.window.model
        limit = "max_completion_tokens" if "max_tokens" in without else "max_tokens"
        system = "user" if "system_role" in without else agent.system_roles.get(at) or "system"
        said = (
            (system if each.role == "system" else each.role, text) for each, text in zip(messages, texts, strict=True)
        )
        return ModelRequest(
            messages=list(_merged(said)),
            model=models[at].name if models else None,
            sampling={limit: max_tokens},
            without=without,
        )


def _merged(said: Iterator[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield messages, one for several of the same role in a row: some servers want the roles to alternate."""
    role, texts = "", list[str]()
    for each, text in said:
        if texts and each != role:
            yield {"role": role, "content": "\n\n".join(texts)}
            texts = []
        role = each
        texts.append(text)
    if texts:
        yield {"role": role, "content": "\n\n".join(texts)}


def _said(content: str) -> str:
    """Return what the model wrote without its reasoning, which is nobody else's to read."""
    read = json.loads(purestep.read_model_output(json.dumps({"text": content, "tools": [], "dialect": "native"})))
    found = read.get("content")
    return found if isinstance(found, str) else ""


def begun_in_thread(model: Model, request: ModelRequest, gate: OutputGate) -> Future[ModelEnd]:
    """Ask a model in a thread of its own, which keeps no process alive."""
    future: Future[ModelEnd] = Future()

    def work() -> None:
        try:
            end = model.complete(request, gate)
        except BaseException as error:  # foreign code: whatever it raises, the call is told
            with suppress(InvalidStateError):  # it was given up
                future.set_exception(error)
        else:
            with suppress(InvalidStateError):
                future.set_result(end)

    threading.Thread(target=work, daemon=True).start()
    return future
