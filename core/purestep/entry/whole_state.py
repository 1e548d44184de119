"""The whole-state form: one self-contained JSON text goes in and comes out, with all messages in it.

New messages are spliced into the history's bytes; it is never decoded message by message. States without a
version, as programs written for the two bare functions make them, are taken over as they are. These programs know four
decisions: an output that is neither a call nor an answer comes back to them as `inconclusive`.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ..agent import BARE_AGENT, Agent, agent_from_source
from ..bounds import SCHEMA_VERSION
from ..draft import check_choice
from ..errors import PurestepError
from ..json_text import BLANK, check_bounds, check_stack, decode_json, encode, to_bytes
from ..lazy import decode_as, lazy_decoder
from ..steps import (
    adopted_state,
    agent_after,
    begin_unlogged,
    check_run_id,
    check_version,
    decide,
    foreign_step,
    restored_state,
    unsupported_version,
    without_answer,
)
from ..values import (
    CallModel,
    Count,
    Decision,
    Inconclusive,
    Message,
    Observation,
    RunState,
    ToolChoice,
    shape_error,
    text_of,
)


class WholeState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run in one value; `run` is the small state, `history` the transcript."""

    schema_version: int = 0
    history: Raw
    is_complete: bool = False
    final_answer: str | None = None
    history_bytes: Count = 0
    """Length of `history`; if it differs, a host has edited the messages and they are counted again."""
    agent: Raw | UnsetType = UNSET
    run: RunState | None = None


class WholeOutput(Struct, frozen=True, kw_only=True):
    """What a step in the whole-state form gives."""

    state_json: str
    decision: Decision | Inconclusive
    log: str


_UNFINISHED: Final = ("inconclusive", "parse_error", "truncated")
"""The causes of corrections that are about an output as such, not about its calls or their results."""


_DECODER: Final = lazy_decoder(WholeState)
_MESSAGES_DECODER: Final = lazy_decoder(list[Raw])


def create(query: str, agent: Agent | None, run_id: str | None = None, tool_choice: ToolChoice | None = None) -> bytes:
    """Return the JSON of the whole state of a new run that waits for the model's first output."""
    agent = agent or BARE_AGENT
    if agent.agents:
        raise PurestepError(
            "invalid_agent",
            "expected a definition without agents: the whole-state form has one transcript; use the delta form",
            "/agents",
        )
    # Without an id from the host, the run gets one with its first step, of all that is known then.
    name = "" if run_id is None else check_run_id(run_id)
    check_choice(agent, tool_choice, "")
    draft = begin_unlogged(agent, name, query, tool_choice)
    return _written(agent, draft.close(), b"[" + b",".join(map(encode, draft.messages)) + b"]")


def _written(agent: Agent, state: RunState, history: bytes) -> bytes:
    """Write the whole state; the answer stands once, beside the run."""
    whole = WholeState(
        schema_version=SCHEMA_VERSION,
        history=Raw(history),
        history_bytes=len(history),
        is_complete=state.phase == "done",
        final_answer=state.exchange.answer,
        agent=Raw(agent.source),
        run=without_answer(state),
    )
    return encode(whole)


def read(state_json: str) -> tuple[Agent, RunState, bytes]:
    """Return the agent, the small state and the history's bytes of a whole state.

    Error codes: `invalid_json`, `invalid_input`, `unsupported_version`, `agent_mismatch`, `invalid_state`.
    """
    whole = _read_whole(to_bytes(state_json))
    history = bytes(whole.history)
    if history[:1] != b"[":
        raise PurestepError("invalid_input", "expected an array of messages", "/state_json/history")
    agent = agent_from_source(b"null" if whole.agent is UNSET else bytes(whole.agent))
    return agent, _run(whole, agent, history), history


def _read_whole(data: bytes) -> WholeState:
    check_stack(data)
    try:
        whole = _DECODER.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        whole = _read_slowly(decode_json(data))
    # What this module wrote it need not look through again; a state made or edited elsewhere it does.
    is_ours = whole.run is not None and whole.history_bytes == len(bytes(whole.history))
    check_bounds(encode(whole.run) if is_ours else data)
    if whole.schema_version not in (0, SCHEMA_VERSION):
        raise unsupported_version(whole.schema_version, "/state_json/schema_version")
    return whole


def _read_slowly(value: object) -> WholeState:
    """Read a state that the decoder refused: surrogates and doubled keys decided, or say what is wrong with it."""
    check_version(value, "/state_json")
    try:
        return _DECODER.decode(encode(value))
    except msgspec.ValidationError:
        raise shape_error(WholeState, value, "invalid_input", "/state_json") from None


def _run(whole: WholeState, agent: Agent, history: bytes) -> RunState:
    if whole.run is None:
        return adopted_state(agent, history, (whole.final_answer or "") if whole.is_complete else UNSET)
    if whole.run.agent != agent.digest:
        raise PurestepError(
            "agent_mismatch",
            "the state's definition is not the one that its run has; to go on under another, send agent_changed",
            "/state_json/agent",
        )
    return restored_state(agent, whole.run, whole.final_answer, history, edited=whole.history_bytes != len(history))


def run(state_json: str, observation: Observation | None) -> WholeOutput:
    """Return the step of a whole state; without an observation, its current decision with the state as it is."""
    agent, state, history = read(state_json)
    if observation is None:
        return WholeOutput(state_json=state_json, decision=_decision(agent, state, history), log="")
    step = foreign_step(agent, state, observation, history)
    agent = agent_after(agent, step.state)
    spliced = _spliced(history, step.messages)
    text = _written(agent, step.state, spliced).decode()
    return WholeOutput(state_json=text, decision=_decision(agent, step.state, spliced), log=step.log)


def _decision(agent: Agent, state: RunState, history: bytes) -> Decision | Inconclusive:
    """Return the decision of a state; without a definition a correction of an output has a name of its own."""
    decision = decide(agent, state)
    if not agent.is_open or not isinstance(decision, CallModel) or decision.cause not in _UNFINISHED:
        return decision
    said = _MESSAGES_DECODER.decode(history)[state.window.turn_at :][:1]
    output = text_of(decode_as(said[0], Message).content) if said else ""
    return Inconclusive(output=output.strip(BLANK), cause=state.exchange.cause, prompt=decision.prompt)


def _spliced(history: bytes, messages: tuple[Message, ...]) -> bytes:
    if not messages:
        return history
    added = b",".join(map(encode, messages))
    inner = history[:-1].rstrip()  # ascii: bytes
    return inner + (b"" if inner.endswith(b"[") else b",") + added + b"]"
