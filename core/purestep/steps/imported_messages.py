"""Runs that another program keeps: their messages taken over, edited histories fitted, unreported calls closed.

Programs written for agent.rs keep the whole state themselves: they may begin with messages of their own, edit the
history between two steps, and run a tool without reporting its result. What the log lacks for that reason is logged
before the next observation.
"""

from typing import Final

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import SIGNATURE_CHARS
from ..draft import (
    Draft,
    adopted_evidence,
    adopted_policies,
    adopted_samples,
    adopted_span_texts,
    began,
    check_content,
    choice_fits,
    edited_policies,
    first_history,
    note_acts,
    redacted_messages,
    say_results,
    without_planning,
)
from ..errors import PurestepError
from ..json_text import decode_json, digest, encode, excerpt_of
from ..lazy import lazy_decoder
from ..values import (
    Message,
    ModelOutput,
    Negotiated,
    Observation,
    Pending,
    RunStarted,
    RunState,
    ToolResultEvent,
    UserMessage,
    new_state,
    shape_error,
    text_of,
)
from ..window import recounted, with_attachments
from .begin import consume_user_message, log_start
from .changed_agent import agent_after
from .decide import decide
from .given_history import fitted_history, with_own_names
from .limits import ask
from .steering import leave_queued
from .transitions import Step, advance
from .validate import check_state

_PARTS_ROLES: Final = ("user", "tool")
_SAID_ROLES: Final = ("user", "assistant", "tool")
_MESSAGES_DECODER: Final = lazy_decoder(list[Message])


def read_messages(history: bytes, path: str = "/state_json/history") -> list[Message]:
    """Decode messages that a host has kept; raises `invalid_input` with the path of what is no message."""
    try:
        messages = _MESSAGES_DECODER.decode(history)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        messages = _read_slowly(history, path)
    for number, message in enumerate(messages):
        if isinstance(message.content, tuple):
            _check_parts(message, f"{path}/{number}/content")
    return messages


def _check_parts(message: Message, path: str) -> None:
    """Raise `invalid_input` for parts that a message of its role has not, or that name no bytes."""
    if message.role not in _PARTS_ROLES:
        raise PurestepError("invalid_input", "expected text; only users and results of tools have parts", path)
    check_content(message.content or "", path, is_kept=True)


def _read_slowly(history: bytes, path: str) -> list[Message]:
    """Read messages that the decoder refused: surrogates and doubled keys decided, or say what is wrong with them."""
    value = decode_json(history)
    try:
        return _MESSAGES_DECODER.decode(encode(value))
    except msgspec.ValidationError:
        raise shape_error(list[Message], value, "invalid_input", path) from None


def without_answer(state: RunState) -> RunState:
    """Return the state as it is kept beside its answer, which a whole state holds once."""
    return replace(state, exchange=replace(state.exchange, answer=None))


def restored_state(agent: Agent, kept: RunState, answer: str | None, history: bytes, edited: bool) -> RunState:
    """Return the state of a run from what is kept of it, its answer and its history; check it.

    edited: the host has changed the messages since. A run whose log has not begun may have been given another
    history: then it begins with that one. Error codes: `invalid_input`, `invalid_state`, `unsupported_version`.
    """
    state = replace(kept, exchange=replace(kept.exchange, answer=answer))
    if edited:
        state = replace(state, policies=edited_policies(agent, state))
        state = fit_history(agent, state, read_messages(history))
    check_state(agent, state)
    if state.run.seq == 0 and not is_fresh(agent, history):
        adopted = adopted_state(agent, history, UNSET)
        exchange = replace(adopted.exchange, tool_choice=state.exchange.tool_choice)
        return replace(adopted, run_id=state.run_id, exchange=exchange)
    return state


def foreign_step(agent: Agent, state: RunState, observation: Observation, history: bytes) -> Step:
    """Consume one observation, after logging the part of the run that the log lacks."""
    drafts: list[Draft] = []
    if not state.run_id:
        state = replace(state, run_id=_made_run_id(agent, history, observation))
    if state.run.seq == 0 and state.messages:
        drafts.append(log_opening(agent, state, history))
    # Programs written for the two bare functions run the tool themselves and come back with the model's next
    # output: what they did with the calls is theirs, and is logged as such.
    is_unreported = agent.is_open and state.phase == "tools" and isinstance(observation, ModelOutput)
    if is_unreported:
        drafts.append(unreported(agent, drafts[-1].close() if drafts else state, observation.at))
    before = drafts[-1].close() if drafts else state
    if not (is_unreported and before.phase == "failed"):
        drafts.append(advance(agent, before, observation))
    after = drafts[-1].close()
    return Step(
        state=after,
        messages=tuple(message for draft in drafts for message in draft.messages),
        log="".join(draft.log_text() for draft in drafts),
        decision=decide(agent_after(agent, after), after),
    )


