"""The whole-state form: one self-contained JSON text goes in and comes out, with all messages in it.

New messages are spliced into the history's bytes; it is never decoded message by message. States without a
version, as programs written for the two bare functions make them, are taken over as they are.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from . import compiled
from .bounds import SCHEMA_VERSION
from .canonical import digest
from .compiled import Agent
from .errors import PurestepError
from .events import ToolResultEvent, UserMessageEvent
from .jsonio import check_bounds, decode_foreign, encode, to_bytes
from .shapes import shape_error
from .state import RunState, new_state
from .state_check import check_state, check_version, unsupported_version
from .steps import Draft, advance, decide
from .steps.begin import log_start, start_exchange
from .steps.limits import ask
from .typed import check_run_id
from .wire import Count, Decision, Message, ModelOutput, Observation


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


class _Line(Struct):
    role: str
    content: str | None = None


_decode: Final = msgspec.json.Decoder(WholeState).decode
_decode_messages: Final = msgspec.json.Decoder(list[Message]).decode
_decode_history: Final = msgspec.json.Decoder(list[_Line]).decode


def create(query: str, agent: Agent | None, run_id: str | None = None) -> bytes:
    """Give the JSON of the whole state of a new run that waits for the model's first output."""
    agent = agent or compiled.BARE_AGENT
    # Without an id of the host's, the run is told apart by what it is about.
    name = check_run_id(run_id if run_id is not None else digest([agent.digest, query])[:16])
    draft = Draft(agent, new_state(agent.digest, name), None)
    draft.messages.extend(agent.preamble)
    draft.update(preamble=len(draft.messages), kept_from=len(draft.messages))
    start_exchange(draft)
    draft.say("user", query)
    ask(draft, "start")
    state = draft.close()
    return _written(agent, state, b"[" + b",".join(map(encode, draft.messages)) + b"]")


def _written(agent: Agent, state: RunState, history: bytes) -> bytes:
    """Write the whole state; the answer stands once, beside the run."""
    whole = WholeState(
        schema_version=SCHEMA_VERSION,
        history=Raw(history),
        history_bytes=len(history),
        is_complete=state.phase == "done",
        final_answer=state.answer,
        agent=Raw(agent.source),
        run=msgspec.structs.replace(state, answer=None),
    )
    return encode(whole)


def read(state_json: str) -> tuple[Agent, RunState, bytes]:
    """Give the agent, the small state and the history's bytes of a whole state.

    Error codes: `invalid_json`, `invalid_input`, `unsupported_version`, `agent_mismatch`, `invalid_state`.
    """
    data = to_bytes(state_json)
    try:
        whole = _decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        value = decode_foreign(data)
        check_version(value, "/state_json")
        raise shape_error(WholeState, value, "invalid_input", "/state_json") from None
    history = bytes(whole.history)
    # What this module wrote it need not look through again; a state made or edited elsewhere it does.
    check_bounds(data if whole.history_bytes != len(history) or whole.run is None else encode(whole.run))
    if history[:1] != b"[":
        raise PurestepError("invalid_input", "expected an array of messages", "/state_json/history")
    agent = compiled.from_source(b"null" if whole.agent is UNSET else bytes(whole.agent))
    return agent, _run(whole, agent, history), history


def _run(whole: WholeState, agent: Agent, history: bytes) -> RunState:
    if whole.schema_version not in (0, SCHEMA_VERSION):
        raise unsupported_version(whole.schema_version, "/state_json/schema_version")
    if whole.run is None:
        return _imported(whole, agent, history)
    if whole.run.agent != agent.digest:
        raise PurestepError(
            "agent_mismatch", "the state's definition is not the one its run began with", "/state_json/agent"
        )
    state = msgspec.structs.replace(whole.run, answer=whole.final_answer)
    if whole.history_bytes != len(history):
        state = msgspec.structs.replace(state, messages=len(_read_lines(history)))
    check_state(agent, state)
    return state


def _imported(whole: WholeState, agent: Agent, history: bytes) -> RunState:
    """Give the small state of a history that some other program kept."""
    messages = len(_read_lines(history))
    fresh = new_state(agent.digest, digest([agent.digest, decode_foreign(history)])[:16])
    answered = {"phase": "done", "answer": whole.final_answer or ""} if whole.is_complete else {"reason": "start"}
    return msgspec.structs.replace(fresh, messages=messages, user_at=max(messages - 1, 0), **answered)


def _read_lines(history: bytes) -> list[_Line]:
    try:
        return _decode_history(history)
    except msgspec.ValidationError:
        raise shape_error(list[_Line], decode_foreign(history), "invalid_input", "/state_json/history") from None


def run(state_json: str, observation: Observation | None) -> WholeOutput:
    """Give the step of a whole state; without an observation, its current decision with the state as it is."""
    agent, state, history = read(state_json)
    if observation is None:
        return WholeOutput(state_json=state_json, decision=decide(agent, state), log="")
    opening = _opening_lines(agent, state, history) if state.seq == 0 else None
    begun = opening.close() if opening is not None else state
    draft = _advance(agent, begun, observation)
    after = draft.close()
    return WholeOutput(
        state_json=_written(agent, after, _spliced(history, draft.messages)).decode(),
        decision=decide(agent, after),
        log=(opening.log_text() if opening is not None else "") + draft.log_text(),
    )


def _advance(agent: Agent, state: RunState, observation: Observation) -> Draft:
    # Programs written for the two bare functions run the tool themselves and come back with the model's next
    # output: what they did with the calls is theirs, and is logged as such.
    if agent.is_open and state.phase == "tools" and isinstance(observation, ModelOutput):
        between = unreported(agent, state, observation.at)
        if between.state.phase == "failed":
            return between
        draft = advance(agent, between.close(), observation)
        draft.lines[:0], draft.heads[:0] = between.lines, between.heads
        return draft
    return advance(agent, state, observation)


def unreported(agent: Agent, state: RunState, at: int | None) -> Draft:
    """Give the draft in which pending calls were dealt with by the host, which told nothing of it."""
    draft = Draft(agent, state, at)
    for call in state.pending:
        if call.status != "done":
            draft.fact(ToolResultEvent(tool_name=call.tool, call_id=call.call_id, ok=False, error_kind="unreported"))
    draft.update(pending=())
    ask(draft, "tool_results")
    return draft


def _opening_lines(agent: Agent, state: RunState, history: bytes) -> Draft:
    """Log what `create` could not: that the run began, and with what."""
    lines = _read_lines(history)
    if len(lines) != state.preamble + 1 or lines[-1].role != "user":
        return _log_import(agent, state, encode(decode_foreign(history)), None)
    draft = Draft(agent, state, None)
    log_start(draft)
    draft.fact(UserMessageEvent(content=lines[-1].content or ""))
    return draft


def _log_import(agent: Agent, state: RunState, history: bytes, at: int | None) -> Draft:
    draft = Draft(agent, state, at)
    log_start(draft, Raw(history))
    return draft


def imported(agent: Agent, history: bytes, run_id: str, at: int | None) -> tuple[Draft, list[Message]]:
    """Give the draft of a run that began with messages of some other program, and those messages."""
    state = _imported(WholeState(history=Raw(history)), agent, history)
    state = msgspec.structs.replace(state, run_id=run_id)
    return _log_import(agent, state, history, at), _decode_messages(history)


def _spliced(history: bytes, messages: list[Message]) -> bytes:
    if not messages:
        return history
    added = b",".join(map(encode, messages))
    inner = history[:-1].rstrip()  # ascii: bytes
    return inner + (b"" if inner.endswith(b"[") else b",") + added + b"]"
