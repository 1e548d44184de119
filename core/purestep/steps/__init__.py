"""The step: state + observation -> decision + new state.

Two rules. Everything that changes a run's state is in this package. Nothing in this package knows the host:
no I/O, clock, randomness or platform; what came from outside is in the observation, time included.

Theory of operation. A run waits in one of five phases; TRANSITIONS says which observations each takes and
what consumes them. A consumer works on a draft: it appends facts and derived lines to the log, messages to
the transcript, and leaves the next state. The decision is then read off the new state alone (`decide.py`), so
a host that lost it can ask again. An observation that does not fit is refused before anything is drafted.

    user_message ─> model ─(calls)─> approval ─> tools ─(all results)─> model ─(answer)─> done
                      └─(wrong output: a correction)─┘                    └─(a limit)─> failed

Sources: sans-I/O protocol design (h11), reducers, write-ahead logging.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from ..compiled import Agent
from ..errors import PurestepError
from ..state import Phase, RunState
from ..wire import (
    Approvals,
    Cancel,
    Decision,
    Message,
    ModelError,
    ModelOutput,
    Observation,
    ToolResults,
    UserMessage,
)
from .approvals import consume_approvals
from .begin import consume_user_message
from .decide import decide
from .draft import Draft
from .ending import consume_cancel
from .model_errors import consume_model_error
from .results import consume_results
from .turn import consume_output

Consumer = Callable[[Draft, Any], None]

TRANSITIONS: Final[dict[Phase, dict[type[Struct], Consumer]]] = {
    "model": {ModelOutput: consume_output, ModelError: consume_model_error, Cancel: consume_cancel},
    "approval": {Approvals: consume_approvals, Cancel: consume_cancel},
    "tools": {ToolResults: consume_results, Cancel: consume_cancel},
    "done": {UserMessage: consume_user_message},
    "failed": {UserMessage: consume_user_message},
}
"""What each phase takes, and what consumes it."""

BEGINNING: Final[dict[type[Struct], Consumer]] = {UserMessage: consume_user_message}
"""What a run that has seen nothing takes."""

WAITING_FOR: Final[dict[Phase, str]] = {
    "model": "model_output, model_error or cancel",
    "approval": "approvals or cancel",
    "tools": "tool_results or cancel",
    "done": "user_message",
    "failed": "user_message",
}
"""The same table in the words of an error."""


class Step(Struct, frozen=True, kw_only=True):
    """What one step gives: the new state, the decision, new messages, and the log text to append first."""

    state: RunState
    messages: tuple[Message, ...]
    log: str
    decision: Decision


def advance(agent: Agent, state: RunState, observation: Observation) -> Draft:
    """Consume one observation; the state given is left as it is.

    Error codes: `wrong_phase`, and those of the consumers; an error means that nothing happened.
    """
    consumer = TRANSITIONS[state.phase].get(type(observation)) if state.messages else BEGINNING.get(type(observation))
    if consumer is None:
        raise _wrong_phase(state, observation)
    draft = Draft(agent, state, observation.at)
    consumer(draft, observation)
    return draft


def _wrong_phase(state: RunState, observation: Observation) -> PurestepError:
    came = observation.__struct_config__.tag
    if state.phase == "approval" and isinstance(observation, ToolResults):
        return PurestepError(
            "not_approved",
            "calls wait for approval and must not have run; answer with approvals",
            "/observation/results",
        )
    if state.messages == 0:
        return PurestepError("wrong_phase", f"a run begins with user_message; got {came}", "/observation/type")
    return PurestepError(
        "wrong_phase",
        f"the run is in phase {state.phase} and takes {WAITING_FOR[state.phase]}; got {came}; "
        "ask for the current decision by sending the state alone",
        "/observation/type",
    )


def step_from(agent: Agent, state: RunState, observation: Observation) -> Step:
    """Give the step that the observation leads to."""
    draft = advance(agent, state, observation)
    after = draft.close()
    return Step(state=after, messages=tuple(draft.messages), log=draft.log_text(), decision=decide(agent, after))


__all__ = ["TRANSITIONS", "WAITING_FOR", "Draft", "Step", "advance", "decide", "step_from"]