def start_after(agent: Agent, run_id: str, history: list[Message], observation: Observation) -> Step:
    """Begin a run with messages that were said before: the definition's preamble, these, and the observation's.

    history: what another program kept of a chat, without the preamble; it ends with the assistant's answer. Its
    tools' results count as those of this run, and nothing of it is checked or run again. Error codes: `invalid_input`,
    and those of `step_from`.
    """
    last = history[-1]
    if last.role != "assistant" or not isinstance(last.content, str) or last.tool_calls:
        raise PurestepError(
            "invalid_input",
            "expected messages that end with the assistant's answer; what it is asked next is the observation",
            f"/history/{len(history) - 1}",
        )
    odd = next((number for number, message in enumerate(history) if message.role not in _SAID_ROLES), None)
    if odd is not None:
        raise PurestepError(
            "invalid_input",
            f"expected role user, assistant or tool; got {excerpt_of(history[odd].role)}; what system messages say "
            "stands in the definition",
            f"/history/{odd}/role",
        )
    messages = [*agent.preamble, *fitted_history(agent, redacted_messages(agent, run_id, history))]
    whole = encode(messages)
    adopted = replace(adopted_state(agent, whole, text_of(messages[-1].content)), run_id=run_id)
    step = foreign_step(agent, adopted, observation, whole)
    return replace(step, messages=(*messages, *step.messages))


def _made_run_id(agent: Agent, history: bytes, observation: Observation) -> str:
    """Make the id of a run that its host gave none, of all there is when its log begins.

    Two runs share it, and so the keys of their calls, only if they have the same definition, messages and first
    observation, its `at` included.
    """
    return digest([agent.digest, decode_json(history), decode_json(encode(observation))])[:SIGNATURE_CHARS]


def adopted_state(agent: Agent, history: bytes, answer: str | UnsetType) -> RunState:
    """Return the small state of a run of which another program kept only the messages."""
    messages = read_messages(history)
    fresh = new_state(agent.digest, "")
    if not messages:
        return fresh
    last = len(messages) - 1
    size = len(agent.preamble)
    kept = size if size <= last and tuple(messages[:size]) == tuple(agent.preamble) else 0
    said = with_own_names(agent, messages[kept:])  # nobody has said the examples of the preamble
    policies = adopted_policies(agent, said)
    sent = recounted(messages, kept, last, agent.counter) if agent.windowed else None
    counted = first_history(agent, kept, last)
    began = replace(
        fresh,
        messages=len(messages),
        policies=policies,
        window=replace(fresh.window, preamble=kept, kept_from=kept, user_at=last, sent=sent, history=counted),
        exchange=replace(fresh.exchange, reason="start"),
    )
    began = replace(
        began,
        window=replace(began.window, attachments=with_attachments((), messages, 0)),
        exchange=replace(began.exchange, said_samples=adopted_samples(agent, said)),
    )
    if agent.keeps_spans:
        began = replace(began, run=replace(began.run, span_texts=adopted_span_texts(said)))
    if answer is UNSET:
        # After a reply nobody knows which calls were made: a message of the user may be the result of one.
        acts = () if all(message.role == "user" for message in said) else None
        return replace(began, exchange=replace(began.exchange, evidence=adopted_evidence(agent, said), acts=acts))
    return replace(began, phase="done", exchange=replace(began.exchange, answer=answer, reason="", acts=None))


def adopt(agent: Agent, event: RunStarted, at: int | None) -> tuple[Draft, list[Message]]:
    """Return the draft of a run that began with another program's messages, and those messages."""
    history = bytes(event.history) if event.history is not UNSET else b"[]"
    if event.tool_choice is not None and not choice_fits(agent, event.tool_choice):
        raise PurestepError("invalid_log", "expected a tool choice of tools that there are")
    adopted = replace(adopted_state(agent, history, event.answer), run_id=event.run_id)
    draft = Draft(agent, adopted, at, "")
    draft.exchange = replace(draft.exchange, tool_choice=event.tool_choice)
    log_start(draft, event.history, event.answer)
    return draft, read_messages(history)


