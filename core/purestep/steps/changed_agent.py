"""A run goes on under another definition: what of its state holds under that one, and what becomes of pending calls.

The log has the new definition whole, with the digests of both. The transcript stays; the preamble of the new definition
is sent before it, in the place of the one that it begins with. A pending call stays only as the new definition would
have left it: every other one is answered, since its tool is gone, or what holds for the tool is stricter now.
"""

from collections.abc import Iterator

from msgspec import Raw
from msgspec.structs import replace

from ..agent import Agent, agent_by_digest, agent_from_source, corrections
from ..bounds import COMMON_RUN_ID
from ..draft import (
    Draft,
    began,
    effects_after,
    note_unsettled,
    takes_all,
    without_result,
)
from ..errors import PurestepError
from ..values import AgentChanged, AgentChangedEvent, Pending, RunState, VerdictEvent
from .batch import advance_calls
from .changed_state import told_under, under
from .pending_calls import fits_definition

AGENT_CHANGED = "agent_changed"
"""The check that a call did not pass which was answered for that reason."""

_ENDED = ("done", "failed")


def agent_after(agent: Agent, state: RunState) -> Agent:
    """Return the agent of a state that a step has made: the one it began with, or the one that it changed to."""
    return agent.among(state.agent) or agent_by_digest(state.agent)


def consume_agent_changed(draft: Draft, observation: AgentChanged) -> None:
    """Log the new definition, and have the run be what it is under that one.

    Error codes: those of a definition, and `invalid_input` where the run cannot go on under this one as it stands.
    """
    before, after = draft.agent.asked(None), _loaded(observation)
    problem = _problem(before, after, draft.state)
    if problem:
        raise PurestepError(
            "invalid_input", f"the run cannot go on under this definition now: {problem}", "/observation/agent"
        )
    if after.guarded_tool is not None and before.guarded_tool is None and draft.state.run_id == COMMON_RUN_ID:
        raise PurestepError(
            "missing_run_id",
            f'the run was begun without an id of its own, and the tool "{after.guarded_tool}" acts or asks for '
            "approval: the keys of its calls would be those of other runs; begin a new run with an id",
            "/observation/agent",
        )
    handed = began(before, draft.state)
    draft.fact(AgentChangedEvent(agent=Raw(after.source), from_digest=before.digest, to_digest=after.digest or ""))
    if draft.below is not None:
        draft.below.change(draft, after, corrections.definition_changed(), _unfit(after, draft.state))
    draft.agent = after
    draft.state = under(before, after, draft.state)
    if draft.state.pending:
        earlier, calls = draft.state.pending, tuple(_answered(draft, handed))
        # What had, or may have had, an effect is known by the hints of before, also if its tool is gone.
        lost = [call for call, was in zip(calls, earlier, strict=True) if call.unknown and call.status != was.status]
        note_unsettled(draft, before, lost)
        draft.exchange = replace(draft.exchange, effects=effects_after(before, draft.state, calls))
        advance_calls(draft, calls)


def _loaded(observation: AgentChanged) -> Agent:
    agent = agent_from_source(bytes(observation.agent))
    if agent.is_open:
        raise PurestepError("invalid_input", "expected a definition, as an object", "/observation/agent")
    return agent


def _problem(before: Agent, after: Agent, state: RunState) -> str:
    """Return why a run cannot go on under a definition as it stands, and what to do; "" where it can."""
    if after.windowed and state.window.sent is None:
        return (
            "its models declare window_tokens, or it has the policy history, and the sizes of the messages so far are "
            "not known; leave them out, or begin a new run"
        )
    if state.phase in _ENDED:
        return ""
    if state.exchange.skill is not None or any(call.checks for call in state.pending):
        return "a skill or the checks of an output are under way; send it when they have their results"
    if not takes_all(after, state, 0):
        return "its first model does not take the images or files of this exchange; send it when the run has ended"
    if after.carries and state.run.carried is None:
        return "its model is carried, which begins with a user message; send it when the run has ended"
    forms = [(agent.dialect.native_tools, agent.dialect.result_role) for agent in (before, after)]
    if state.pending and forms[0] != forms[1]:
        return "its dialect has another form for results, and calls wait for theirs; send it when they have them"
    return ""


def _numbered(agent: Agent, state: RunState) -> Iterator[tuple[int, Pending]]:
    """Yield the pending calls with their numbers, as they are under an agent."""
    for index, call in enumerate(state.pending, state.run.calls - len(state.pending) + 1):
        yield index, told_under(agent, call)


def _unfit(after: Agent, state: RunState) -> frozenset[str]:
    """Return the ids of the calls that do not stand under a definition."""
    return frozenset(
        [call.call_id for index, call in _numbered(after, state) if not fits_definition(after, state, index, call)]
    )


def _answered(draft: Draft, handed: frozenset[str]) -> Iterator[Pending]:
    """Yield the pending calls, those that do not stand under the new definition with a result that says so.

    handed: the ids of the calls that the host was told to run.
    """
    agent, state = draft.agent, draft.state
    for index, call in _numbered(agent, state):
        swapped = call.child is None and call.call_id in handed and call.tool in agent.agents
        if call.status == "done" or (fits_definition(agent, state, index, call) and not swapped):
            yield call
            continue
        text = without_result(call, call.call_id in handed, corrections.definition_changed())
        draft.derived(VerdictEvent(verdict="reject", check=AGENT_CHANGED, call_id=call.call_id, reason=text))
        unknown = call.unknown or call.call_id in handed
        yield replace(call, status="done", text=text, fault="refused", approved=False, unknown=unknown)
