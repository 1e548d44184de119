"""OpenTelemetry: the spans of a run, by the semantic conventions for generative AI.

An exchange is an `invoke_agent` span; the model calls in it are `chat` spans, the calls `execute_tool` ones. A span is
given once it is over, so an agent's comes after those in it. Times are those of the log, in milliseconds, and are left
out where it has none. What was said and done is in no attribute, as the conventions advise; `purestep.log.seq` is the
line that a span was given with.
Source: OpenTelemetry's semantic conventions for generative AI.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import field

from purestep.bounds import MAX_SAFE_INTEGER
from purestep.values import Cancelled, Content, Message, ModelResponse, Parameter, RequestParameters, Usage

from .content_form import uris_of
from .walk import DENIED, NO_RESULT, BrokenReply, LogForm, OpenCall, Result, Walk, asked_model

_FLOATS: Final[Mapping[str, str]] = {
    name: f"gen_ai.request.{name}"
    for name in ("temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty")
}
_INTEGERS: Final[Mapping[str, str]] = {
    "max_tokens": "gen_ai.request.max_tokens",
    "max_completion_tokens": "gen_ai.request.max_tokens",
    "seed": "gen_ai.request.seed",
    "n": "gen_ai.request.choice.count",
}
"""The attributes of the parameters that the conventions have, by the type that they give them."""

_JSON: Final = ("json_schema", "json_object")
"""The constraints that hold an output to JSON."""

_PROVIDER: Final = "purestep"
"""The log does not say whose server a host asked."""


class Spans(LogForm, tag="otel"):
    """The spans that are not over: the agent's, and the model's until it is known what became of its output.

    `began_at`: when the exchange began. `asked_at`: when the model was asked. `below`: those of agents, by their calls.
    """

    began_at: int | None = None
    asked_at: int | None = None
    chat: dict[str, Any] | None = None
    chat_attributes: dict[str, Any] = field(default_factory=dict)
    below: dict[str, "Spans"] = field(default_factory=dict)

    def began(self, walk: Walk, instructions: str, history: list[Message], out: list[Any]) -> None:
        """A run with another program's messages may go on without a user message of its own."""
        self.began_at = self.asked_at = walk.at

    def asked(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """Begin the agent's span."""
        self.began_at = self.asked_at = walk.at

    def added(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """What the user adds belongs to the agent's span."""
        self._give_chat(out)

    def heard(self, walk: Walk, event: ModelResponse, out: list[Any]) -> None:
        """Begin and end a model's span; what becomes of the output is told next."""
        if self.chat is not None:
            self._give_chat(out)
        attributes: dict[str, Any] = {}
        if event.model:
            attributes["gen_ai.response.model"] = event.model
        if event.finish_reason:
            attributes["gen_ai.response.finish_reasons"] = [event.finish_reason]
        self.chat = self._chat(walk, event, attributes, "")
        self.chat_attributes = self.chat.pop("attributes")
        self.asked_at = walk.at

    def broke_off(self, walk: Walk, event: BrokenReply, out: list[Any]) -> None:
        """Add the span of a model call that failed, or was stopped with the run."""
        self._give_chat(out)
        out.append(self._chat(walk, event, {}, "cancelled" if isinstance(event, Cancelled) else event.code))
        self.asked_at = walk.at

    def called(self, walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
        """The span of a call is given with its result."""
        self._give_chat(out)
        if call.is_skill:
            self.asked_at = walk.at

    def ended(self, walk: Walk, call_id: str, call: OpenCall, result: Result, out: list[Any]) -> None:
        """Add the span of a call that ran, or may have."""
        if self.chat is not None:
            self._give_chat(out)
        self.asked_at = walk.at
        if self.below:
            self.below.pop(call_id, None)
        if result.fault == DENIED or call.approval:
            return
        attributes = _call_attributes(call_id, call)
        if result.parts:
            attributes["purestep.parts"] = uris_of(result.parts)
        ended_at = None if result.fault == NO_RESULT else walk.at
        times = (call.at, ended_at if call.ended_at is None else call.ended_at)
        out.append(_of_call(walk, call, times, attributes, result.fault))

    def rejected(self, walk: Walk, cause: str, out: list[Any]) -> None:
        """Note that the output was sent back, for which reason."""
        self.chat_attributes["purestep.rejected"] = cause
        self._give_chat(out)

    def noted(self, walk: Walk, kind: str, value: dict[str, Any], out: list[Any]) -> None:
        """The time of a wait belongs to no span."""
        self._give_chat(out)
        if value.get("wait_ms") and self.asked_at is not None:
            self.asked_at += value["wait_ms"]

    def answered(self, walk: Walk, content: str, data: Any, out: list[Any]) -> None:
        """End the agent's span."""
        self._end(walk, "", "", out)

    def failed(self, walk: Walk, code: str, message: str, out: list[Any]) -> None:
        """End the agent's span with an error."""
        self._end(walk, code, message, out)

    def opened(self, walk: Walk) -> list[dict[str, Any]]:
        """Return the spans that have begun and are not over, without an end: the agent's, then those of calls."""
        if not walk.is_asking:
            return []
        # Nothing of a turn runs before all its calls are answered for.
        calls = {} if walk.waiting else walk.calls
        running = [_running(walk, call_id) for call_id in calls]
        inner = [span for call_id, form in self._inner(walk) for span in form.opened(walk.below[call_id])]
        return [self._agent(walk, None, "", ""), *running, *inner]

    def inside(self, walk: Walk, call_id: str) -> LogForm:
        """The spans of an agent stand in that of its call."""
        return self.below.setdefault(call_id, Spans())

    def close(self, walk: Walk, out: list[Any]) -> None:
        """Add the spans that are not over: without an end."""
        self._give_chat(out)
        for call_id, form in self._inner(walk):
            form.close(walk.below[call_id], out)
            out.append(_running(walk, call_id))
        if walk.is_asking:
            out.append(self._agent(walk, None, "", ""))

    def _inner(self, walk: Walk) -> "list[tuple[str, Spans]]":
        """Return the forms of agents whose calls are open; in a projection that was changed there may be others."""
        return [each for each in self.below.items() if each[0] in walk.below and each[0] in walk.calls]

    def _give_chat(self, out: list[Any]) -> None:
        if self.chat is not None:
            self.chat["attributes"] = self.chat_attributes
            out.append(self.chat)
        self.chat, self.chat_attributes = None, {}

    def _end(self, walk: Walk, code: str, message: str, out: list[Any]) -> None:
        self._give_chat(out)
        out.append(self._agent(walk, walk.at, code, message))

    def _agent(self, walk: Walk, ended_at: int | None, code: str, message: str) -> dict[str, Any]:
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.provider.name": _PROVIDER,
            "gen_ai.conversation.id": walk.run_id,
        }
        if walk.agent:
            attributes["gen_ai.agent.name"] = walk.agent
        if walk.question:
            attributes["purestep.question"] = True
        if walk.acts is not None:
            # Without arguments, as the spans of the calls themselves.
            attributes["purestep.acts"] = [
                f"{act['call_id']} {act['tool']} {act['status']}" for act in walk.acts["acts"]
            ]
        name = f"invoke_agent {walk.agent}" if walk.agent else "invoke_agent"
        times = (self.began_at, ended_at)
        return _span(walk, name, "INTERNAL", (walk.exchange[:16], walk.parent), times, attributes, code, message)

    def _chat(self, walk: Walk, event: ModelResponse | BrokenReply, more: dict[str, Any], fault: str) -> dict[str, Any]:
        attributes: dict[str, Any] = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": _PROVIDER}
        model = asked_model(event.request) or (walk.models[0] if len(walk.models) == 1 else "")
        if model:
            attributes["gen_ai.request.model"] = model
        asked_at = self.asked_at if event.asked_at is None else event.asked_at
        if event.request:
            attributes |= _parameters(event.request)
        if more:
            attributes |= more
        if event.response_id:
            attributes["gen_ai.response.id"] = event.response_id
        if event.first_token_at is not None and asked_at is not None and event.first_token_at >= asked_at:
            attributes["gen_ai.response.time_to_first_chunk"] = (event.first_token_at - asked_at) / 1000
        if event.usage is not None:
            attributes |= _usage(event.usage)
        if isinstance(event, ModelResponse) and event.cost is not None:
            attributes["purestep.cost"] = event.cost
        skill = walk.calls.get(walk.skill)
        ids = (walk.head[:16], walk.exchange[:16] if skill is None else skill.span)
        name = f"chat {model}" if model else "chat"
        return _span(walk, name, "CLIENT", ids, (asked_at, walk.at), attributes, fault)


# Written as text above, since the type was not there yet; no text runs as code in a step.
Spans.__annotations__["below"] = dict[str, Spans]


def _call_attributes(call_id: str, call: OpenCall) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.tool,
        "gen_ai.tool.call.id": call_id,
        "gen_ai.tool.type": "function",
    }
    if call.checks:
        attributes["purestep.checks"] = call.checks
    return attributes


def _of_call(
    walk: Walk, call: OpenCall, times: tuple[int | None, int | None], attributes: dict[str, Any], fault: str
) -> dict[str, Any]:
    ids = (call.span, walk.exchange[:16])
    return _span(walk, f"execute_tool {call.tool}", "INTERNAL", ids, times, attributes, fault)


def _running(walk: Walk, call_id: str) -> dict[str, Any]:
    call = walk.calls[call_id]
    return _of_call(walk, call, (call.at, None), _call_attributes(call_id, call), "")


def _usage(usage: Usage) -> dict[str, int]:
    counts = {
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning_tokens,
    }
    return {name: count for name, count in counts.items() if count is not None}


def _parameters(request: RequestParameters) -> dict[str, Any]:
    """Return the attributes of parameters; those of another type than the conventions', and all others, have none."""
    found: dict[str, Any] = {}
    for name, value in request.items():
        if name in _FLOATS and (number := _number(value)) is not None:
            found[_FLOATS[name]] = float(number)
        elif name in _INTEGERS and isinstance(number := _number(value), int):
            found[_INTEGERS[name]] = number
        elif name == "stop":
            texts = (value,) if isinstance(value, str) else value
            if isinstance(texts, tuple) and all(isinstance(text, str) for text in texts):
                found["gen_ai.request.stop_sequences"] = list(texts)
        elif name == "constraint" and value in _JSON:
            found["gen_ai.output.type"] = "json"
    return found


def _number(value: Parameter) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if abs(value) <= MAX_SAFE_INTEGER else None


def _span(
    walk: Walk,
    name: str,
    kind: str,
    ids: tuple[str, str],
    times: tuple[int | None, int | None],
    attributes: dict[str, Any],
    fault: str,
    message: str = "",
) -> dict[str, Any]:
    """Return a span; ids: its own and its parent's. times: of its begin and its end. fault: of what failed, else ""."""
    own, parent = ids
    begin, end = times
    span: dict[str, Any] = {"trace_id": walk.trace[:32], "span_id": own, "name": name, "kind": kind}
    if parent:
        span["parent_span_id"] = parent
    if begin is not None:
        span["start_time_ms"] = begin if end is None or begin < end else end
    if end is not None:
        span["end_time_ms"] = end
    span["status"] = "ERROR" if fault else "UNSET"
    if fault:
        attributes["error.type"] = fault
    if message:
        span["status_message"] = message
    attributes["purestep.log.seq"] = walk.seq - 1
    span["attributes"] = attributes
    return span
