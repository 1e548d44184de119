"""AI SDK: the chunks of a UI message stream, as its `useChat` reads them.

An exchange is one assistant message, with the id that its log gives it; after a person was asked the same message goes
on. Tools are dynamic ones, since their types are data. What has no chunk of its own is a transient `data-` part.
Source: the AI SDK's UI message stream, version 6.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET

from purestep.values import Message

from .content_form import declined_output, ui_files
from .walk import DENIED, OpenCall, PartEvents, Result, Walk

PARTS: Final[PartEvents] = {
    "step_started": (("", {"type": "start-step"}),),
    "step_ended": (("", {"type": "finish-step"}),),
    "text_started": (("id", {"type": "text-start", "id": ""}),),
    "text_added": (("id", {"type": "text-delta", "id": "", "delta": ""}),),
    "thought_started": (("id", {"type": "reasoning-start", "id": ""}),),
    "thought_added": (("id", {"type": "reasoning-delta", "id": "", "delta": ""}),),
    "thought_ended": (("id", {"type": "reasoning-end", "id": ""}),),
}
"""The chunks of steps, texts and reasoning; the end of a text is a function, since a text may be taken back."""


def send(walk: Walk, event: dict[str, Any], out: list[Any]) -> None:
    """Write a chunk down; chunks have no time."""
    out.append(event)


def started(walk: Walk, segment: str, asked: Sequence[Message], out: list[Any]) -> None:
    """Begin the message, or go on with it."""
    out.append({"type": "start", "messageId": walk.exchange[:32], "messageMetadata": {"runId": walk.run_id}})


def interrupted(walk: Walk, segment: str, reasons: dict[str, str], out: list[Any]) -> None:
    """End the stream; the answer to the requests begins the next one."""
    out.append({"type": "finish", "finishReason": "tool-calls", **_metadata(walk)})


def finished(walk: Walk, segment: str, data: Any, out: list[Any]) -> None:
    """End the message, with the answer's data where it has some."""
    if data is not UNSET:
        out.append({"type": "data-answer", "data": data})
    _tell_ending(walk, out)
    out.append({"type": "finish", "finishReason": "stop", **_metadata(walk)})


def failed(walk: Walk, segment: str, code: str, message: str, out: list[Any]) -> None:
    """End the message without an answer; the part `data-failed` stays in it."""
    out.append({"type": "data-failed", "data": {"code": code, "message": message}})
    _tell_ending(walk, out)
    if code == "cancelled":
        out.append({"type": "abort", "reason": message})
        return
    out.append({"type": "error", "errorText": message})
    out.append({"type": "finish", "finishReason": "error", **_metadata(walk)})


def _tell_ending(walk: Walk, out: list[Any]) -> None:
    """Tell that it is a question and what may have been changed, in parts that stay in the message."""
    if walk.question:
        out.append({"type": "data-question", "data": {}})
    if walk.acts is not None:
        out.append({"type": "data-acts", "data": walk.acts})


def _metadata(walk: Walk) -> dict[str, Any]:
    """Return what the exchange has used so far."""
    usage: dict[str, int] = {}
    for each in walk.usage:
        for name, count in (
            ("inputTokens", each.prompt_tokens),
            ("outputTokens", each.completion_tokens),
            ("reasoningTokens", each.reasoning_tokens),
            ("cachedInputTokens", each.cached_tokens),
        ):
            if count is not None:
                usage[name] = usage.get(name, 0) + count
    return {"messageMetadata": {"usage": usage}} if usage else {}


def text_ended(walk: Walk, text: str, retracted: bool, out: list[Any]) -> None:
    """End a text part; one that was no answer is marked, since the stream takes nothing back."""
    mark = {"providerMetadata": {"purestep": {"retracted": True}}} if retracted else {}
    out.append({"type": "text-end", "id": text, **mark})


def called(walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
    """Show a call with its arguments."""
    _input(call_id, call, call.arguments, out)


def _input(call_id: str, call: OpenCall, arguments: dict[str, Any], out: list[Any]) -> None:
    chunk = {
        "type": "tool-input-available",
        "toolCallId": call_id,
        "toolName": call.tool,
        "input": arguments,
        "dynamic": True,
    }
    if call.checks or call.path:
        chunk["toolMetadata"] = call.marks
    out.append(chunk)


def held_back(walk: Walk, call_id: str, call: OpenCall, reason: str, out: list[Any]) -> None:
    """Ask about a call; an answer names the request, whose id is the call's key."""
    out.append(
        {
            "type": "tool-approval-request",
            "approvalId": call.approval,
            "toolCallId": call_id,
            "approvalDescriptor": {"reason": reason},
        }
    )


def decided(walk: Walk, call_id: str, call: OpenCall, answer: dict[str, Any], out: list[Any]) -> None:
    """Show the arguments that a person wrote; a yes or no itself is in no chunk, since the client has given it."""
    if "arguments" in answer:
        _input(call_id, call, answer["arguments"], out)


def ended(walk: Walk, call_id: str, result: Result, out: list[Any]) -> None:
    """Show a result."""
    if result.fault == DENIED or result.is_declined:
        out.append({"type": "tool-output-denied", "toolCallId": call_id})
        out += declined_output(call_id, result)
    elif result.fault:
        out.append({"type": "tool-output-error", "toolCallId": call_id, "errorText": result.text})
    else:
        out.append({"type": "tool-output-available", "toolCallId": call_id, "output": result.output})
        out += ui_files(result.parts)


def noted(walk: Walk, kind: str, value: dict[str, Any], out: list[Any]) -> None:
    """Tell of what has no chunk of its own; what the user said stays in the message."""
    passing = {} if kind == "user_message" else {"transient": True}
    out.append({"type": f"data-{kind.replace('_', '-')}", "data": value, **passing})
