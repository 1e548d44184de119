"""One step with what the onlooker knows of it, as the rules read it."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from purestep import (
    ApprovalCall,
    Decision,
    InvokeTool,
    RequestApproval,
    Step,
    ToolCall,
)

from ..alphabet import EXECUTED, Move
from ..book import Book, Call, tool_of
from ..policy import Policy


class Made(Struct, frozen=True, kw_only=True):
    """One step with what the onlooker knows of it.

    book: with the observation noted, before the decision. after: with the decision seen. lines: the log lines.
    """

    policy: Policy
    move: Move
    step: Step
    before: Book
    book: Book
    after: Book
    lines: list[dict[str, Any]]
    last: Decision | None
    """The decision before."""


def handed(made: Made) -> Iterator[tuple[ToolCall | ApprovalCall, Call | None]]:
    """Return each call of the decision, and what the book has of it."""
    decision = made.step.decision
    if isinstance(decision, InvokeTool | RequestApproval):
        known = {call.call_id: call for call in made.book.calls}
        for call in decision.calls:
            yield call, known.get(call.call_id)


def due_calls(made: Made) -> list[Call]:
    """Return the calls of the turn that the host is to run and that have no result yet."""
    return [
        call
        for call in made.book.calls
        if call.tool not in EXECUTED
        and not (call.outcome or call.barred or call.answer == "no" or tool_of(made.policy, call.tool).rule == "deny")
    ]
