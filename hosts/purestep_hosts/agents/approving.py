"""Asks the host's program about calls that need a person, one after another."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from purestep import Approval, ApprovalCall
from purestep_hosts.agents.events import ApprovalAsked
from purestep_hosts.agents.result import approved, refused
from purestep_hosts.agents.streaming import Watched
from purestep_hosts.async_loop import called
from purestep_hosts.effects import DEFERRED

Answer = bool | Approval
Approve = Callable[[ApprovalCall], Answer | Awaitable[Answer]]
"""Returns True or False, or what `approved` and `refused` give; it may be async."""


def approver_of(approve: Approve | None, watch: Watched) -> Callable[[tuple[ApprovalCall, ...]], Awaitable[Any]]:
    """Return what asks about all calls of a turn; without `approve` the answer is put off."""

    async def ask(calls: tuple[ApprovalCall, ...]) -> Any:
        watch.tell(ApprovalAsked(calls=calls))
        if approve is None:
            return DEFERRED
        return [_answer(call, await called(approve, call)) for call in calls]

    return ask


def check_approve(approve: Any) -> None:
    """Raise TypeError for what cannot be asked, which would be noticed in the middle of a run."""
    if approve is not None and not callable(approve):
        text = "expected a function of the call, such as lambda call: True"
        raise TypeError(f"approve is {type(approve).__name__}; {text}")


def _answer(call: ApprovalCall, given: Any) -> Approval:
    """Return an answer as the core takes it; raises TypeError for what is none, which never counts as a yes."""
    match given:
        case Approval():
            return given
        case True:
            return approved(call)
        case False:
            return refused(call)
        case _:
            text = "expected True or False, or what `approved` or `refused` gives"
            raise TypeError(f"approve gave {type(given).__name__} for {call.tool}; {text}")
