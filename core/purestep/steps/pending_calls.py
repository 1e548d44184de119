"""The pending calls of a state that comes back: nothing runs that this definition would not have handed out.

A state may come from a client. What can be computed again is: the calls' numbers, their keys, whether the arguments
fit, and what the approval policy says. That an approval was given cannot be, without the log or a seal: the state only
records it (`Pending.approved`), so a client that writes its own approval into the state can as well send one.
"""

from typing import Final

from ..agent import Agent
from ..bounds import MAX_CALL_NUMBER_DIGITS, MAX_CALLS_PER_TURN, MAX_CHECK_CALLS
from ..draft import COMES_LATER, NEVER_RUN, doubles_effect, effect_signature, is_reading, may_repeat, reads_well
from ..json_text import call_key, call_signature
from ..values import Pending, RunState
from .asked_forms import asked_fits
from .pending_checks import wrong_check
from .skill_calls import is_skill, refuses_input

_TOO_HIGH: Final = 10**MAX_CALL_NUMBER_DIGITS
"""The first number that no call has."""

_FAULTS: Final = ("", "guardrail", "postcondition", COMES_LATER, *NEVER_RUN)


def wrong_call(agent: Agent, state: RunState) -> str | None:
    """Return the path of the first pending call, or of its member, that no step can have left there."""
    before = state.run.calls - len(state.pending)
    own = sum([1 for call in state.pending if not call.checks])
    if own > MAX_CALLS_PER_TURN or len(state.pending) - own > max(own, 1) * MAX_CHECK_CALLS:
        return "/pending"
    effects: set[str] = set()
    for index, call in enumerate(state.pending):
        signature = call_signature(call.tool, call.params)
        wrong = _wrong_member(agent, state, before + index + 1, call, signature)
        if wrong is None and call.checks:
            wrong = wrong_check(agent, state.pending[:index], call)
        if wrong is None and _runs_unasked(agent, state, call, effects):
            wrong = "status"
        if wrong is not None:
            return f"/pending/{index}/{wrong}"
    return None


def wrong_late(state: RunState) -> str | None:
    """Return the path of the first call that went on elsewhere, of which no step can have kept this."""
    seen: set[str] = set()
    for index, call in enumerate(state.run.late):
        number = call.call_id.removeprefix("call_")
        is_number = 0 < len(number) <= MAX_CALL_NUMBER_DIGITS and not number.strip("0123456789")
        if not is_number or not 0 < int(number) <= state.run.calls or call.call_id in seen:
            return f"/run/late/{index}/call_id"
        if call.key != call_key(state.run_id, int(number), call_signature(call.tool, call.params)):
            return f"/run/late/{index}/key"
        if call.status not in ("run", "done") or not call.handle or call.child is not None or call.checks:
            return f"/run/late/{index}/status"
        seen.add(call.call_id)
    return None


def fits_definition(agent: Agent, state: RunState, ordinal: int, call: Pending) -> bool:
    """Whether a call is one that the definition would have left as it stands."""
    return _wrong_member(agent, state, ordinal, call, call_signature(call.tool, call.params)) is None


def _runs_unasked(agent: Agent, state: RunState, call: Pending, before: set[str]) -> bool:
    """Whether a call that repeats an effect is to run unasked; what a person wrote into a call is no repeat.

    before: the effects of the calls before it, to which its own is added.
    """
    tool = agent.tools.get(call.tool)
    if tool is None or not tool.is_destructive:
        return False
    effect = effect_signature(tool, call.params)
    unasked = call.status == "run" and not call.approved and doubles_effect(state, tool, effect, before)
    if not call.edited:
        before.add(effect)
    return unasked


def _wrong_member(agent: Agent, state: RunState, ordinal: int, call: Pending, signature: str) -> str | None:
    """Name the first member of a call that contradicts the definition, the run or another member."""
    if call.call_id != f"call_{ordinal}" or not 0 < ordinal < _TOO_HIGH:
        return "call_id"
    if not agent.is_open and not call.checks and agent.tool(call.tool) is None and not _is_left_over(state, call):
        return "tool"
    if call.key != call_key(state.run_id, ordinal, signature):
        return "key"
    if not _status_fits(agent, call) or not _skill_fits(agent, call):
        return "status"
    if not asked_fits(call):
        return "asks"
    if (call.origins or call.asked_by or call.reason or call.note) and not agent.policies.has_hooks:
        return "origins"
    return _forbidden_member(agent, state, call) or _unreadable_member(agent, state, call)


def _is_left_over(state: RunState, call: Pending) -> bool:
    """Whether a call had its result before the definition changed, or because of that."""
    return state.run.changed and call.status == "done"


def _skill_fits(agent: Agent, call: Pending) -> bool:
    """Whether a call that waits for the core to execute it is one of a skill, and no other call of one waits."""
    return call.status == "done" or (call.status == "skill") == is_skill(agent, call.tool)


def _unreadable_member(agent: Agent, state: RunState, call: Pending) -> str | None:
    return "params" if is_reading(agent, call.tool) and not reads_well(state, call) else None


def _status_fits(agent: Agent, call: Pending) -> bool:
    """Whether what a call says of itself and its result fits its status."""
    needs_approval = call.edited or call.again or call.asked_by or (call.unknown and not may_repeat(agent, call))
    if call.status == "run" and needs_approval and not call.approved:
        return False
    if call.rejected_by and call.fault in ("", *NEVER_RUN):
        return False
    if call.status == "done":
        return call.fault in _FAULTS and call.ok + bool(call.fault) + call.in_doubt <= 1
    return not (call.ok or call.text or call.fault or call.in_doubt)


def _forbidden_member(agent: Agent, state: RunState, call: Pending) -> str | None:
    """Name what the policy or the schema forbids of a call that may run, or has; None for one that never will."""
    tool = agent.tool(call.tool)
    if tool is None or call.fault in NEVER_RUN or _is_left_over(state, call):
        return None
    if tool.approval == "deny":
        return "status"
    if tool.approval == "ask" and call.status != "approval" and not call.approved:
        return "status"
    if call.status == "skill" and refuses_input(call.tool, call.params):
        return None
    return "params" if call.status != "done" and tool.parameters.check(call.params) else None
