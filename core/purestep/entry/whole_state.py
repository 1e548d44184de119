"""The whole-state form: one self-contained JSON text goes in and comes out, with all messages in it.

New messages are spliced into the history's bytes; it is never decoded message by message. States without a
version, as programs written for the two bare functions make them, are taken over as they are.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from ..agent import BARE_AGENT, Agent, agent_from_source
from ..bounds import SCHEMA_VERSION
from ..errors import PurestepError
from ..json_text import check_bounds, check_stack, decode_json, digest, encode, to_bytes
from ..steps import (
    Draft,
    adopted_state,
    advance,
    begin_unlogged,
    check_run_id,
    check_state,
    check_version,
    decide,
    fit_history,
    is_fresh,
    log_opening,
    read_messages,
    unreported,
    unsupported_version,
)
from ..values import Count, Decision, Message, ModelOutput, Observation, RunState, shape_error


class WholeState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run in one value; `run` is the small state, `history` the transcript."""

    schema_version: int = 0
    history: Raw
    is_complete: bool = False
    final_answer: str | None = None
    history_bytes: Count = 0
    """Length of `history`; where it differs, a host has edited the messages and they are counted anew."""
    agent: Raw | UnsetType = UNSET
    run: RunState | None = None


class WholeOutput(Struct, frozen=True, kw_only=True):
    """What a step in the whole-state form gives."""

    state_json: str
    decision: Decision
    log: str


_decode: Final = msgspec.json.Decoder(WholeState).decode


def create(query: str, agent: Agent | None, run_id: str | None = None) -> bytes:
    """Give the JSON of the whole state of a new run that waits for the model's first output."""
    agent = agent or BARE_AGENT
    # Without an id of the host's, the run is told apart by what it is about.
    name = check_run_id(run_id if run_id is not None else digest([agent.digest, query])[:16])
    draft = begin_unlogged(agent, name, query)
    return _written(agent, draft.close(), b"[" + b",".join(map(encode, draft.messages)) + b"]")


def _written(agent: Agent, state: RunState, history: bytes) -> bytes:
    """Write the whole state; the answer stands once, beside the run."""
    whole = WholeState(
        schema_version=SCHEMA_VERSION,
        history=Raw(history),
        history_bytes=len(history),
        is_complete=state.phase == "done",
        final_answer=state.answer,
        agent=Raw(agent.source),
        run=replace(state, answer=None),
    )
    return encode(whole)


def read(state_json: str) -> tuple[Agent, RunState, bytes]:
    """Give the agent, the small state and the history's bytes of a whole state.

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
        whole = _decode(data)
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
        return _decode(encode(value))
    except msgspec.ValidationError:
        raise shape_error(WholeState, value, "invalid_input", "/state_json") from None


def _run(whole: WholeState, agent: Agent, history: bytes) -> RunState:
    answer = (whole.final_answer or "") if whole.is_complete else UNSET
    if whole.run is None:
        return adopted_state(agent, history, answer)
    if whole.run.agent != agent.digest:
        raise PurestepError(
            "agent_mismatch", "the state's definition is not the one its run began with", "/state_json/agent"
        )
    state = replace(whole.run, answer=whole.final_answer)
    if whole.history_bytes != len(history):
        state = fit_history(state, len(read_messages(history)))
    check_state(agent, state)
    if state.seq == 0 and not is_fresh(agent, history):
        return replace(adopted_state(agent, history, UNSET), run_id=state.run_id)
    return state


def run(state_json: str, observation: Observation | None) -> WholeOutput:
    """Give the step of a whole state; without an observation, its current decision with the state as it is."""
    agent, state, history = read(state_json)
    if observation is None:
        return WholeOutput(state_json=state_json, decision=decide(agent, state), log="")
    opening = log_opening(agent, state, history) if state.seq == 0 and state.messages else None
    begun = opening.close() if opening is not None else state
    draft, messages = _advance(agent, begun, observation)
    after = draft.close()
    return WholeOutput(
        state_json=_written(agent, after, _spliced(history, messages)).decode(),
        decision=decide(agent, after),
        log=(opening.log_text() if opening is not None else "") + draft.log_text(),
    )


def _advance(agent: Agent, state: RunState, observation: Observation) -> tuple[Draft, list[Message]]:
    """Give the draft that the observation leads to, and all messages that are new."""
    # Programs written for the two bare functions run the tool themselves and come back with the model's next
    # output: what they did with the calls is theirs, and is logged as such.
    if agent.is_open and state.phase == "tools" and isinstance(observation, ModelOutput):
        between = unreported(agent, state, observation.at)
        if between.state.phase == "failed":
            return between, between.messages
        draft = advance(agent, between.close(), observation)
        draft.lines[:0], draft.heads[:0] = between.lines, between.heads
        return draft, between.messages + draft.messages
    draft = advance(agent, state, observation)
    return draft, draft.messages


def _spliced(history: bytes, messages: list[Message]) -> bytes:
    if not messages:
        return history
    added = b",".join(map(encode, messages))
    inner = history[:-1].rstrip()  # ascii: bytes
    return inner + (b"" if inner.endswith(b"[") else b",") + added + b"]"
