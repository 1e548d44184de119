"""Going on after the host was stopped: what it was told to run may have run, and what was behind that has not."""

from collections.abc import Sequence

from msgspec.structs import replace

from ..agent import corrections
from ..draft import (
    OUTCOME_UNKNOWN,
    Draft,
    began,
    handed_out,
    note_unsettled,
    origins_of,
    unrepeatable,
)
from ..values import ApprovalRequestEvent, Pending, Resumed, ResumedEvent
from .batch import advance_calls
from .ending import fail
from .rankings import given_up, is_ranking


def consume_resumed(draft: Draft, _observation: Resumed) -> None:
    """Ask a person again about calls that may have run, or fail, as the definition says; harmless ones run again."""
    draft.fact(ResumedEvent())
    _count_lost(draft)
    calls = {call.call_id: call for call in draft.state.pending}
    lost = unrepeatable(draft.agent, draft.state)
    rankings = [call for call in lost if is_ranking(draft.agent, calls, call)]
    unknown = tuple([call for call in lost if call not in rankings])
    judges = any(call.checks for call in unknown)  # nobody can approve what judges an output
    if unknown and (judges or draft.agent.definition.approval.unknown_outcome == "fail"):
        _fail(draft, unknown)
        return
    if unknown:
        note_unsettled(draft, draft.agent, unknown)
        # While a person is asked, the phase no longer tells that the others were handed out.
        for call in handed_out(draft.state.pending, draft.agent.max_parallel):
            if call.child is None and not call.handle:
                calls[call.call_id] = replace(call, unknown=True)
    for call in rankings:  # a search does without what stops its hosts
        calls |= {each.call_id: each for each in given_up(calls, call, "its host was stopped each time")}
    for call in unknown:
        origins = call.origins or origins_of(draft, call)
        calls[call.call_id] = replace(call, status="approval", unknown=True, approved=False, origins=origins)
        draft.derived(
            ApprovalRequestEvent(call_id=call.call_id, tool_name=call.tool, key=call.key, reason=OUTCOME_UNKNOWN)
        )
    advance_calls(draft, tuple(calls.values()))
    if draft.below is not None:
        draft.below.resume(draft)


def _count_lost(draft: Draft) -> None:
    """Count one more stopped host for each call that was handed out."""
    due = handed_out(draft.state.pending, draft.agent.max_parallel)
    run = {call.call_id for call in due if call.child is None and not call.handle}
    pending = [replace(call, lost=call.lost + 1) if call.call_id in run else call for call in draft.state.pending]
    draft.state = replace(draft.state, pending=tuple(pending))


def _fail(draft: Draft, unknown: Sequence[Pending]) -> None:
    """End the run openly: the words name the calls, and what a person can do."""
    detail = {"calls": [{"call_id": call.call_id, "tool": call.tool, "key": call.key} for call in unknown]}
    named = [f"{call.tool} ({call.call_id})" for call in unknown]
    fail(draft, OUTCOME_UNKNOWN, corrections.outcome_unknown(named), detail, began(draft.agent, draft.state))
