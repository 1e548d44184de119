"""Messages that another program kept, as a strict server takes them: they are logged so and sent so.

Servers hold names of past calls to a pattern, read their arguments, want each id once and each call answered, and
refuse an empty answer and two messages of one role in a row, which become one. A name that stands for one of the
definition's tools is read as that tool's, in the messages and in what the model calls next.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from ..agent import Agent, corrections, sent_function
from ..json_text import WHITE_SPACE
from ..lazy import lazy_pattern
from ..values import Message, NativeCall, joined_content, returned_extra, text_of

_OWN_ID: Final = lazy_pattern(r"call_[0-9]+")


def fitted_history(agent: Agent, messages: Sequence[Message]) -> list[Message]:
    """Return messages as a strict server takes them; what fits stays as it is."""
    fitted: list[Message] = []
    known: set[str] = set()  # order: only asked for what it holds
    fresh = (f"past_{number}" for number in count(1))
    waiting: list[tuple[str, str]] = []
    """The ids that calls without a result had, and those that they have."""
    for each in _joined(messages):
        if each.role == "tool":
            fitted.append(_result(each, waiting))
            continue
        fitted += [_no_result(call_id) for _, call_id in waiting]
        waiting, message = [], each
        if message.role == "assistant" and message.tool_calls:
            calls = tuple([_call(agent, call, known, fresh) for call in message.tool_calls])
            waiting = [(before.id or "", call.id or "") for before, call in zip(message.tool_calls, calls, strict=True)]
            if calls != message.tool_calls:
                message = replace(message, tool_calls=calls, extra=returned_extra(message.extra, calls))
        elif message.role == "assistant" and not text_of(message.content).strip(WHITE_SPACE):
            message = replace(message, content=corrections.wrote_nothing(), tool_calls=UNSET)
        fitted.append(message)
    return fitted


def _joined(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield messages, those of one role in a row as one."""
    row: list[Message] = []
    for message in messages:
        if row and not _is_one(row[-1], message):
            yield _one(row)
            row = []
        row.append(message)
    if row:
        yield _one(row)


def _one(row: list[Message]) -> Message:
    if len(row) == 1:
        return row[0]
    return replace(row[-1], content=joined_content([each.content for each in row if each.content]))


def _is_one(before: Message, message: Message) -> bool:
    """Whether two messages are one of their role, with all that both say."""
    is_alone = not before.tool_calls and before.extra is None
    return before.role == message.role and (message.role == "user" or (message.role == "assistant" and is_alone))


def with_own_names(agent: Agent, messages: Sequence[Message]) -> Sequence[Message]:
    """Return messages whose calls have the tools' own names."""
    if not agent.own_names:
        return messages
    return [_named(agent, message) if message.tool_calls else message for message in messages]


def _named(agent: Agent, message: Message) -> Message:
    calls = [
        replace(call, function=replace(call.function, name=agent.own_names.get(call.function.name, call.function.name)))
        for call in message.tool_calls or ()
    ]
    return replace(message, tool_calls=tuple(calls))


def _call(agent: Agent, call: NativeCall, known: set[str], fresh: Iterator[str]) -> NativeCall:
    """Return a call with a name and arguments that fit, and an id of its own: the run's calls are numbered anew."""
    call_id = call.id or ""
    if not call_id or call_id in known or _OWN_ID.fullmatch(call_id):
        call_id = next(each for each in fresh if each not in known)
    known.add(call_id)
    return replace(call, id=call_id, function=sent_function(call.function, agent.name_chars))


def _result(message: Message, waiting: list[tuple[str, str]]) -> Message:
    """Return a result under the id that its call has, which waits no more."""
    for number, (before, call_id) in enumerate(waiting):
        if before == (message.tool_call_id or ""):
            del waiting[number]
            return replace(message, tool_call_id=call_id)
    return message


def _no_result(call_id: str) -> Message:
    return Message(role="tool", tool_call_id=call_id, content=corrections.no_result())
