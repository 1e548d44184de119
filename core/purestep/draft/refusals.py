"""What a model's server refuses of a request is left out of the next one: once for each member, and logged.

Servers differ in what they take, and say so only with an error. A server that takes no tools is asked in a dialect that
writes calls into the text, as long as no call stands apart from it yet.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from ..agent import Agent
from ..bounds import MAX_REFUSED_MEMBERS
from ..json_text import decode_json, encode
from ..values import SCHEMAS, SYSTEM, TEXT_DIALECT, CallModel, RefusedMember, RunState, Switched
from .draft import Draft
from .negotiation import without_count
from .tool_choice import choice_now

_NEEDED: Final = ("messages", "model")
"""Without these there is no request."""

_TOKENS: Final = ("max_tokens", "max_completion_tokens")
"""The limit of an output, and what newer models of OpenAI call it. Source: OpenAI API reference, chat completions."""

_INSTEAD: Final = {"tools": TEXT_DIALECT, _TOKENS[0]: _TOKENS[1], SYSTEM: "user", SCHEMAS: "plain"}
"""What stands for a member that is left out."""


def leave_out(draft: Draft, member: str) -> bool:
    """Leave a member out of requests from now on; whether that changes anything."""
    state, agent = draft.state, draft.agent
    left_out = agent.left_out(state)
    if member == SCHEMAS and member in left_out:
        member = "tools"  # not even plain ones
    if member == "tool_choice" and choice_now(agent, state) == "auto":
        member = "tools"  # it is not sent: what is refused is that the model chooses among tools
    known = state.run.refused_members
    if member in (*_NEEDED, *left_out) or len(known) == MAX_REFUSED_MEMBERS:
        return False
    to = _INSTEAD.get(member, "")
    if member == "tools" and not (agent.dialect.native_tools and _is_at_the_beginning(state)):
        return False
    entry = RefusedMember(model=state.window.model, member=member)
    draft.state = without_count(replace(state, run=replace(state.run, refused_members=(*known, entry))))
    draft.agent = agent.asked(draft.state)
    draft.derived(Switched(what="request", cause=member, to=to))
    return True


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
    members = agent.left_out(state)
    role = "user" if SYSTEM in members else agent.system_roles.get(state.window.model)
    if role is not None:
        call = replace(call, system=role)
    if not members:
        return call
    left_out: dict[str, Any] = {name: UNSET for name in _PARTS if name in members}
    if call.sampling is not UNSET:
        left_out["sampling"] = _sampling(decode_json(bytes(call.sampling)), members)
    logprobs = call.logprobs and _LOGPROBS.isdisjoint(members)
    return replace(call, **left_out, logprobs=logprobs, without=members)


def _sampling(given: dict[str, Any], members: tuple[str, ...]) -> Raw | UnsetType:
    old, new = _TOKENS
    names = {old: new} if old in members else {}
    kept = {named: value for name, value in given.items() if (named := names.get(name, name)) not in members}
    return Raw(encode(kept)) if kept else UNSET


_PARTS: Final = ("tools", "tool_choice", "response_format", "grammar", "stop")
_LOGPROBS: Final = frozenset({"logprobs", "top_logprobs"})
