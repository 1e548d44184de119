"""Faults in a change of the definition: calls that are left or gone, heads that are not sent, wrong digests."""

from typing import Final

from .mutant import Mutant

_CHANGED: Final = "steps/changed_agent.py"

CHANGES: Final = (
    Mutant(
        "old-head-is-sent",
        "changed",
        "steps/decide.py",
        "or run.changed or run.refused_members",
        "or run.refused_members",
    ),
    Mutant(
        "both-heads-are-sent",
        "changed",
        "draft/negotiation.py",
        "((0, lead_of(agent, state)), *skipped)",
        "skipped",
    ),
    Mutant("calls-of-gone-tools-stay", "changed", _CHANGED, 'if call.status == "done" or (fits_', "if call or (fits_"),
    Mutant(
        "all-calls-are-gone",
        "changed",
        _CHANGED,
        'if call.status == "done" or (fits_definition(agent, state, index, call) and not swapped):',
        'if call.status == "done":',
    ),
    Mutant("gone-calls-were-not-run", "changed", _CHANGED, "call.call_id in handed, corrections", "False, corrections"),
    Mutant("log-names-the-new-twice", "changed", _CHANGED, "from_digest=before.digest", "from_digest=after.digest"),
    Mutant("change-is-not-kept", "changed", "steps/changed_state.py", "            agent=after.digest,\n", ""),
    Mutant(
        "gone-calls-are-not-logged",
        "changed",
        _CHANGED,
        "        draft.derived(VerdictEvent(verdict=",
        "        draft.sizes if agent else (VerdictEvent(verdict=",
    ),
    Mutant(
        "old-definition-decides",
        "changed",
        "steps/transitions.py",
        "agent = agent_after(agent, after)",
        "agent = agent",
    ),
    Mutant(
        "replay-keeps-the-old-one",
        "changed",
        "log/replayer.py",
        "        self.agent = agent_after(agent, self.state)\n",
        "",
    ),
)
