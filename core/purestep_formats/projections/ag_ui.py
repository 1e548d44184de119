"""AG-UI 1.0: the events that an agent sends to a user interface.

The log's run is the thread; each exchange is a run, and so is each part of it after a person was asked. What has no
event of its own is a CUSTOM event, whose name begins with `purestep.`.
Source: the AG-UI protocol, version 1.0.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from purestep.checks import output_text
from purestep.json_text import encode
from purestep.values import Message, NativeCall

from .content_form import ag_ui_content, ag_ui_parts
from .walk import OpenCall, PartEvents, Result, Walk

_VERSION: Final = "1.0"
_ROLES: Final = ("system", "developer", "user", "assistant", "tool")
_ANSWER: Final = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "arguments": {"type": "object"}, "reason": {"type": "string"}},
    "required": ["approved"],
}
"""The JSON Schema of what a person answers."""


PARTS: Final[PartEvents] = {
    "step_started": (("stepName", {"type": "STEP_STARTED", "stepName": ""}),),
    "step_ended": (("stepName", {"type": "STEP_FINISHED", "stepName": ""}),),
    "text_started": (("messageId", {"type": "TEXT_MESSAGE_START", "messageId": "", "role": "assistant"}),),
    "text_added": (("messageId", {"type": "TEXT_MESSAGE_CONTENT", "messageId": "", "delta": ""}),),
    "thought_started": (
        ("messageId", {"type": "REASONING_START", "messageId": ""}),
        ("messageId", {"type": "REASONING_MESSAGE_START", "messageId": "", "role": "reasoning"}),
    ),
    "thought_added": (("messageId", {"type": "REASONING_MESSAGE_CONTENT", "messageId": "", "delta": ""}),),
    "thought_ended": (
        ("messageId", {"type": "REASONING_MESSAGE_END", "messageId": ""}),
        ("messageId", {"type": "REASONING_END", "messageId": ""}),
    ),
}
"""The events of steps, texts and reasoning; the end of a text is a function, since a text may be taken back."""


def send(walk: Walk, event: dict[str, Any], out: list[Any]) -> None:
    """Write an event down, at the time of its line."""
    if walk.at is not None:
        event["timestamp"] = walk.at
    out.append(event)


def started(walk: Walk, segment: str, asked: Sequence[Message], out: list[Any]) -> None:
    """Open a run; what it was asked with is echoed, so that a reader of the log sees it."""
    ids = {"threadId": walk.run_id, "runId": segment}
    event: dict[str, Any] = {"type": "RUN_STARTED", **ids, "protocolVersion": _VERSION}
    if asked:
        given = [_message(f"{walk.exchange[:16]}-m{number}", message) for number, message in enumerate(asked, 1)]
        event["input"] = {**ids, "messages": [message for message in given if message is not None]}
    send(walk, event, out)


def _message(message_id: str, message: Message) -> dict[str, Any] | None:
    """Return a chat message in this form; None for one that has none."""
    if message.role not in _ROLES:
        return None
    found: dict[str, Any] = {"id": message_id, "role": message.role, "content": ag_ui_content(message.content or "")}
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
        for call_id, call in walk.all_waiting.items()
    ]
    _close(walk, segment, {"type": "interrupt", "interrupts": interrupts}, out)


def finished(walk: Walk, segment: str, data: Any, out: list[Any]) -> None:
    """Close a run that was answered; its result is the answer's data, where it has some."""
    _tell_ending(walk, out)
    _close(walk, segment, {"type": "success"}, out, **({} if data is UNSET else {"result": data}))


def failed(walk: Walk, segment: str, code: str, message: str, out: list[Any]) -> None:
    """Close a run that was stopped, or failed."""
    _tell_ending(walk, out)
    if code == "cancelled":
        _close(walk, segment, {"type": "cancelled"}, out)
    else:
        send(walk, {"type": "RUN_ERROR", "message": message, "code": code, **_usage(walk)}, out)


def _tell_ending(walk: Walk, out: list[Any]) -> None:
    if walk.question:
        noted(walk, "question", {}, out)
    if walk.acts is not None:
        noted(walk, "acts", walk.acts, out)


def _close(walk: Walk, segment: str, outcome: dict[str, Any], out: list[Any], **members: Any) -> None:
    event: dict[str, Any] = {"type": "RUN_FINISHED", "threadId": walk.run_id, "runId": segment}
    send(walk, {**event, **members, "outcome": outcome, **_usage(walk)}, out)


def _usage(walk: Walk) -> dict[str, Any]:
    """Return what the exchange has used so far, by model."""
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


def text_ended(walk: Walk, text: str, retracted: bool, out: list[Any]) -> None:
    """End a message; one that was no answer is marked, since the protocol takes nothing back."""
    mark = {"metadata": {"purestep": {"retracted": True}}} if retracted else {}
    send(walk, {"type": "TEXT_MESSAGE_END", "messageId": text, **mark}, out)
    if retracted:
        noted(walk, "retracted", {"messageId": text}, out)


def called(walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
    """Show a call with its arguments."""
    begun: dict[str, Any] = {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": call.tool}
    if call.checks or call.path:
        begun["metadata"] = {"purestep": call.marks}
    arguments: dict[str, Any] = {
        "type": "TOOL_CALL_ARGS",
        "toolCallId": call_id,
        "delta": encode(call.arguments).decode(),
    }
    over: dict[str, Any] = {"type": "TOOL_CALL_END", "toolCallId": call_id}
    if walk.at is not None:
        begun["timestamp"] = arguments["timestamp"] = over["timestamp"] = walk.at
    out += (begun, arguments, over)


def held_back(walk: Walk, call_id: str, call: OpenCall, reason: str, out: list[Any]) -> None:
    """Nothing yet: the run's outcome names the call."""


def decided(walk: Walk, call_id: str, call: OpenCall, answer: dict[str, Any], out: list[Any]) -> None:
    """Say what a person decided, with the arguments that replace the call's."""
    noted(walk, "approval", answer, out)


def ended(walk: Walk, call_id: str, result: Result, out: list[Any]) -> None:
    """Show a result; a fault is marked as such."""
    text = f"Error ({result.fault}): {result.text}" if result.fault else output_text(result.output)
    message = f"{walk.head[:16]}-{call_id}"
    event: dict[str, Any] = {"type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": call_id, "content": text}
    if result.fault:
        event["metadata"] = {"purestep": {"fault": result.fault}}
    elif result.parts:
        event["metadata"] = {"purestep": {"parts": ag_ui_parts(result.parts)}}
    send(walk, event, out)


def noted(walk: Walk, kind: str, value: dict[str, Any], out: list[Any]) -> None:
    """Tell of what has no event of its own."""
    send(walk, {"type": "CUSTOM", "name": f"purestep.{kind}", "value": value}, out)
