"""Hand-offs: the model calls an agent that takes the conversation over, so that the run goes on under its definition.

The call is executed as a skill is, and changes nothing itself. The transcript stays; who takes over reads it, with the
call and its result, under a preamble of its own, and has the conversation until it hands that over, too, or the host
changes the definition.
"""

from collections.abc import Sequence

from msgspec import Raw
from msgspec.structs import replace

from ..agent import corrections
from ..draft import Draft, takes_all
from ..values import AgentChangedEvent, Pending, SkillEnded
from .changed_state import under


def handing_over(draft: Draft, call: Pending) -> Pending:
    """Return a call that hands over with its result: it does so alone in its turn, and where its agent can go on."""
    problem = _problem(draft, call)
    if problem:
        draft.derived(SkillEnded(call_id=call.call_id, skill=call.tool, ok=False, error=problem, error_kind="hand_off"))
        return replace(call, status="done", ok=False, text=problem)
    text = corrections.handed_over(call.tool)
    draft.derived(SkillEnded(call_id=call.call_id, skill=call.tool, ok=True, output=text))
    return replace(call, status="done", ok=True, text=text)


def _problem(draft: Draft, call: Pending) -> str:
    state = draft.state
    if len(state.pending) > 1:
        return corrections.not_handed_over(call.tool, "other calls stand beside it; call it alone, after their results")
    if not takes_all(draft.agent.agents[call.tool], state, 0):
        return corrections.not_handed_over(call.tool, "its model does not take the images or files sent here")
    return ""


def hand_over(draft: Draft, calls: Sequence[Pending]) -> None:
    """Log who takes the conversation over, and have the run go on under that definition, where a turn's call did so."""
    call, before, names = calls[0], draft.agent.asked(None), draft.run.handed
    if not call.ok or call.tool not in before.hand_offs:
        return
    after = before.agents[call.tool]
    event = AgentChangedEvent(
        agent=Raw(after.source),
        from_digest=before.digest,
        to_digest=after.digest or "",
        call_id=call.call_id,
        handed_to=call.tool,
    )
    draft.derived(event)
    draft.agent, draft.state = after, under(before, after, draft.state)
    draft.run = replace(draft.run, handed=(*names, call.tool))
