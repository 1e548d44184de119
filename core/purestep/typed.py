"""The typed form for Python: the same step on values instead of JSON text.

A run driven here and one driven through `run_agent_step` give the same states, messages and log bytes.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from .agent import BARE_AGENT, Agent, agent_by_digest
from .errors import PurestepError
from .json_text import clean_text, decode_json, encode
from .steps import Step, check_run_id, check_state, decide, step_from
from .values import Decision, Observation, RunState, UserMessage, new_state, shape_error

_decode: Final[Callable[[bytes], Observation]] = msgspec.json.Decoder(Observation).decode


def start(agent: Agent | None, observation: UserMessage, run_id: str = "run") -> Step:
    """Begin a run with its first user message; pure, it executes nothing.

    agent: from `Agent.load`, or None for the bare form. run_id: the host's id of the run, up to 256 characters,
    unique among runs whose tools share idempotency keys. Error codes: `invalid_input`.
    """
    agent = agent or BARE_AGENT
    return step_from(agent, new_state(agent.digest, check_run_id(run_id)), _wired(observation))


def step(state: RunState, observation: Observation) -> Step:
    """Give the step that an observation leads to; pure: the state given is unchanged and nothing is executed.

    Error codes: `unknown_agent`, `wrong_phase`, `unknown_call`, `duplicate_result`, `not_approved`,
    `stale_approval`, `duplicate_approval`, `invalid_arguments`, `invalid_state`, `invalid_input`.
    """
    agent = agent_by_digest(state.agent)
    check_state(agent, state)
    return step_from(agent, state, _wired(observation))


def current_decision(state: RunState) -> Decision:
    """Give the decision that the state waits with, as the step that made it gave it."""
    agent = agent_by_digest(state.agent)
    check_state(agent, state)
    return decide(agent, state)


def _wired(observation: Any) -> Observation:
    """Give the observation as it is after a trip through JSON, so that both forms see the same values."""
    try:
        data = encode(observation)
    except UnicodeEncodeError:
        data = encode(_cleaned(msgspec.to_builtins(observation)))
    except (TypeError, ValueError, RecursionError):
        raise PurestepError(
            "invalid_input", "expected an observation of JSON values; convert other objects before", "/observation"
        ) from None
    value = decode_json(data)
    try:
        return _decode(encode(value))
    except msgspec.ValidationError:
        raise shape_error(Observation, value, "invalid_input", "/observation") from None


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
