"""Requests that another program has recorded, compared as those of a log are."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from ..errors import PurestepError
from ..json_text import to_bytes
from .cached_parts import AuditedRequest, common_parts, compared
from .recorded_requests import RecordedRequest, recorded_request

_KEPT: Final = 64
"""Requests that a later one is compared with: more conversations than that nobody has open at once."""
_INSTRUCTIONS: Final = ("system", "developer")


def audit_requests(
    text: str | bytes, on_error: Callable[[PurestepError], None] | None = None
) -> tuple[AuditedRequest, ...]:
    """Compare the requests that another program has recorded, each with an earlier one of its conversation.

    text: a line of JSON for each, in OpenAI's form: `messages`, `tools`, `response_format`, `model`, or these as
    `request` or `body`; `usage` beside them or in `response`. `cause` is `start`, `model`, `tools`, `schema`,
    `system`, or `messages`, where one that was sent is missing or another one. on_error: is given the error of each
    line that is no request, which is left out then; without it the first is raised. Error codes: `invalid_json` and
    `invalid_input`, both with the line.
    """
    found: list[AuditedRequest] = []
    kept: list[RecordedRequest] = []
    for line, data in enumerate(to_bytes(text).split(b"\n"), 1):
        if not data.strip(b" \t\r"):
            continue
        try:
            sent = recorded_request(line, data)
        except PurestepError as error:
            if on_error is None:
                raise
            on_error(error)
            continue
        found.append(_audited(line, sent, _before(kept, sent)))
        kept = [*kept[1 - _KEPT :], sent]
    return tuple(found)


def _audited(line: int, sent: RecordedRequest, before: RecordedRequest | None) -> AuditedRequest:
    common = 0 if before is None or before.model != sent.model else common_parts(before.parts, sent.parts)
    cause = "start" if before is None else _cause(before, common, sent)
    earlier = None if before is None else before.parts
    return replace(compared(line, sent.parts, earlier, common, cause, sent.usage), model=sent.model)


def _before(kept: list[RecordedRequest], sent: RecordedRequest) -> RecordedRequest | None:
    """Return the latest of the requests that share most of the conversation with this one; None where none does.

    Only the conversation's own messages make it the same one: with other tools or instructions nothing of a request
    begins as before, and the same ones stand before many conversations.
    """
    shared = [(*_shared(each, sent), at) for at, each in enumerate(kept)]
    _, own, _, _, at = max(shared, default=(False, 0, 0, False, 0))
    return kept[at] if own else None


def _shared(one: RecordedRequest, other: RecordedRequest) -> tuple[bool, int, int, bool]:
    """Return what two requests share: their first own message, so many of these, so many parts, and the model.

    Where the beginning of a conversation is left out, it still goes on from the latest message. What only has a message
    in common with another, such as "yes", is not the same conversation.
    """
    is_model, begins = one.model == other.model, one.own[:1] == other.own[:1]
    if not one.own or not (begins or one.own[-1] in other.own_set):
        return False, 0, 0, is_model
    parts = common_parts(one.parts, other.parts) if is_model else 0
    return begins, len(one.own_set & other.own_set), parts, is_model


def _cause(before: RecordedRequest, common: int, sent: RecordedRequest) -> str:
    """Return what differs first: nothing, where all of the request before stands."""
    if before.model != sent.model:
        return "model"
    if common == len(before.parts.parts):
        return ""
    if common < (head := max(before.parts.head, sent.parts.head)):
        return "schema" if common == head - 1 else "tools"
    place = common - sent.parts.head
    roles = before.roles[place : place + 1] + sent.roles[place : place + 1]
    is_system = any(role in _INSTRUCTIONS for role in roles)
    return "system" if is_system else "messages"
