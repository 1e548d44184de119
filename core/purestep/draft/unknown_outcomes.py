"""Calls whose outcome nobody knows: they were handed out, and the host that ran them was stopped.

Such a call may have had its effect. It is never said that it was not run, and it runs again only if that is harmless
by its annotations or a person says so.
"""

from ..agent import Agent, corrections
from ..bounds import MAX_LOST_HOSTS
from ..values import Pending, RunState

OUTCOME_UNKNOWN = "outcome_unknown"
"""Why a person is asked about a call that may have run already, or why the run fails."""

INTERRUPTED = "interrupted"
"""The `error_kind` of a result that says no more than that the call was stopped."""


def handed_out(pending: tuple[Pending, ...], max_parallel: int) -> tuple[Pending, ...]:
    """Return the calls that the host is told to run now: the first without a result, as many as may run at once.

    A skill (the bare form) is a decision of its own.
    """
    due: list[Pending] = []
    for call in pending:
        if call.status == "run":
            if call.skill:
                return tuple(due) or (call,)
            due.append(call)
            if len(due) == max_parallel:
                break
    return tuple(due)


def unrepeatable(agent: Agent, state: RunState) -> tuple[Pending, ...]:
    """Return the calls that were handed out, so that they may have run, and that are not harmless to run again.

    One that goes on elsewhere does so whatever becomes of the host.
    """
    return tuple([call for call in _with_host(agent, state) if not (call.handle or may_repeat(agent, call))])


def _with_host(agent: Agent, state: RunState) -> tuple[Pending, ...]:
    """Return the calls that the host was told to run; an agent's run is no call of its host's."""
    return tuple([call for call in handed_out(state.pending, agent.max_parallel) if call.child is None])


def may_repeat(agent: Agent, call: Pending) -> bool:
    """Whether a tool's annotations say that a second run of the same call changes nothing; a check only reads.

    A call that has lost a few hosts is likely what stops them, as one that takes all memory does: a person decides.
    """
    if call.lost >= MAX_LOST_HOSTS:
        return False
    if call.checks:
        return True
    tool = agent.tool(call.tool)
    hints = tool.spec.annotations if tool else None
    return hints is not None and bool(hints.idempotentHint or hints.readOnlyHint)


def began(agent: Agent, state: RunState) -> frozenset[str]:
    """Return the ids of the calls that may have begun: those that the host was told to run in this phase."""
    if state.phase != "tools":
        return frozenset()
    return frozenset(call.call_id for call in _with_host(agent, state))


def without_result(call: Pending, may_have_begun: bool, why: str) -> str:
    """Return the text that stands where the result of a call would: that it was not run, or that nobody knows."""
    has_begun = may_have_begun or call.unknown or call.asked > 0
    return corrections.may_have_run(call.tool) if has_begun else corrections.not_run(call.tool, why)
