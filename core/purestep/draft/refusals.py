"""What a model's server refuses of a request is left out of the next one: once for each member, and logged.

Servers differ in what they take, and say so only with an error. A server that takes no tools is asked in a dialect that
writes calls into the text, as long as no call stands apart from it yet.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import MAX_REFUSED_MEMBERS
from ..values import (
    CALL_IDS,
    FITTED_ID_CHARS,
    NEEDED,
    ROLES,
    SCHEMAS,
    SYSTEM,
    TEXT_DIALECT,
    TOKENS,
    CallModel,
    RefusedMember,
    RunState,
    Switched,
    as_taken,
    is_planning,
)
from .draft import Draft
from .negotiation import without_count
from .tool_choice import choice_now

_INSTEAD: Final = {
    "tools": TEXT_DIALECT,
    TOKENS[0]: TOKENS[1],
    SYSTEM: "user",
    SCHEMAS: "plain",
    ROLES: "alternate",
    CALL_IDS: "numbers",
}
"""What stands for a member that is left out."""


def leave_out(draft: Draft, member: str) -> bool:
    """Leave a member out of requests from now on; whether that changes anything."""
    state, agent = draft.state, draft.agent
    left_out = agent.left_out(state)
    if member == SCHEMAS and member in left_out:
        member = "tools"  # not even plain ones
    if member == ROLES:
        member = _role_move(agent, state)
    if member == "tool_choice" and choice_now(agent, state) == "auto" and not is_planning(state.exchange):
        member = "tools"  # it is not sent: what is refused is that the model chooses among tools
    known = state.run.refused_members
    if member in (*NEEDED, *left_out) or len(known) == MAX_REFUSED_MEMBERS:
        return False
    if member == SYSTEM and agent.system_roles.get(state.window.model) == _INSTEAD[SYSTEM]:
        return False  # it has had the user's already
    if member == ROLES and state.window.model in agent.alternating:
        return False
    if member == CALL_IDS and state.window.model in agent.call_id_chars:
        return False
    to = _INSTEAD.get(member, "")
    if member == "tools" and not (agent.dialect.native_tools and _is_at_the_beginning(state)):
        return False
    entry = RefusedMember(model=state.window.model, member=member)
    draft.state = without_count(replace(state, run=replace(state.run, refused_members=(*known, entry))))
    draft.agent = agent.asked(draft.state)
    draft.derived(Switched(what="request", cause=member, to=to))
    return True


def _role_move(agent: Agent, state: RunState) -> str:
    """Return what mends roles that do not alternate: at the beginning the system text, later a word between."""
    model, learnt = state.window.model, agent.left_out(state)
    has_system = bool(agent.preamble) and agent.preamble[0].role == "system"
    keeps_system = has_system and SYSTEM not in learnt and agent.system_roles.get(model) != _INSTEAD[SYSTEM]
    is_apart = ROLES in learnt or model in agent.alternating
    return SYSTEM if keeps_system and (is_apart or _is_at_the_beginning(state)) else ROLES


def _is_at_the_beginning(state: RunState) -> bool:
    """Whether no output stands in the transcript: calls apart from the text are only taken beside tools."""
    return state.window.user_at == state.window.preamble and state.window.turn_at == 0


def refusals_fit(agent: Agent, refused: Sequence[RefusedMember]) -> bool:
    """Whether each is of a model that there is and named once, and tools of a dialect that gives them to the server."""
    told = [(each.model, each.member) for each in refused]
    models, gives_tools = max(1, len(agent.definition.models)), agent.dialect.native_tools
    fits = all(model < models and (member != "tools" or gives_tools) for model, member in told)
    return fits and len(told) == len(set(told))


def without_refused(agent: Agent, state: RunState, call: CallModel) -> CallModel:
    """Return a model call as its server takes it; it says what is left out, for what the host would add itself."""
    model, left_out = state.window.model, agent.left_out(state)
    alternates = model in agent.alternating or ROLES in left_out
    apart = corrections.not_answered() if alternates else ""
    id_chars = agent.call_id_chars.get(model, FITTED_ID_CHARS if CALL_IDS in left_out else None)
    role, extra = agent.system_roles.get(model), agent.call_extras.get(model)
    return as_taken(call, left_out, role, apart=apart, id_chars=id_chars, extra=extra)
