"""Asks the person at the client about calls of the agent, with MCP's elicitation; who has none refuses.

A client of protocol version 2026-07-28 gets the questions as the result of its request, and sends the request again
with the answers; an older one is asked while its request waits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import purestep
from purestep import Approval, ApprovalCall
from purestep_hosts.agents.result import approved, refused
from purestep_hosts.extras import MCP
from purestep_hosts.show.rows import asking_rows, placed_name
from purestep_hosts.show.sanitize import one_line, sanitize, sanitized_json

with MCP:
    from mcp.server import ServerRequestContext
    from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS

_FORM: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"approve": {"type": "boolean", "title": "Approve", "description": "Run this call?"}},
    "required": ["approve"],
}
NOBODY: Final = "nobody could be asked: the client has no elicitation"


class AtClient(Protocol):
    """What a run that a client has asked for can have of it."""

    async def tell(self, calls: int, name: str) -> None:
        """Tell of one more call of the agent, by the name of its tool; calls: how many by now."""

    async def ask(self, calls: Sequence[ApprovalCall], run_id: str) -> tuple[Approval, ...] | InputRequiredResult:
        """Have the person asked; returns the answers, or the questions where they go back as a result."""


class RequestClient:
    """The client of a request that waits for the end of the run."""

    def __init__(self, request: ServerRequestContext[Any]) -> None:
        self._request = request

    async def tell(self, calls: int, name: str) -> None:
        """Tell a client that asks for progress."""
        await self._request.session.report_progress(calls, None, f"calls {name}")

    async def ask(self, calls: Sequence[ApprovalCall], run_id: str) -> tuple[Approval, ...] | InputRequiredResult:
        """Ask, or refuse where nobody can be asked."""
        if not can_ask(self._request):
            return refusals(calls)
        if is_asked_by_result(self._request):
            return InputRequiredResult(input_requests=questions(calls), request_state=run_id)
        return await asked(self._request, calls)


def can_ask(request: ServerRequestContext[Any]) -> bool:
    """Return whether the client shows forms to a person."""
    found = request.session.client_capabilities
    asks = found.elicitation if found is not None else None
    # A client of the first version with elicitation names no mode and means forms.
    return asks is not None and (asks.form is not None or asks.url is None)


def is_asked_by_result(request: ServerRequestContext[Any]) -> bool:
    """Return whether questions go back as a result, and the client sends its request again."""
    return request.protocol_version in MODERN_PROTOCOL_VERSIONS


def questions(calls: Sequence[ApprovalCall]) -> dict[str, Any]:
    """Return the questions about calls, by the key of each."""
    return {
        call.key: ElicitRequest(params=ElicitRequestFormParams(message=_message(call), requested_schema=_form(call)))
        for call in calls
    }


def answers_of(calls: Sequence[ApprovalCall], given: Mapping[str, Any]) -> tuple[Approval, ...]:
    """Return the answers that a client sent; a call without one is refused."""
    return tuple([_answer(call, given.get(call.key)) for call in calls])


async def asked(request: ServerRequestContext[Any], calls: Sequence[ApprovalCall]) -> tuple[Approval, ...]:
    """Ask about calls, one after another, while the client's request waits."""
    found = []
    for call in calls:
        result = await request.session.elicit_form(_message(call), _form(call), request.request_id)
        found.append(_answer(call, result))
    return tuple(found)


def refusals(calls: Sequence[ApprovalCall]) -> tuple[Approval, ...]:
    """Refuse calls because nobody can be asked."""
    return tuple([refused(call, NOBODY) for call in calls])


def _answer(call: ApprovalCall, result: Any) -> Approval:
    """Return a person's answer: only a form that was sent with a yes in it approves; a tool's own form goes to it."""
    if call.form and isinstance(result, ElicitResult) and result.action == "accept":
        filled = approved(call, params=dict(result.content or {}))
        return refused(call) if purestep.check_json(call.form, filled.params).errors else filled
    if (
        not call.form
        and isinstance(result, ElicitResult)
        and result.action == "accept"
        and (result.content or {}).get("approve") is True
    ):
        return approved(call)
    return refused(call)


def _form(call: ApprovalCall) -> dict[str, Any]:
    return call.form or _FORM


def _message(call: ApprovalCall) -> str:
    if call.form:
        return f"{placed_name(call.tool, call.path)} asks: {sanitize(call.note or '')}"
    asked = f"The agent wants to run {placed_name(call.tool, call.path)} with {sanitized_json(call.params)}"
    return "\n".join([asked, *(f"{row.label}: {one_line(row.text)}" for row in asking_rows(call))])
