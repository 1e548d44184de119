"""A user message begins a run, or a new exchange in a run that has ended."""

from collections.abc import Sequence

from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from ..agent import Agent
from ..bounds import SCHEMA_VERSION
from ..draft import (
    ONLY_SYSTEM,
    Draft,
    begin_carrying,
    begin_evidence,
    check_choice,
    check_content,
    check_data,
    check_pinned,
    check_room,
    choose_first_model,
    count_above,
    first_history,
    leave_out,
    note_exchange,
    note_message,
    note_question,
    note_span_text,
    redacted_text,
    with_model,
)
from ..json_text import without_terminal_codes
from ..values import (
    Content,
    DataText,
    Decided,
    ExchangeState,
    ExchangeUse,
    RunStarted,
    Sent,
    ToolChoice,
    UserMessage,
    WindowState,
    new_state,
    text_of,
)
from ..window import data_text, with_data
from .limits import ask
from .steering import message_event, take_queued


def consume_user_message(draft: Draft, observation: UserMessage) -> None:
    """Add the message to the transcript and ask the model; the first one brings the preamble."""
    check_choice(draft.agent, observation.tool_choice, "/observation")
    check_content(observation.content, "/observation/content")
    check_room(draft.state, observation.content)
    check_data(observation.data)
    check_pinned(draft, observation.pinned)
    first = draft.state.messages == 0
    if first:
        open_transcript(draft)
        log_start(draft)
    content, data, choice = observation.content, observation.data, observation.tool_choice
    turn_at = draft.window.turn_at
    unanswered = draft.state.phase == "failed" and (not turn_at or turn_at != draft.state.messages - 1)
    draft.fact(message_event(observation))
    if unanswered:
        draft.say_unanswered()
    start_exchange(draft, content, choice, data, pinned=observation.pinned)
    for member in observation.refused:
        leave_out(draft, member)
    draft.say("user", with_data(content, data))
    ask(draft, "start" if first else "user_message")


def begin_queued(draft: Draft) -> None:
    """Begin an exchange with the messages that came before the answer was there; it was given without them."""
    queued = take_queued(draft)
    draft.derived(Decided(reason="steered"))
    start_exchange(draft, queued.content, queued.choice, queued.data, pinned=queued.pinned)
    draft.say("user", queued.shown)
    ask(draft, "user_message")


def begin_unlogged(agent: Agent, run_id: str, query: str, tool_choice: ToolChoice | None = None) -> Draft:
    """Draft the beginning of a run whose first lines are logged with its first step."""
    draft = Draft(agent, new_state(agent.digest, run_id), None, "")
    open_transcript(draft)
    query = redacted_text(agent, run_id, query)
    start_exchange(draft, query, tool_choice)
    draft.say("user", query)
    ask(draft, "start")
    draft.lines, draft.head = [], ""
    return draft


def open_transcript(draft: Draft) -> None:
    """Begin the transcript with the definition's preamble; of the narrower prompts only the last drops it."""
    draft.messages.extend(draft.agent.preamble)
    size = len(draft.messages)
    draft.window = replace(
        draft.state.window,
        preamble=size,
        kept_from=size,
        sent=Sent() if draft.agent.windowed else None,
        history=first_history(draft.agent),
    )


def log_start(draft: Draft, history: Raw | UnsetType = UNSET, answer: str | UnsetType = UNSET) -> None:
    """Log that the run began, with its definition and, for an imported one, the messages it began with."""
    draft.fact(
        RunStarted(
            schema_version=SCHEMA_VERSION,
            run_id=draft.state.run_id,
            agent=Raw(draft.agent.source),
            history=history,
            answer=answer,
            tool_choice=draft.state.exchange.tool_choice if history is not UNSET else None,
        )
    )


def _with_examples(window: WindowState) -> WindowState:
    """Return the window whose next prompt has its examples again, which the server has not counted."""
    if window.sent is None or window.level < ONLY_SYSTEM:
        return window
    return replace(window, sent=replace(window.sent, counted=0, since=0))


def start_exchange(
    draft: Draft,
    content: Content = "",
    tool_choice: ToolChoice | None = None,
    data: Sequence[DataText] = (),
    *,
    pinned: bool = False,
) -> None:
    """Begin an exchange; what counts over the whole run stays."""
    text = without_terminal_codes(text_of(content))
    if draft.above is not None:
        count_above(draft)
        draft.counted = ExchangeUse(turns=0)
    # What agents called before in this exchange have done is theirs to know from the beginning.
    effects = draft.exchange.effects if draft.above is not None and not draft.state.messages else ()
    window = with_model(_with_examples(draft.state.window), 0)
    draft.state = replace(
        draft.state,
        exchange=ExchangeState(
            used=ExchangeUse(turns=0), started_at=draft.at, tool_choice=tool_choice, effects=effects
        ),
        window=replace(window, user_at=draft.next_index, turn_at=0, level=0),
    )
    if draft.agent.history is not None:
        note_exchange(draft, pinned=pinned)
    choose_first_model(draft, content, data)
    along = data_text(data) if data else ""
    begin_carrying(draft, text, along)
    note_question(draft, text)
    note_span_text(draft, text)
    note_span_text(draft, along)
    begin_evidence(draft, text)
    note_message(draft, content, data)
