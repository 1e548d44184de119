"""What `useChat` of the AI SDK sends, as an exchange: its last message, since the service has the others.

Source: the AI SDK's `DefaultChatTransport`, version 6.
"""

from __future__ import annotations

from typing import Any

import msgspec

from purestep import Approval
from purestep_hosts.attachments import Attachment
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.serve.linked_files import LinkedFiles
from purestep_hosts.serve.sent_files import of_url
from purestep_hosts.serve.user_runs import ExchangeRequest


class UIMessage(msgspec.Struct, frozen=True):
    """A message as a user interface holds it."""

    role: str
    parts: tuple[dict[str, Any], ...]


class AiSdkRequest(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The body that the transport sends; `id` is the chat's."""

    id: str
    messages: tuple[UIMessage, ...]
    trigger: str = "submit-message"
    message_id: str | None = None


def exchange_of(asked: AiSdkRequest, linked: LinkedFiles, *, is_detached: bool) -> ExchangeRequest:
    """Return what the last message asks: a query of the user's, or answers about calls that wait."""
    if asked.trigger != "submit-message":
        raise _unsupported("an answer cannot be made anew: what happened stays in the log; ask in another message")
    if not asked.messages:
        raise ServiceError("invalid_input", "expected at least one message")
    last = asked.messages[-1]
    if last.role == "user":
        if asked.message_id is not None:
            raise _unsupported("a message cannot be changed once it was sent; ask in another message")
        files = tuple([_file(part, linked) for part in last.parts if part.get("type") == "file"])
        return ExchangeRequest(query=_text(last.parts), attachments=files, is_detached=is_detached)
    answers = [part for part in last.parts if part.get("state") == "approval-responded"]
    return ExchangeRequest(approvals=tuple(map(_approval, answers)), is_detached=is_detached)


def _file(part: dict[str, Any], linked: LinkedFiles) -> Attachment:
    return of_url(part.get("url"), part.get("filename"), linked)


def _text(parts: tuple[dict[str, Any], ...]) -> str:
    texts = [part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)]
    return "\n".join(texts)


def _approval(part: dict[str, Any]) -> Approval:
    """Return a person's answer, which names the call's key as the id of the approval."""
    given = part.get("approval")
    answer = given if isinstance(given, dict) else {}
    members = {
        "call_id": part.get("toolCallId"),
        "key": answer.get("id"),
        "approved": answer.get("approved"),
        "reason": answer.get("reason"),
    }
    try:
        return msgspec.convert(members, Approval)
    except msgspec.ValidationError as error:
        raise ServiceError("invalid_input", f"expected an approval with an id and approved: {error}") from None


def _unsupported(message: str) -> ServiceError:
    return ServiceError("unsupported", message)
