"""How an exchange ends: with an answer, or with a failure that says why."""

from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..agent import corrections
from ..draft import (
    Draft,
    acts_at_end,
    began,
    citations_of,
    hand_up_effects,
    note_acts,
    note_span_text,
    note_unsettled,
    say_results,
    told_acts,
    without_result,
)
from ..values import (
    Act,
    Cancel,
    ExchangeState,
    Failure,
    FinalAnswer,
    Problem,
    RunFailed,
    SkillEnded,
    cancelled_of,
)
from .steering import leave_queued


def finish(
    draft: Draft, answer: str, data: Any = UNSET, problems: tuple[Problem, ...] = (), *, question: bool = False
) -> None:
    """End with an answer, its data, and the problems that name what of it was not read as written or was changed.

    question: it asks the user for something.
    """
    problems = (*draft.state.exchange.problems, *problems)
    citations = () if question else citations_of(draft.state, answer)
    acts, left_out = _end_acts(draft)
    draft.derived(
        FinalAnswer(
            content=answer,
            data=data,
            problems=problems,
            citations=citations,
            acts=acts,
            acts_left_out=left_out,
            question=question,
        )
    )
    ended = replace(
        _ended(draft),
        answer=answer,
        data=None if data is UNSET else data,
        problems=problems,
        citations=citations,
        question=question,
    )
    draft.state = replace(draft.state, phase="done", exchange=ended)
    if question:
        note_span_text(draft, answer)


def fail(
    draft: Draft,
    code: str,
    message: str,
    detail: dict[str, Any] | None = None,
    may_have_begun: frozenset[str] = frozenset(),
) -> None:
    """End without an answer; calls still pending get the result that they did not run, or that nobody knows."""
    _close_pending(draft, code, message, may_have_begun)
    if draft.state.run.queued:
        leave_queued(draft)
    acts, left_out = _end_acts(draft)
    draft.derived(RunFailed(code=code, message=message, detail=detail, acts=acts, acts_left_out=left_out))
    ended = replace(_ended(draft), failure=Failure(code=code, message=message, detail=detail))
    draft.state = replace(draft.state, phase="failed", exchange=ended)


def _end_acts(draft: Draft) -> tuple[tuple[Act, ...] | UnsetType, int]:
    """Return the acts that the ending has, which stay as they are, and how many more there were."""
    draft.exchange = replace(draft.state.exchange, acts=acts_at_end(draft))
    return told_acts(draft.state), draft.state.exchange.acts_left_out


def _ended(draft: Draft) -> ExchangeState:
    """Return what stays of an exchange that ends, to which its answer or failure is added."""
    exchange = draft.state.exchange
    if draft.above is not None and exchange.effects:
        hand_up_effects(draft.above, exchange.effects)
    return ExchangeState(used=exchange.used, acts=exchange.acts, acts_left_out=exchange.acts_left_out)


def _end_skill(draft: Draft, code: str, message: str) -> None:
    """Log that the skill at hand has ended with the run."""
    call = next(call for call in draft.state.pending if call.status == "skill")
    draft.derived(SkillEnded(call_id=call.call_id, skill=call.tool, ok=False, error=message, error_kind=code))


def _close_pending(draft: Draft, code: str, message: str, may_have_begun: frozenset[str]) -> None:
    if draft.below is not None:
        draft.below.stop(draft, message)
    calls = [call for call in draft.state.pending if not call.checks]
    unsettled = [call for call in calls if call.status != "done" and (call.unknown or call.call_id in may_have_begun)]
    if unsettled:
        note_unsettled(draft, draft.agent, unsettled)
    if draft.state.exchange.skill is not None:
        _end_skill(draft, code, message)
    if calls:
        note_acts(draft, calls, may_have_begun)
        unchecked = {call.checks for call in draft.state.pending if call.checks and call.status != "done"}
        instead = {
            call.call_id: without_result(call, call.call_id in may_have_begun, message)
            for call in calls
            if call.status != "done"
        }
        instead |= {
            call.call_id: corrections.unchecked_output(call.tool, message)
            for call in calls
            if call.ok and call.call_id in unchecked
        }
        say_results(draft, calls, instead)
    if draft.state.pending:
        draft.state = replace(draft.state, pending=())


def consume_cancel(draft: Draft, observation: Cancel) -> None:
    """Stop the run in any phase that waits; what the host was told to run may have run."""
    draft.fact(cancelled_of(observation))
    why = f": {corrections.shown(observation.reason)}" if observation.reason else ""
    fail(draft, "cancelled", f"the run was cancelled{why}", may_have_begun=began(draft.agent, draft.state))
