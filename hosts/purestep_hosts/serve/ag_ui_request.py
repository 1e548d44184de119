"""What an AG-UI client sends, as an exchange: its last message or its answers, since the service has the rest.

Source: AG-UI's `RunAgentInput`, version 1.0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Literal

import msgspec

from purestep import Approval, ApprovalCall
from purestep_hosts.attachments import Attachment
from purestep_hosts.serve.bodies import converted
from purestep_hosts.serve.faults import ServiceError, shown
from purestep_hosts.serve.linked_files import LinkedFiles
from purestep_hosts.serve.sent_files import check_words, of_base64, of_url
from purestep_hosts.serve.user_runs import ExchangeRequest


class AgUiMessage(msgspec.Struct, frozen=True):
    """A message of the thread."""

    role: str
    content: Any = None


class Resumption(msgspec.Struct, frozen=True, rename="camel"):
    """An answer to an interrupt, whose id is the call's key."""

    interrupt_id: str
    status: Literal["resolved", "cancelled"]
    payload: Any = None


_MAX_ID_CHARS: Final = 1000
"""Of a client's id of a run, which stands in the events that answer it."""


class AgUiRequest(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The protocol's `RunAgentInput`; `described` is its `context`."""

    thread_id: str
    run_id: Annotated[str, msgspec.Meta(max_length=_MAX_ID_CHARS)] = ""
    messages: tuple[AgUiMessage, ...] = ()
    tools: tuple[Any, ...] = ()
    described: tuple[Any, ...] = msgspec.field(default=(), name="context")
    resume: tuple[Resumption, ...] | None = None


def with_ids(asked: AgUiRequest) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return what gives events the ids that a client has sent, by which it knows them; the service's are beside them.

    What the client has sent itself is left out.
    """
    ids = {"threadId": asked.thread_id, **({"runId": asked.run_id} if asked.run_id else {})}

    def shown(event: dict[str, Any]) -> dict[str, Any]:
        own = {name: event[name] for name in ids if name in event}
        if not own:
            return event
        changed = {name: ids.get(name, value) for name, value in event.items() if name != "input"}
        return {**changed, "purestep": own}

    return shown


def places_of(asked: AgUiRequest) -> dict[str, str]:
    """Return where in the body the members of the approvals of `exchange_of` were sent."""
    places = {}
    for at in range(len(asked.resume or ())):
        places[f"/observation/approvals/{at}/params"] = f"/resume/{at}/payload/arguments"
        places[f"/observation/approvals/{at}/call_id"] = f"/resume/{at}/interruptId"
    return places


class _Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the service asked for, as the interrupt's `responseSchema` says."""

    approved: bool
    arguments: dict[str, Any] | None = None
    reason: str | None = None


def exchange_of(
    asked: AgUiRequest, waiting: Sequence[ApprovalCall], known: int, linked: LinkedFiles, *, is_detached: bool
) -> ExchangeRequest:
    """Return what a request asks: its answers, and its last message if that is the user's.

    A client keeps what it was asked until a run ends well, so after one that failed it sends its answers again beside
    the next message: they are over then. Beside answers that are due, a message counts that the run does not have yet.

    waiting: the calls of the run that wait for a person. known: the number of messages of the user's that it has.
    """
    if asked.tools or asked.described:
        raise _unsupported("expected no tools and no context: the service's agent has its own")
    last = asked.messages[-1] if asked.messages else None
    is_asked = last is not None and last.role == "user"
    answers: tuple[Approval, ...] = ()
    if asked.resume and not (is_asked and _are_over(asked.resume, waiting)):
        answers = tuple([_approval(at, each, waiting) for at, each in enumerate(asked.resume)])
        is_asked = is_asked and sum(message.role == "user" for message in asked.messages) > known
    if last is None or not is_asked:
        return ExchangeRequest(approvals=answers, is_detached=is_detached)
    query, files = _said(last.content, f"/messages/{len(asked.messages) - 1}/content", linked)
    check_words(query, files)
    return ExchangeRequest(query=query, approvals=answers, attachments=files, is_detached=is_detached)


_CONTENT: Final[Any] = str | list[dict[str, Any]]


def _said(content: Any, place: str, linked: LinkedFiles) -> tuple[str, tuple[Attachment, ...]]:
    """Return the words of a message, and its images and files."""
    parts: str | list[dict[str, Any]] = converted(content, _CONTENT, place)
    if isinstance(parts, str):
        return parts, ()
    query = "\n".join([str(part.get("text", "")) for part in parts if part.get("type") == "text"])
    return query, tuple([_file(part, linked) for part in parts if part.get("type") != "text"])


def _are_over(answers: Sequence[Resumption], waiting: Sequence[ApprovalCall]) -> bool:
    return {answer.interrupt_id for answer in answers}.isdisjoint([call.key for call in waiting])


def _file(part: dict[str, Any], linked: LinkedFiles) -> Attachment:
    """Return an image or a document whose bytes the client has sent."""
    source, described = part.get("source"), part.get("metadata")
    if part.get("type") not in ("image", "document") or not isinstance(source, dict):
        came = shown(str(part.get("type")))
        raise _unsupported(
            f"expected parts of the types text, image and document, the last two with a source; got {came}"
        )
    name = described.get("filename") if isinstance(described, dict) else None
    if source.get("type") == "data":
        return of_base64(source.get("value"), name)
    return of_url(source.get("value"), name, linked)


def _approval(at: int, given: Resumption, waiting: Sequence[ApprovalCall]) -> Approval:
    call = next((each for each in waiting if each.key == given.interrupt_id), None)
    if call is None:
        raise ServiceError("stale_approval", "no call with this interruptId waits; read the run's last interrupts")
    if given.status == "cancelled":
        return Approval(call_id=call.call_id, key=call.key, approved=False)
    payload = converted(given.payload, _Payload, f"/resume/{at}/payload")
    return Approval(
        call_id=call.call_id,
        key=call.key,
        approved=payload.approved,
        params=payload.arguments,
        reason=payload.reason,
    )


def _unsupported(message: str) -> ServiceError:
    return ServiceError("unsupported", message)
