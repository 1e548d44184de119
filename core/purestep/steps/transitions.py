"""The table of transitions, and the step made by it.

What each phase takes, what a run without messages takes, the words of `wrong_phase`, `accepted_observations` and the
diagram in the docs all come from the two tables here.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from ..agent import Agent
from ..draft import Draft, ToldFact, redacted
from ..errors import PurestepError
from ..values import (
    AgentChanged,
    Approvals,
    Cancel,
    Decision,
    Message,
    ModelError,
    ModelOutput,
    Observation,
    Phase,
    Resumed,
    RunState,
    ToolPending,
    ToolResults,
    UserMessage,
)
from .approvals import consume_approvals
from .begin import begin_queued, consume_user_message
from .changed_agent import agent_after, consume_agent_changed
from .decide import open_decisions, own_decision
from .ending import consume_cancel
from .forced_moves import carry_on
from .late_results import begin_late, consume_late, consume_pending, split_late
from .model_errors import consume_model_error
from .output import consume_output
from .results import consume_results
from .resuming import consume_resumed
from .steering import queue_message


class Transition(Struct, frozen=True):
    """What consumes an observation, and the phases that may follow."""

    consume: Callable[[Draft, Any], None]
    leads_to: tuple[Phase, ...]


Accepted = dict[type[Struct], Transition]


_LATE: Final = Transition(consume_late, ())
"""What consumes results that name a call which went on elsewhere, in whatever phase; that stays as it is."""

_AWAITED: Final = Transition(consume_results, ("approval",))
"""What consumes those of calls that are waited for, while a person is asked whether others may run again."""

_CANCEL: Final = Transition(consume_cancel, ("failed",))
_USER_MESSAGE: Final = Transition(consume_user_message, ("model",))

TRANSITIONS: Final[dict[Phase, Accepted]] = {
    "model": {
        ModelOutput: Transition(consume_output, ("model", "approval", "tools", "done", "failed")),
        ModelError: Transition(consume_model_error, ("model", "failed")),
        UserMessage: Transition(queue_message, ("model",)),
        AgentChanged: Transition(consume_agent_changed, ("model",)),
        Cancel: _CANCEL,
    },
    "approval": {
        Approvals: Transition(consume_approvals, ("approval", "tools", "model", "failed")),
        UserMessage: Transition(queue_message, ("approval",)),
        AgentChanged: Transition(consume_agent_changed, ("approval", "tools", "model", "failed")),
        Cancel: _CANCEL,
    },
    "tools": {
        ToolResults: Transition(consume_results, ("tools", "model", "done", "failed")),
        ToolPending: Transition(consume_pending, ("tools", "model", "failed")),
        Resumed: Transition(consume_resumed, ("approval", "tools", "model", "failed")),
        UserMessage: Transition(queue_message, ("tools",)),
        AgentChanged: Transition(consume_agent_changed, ("tools", "model", "failed")),
        Cancel: _CANCEL,
    },
    "done": {UserMessage: _USER_MESSAGE, AgentChanged: Transition(consume_agent_changed, ("done",))},
    "failed": {UserMessage: _USER_MESSAGE, AgentChanged: Transition(consume_agent_changed, ("failed",))},
}
"""What each phase takes."""

BEGINNING: Final[Accepted] = {UserMessage: _USER_MESSAGE}
"""What a run without messages takes."""


def accepted_observations(state: RunState) -> tuple[str, ...]:
    """Name the observation types that a run takes in this state, e.g. `("model_output", "model_error", "cancel")`."""
    accepted = TRANSITIONS[state.phase] if state.messages else BEGINNING
    names = [str(kind.__struct_config__.tag) for kind in accepted]
    return (*names, "tool_results") if _elsewhere(state) and ToolResults not in accepted else tuple(names)


def _elsewhere(state: RunState) -> tuple[str, ...]:
    """Return the ids of the calls that went on elsewhere and have no result yet."""
    return tuple([each.call_id for each in (*state.run.late, *state.pending) if each.handle and each.status == "run"])


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What one step gives: the new state, the decision, new messages, and the log text to append first."""

    state: RunState
    messages: tuple[Message, ...]
    log: str
    decision: Decision
    also: tuple[Decision, ...] = ()
    """What else the run and the agents that it calls ask for at the same time, each with its `path` and `run_id`."""
    children: dict[str, list[Message]] = {}
    """The new messages of the agents' transcripts, by the ids of their runs."""


