"""The messages of a prompt as a model's server takes them.

What one model's provider gave with its calls goes to no other model: reasoning comes encrypted or signed for the one
that wrote it. Where the server's chat template demands that roles alternate, a word of the assistant stands between
what it takes for two messages of the user; where it demands ids of calls of one length, they are numbered.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..json_text import encode
from .content import ContentPart, TextPart, joined_content, kind_of, parts_of, text_of
from .sent import ShortenedMessage
from .wire import CallModel, Message, NativeCall


def prompt_messages(decision: CallModel, transcript: Sequence[Message]) -> list[Message]:
    """Return the messages that a decision sends to the model.

    They are its own, then its ranges of the transcript and messages with cuts. Content whose parts are all text is one
    text, since many servers take no other. What one model's provider gave goes to no other model.
    """
    messages: list[Message] = list(decision.messages) if decision.messages else []
    plain = 0 if decision.extra_from is UNSET else decision.extra_from
    for entry in decision.prompt:
        begin, end = (entry.index, entry.index + 1) if isinstance(entry, ShortenedMessage) else entry
        named = list(transcript[begin:end])
        if isinstance(entry, ShortenedMessage):
            named = [replace(transcript[begin], content=entry.apply(transcript[begin].content or ""))]
        for at, message in enumerate(named[: max(0, plain - begin)]):
            if message.tool_calls is not UNSET and message.extra is not None:
                named[at] = replace(message, extra=None, extra_model=UNSET)
        messages += named
    model = decision.extra_model or decision.model
    sent = [_sent(message, model) for message in messages]
    if decision.call_id_chars is not UNSET:
        sent = _numbered(sent, decision.call_id_chars)
    if decision.call_extra is not UNSET:
        sent = _with_extra(sent, msgspec.json.decode(decision.call_extra))
    return sent if decision.apart is UNSET else _alternating(sent, decision.apart)


def _plain(message: Message) -> Message:
    is_text = isinstance(message.content, tuple) and not parts_of(message.content)
    return replace(message, content=text_of(message.content)) if is_text else message


def _is_text(part: ContentPart) -> bool:
    return isinstance(part, TextPart) or kind_of(part) == "text"


def _sent(message: Message, model: str | UnsetType) -> Message:
    message = _plain(message)
    if message.extra is not None and message.extra_model != model:
        return replace(message, extra=None, extra_model=UNSET)
    return message


def _with_extra(messages: Sequence[Message], members: dict[str, Any]) -> list[Message]:
    """Return messages in which calls of other models have more members, in what goes on since the user's last words."""
    last = max([at for at, message in enumerate(messages) if message.role == "user"], default=-1)
    sent = list(messages[: last + 1])
    for message in messages[last + 1 :]:
        if message.tool_calls is UNSET or message.extra is not None:
            sent.append(message)
            continue
        calls: list[Any] = msgspec.json.decode(encode(message.tool_calls))
        first = [{**call, **members} for call in calls[:1]]
        sent.append(replace(message, extra={"tool_calls": [*first, *calls[1:]]}))
    return sent


def _numbered(messages: Sequence[Message], digits: int) -> list[Message]:
    """Return messages whose calls have numbers of so many digits as ids, from 1 in the order in which they come."""
    ids: dict[str, str] = {}

    def numbered(call_id: str | None) -> str | None:
        return None if call_id is None else ids.setdefault(call_id, str(len(ids) + 1).zfill(digits))

    sent: list[Message] = []
    for each in messages:
        message = each
        if message.tool_calls is not UNSET:
            calls = tuple([replace(call, id=numbered(call.id)) for call in message.tool_calls])
            message = replace(message, tool_calls=calls, extra=_with_ids(message.extra, calls))
        if isinstance(message.tool_call_id, str):
            message = replace(message, tool_call_id=numbered(message.tool_call_id))
        sent.append(message)
    return sent


def _with_ids(extra: Any, calls: Sequence[NativeCall]) -> Any:
    """Return what a provider gave with calls: its calls, which stand for the message's own, get their ids.

    A history that a host hands in may have anything there.
    """
    given = extra.get("tool_calls") if isinstance(extra, dict) else None
    if not isinstance(given, list):
        return extra
    pairs = zip(given, [call.id for call in calls], strict=False)
    named = [
        {**entry, "id": call_id} if isinstance(entry, dict) and "id" in entry else entry for entry, call_id in pairs
    ]
    return {**extra, "tool_calls": named}


def _alternating(messages: Sequence[Message], word: str) -> list[Message]:
    """Return messages in which roles alternate: images and files of results are the user's, after all results.

    word: the assistant's, before a message of the user that follows one, or results.
    """
    apart = Message(role="assistant", content=word)
    sent: list[Message] = []
    shown: list[ContentPart] = []
    for each in messages:
        message = each
        if each.role == "tool" and isinstance(each.content, tuple):
            shown += [part for part in each.content if not _is_text(part)]
            message = _plain(replace(each, content=tuple([part for part in each.content if _is_text(part)])))
        elif shown and each.role == "user":
            message = replace(each, content=joined_content((tuple(shown), each.content or "")))
            shown = []
        elif shown and each.role != "tool":
            sent += [apart, Message(role="user", content=tuple(shown))]
            shown = []
        if each.role == "user" and sent and sent[-1].role in ("user", "tool"):
            sent.append(apart)
        sent.append(message)
    return [*sent, apart, Message(role="user", content=tuple(shown))] if shown else sent


def sent_message(message: Message) -> dict[str, Any]:
    """Return a message as a server gets it, JSON-ready: what its provider sent with calls stands among its members."""
    is_plain = message.tool_calls is UNSET and message.tool_call_id is UNSET and message.extra is None
    if is_plain and isinstance(message.content, str):  # nearly all, and by JSON they take five times as long
        return {"role": message.role, "content": message.content}
    fields: dict[str, Any] = msgspec.json.decode(encode(message))
    extra = fields.pop("extra", None)
    fields.pop("extra_model", None)
    # A history that a host hands in may have anything there.
    return {**fields, **extra} if isinstance(extra, dict) else fields
