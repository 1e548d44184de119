"""Runs that another program kept: their messages taken over, edited histories fitted, calls dealt with unseen.

Programs written for agent.rs keep the whole state themselves: they may begin with messages of their own, edit the
history between two steps, and run a tool without reporting its result.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from ..agent import Agent
from ..agent import corrections as words
from ..json_text import decode_json, digest, encode
from ..values import Message, RunStarted, RunState, ToolResultEvent, UserMessageEvent, new_state, shape_error
from .begin import log_start
from .draft import Draft
from .limits import ask
from .messages import say_results

_decode_messages: Final = msgspec.json.Decoder(list[Message]).decode


def read_messages(history: bytes) -> list[Message]:
    """Decode the messages of a whole state; raises `invalid_input` with the path of what is no message."""
    try:
        return _decode_messages(history)
    except msgspec.ValidationError:
        raise shape_error(list[Message], decode_json(history), "invalid_input", "/state_json/history") from None


def adopted_state(agent: Agent, history: bytes, answer: str | UnsetType) -> RunState:
    """Give the small state of a history that some other program kept."""
    messages = len(read_messages(history))
    fresh = new_state(agent.digest, digest([agent.digest, decode_json(history)])[:16])
    if messages == 0:
        return fresh
    began = replace(fresh, messages=messages, user_at=messages - 1, reason="start")
    return began if answer is UNSET else replace(began, phase="done", answer=answer, reason="")


def adopt(agent: Agent, event: RunStarted, at: int | None) -> tuple[Draft, list[Message]]:
    """Give the draft of a run that began with messages of some other program, and those messages."""
    history = bytes(event.history) if event.history is not UNSET else b"[]"
    draft = Draft(agent, replace(adopted_state(agent, history, event.answer), run_id=event.run_id), at)
    log_start(draft, event.history, event.answer)
    return draft, read_messages(history)


def fit_history(state: RunState, messages: int) -> RunState:
    """Give the state for a history that its host has edited: places that are gone move to the ones there are."""
    if messages == state.messages:
        return state
    user_at = min(state.user_at, max(messages - 1, 0))
    return replace(
        state,
        messages=messages,
        user_at=user_at,
        kept_from=min(state.kept_from, user_at),
        preamble=min(state.preamble, user_at),
        turn_at=state.turn_at if user_at < state.turn_at < messages else 0,
        window=0,
    )


def is_fresh(agent: Agent, history: bytes) -> bool:
    """Tell whether the history is what `create` made: the preamble and one user message."""
    messages = read_messages(history)
    if not messages or not isinstance(messages[-1].content, str):
        return False
    return messages == [*agent.preamble, Message(role="user", content=messages[-1].content)]


def log_opening(agent: Agent, state: RunState, history: bytes) -> Draft:
    """Log what `create` could not: that the run began, and with what."""
    draft = Draft(agent, state, None)
    if state.phase == "model" and is_fresh(agent, history):
        log_start(draft)
        draft.fact(UserMessageEvent(content=read_messages(history)[-1].content or ""))
    else:
        log_start(draft, Raw(encode(decode_json(history))), UNSET if state.answer is None else state.answer)
    return draft


def unreported(agent: Agent, state: RunState, at: int | None) -> Draft:
    """Give the draft in which pending calls were dealt with by the host, which told nothing of it."""
    draft = Draft(agent, state, at)
    for call in state.pending:
        if call.status != "done":
            draft.fact(ToolResultEvent(tool_name=call.tool, call_id=call.call_id, ok=False, error_kind="unreported"))
    if any(call.status == "done" for call in state.pending):
        # What was reported is not lost; a host that reported nothing has told the model itself, or will.
        missing = [call for call in state.pending if call.status != "done"]
        say_results(draft, {call.call_id: words.not_run(call.tool, "its result was not reported") for call in missing})
    draft.update(pending=())
    ask(draft, "tool_results")
    return draft