def advance(
    agent: Agent,
    state: RunState,
    observation: Observation,
    above: Draft | None = None,
    told: list[ToldFact] | None = None,
    *,
    has_more: bool = False,
) -> Draft:
    """Consume one observation; the state given is left as it is.

    above: the draft of the run that calls this one's agent. told: takes what policies are told. has_more: whether the
    line of a late result says `more`. Error codes: `wrong_phase`, `unknown_run`, and those of the consumers; an error
    means that nothing happened.
    """
    draft = Draft(agent.asked(state), state, observation.at, state.head, told=told, has_more=has_more)
    if above is not None:
        draft.above, draft.counted, draft.told = above, state.exchange.used, above.told
    if agent.agents:
        from .children import Below, routes  # noqa: PLC0415 - few definitions have agents

        draft.below = Below(advance)
        for call_id, part in routes(state, observation):
            if call_id:
                draft.below.take(draft, call_id, part)
            else:
                _consume(draft, part)
            _go_on(draft)
    else:
        _consume(draft, observation)
        run = draft.state.run
        # From now on it may have agents, but no call of one.
        if (run.queued or run.late or run.carried is not None) and not draft.agent.agents:
            _go_on(draft)
    return draft


def _consume(draft: Draft, observation: Observation) -> None:
    state = draft.state
    run_id = None if type(observation) is AgentChanged else observation.run_id
    if run_id is not None and run_id != state.run_id:
        raise PurestepError(
            "unknown_run",
            "expected no run_id, or that of the run: its definition has no agents that it could be of; leave it out",
            "/observation/run_id",
        )
    for part in split_late(state, observation) if isinstance(observation, ToolResults) else (observation,):
        _take(draft, part)


def _take(draft: Draft, observation: Observation) -> None:
    agent, state = draft.agent, draft.state
    transition = (TRANSITIONS[state.phase] if state.messages else BEGINNING).get(type(observation))
    if isinstance(observation, ToolResults):
        transition = _of_results(state, observation, transition)
    if transition is None:
        raise _wrong_phase(state, observation)
    if agent.redaction is not None:
        observation = redacted(agent.redaction, state, observation)
    transition.consume(draft, observation)


def _of_results(state: RunState, observation: ToolResults, usual: Transition | None) -> Transition | None:
    """Return what consumes results; those of the turn at hand come apart from what went on elsewhere before."""
    named = {result.call_id for result in observation.results}
    if state.run.late and not named.isdisjoint([call.call_id for call in state.run.late]):
        return _LATE
    if state.phase == "approval" and named and named <= {call.call_id for call in state.pending if call.handle}:
        return _AWAITED
    return usual


def _go_on(draft: Draft) -> None:
    """Do what follows without an observation: queued messages, forced moves, and agents whose calls are handed out."""
    if draft.state.run.queued and draft.state.phase == "done":
        begin_queued(draft)
    if draft.state.run.late and draft.state.phase == "done":
        begin_late(draft)
    if draft.state.run.carried is not None:
        carry_on(draft)
    if draft.below is not None and draft.below.begin(draft):
        _go_on(draft)


def _wrong_phase(state: RunState, observation: Observation) -> PurestepError:
    came = observation.__struct_config__.tag
    if state.phase == "approval" and isinstance(observation, ToolResults):
        return PurestepError(
            "not_approved",
            "calls wait for approval and must not have run; answer with approvals",
            "/observation/results",
        )
    if isinstance(observation, ToolResults) and (names := _elsewhere(state)):
        return PurestepError(
            "unknown_call",
            f"expected results of {', '.join(names)}, which went on elsewhere; got none of them: leave out what has "
            "its result, or is of another call",
            "/observation/results",
        )
    if state.messages == 0:
        return PurestepError("wrong_phase", f"a run begins with user_message; got {came}", "/observation/type")
    return PurestepError(
        "wrong_phase",
        f"the run is in phase {state.phase} and takes {_in_words(accepted_observations(state))}; got {came}; "
        "ask for the current decision by sending the state alone",
        "/observation/type",
    )


def _in_words(names: tuple[str, ...]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def step_from(agent: Agent, state: RunState, observation: Observation) -> Step:
    """Consume one observation; give the new state, its messages, its log text and the next decision.

    Error codes: those of `advance`, and `invalid_state` for a whole state's run that has no id yet.
    """
    if not state.run_id:
        raise PurestepError(
            "invalid_state", "the run has no id yet; send the whole state that it is part of", "/state/run_id"
        )
    draft = advance(agent, state, observation)
    after = draft.close()
    if after.agent != agent.digest:
        agent = agent_after(agent, after)
    if agent.agents:
        decision, *also = open_decisions(agent, after)
        return Step(
            state=after,
            messages=tuple(draft.messages),
            log=draft.log_text(),
            decision=decision,
            also=tuple(also),
            children=draft.children,
        )
    return Step(
        state=after,
        messages=tuple(draft.messages),
        log=draft.log_text(),
        decision=own_decision(agent, after),
    )
