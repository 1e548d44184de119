"""AG-UI 1.0: the events that an agent sends to a user interface.

The log's run is the thread; each exchange is a run, and so is each part of it after a person was asked. What has no
event of its own is a CUSTOM event, whose name begins with `purestep.`.
Source: the AG-UI protocol, version 1.0.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from ..agent import output_text
from ..json_text import encode
from ..values import Message, NativeCall
from .walk import OpenCall, Result, Walk

_VERSION: Final = "1.0"
_ROLES: Final = ("system", "developer", "user", "assistant", "tool")
_ANSWER: Final = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "arguments": {"type": "object"}, "reason": {"type": "string"}},
    "required": ["approved"],
}
"""The JSON Schema of what a person answers."""


def _event(walk: Walk, kind: str, out: list[Any], **members: Any) -> None:
    out.append({"type": kind, **members} if walk.at is None else {"type": kind, "timestamp": walk.at, **members})


def started(walk: Walk, segment: str, asked: Sequence[Message], out: list[Any]) -> None:
    """Open a run; what it was asked with is echoed, so that a reader of the log sees it."""
    members: dict[str, Any] = {"threadId": walk.run_id, "runId": segment, "protocolVersion": _VERSION}
    if asked:
        given = [_message(f"{walk.exchange[:16]}-m{number}", message) for number, message in enumerate(asked, 1)]
        members["input"] = {
            "threadId": walk.run_id,
            "runId": segment,
            "state": {},
            "messages": [message for message in given if message is not None],
            "tools": [],
            "context": [],
            "forwardedProps": {},
        }
    _event(walk, "RUN_STARTED", out, **members)


def _message(message_id: str, message: Message) -> dict[str, Any] | None:
    """Give a chat message in this form; None for one that has none."""
    if message.role not in _ROLES:
        return None
    found: dict[str, Any] = {"id": message_id, "role": message.role, "content": message.content or ""}
    if message.role == "tool":
        found["toolCallId"] = message.tool_call_id or ""
    if message.role == "assistant" and message.tool_calls:
        found["toolCalls"] = [_call(number, call) for number, call in enumerate(message.tool_calls, 1)]
    return found


def _call(number: int, call: NativeCall) -> dict[str, Any]:
    arguments = call.function.arguments or {}
    text = arguments if isinstance(arguments, str) else encode(arguments).decode()
    function = {"name": call.function.name, "arguments": text}
    return {"id": call.id or f"call_{number}", "type": "function", "function": function}


def interrupted(walk: Walk, segment: str, reasons: dict[str, str], out: list[Any]) -> None:
    """Close a run whose calls wait for a person; an answer names the interrupt, whose id is the call's key."""
    interrupts = [
        {
            "id": call.approval,
            "reason": "tool_approval",
            "message": reasons.get(call_id, ""),
            "toolCallId": call_id,
            "responseSchema": _ANSWER,
        }
        for call_id, call in walk.waiting.items()
    ]
    _close(walk, segment, {"type": "interrupt", "interrupts": interrupts}, out)


def finished(walk: Walk, segment: str, data: Any, out: list[Any]) -> None:
    """Close a run that was answered; its result is the answer's data, where it has some."""
    _close(walk, segment, {"type": "success"}, out, **({} if data is UNSET else {"result": data}))


def failed(walk: Walk, segment: str, code: str, message: str, out: list[Any]) -> None:
    """Close a run that was stopped, or failed."""
    if code == "cancelled":
        _close(walk, segment, {"type": "cancelled"}, out)
    else:
        _event(walk, "RUN_ERROR", out, message=message, code=code, **_usage(walk))


def _close(walk: Walk, segment: str, outcome: dict[str, Any], out: list[Any], **members: Any) -> None:
    ids = {"threadId": walk.run_id, "runId": segment}
    _event(walk, "RUN_FINISHED", out, **ids, **members, outcome=outcome, **_usage(walk))


def _usage(walk: Walk) -> dict[str, Any]:
    """Give what the exchange has used so far, by model."""
    entries = []
    for each in walk.usage:
        counts = {
            "inputTokens": each.prompt_tokens,
            "outputTokens": each.completion_tokens,
            "reasoningTokens": each.reasoning_tokens,
            "cachedInputTokens": each.cached_tokens,
        }
        known = {name: count for name, count in counts.items() if count is not None}
        entries.append({"model": each.model, **known} if each.model else known)
    return {"usage": entries} if entries else {}


def step_started(walk: Walk, step: int, out: list[Any]) -> None:
    """Begin a step."""
    _event(walk, "STEP_STARTED", out, stepName=f"step {step}")


def step_ended(walk: Walk, step: int, out: list[Any]) -> None:
    """End a step."""
    _event(walk, "STEP_FINISHED", out, stepName=f"step {step}")


def text_started(walk: Walk, text: str, out: list[Any]) -> None:
    """Begin a message."""
    _event(walk, "TEXT_MESSAGE_START", out, messageId=text, role="assistant")


def text_added(walk: Walk, text: str, delta: str, out: list[Any]) -> None:
    """Add to a message."""
    _event(walk, "TEXT_MESSAGE_CONTENT", out, messageId=text, delta=delta)


def text_ended(walk: Walk, text: str, retracted: bool, out: list[Any]) -> None:
    """End a message; one that was no answer is marked, since the protocol takes nothing back."""
    if not retracted:
        _event(walk, "TEXT_MESSAGE_END", out, messageId=text)
        return
    _event(walk, "TEXT_MESSAGE_END", out, messageId=text, metadata={"purestep": {"retracted": True}})
    _event(walk, "CUSTOM", out, name="purestep.retracted", value={"messageId": text})


def called(walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
    """Show a call with its arguments."""
    mark = {"metadata": {"purestep": {"checks": call.checks}}} if call.checks else {}
    _event(walk, "TOOL_CALL_START", out, toolCallId=call_id, toolCallName=call.tool, **mark)
    _event(walk, "TOOL_CALL_ARGS", out, toolCallId=call_id, delta=encode(call.arguments).decode())
    _event(walk, "TOOL_CALL_END", out, toolCallId=call_id)


def held_back(walk: Walk, call_id: str, call: OpenCall, reason: str, out: list[Any]) -> None:
    """Nothing yet: the run's outcome names the call."""


def decided(walk: Walk, call_id: str, call: OpenCall, answer: dict[str, Any], out: list[Any]) -> None:
    """Say what a person decided, with the arguments that replace the call's."""
    _event(walk, "CUSTOM", out, name="purestep.approval", value=answer)


def ended(walk: Walk, call_id: str, result: Result, out: list[Any]) -> None:
    """Show a result; a fault is marked as such."""
    members: dict[str, Any] = {"messageId": f"{walk.head[:16]}-{call_id}", "toolCallId": call_id, "role": "tool"}
    if result.fault:
        members["content"] = f"Error ({result.fault}): {result.text}"
        members["metadata"] = {"purestep": {"fault": result.fault}}
    else:
        members["content"] = output_text(result.output)
    _event(walk, "TOOL_CALL_RESULT", out, **members)


def noted(walk: Walk, kind: str, value: dict[str, Any], out: list[Any]) -> None:
    """Tell of what has no event of its own."""
    _event(walk, "CUSTOM", out, name=f"purestep.{kind}", value=value)
