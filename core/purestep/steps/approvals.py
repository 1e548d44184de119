"""Approvals: a person's answer, bound to the exact call by its key."""

from typing import Any

from msgspec.structs import replace

from ..agent import corrections
from ..bounds import MAX_CHECK_STEPS
from ..draft import Draft, origins_of, remember_refusal, tell_approval
from ..errors import PurestepError
from ..json_text import call_key, call_signature, plain_numbers
from ..schema import render
from ..values import Approval, ApprovalEvent, Approvals, Pending
from .asked_forms import answered, check_answer_to
from .batch import advance_calls
from .calls import closed


def consume_approvals(draft: Draft, observation: Approvals) -> None:
    """Take answers for any of the waiting calls; the tools run once every call is answered."""
    _refuse_misfits(draft, observation.approvals)
    calls = {call.call_id: call for call in draft.state.pending}
    for index, approval in enumerate(observation.approvals):
        path = f"/observation/approvals/{index}"
        calls[approval.call_id] = _settled(draft, calls[approval.call_id], approval, path)
    advance_calls(draft, tuple(calls.values()))


def _refuse_misfits(draft: Draft, approvals: tuple[Approval, ...]) -> None:
    """Refuse a batch that is stale, forged, doubled or has invalid edited arguments, before any of it is logged."""
    if not approvals:
        raise PurestepError("invalid_input", "expected an answer about a call; got none", "/observation/approvals")
    waiting = {call.call_id: call for call in draft.state.pending if call.status in ("approval", "asks")}
    seen: set[str] = set()
    for index, approval in enumerate(approvals):
        path = f"/observation/approvals/{index}"
        call = waiting.get(approval.call_id)
        if call is None or call.call_id in seen:
            raise _misfit(draft, approval.call_id, tuple(waiting), f"{path}/call_id")
        seen.add(call.call_id)
        if approval.key != call.key:
            raise PurestepError(
                "stale_approval",
                f"expected the key of {call.call_id} as it waits now; got another: show the call to a person again, "
                "and send the answer with its key",
                f"{path}/key",
            )
        if call.asks is None:
            _edited(draft, call, approval, path)
        else:
            check_answer_to(call.asks, approval, path)


def _misfit(draft: Draft, call_id: str, waiting: tuple[str, ...], path: str) -> PurestepError:
    """Return what is wrong with an answer about a call that none is waited for."""
    names = ", ".join(waiting)
    if call_id in waiting:
        return PurestepError("duplicate_approval", f"expected one answer about {call_id}; got two: leave one out", path)
    if any(call.call_id == call_id for call in draft.state.pending):
        text = f"expected answers about {names} only; {call_id} does not wait for approval: leave its answer out"
        return PurestepError("duplicate_approval", text, path)
    return PurestepError("unknown_call", f'expected one of {names}; got "{corrections.shown(call_id)}"', path)


def _edited(draft: Draft, call: Pending, approval: Approval, path: str) -> dict[str, Any]:
    """Return the arguments to run with: those that the person edited, checked again, or the call's own."""
    if not approval.approved or approval.params is None:
        return call.params
    params = plain_numbers(approval.params)
    tool = draft.agent.tools.get(call.tool)
    if tool is not None:
        issues = tool.parameters.check(params, MAX_CHECK_STEPS // len(draft.state.pending))
        if issues:
            raise PurestepError("invalid_arguments", render(issues[0], "argument"), f"{path}/params{issues[0].path}")
    result: dict[str, Any] = params
    return result


def _settled(draft: Draft, call: Pending, approval: Approval, path: str) -> Pending:
    """Log an answer; gives its call ready to run, with a new key if its arguments were edited, or closed."""
    draft.fact(
        ApprovalEvent(
            call_id=approval.call_id,
            key=approval.key,
            approved=approval.approved,
            params=approval.params,
            reason=approval.reason,
            by=approval.by,
        )
    )
    if call.asks is not None:
        return answered(call, call.asks, approval)
    params = _edited(draft, call, approval, path)
    tell_approval(draft, call, approval, params)
    if not approval.approved:
        remember_refusal(draft, call)
        refused = corrections.refused_rerun if call.unknown else corrections.refused_call
        return closed(call, refused(call.tool, approval.reason), "refused")
    ordinal = int(call.call_id.removeprefix("call_"))
    key = call_key(draft.state.run_id, ordinal, call_signature(call.tool, params))
    # Asked again after a stop, a yes as it stands is a yes to what a person wrote before.
    edited = call.edited or key != call.key
    # The problems say what the core has changed; what a person wrote has none.
    problems = () if edited else call.problems
    settled = replace(call, params=params)
    origins = origins_of(draft, settled) if key != call.key and call.origins else call.origins
    return replace(
        call, status="run", params=params, key=key, edited=edited, problems=problems, approved=True, origins=origins
    )
