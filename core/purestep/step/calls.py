"""Tool calls: known, valid, not repeated, approved where needed, within limits; only then handed out."""

from msgspec import Struct

from .. import corrections as words
from ..bounds import MAX_CALLS_PER_TURN
from ..canonical import call_key, call_signature
from ..events import ApprovalRequestEvent, ToolCallEvent
from ..reading import ReadCall
from ..state import CallStatus, Pending
from ..toolspec import ApprovalRule
from .batch import go_on
from .draft import Draft
from .ending import fail
from .limits import before_calls, clear, correct
from .repeats import forbid, remember_refusal, remembered
from .speech import answer_native

APPROVAL_REASON = "the approval policy asks a person about this tool"


class Fault(Struct, frozen=True):
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
    clear(draft, "unknown_tool", "invalid_arguments")
    draft.update(pending=tuple(_pend(draft, call, call_id) for call, call_id in zip(checked, call_ids, strict=True)))
    looping = _looping(draft)
    if looping is not None:
        _fail_loop(draft, looping)
        return
    _hand_out(draft)


def _check(draft: Draft, calls: tuple[ReadCall, ...]) -> tuple[tuple[ReadCall, ...], Fault | None]:
    if len(calls) > MAX_CALLS_PER_TURN:
        return (), Fault("parse_error", words.too_many_calls(len(calls), MAX_CALLS_PER_TURN))
    if draft.agent.is_open:
        return calls, None
    checked: list[ReadCall] = []
    for call in calls:
        tool = draft.agent.tools.get(call.tool)
        if tool is None:
            return (), Fault("unknown_tool", words.unknown_tool(call.tool, tuple(draft.agent.tools)))
        params, issues = tool.parameters.check(call.params)
        if issues:
            return (), Fault("invalid_arguments", words.invalid_arguments(call.tool, issues))
        checked.append(call if params is call.params else ReadCall(tool=call.tool, params=params))
    return tuple(checked), None


def _pend(draft: Draft, call: ReadCall, call_id: str) -> Pending:
    ordinal = int(call_id.removeprefix("call_"))
    pending = Pending(
        call_id=call_id,
        tool=call.tool,
        params=call.params,
        key=call_key(draft.state.run_id, ordinal, call.tool, call.params),
        status="run",
    )
    known = remembered(draft.state.recent, call_signature(call.tool, call.params))
    if known is not None and known.stage:
        return closed(pending, words.forbidden_call(call.tool, known.refused), "forbidden")
    match _approval_rule(draft, call.tool):
        case "deny":
            return closed(pending, words.denied_call(call.tool), "refused")
        case "ask":
            return with_status(pending, "approval")
        case _:
            return pending


def _approval_rule(draft: Draft, tool: str) -> ApprovalRule:
    return "auto" if draft.agent.is_open else draft.agent.tools[tool].approval


def closed(call: Pending, text: str, fault: str) -> Pending:
    """Give the call with a result made by the core: it never runs."""
    return Pending(
        call_id=call.call_id, tool=call.tool, params=call.params, key=call.key, status="done", text=text, fault=fault
    )


def with_status(call: Pending, status: CallStatus) -> Pending:
    """Give the call in another status, still without a result."""
    return Pending(call_id=call.call_id, tool=call.tool, params=call.params, key=call.key, status=status)


def _looping(draft: Draft) -> Pending | None:
    """Give a call that was forbidden before and comes again, if any."""
    for call in draft.state.pending:
        if call.fault == "forbidden":
            known = remembered(draft.state.recent, call_signature(call.tool, call.params))
            if known is not None and known.stage > 1:
                return call
    return None


def _fail_loop(draft: Draft, call: Pending) -> None:
    known = remembered(draft.state.recent, call_signature(call.tool, call.params))
    if known is not None and known.refused:
        fail(draft, "denied", f"the model keeps calling {call.tool} with arguments that were refused")
    else:
        fail(draft, "repeated_call", f"the model keeps repeating the same call of {call.tool}")


def _hand_out(draft: Draft) -> None:
    due = [call for call in draft.state.pending if call.status != "done"]
    excess = before_calls(draft, len(due)) if due else None
    if excess is not None:
        fail(draft, excess.code, excess.message, excess.detail)
        return
    for call in due:
        draft.derived(
            ToolCallEvent(call_id=call.call_id, tool_name=call.tool, arguments=call.params, key=call.key)
        )
        if call.status == "approval":
            draft.derived(
                ApprovalRequestEvent(
                    call_id=call.call_id, tool_name=call.tool, key=call.key, reason=APPROVAL_REASON
                )
            )
    for call in draft.state.pending:
        if call.fault == "forbidden":
            forbid(draft, call)
        elif call.fault == "refused":
            remember_refusal(draft, call)
    draft.update(tool_calls=draft.state.tool_calls + len(due))
    go_on(draft)
