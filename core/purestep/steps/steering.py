"""Steering: user messages that come in the middle of a run, and where they are put.

A message that comes while the model, a person or tools are waited for is logged at once and kept in the state: the
decision that stands is not changed by it, so a host goes on with what it is doing. When the model is asked next, the
messages come last in its prompt. An answer that was given without them is one all the same; then they begin the next
exchange.
"""

from msgspec import Struct
from msgspec.structs import replace

from ..agent import corrections
from ..bounds import MAX_QUEUED_CHARS, MAX_QUEUED_MESSAGES, MAX_QUEUED_PARTS
from ..draft import (
    Draft,
    check_choice,
    check_content,
    check_data,
    check_pinned,
    check_room,
    join_evidence,
    note_message,
    note_said,
    note_span_text,
    note_values,
    pin_latest,
)
from ..errors import PurestepError
from ..json_text import without_terminal_codes
from ..values import (
    Content,
    DataText,
    Decided,
    QueuedMessage,
    TextPart,
    ToolChoice,
    UserMessage,
    UserMessageEvent,
    joined_content,
    parts_of,
    text_of,
)
from ..window import data_text, with_data


class TakenMessages(Struct, frozen=True, kw_only=True):
    """What queued messages say: the user's words, these as the model reads them, and what came along."""

    content: Content
    shown: Content
    data: tuple[DataText, ...]
    choice: ToolChoice | None
    pinned: bool


def message_event(said: UserMessage) -> UserMessageEvent:
    """Return what the log says of a user message."""
    return UserMessageEvent(
        content=said.content, data=said.data, tool_choice=said.tool_choice, refused=said.refused, pinned=said.pinned
    )


def queue_message(draft: Draft, observation: UserMessage) -> None:
    """Log a message and keep it until the model is asked next; what is waited for stays the same."""
    check_choice(draft.agent, observation.tool_choice, "/observation")
    check_content(observation.content, "/observation/content")
    check_room(draft.state, observation.content)
    check_data(observation.data)
    check_pinned(draft, observation.pinned)
    message = QueuedMessage(
        content=observation.content,
        data=observation.data,
        tool_choice=observation.tool_choice,
        pinned=observation.pinned,
    )
    queued = (*draft.run.queued, message)
    if not _within_bounds(queued):
        raise PurestepError(
            "input_too_large",
            f"expected at most {MAX_QUEUED_MESSAGES} messages, of {MAX_QUEUED_CHARS} characters and "
            f"{MAX_QUEUED_PARTS} parts together, until the model is asked next; send the rest when the run has gone on",
            "/observation/content",
        )
    draft.fact(message_event(observation))
    draft.run = replace(draft.run, queued=queued)


def take_queued(draft: Draft) -> TakenMessages:
    """Take the messages out of the state: what they say together, and the latest tool choice among them."""
    queued = draft.run.queued
    draft.run = replace(draft.run, queued=())
    choices = [message.tool_choice for message in queued if message.tool_choice is not None]
    return TakenMessages(
        content=joined_content([message.content for message in queued]),
        shown=joined_content([with_data(message.content, message.data) for message in queued]),
        data=tuple([each for message in queued for each in message.data]),
        choice=choices[-1] if choices else None,
        pinned=any(message.pinned for message in queued),
    )


def put_queued(draft: Draft) -> None:
    """Put the messages that came meanwhile before the model call that is asked for now, and note what they say."""
    queued = take_queued(draft)
    text = without_terminal_codes(text_of(queued.content))
    draft.derived(Decided(reason="steered"))
    if queued.choice is not None:
        draft.exchange = replace(draft.exchange, tool_choice=queued.choice)
    note_values(draft, text)
    note_values(draft, data_text(queued.data))
    note_said(draft, text)
    note_span_text(draft, text)
    note_span_text(draft, data_text(queued.data))
    join_evidence(draft, text)
    note_message(draft, queued.content, queued.data)
    last = draft.joinable()
    if last is not None and last.content:
        draft.messages[-1] = replace(last, content=joined_content((last.content, _added(queued.shown))))
    else:
        draft.say_apart(queued.shown)
    if queued.pinned:
        pin_latest(draft)


def _added(content: Content) -> Content:
    """Return what the user has said meanwhile, where it stands after something else in one message."""
    said = corrections.user_adds(text_of(content))
    return said if isinstance(content, str) else (TextPart(text=said), *[part for _, part in parts_of(content)])


def leave_queued(draft: Draft) -> None:
    """Put the messages at the end of a transcript whose run has failed: the next exchange goes on from them."""
    queued = take_queued(draft)
    note_message(draft, queued.content, queued.data)
    draft.say_apart(queued.shown)
    if queued.pinned:
        pin_latest(draft)


def _within_bounds(queued: tuple[QueuedMessage, ...]) -> bool:
    chars = sum([len(text_of(message.content)) + len(data_text(message.data)) for message in queued])
    parts = sum([1 if isinstance(message.content, str) else len(message.content) for message in queued])
    return len(queued) <= MAX_QUEUED_MESSAGES and chars <= MAX_QUEUED_CHARS and parts <= MAX_QUEUED_PARTS
