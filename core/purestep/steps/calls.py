"""Tool calls: known, valid, not repeated, approved where needed, within limits; only then handed out."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..agent import corrections as words
from ..json_text import call_key, call_signature
from ..values import ApprovalRequestEvent, Pending, Problem, ReadCall, ToolCallEvent
from .batch import advance_calls
from .coercion import coerce_to_schema
from .draft import Draft
from .ending import fail
from .limits import before_calls, clear, correct
from .messages import answer_native
from .repeats import forbid, remember_refusal, remembered, was_refused

APPROVAL_REASON = "the approval policy asks a person about this tool"


class ValidCall(Struct, frozen=True, kw_only=True):
    """A call that may be made: its tool exists and takes the arguments, once changed as the problems say."""

    tool: str
    params: dict[str, Any]
    problems: tuple[Problem, ...] = ()


class RejectedTurn(Struct, frozen=True):
    """Why a turn's calls are sent back."""

    cause: str
    text: str


def take_calls(draft: Draft, calls: tuple[ReadCall, ...], call_ids: tuple[str, ...], native: bool) -> None:
    """Check all calls of a turn; hand them out together, or send the whole turn back and run none."""
    checked, fault = _check(draft, calls)
    if fault is not None:
        spoken = native and answer_native(draft, call_ids, fault.text)
        correct(draft, fault.cause, fault.text, spoken=spoken)
        return
    if draft.state.corrections:
        clear(draft, "unknown_tool", "invalid_arguments")
    pending: list[Pending] = []
    due: list[Pending] = []
    for ordinal, call in enumerate(checked, draft.state.calls - len(calls) + 1):
        entry = _pend(draft, call, call_ids[len(pending)], ordinal)
        pending.append(entry)
        if entry.status != "done":
            due.append(entry)
    excess = before_calls(draft, len(due)) if due else None
    handed_out = 0 if excess else len(due)
    draft.state = replace(draft.state, pending=tuple(pending), tool_calls=draft.state.tool_calls + handed_out)
    if len(due) < len(pending) and _ends_in_loop(draft, pending):
        return
    if excess is not None:
        fail(draft, excess.code, excess.message, excess.detail)
        return
    for entry in due:
        _log_call(draft, entry)
    advance_calls(draft)


def _check(draft: Draft, calls: Sequence[ReadCall]) -> tuple[Sequence[ValidCall], RejectedTurn | None]:
    if draft.agent.is_open:
        return [ValidCall(tool=call.tool, params=call.params) for call in calls], None
    checked: list[ValidCall] = []
    for call in calls:
        tool = draft.agent.tools.get(call.tool)
        if tool is None:
            return (), RejectedTurn("unknown_tool", words.unknown_tool(call.tool, tuple(draft.agent.tools)))
        params, problems, issues = coerce_to_schema(draft.agent, tool.parameters, call.params)
        if issues:
            return (), RejectedTurn("invalid_arguments", words.invalid_arguments(call.tool, issues))
        checked.append(ValidCall(tool=call.tool, params=params, problems=problems))
    return checked, None


def _pend(draft: Draft, call: ValidCall, call_id: str, ordinal: int) -> Pending:
    """Give a checked call its key and status: due, waiting for a person, or closed without being run."""
    tool = draft.agent.tools.get(call.tool)
    signature = call_signature(call.tool, call.params)
    pending = Pending(
        call_id=call_id,
        tool=call.tool,
        params=call.params,
        key=call_key(draft.state.run_id, ordinal, signature),
        status="approval" if tool is not None and tool.approval == "ask" else "run",
        problems=call.problems,
    )
    known = remembered(draft, signature) if draft.state.recent else None
    refused = was_refused(draft, signature) if draft.state.refused else False
    if refused or (known is not None and known.stage):
        return closed(pending, words.forbidden_call(call.tool, refused), "forbidden")
    if tool is not None and tool.approval == "deny":
        return closed(pending, words.denied_call(call.tool), "refused")
    return pending


def closed(call: Pending, text: str, fault: str) -> Pending:
    """Give the call with a result made by the core: it never runs."""
    return replace(call, status="done", text=text, fault=fault)


def _ends_in_loop(draft: Draft, pending: list[Pending]) -> bool:
    """Note the calls that are not run; tells whether one of them was forbidden before and so ended the run."""
    for call in pending:
        signature = call_signature(call.tool, call.params)
        known = remembered(draft, signature) if call.fault == "forbidden" else None
        if known is not None and known.stage > 1:
            if was_refused(draft, signature):
                fail(draft, "denied", "the model keeps making a call that was refused")
            else:
                fail(draft, "repeated_call", "the model keeps repeating the same call, also after it was told not to")
            return True
    for call in pending:
        if call.fault == "forbidden":
            forbid(draft, call)
        elif call.fault == "refused":
            remember_refusal(draft, call)
    return False


def _log_call(draft: Draft, call: Pending) -> None:
    draft.derived(
        ToolCallEvent(
            call_id=call.call_id, tool_name=call.tool, arguments=call.params, key=call.key, problems=call.problems
        )
    )
    if call.status == "approval":
        draft.derived(
            ApprovalRequestEvent(call_id=call.call_id, tool_name=call.tool, key=call.key, reason=APPROVAL_REASON)
        )
