"""Calls whose outcome nobody knows: they were handed out, and the host that ran them was stopped.

Such a call may have had its effect. It is never said that it was not run, and it runs again only if that is harmless
by its annotations or a person says so.
"""

from msgspec.structs import replace

from ..agent import Agent
from ..agent import corrections as words
from ..values import ApprovalRequestEvent, Pending, Resumed, ResumedEvent, RunState
from .draft import Draft

OUTCOME_UNKNOWN = "outcome_unknown"
"""Why a person is asked about a call that may have run already."""

INTERRUPTED = "interrupted"
"""The `error_kind` of a result that says no more than that the call was stopped."""


def handed_out(pending: tuple[Pending, ...], max_parallel: int) -> tuple[Pending, ...]:
    """Give the calls that the host is told to run now: the first without a result, as many as may run at once."""
    return tuple([call for call in pending if call.status == "run"][:max_parallel])


def consume_resumed(draft: Draft, observation: Resumed) -> None:
    """Ask a person again about the calls that were handed out to a host that was stopped, unless repeating is harmless.

    What was handed out may have run; the calls behind them have not.
    """
    draft.fact(ResumedEvent())
    calls = {call.call_id: call for call in draft.state.pending}
    for call in handed_out(draft.state.pending, draft.agent.max_parallel):
        if not may_repeat(draft.agent, call):
            calls[call.call_id] = replace(call, status="approval", unknown=True, approved=False)
            draft.derived(
                ApprovalRequestEvent(call_id=call.call_id, tool_name=call.tool, key=call.key, reason=OUTCOME_UNKNOWN)
            )
    pending = tuple(calls.values())
    asks = any(call.status == "approval" for call in pending)
    draft.state = replace(draft.state, pending=pending, phase="approval" if asks else "tools")


def may_repeat(agent: Agent, call: Pending) -> bool:
    """Tell whether a tool's annotations say that a second run of the same call changes nothing."""
    tool = agent.tool(call.tool)
    hints = tool.spec.annotations if tool else None
    return hints is not None and bool(hints.idempotentHint or hints.readOnlyHint)


def began(agent: Agent, state: RunState) -> frozenset[str]:
    """Give the ids of the calls that may have begun: those that the host was told to run in this phase."""
    if state.phase != "tools":
        return frozenset()
    return frozenset(call.call_id for call in handed_out(state.pending, agent.max_parallel))


def without_result(call: Pending, may_have_begun: bool, why: str) -> str:
    """Give the text that stands where the result of a call would: that it was not run, or that nobody knows."""
    return words.may_have_run(call.tool) if may_have_begun or call.unknown else words.not_run(call.tool, why)
