"""Limits of an exchange: turns, calls, tokens, the deadline, corrections, repeats, moves."""

from typing import Final

from purestep import (
    CallModel,
    InvokeTool,
    RequestApproval,
)

from ..book import is_barred
from .made import Made, handed


def turns_and_calls_limited(made: Made) -> str | None:
    """Check that no model is asked and no tool called past the limits of the exchange."""
    policy, book, decision = made.policy, made.after, made.step.decision
    if isinstance(decision, CallModel) and book.turns >= policy.max_turns:
        return f"the model is asked after {book.turns} turns"
    if policy.max_tool_calls is not None and book.made > policy.max_tool_calls:
        return f"{book.made} calls were made"
    if policy.max_output_tokens is not None and isinstance(decision, CallModel):
        return "the model is asked past its tokens" if book.tokens >= policy.max_output_tokens else None
    return None


def deadline_holds(made: Made) -> str | None:
    """Check that after the deadline nothing new is begun; results of what was begun are still taken."""
    policy, book = made.policy, made.book
    if policy.deadline_ms is None or book.elapsed <= policy.deadline_ms:
        return None
    if isinstance(made.step.decision, CallModel):
        return "the model is asked past the deadline"
    if isinstance(made.step.decision, InvokeTool | RequestApproval):
        begun = {call.call_id for call in made.before.calls if call.handed}
        if not {call.call_id for call, _ in handed(made)} <= begun:
            return "a call is made past the deadline"
    return None


def corrections_limited(made: Made) -> str | None:
    """Check that no cause is corrected more often in a row than allowed, and no model error retried too often."""
    book, decision = made.after, made.step.decision
    allowed = made.policy.max_corrections + len(book.moves)
    if not book.cause.startswith("repeated_call") and book.corrections > allowed:
        return f"{book.corrections} corrections in a row for {book.cause}"
    retried = isinstance(decision, CallModel) and decision.reason == "retry" and bool(decision.wait_ms)
    return f"another try after {book.errors} model errors" if retried and book.errors > _MAX_RETRIES else None


_MAX_RETRIES: Final = 2


def repeats_limited(made: Made) -> str | None:
    """Check that a call that gave the same result too often is neither made nor asked about."""
    for _, known in handed(made):
        if known is not None and known.barred and is_barred(made.policy, made.before, known.same):
            return f"{known.same} is barred and came again"
    return None


def moves_limited(made: Made) -> str | None:
    """Check that negotiation makes no move twice in an exchange."""
    moves = made.after.moves
    return f"the moves are {moves}" if len(set(moves)) < len(moves) else None