def fit_history(agent: Agent, state: RunState, messages: list[Message]) -> RunState:
    """Return the state for a history that its host has edited: an index past its end moves to the last message."""
    if len(messages) != state.messages:
        state = without_planning(state)
        user_at = min(state.window.user_at, max(len(messages) - 1, 0))
        state = replace(
            state,
            messages=len(messages),
            window=replace(
                state.window,
                user_at=user_at,
                kept_from=min(state.window.kept_from, user_at),
                preamble=min(state.window.preamble, user_at),
                turn_at=state.window.turn_at if user_at < state.window.turn_at < len(messages) else 0,
                level=0,
            ),
            exchange=replace(
                state.exchange,
                negotiated=_without_places(state.exchange.negotiated),
                plan=None if state.exchange.plan is None else replace(state.exchange.plan, asked=0),
            ),
            run=replace(state.run, plan_requests=()),
        )
    if state.exchange.summing is not None:
        state = replace(
            state,
            exchange=replace(
                state.exchange, summing=None, reason=state.exchange.summing.reason, cause=state.exchange.summing.cause
            ),
        )
    state = replace(state, window=replace(state.window, attachments=with_attachments((), messages, 0)))
    if state.window.sent is None:
        return state
    sent = recounted(messages, state.window.preamble, state.window.user_at, agent.counter)
    history = first_history(agent, state.window.preamble, state.window.user_at)
    return replace(state, window=replace(state.window, sent=sent, history=history))


def _without_places(negotiated: Negotiated | None) -> Negotiated | None:
    return None if negotiated is None else replace(negotiated, skipped=(), failed_at=0)


def is_fresh(agent: Agent, history: bytes) -> bool:
    """Whether the history is what `create` made: the preamble and one user message."""
    messages = read_messages(history)
    if not messages or not isinstance(messages[-1].content, str):
        return False
    return messages == [*agent.preamble, Message(role="user", content=messages[-1].content)]


def log_opening(agent: Agent, state: RunState, history: bytes) -> Draft:
    """Log that the run began, and with which messages; `create` cannot, since it gives no log."""
    draft = Draft(agent, state, None, state.head)
    if state.phase != "done" and is_fresh(agent, history):
        opening = Draft(agent, new_state(agent.digest, state.run_id), None, "")
        content = text_of(read_messages(history)[-1].content)
        consume_user_message(opening, UserMessage(content=content, tool_choice=state.exchange.tool_choice))
        draft.lines, draft.head = opening.lines, opening.head
    else:
        log_start(
            draft, Raw(encode(decode_json(history))), UNSET if state.exchange.answer is None else state.exchange.answer
        )
    return draft


def unreported(agent: Agent, state: RunState, at: int | None) -> Draft:
    """Return the draft that closes pending calls whose results the host has not reported, and asks the model next."""
    draft = Draft(agent, state, at, state.head)
    may_have_begun = began(agent, state)
    missing = [call for call in state.pending if call.status != "done"]
    for call in missing:
        draft.fact(ToolResultEvent(tool_name=call.tool, call_id=call.call_id, ok=False, error_kind="unreported"))
    if len(missing) < len(state.pending):
        # What was reported is not lost; a host that reported nothing informs the model itself.
        instead = {call.call_id: _unreported_result(call, call.call_id in may_have_begun) for call in missing}
        say_results(draft, state.pending, instead)
    note_acts(draft, state.pending, may_have_begun)
    # The output that comes next was given without the messages that wait: they stay for the model call after it.
    queued = draft.run.queued
    draft.state = replace(draft.state, pending=(), run=replace(draft.run, queued=()))
    ask(draft, "tool_results")
    if queued:
        draft.run = replace(draft.run, queued=queued)
        if draft.state.phase == "failed":
            leave_queued(draft)
    return draft


def _unreported_result(call: Pending, may_have_begun: bool) -> str:
    """Return the text that stands where an unreported result would: a call that was handed out may have run.

    Without a definition no annotations say whether a tool only reads, so the model is not told to call it again.
    """
    if may_have_begun or call.unknown:
        return corrections.unreported(call.tool)
    return corrections.not_run(call.tool, "an earlier result was not reported")
