"""What `useChat` of the AI SDK sends, as an exchange: its last message, since the service has the others.

Source: the AI SDK's `DefaultChatTransport`, version 6.
"""

from __future__ import annotations

from typing import Any

import msgspec

from purestep import Approval
from purestep_hosts.attachments import Attachment
from purestep_hosts.serve.bodies import converted
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.serve.linked_files import LinkedFiles
from purestep_hosts.serve.sent_files import check_words, of_url
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
        query = _text(last.parts)
        check_words(query, files)
        return ExchangeRequest(query=query, attachments=files, is_detached=is_detached)
    answers = tuple([_approval(place, part) for place, part in _answers(asked)])
    return ExchangeRequest(approvals=answers, is_detached=is_detached)


def _file(part: dict[str, Any], linked: LinkedFiles) -> Attachment:
    return of_url(part.get("url"), part.get("filename"), linked)


def _text(parts: tuple[dict[str, Any], ...]) -> str:
    texts = [part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)]
    return "\n".join(texts)


class _Response(msgspec.Struct, frozen=True):
    """A person's answer; `id` is the key of the call."""

    id: str
    approved: bool
    reason: str | None = None


class _Answered(msgspec.Struct, frozen=True, rename="camel"):
    """A part of a call that a person has answered."""

    tool_call_id: str
    approval: _Response


def _answers(asked: AiSdkRequest) -> list[tuple[str, dict[str, Any]]]:
    """Return the parts of the last message that answer calls, each with its place in the body."""
    at, last = len(asked.messages) - 1, asked.messages[-1]
    placed = [(f"/messages/{at}/parts/{index}", part) for index, part in enumerate(last.parts)]
    return [(place, part) for place, part in placed if part.get("state") == "approval-responded"]


def places_of(asked: AiSdkRequest) -> dict[str, str]:
    """Return where in the body the members of the approvals of `exchange_of` were sent."""
    places = {}
    for index, (place, _) in enumerate(_answers(asked)):
        places[f"/observation/approvals/{index}/key"] = f"{place}/approval/id"
        places[f"/observation/approvals/{index}/call_id"] = f"{place}/toolCallId"
    return places


def _approval(place: str, part: dict[str, Any]) -> Approval:
    found = converted(part, _Answered, place)
    given = found.approval
    # Of an agent's call, whose id has those of the calls down to it before its own.
    call_id = found.tool_call_id.rpartition("/")[2]
    return Approval(call_id=call_id, key=given.id, approved=given.approved, reason=given.reason)


def _unsupported(message: str) -> ServiceError:
    return ServiceError("unsupported", message)
