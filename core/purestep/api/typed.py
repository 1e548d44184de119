"""The typed form for Python: the same step on values instead of JSON text.

A run driven here and one driven through `run_agent_step` give the same states, messages and log bytes. What comes in
is copied, as a trip through JSON would, and so is what goes out: a host may change every dict and list that it gave or
was given, tool arguments among them, and changes nothing of the run.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import msgspec

from ..agent import BARE_AGENT, Agent, agent_by_digest, keep_agent
from ..errors import PurestepError
from ..json_text import check_bounds, clean_text, decode_json, encode
from ..lazy import lazy_decoder
from ..steps import (
    OWN_STATES,
    Step,
    begun_run_id,
    check_state,
    decide,
    open_decisions,
    read_messages,
    start_after,
    step_from,
)
from ..values import (
    Decision,
    Message,
    Observation,
    RunState,
    UserMessage,
    new_state,
    own_decision,
    own_message,
    shape_error,
)

Value = TypeVar("Value")

_WORDS: Final = {"/state": "a state", "/observation": "an observation", "/history": "messages"}

_OBSERVATION_DECODER: Final["msgspec.json.Decoder[Observation]"] = lazy_decoder(Observation)
_STATE_DECODER: Final["msgspec.json.Decoder[RunState]"] = lazy_decoder(RunState)


def start(
    agent: Agent | None, observation: UserMessage, run_id: str | None = None, history: Sequence[Message] = ()
) -> Step:
    """Begin a run with its first user message; pure, it executes nothing.

    agent: from `Agent.load`, or None for the bare form. run_id: the host's id of the run, up to 256 characters,
    unique among runs whose tools share idempotency keys; it may be left out where no tool acts or asks for approval.
    history: what was said before, as another program kept it, without system messages; it ends with the assistant's
    answer. It is logged, and the step's messages begin with it. Error codes: `invalid_input`, `missing_run_id`.
    """
    agent = agent or BARE_AGENT
    keep_agent(agent)
    run_id, came = begun_run_id(agent, run_id), observed(observation)
    if not history:
        return _own(step_from(agent, new_state(agent.digest, run_id), came))
    return _own(start_after(agent, run_id, read_messages(_encoded(list(history), "/history"), "/history"), came))


def step(state: RunState, observation: Observation) -> Step:
    """Return the step that an observation leads to; pure: the state given is unchanged and nothing is executed.

    Error codes: `unknown_agent`, `wrong_phase`, `unknown_call`, `duplicate_result`, `not_approved`,
    `stale_approval`, `duplicate_approval`, `invalid_arguments`, `invalid_state`, `invalid_input`.
    """
    agent, state = _restored(state)
    return _own(step_from(agent, state, observed(observation)))


def current_decision(state: RunState) -> Decision:
    """Return the decision that the state waits with, as the step that made it gave it."""
    return own_decision(decide(*_restored(state)))


def current_decisions(state: RunState) -> tuple[Decision, ...]:
    """Return all that the state waits with: the run's own decision, and those of the agents that it calls."""
    return tuple(map(own_decision, open_decisions(*_restored(state))))


def _restored(state: RunState) -> tuple[Agent, RunState]:
    """Return the agent that a state names, and a copy of the state that shares nothing with it that can be changed."""
    agent = agent_by_digest(state.agent)
    if (known := OWN_STATES.copied(state)) is not None:
        return agent, known
    data = _encoded(state, "/state")
    if OWN_STATES.has(data):
        return agent, _STATE_DECODER.decode(data)
    own = _decoded(data, RunState, _STATE_DECODER.decode, "/state")
    check_state(agent, own)
    return agent, own


def observed(observation: Observation) -> Observation:
    """Return a copy of an observation, as it is after a trip through JSON; raises `invalid_input`."""
    return _copied(observation, Observation, _OBSERVATION_DECODER.decode, "/observation")


def _own(step: Step) -> Step:
    """Return the step with a decision and messages that share nothing with its state, which is kept as given out."""
    OWN_STATES.give(step.state)
    if step.state.pending:  # whose check costs more than to write it
        OWN_STATES.note(step.state, encode(step.state))
    messages = tuple([own_message(message) for message in step.messages])
    return Step(
        state=step.state,
        messages=messages,
        log=step.log,
        decision=own_decision(step.decision),
        also=tuple(map(own_decision, step.also)),
        children={run_id: list(map(own_message, said)) for run_id, said in step.children.items()},
    )


def _copied(value: Value, shape: Any, decode: Callable[[bytes], Value], path: str) -> Value:
    """Return the value as it is after a trip through JSON, so that both forms see the same values."""
    return _decoded(_encoded(value, path), shape, decode, path)


def _decoded(data: bytes, shape: Any, decode: Callable[[bytes], Value], path: str) -> Value:
    check_bounds(data)
    try:
        return decode(data)
    except msgspec.DecodeError:  # a raw value may be no JSON at all
        raise shape_error(shape, decode_json(data), "invalid_input", path) from None


def _encoded(value: Any, path: str) -> bytes:
    try:
        return encode(value)
    except UnicodeEncodeError:
        return encode(_cleaned(msgspec.to_builtins(value)))
    except (TypeError, ValueError, RecursionError):
        raise PurestepError(
            "invalid_input", f"expected {_WORDS[path]} of JSON values; convert other objects before", path
        ) from None


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return clean_text(value)
        case dict():
            return {clean_text(str(key)): _cleaned(item) for key, item in value.items()}
        case list() | tuple():
            return [_cleaned(item) for item in value]
        case _:
            return value
