"""Replies and faults as JSON functions: a value goes in, the next one and what there is to show come out.

The text of a reply does not travel with the value: the host keeps the pieces, which each feeding gives, and hands
them back at the end. So a feeding costs as much as its chunks, the filter and the arguments of native calls so far.
"""

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from purestep.errors import PurestepError
from purestep.lazy import lazy_decoder
from purestep.steps import read_input
from purestep.values import Millis, ModelError, RunState, StreamEvent

from .faults import ReplyEnd, read_fault
from .growing import GrowingText
from .reply import Observed, Reply, close_reply, feed_reply, open_reply


class ReplyInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`state` or nothing opens a reply, `reply` and `chunks` feed it, `reply` and `text` close it.

    model: when opening, the name of the model that is asked. request: the body that is sent, without messages and
    tools. at: the host's clock as it is sent, or as the chunks came. text: all the texts that the feedings gave, in
    order. end: how it ended, or the observation that a model made itself or that stops the run; left out, the reply
    ended by itself.
    """

    state: RunState | UnsetType = UNSET
    model: str | UnsetType = UNSET
    request: dict[str, Any] | UnsetType = UNSET
    at: Millis | UnsetType = UNSET
    reply: Reply | UnsetType = UNSET
    chunks: tuple[str, ...] | UnsetType = UNSET
    text: str | UnsetType = UNSET
    end: ReplyEnd | Observed | UnsetType = UNSET


class ReplyOutput(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reply to hand back, while it is open, and what can be shown now.

    text: what the chunks added. is_over: the rest of the reply need not be read. is_settled: its
    decision is certain, however it ends. observation: its result.
    """

    reply: Reply | UnsetType = UNSET
    events: tuple[StreamEvent, ...] = ()
    text: str = ""
    is_over: bool = False
    is_settled: bool = False
    observation: Observed | UnsetType = UNSET


_DECODER: Final = lazy_decoder(ReplyInput)
_END_DECODER: Final = lazy_decoder(ReplyEnd)
_MEMBERS: Final = {
    "open": ("state", "model", "request", "at"),
    "feed": ("reply", "chunks", "at"),
    "close": ("reply", "text", "end"),
}
"""What each act takes."""


def reply_from_json(data: bytes) -> ReplyOutput:
    """Open, feed or close a reply. Error codes: `invalid_input`, `invalid_state`, `unknown_agent`."""
    given = read_input(ReplyInput, _DECODER.decode, data)
    act = "open" if given.reply is UNSET else "close" if given.chunks is UNSET else "feed"
    _check_members(given, act)
    if given.reply is UNSET:
        return ReplyOutput(reply=_opened(given))
    if given.chunks is UNSET:
        return _closed(given.reply, given)
    return _fed(given.reply, given.chunks, None if given.at is UNSET else given.at)


def _opened(given: ReplyInput) -> Reply:
    return open_reply(
        None if given.state is UNSET else given.state,
        "" if given.model is UNSET else given.model,
        None if given.request is UNSET else given.request,
        None if given.at is UNSET else given.at,
    )


def _check_members(given: ReplyInput, act: str) -> None:
    for name in given.__struct_fields__:
        if getattr(given, name) is not UNSET and name not in _MEMBERS[act]:
            expected = " and ".join(_MEMBERS[act])
            raise PurestepError("invalid_input", f"expected {expected} to {act} a reply; got {name}", f"/{name}")


def _fed(reply: Reply, chunks: tuple[str, ...], at: int | None) -> ReplyOutput:
    events: list[StreamEvent] = []
    for chunk in chunks:
        reply, happened = feed_reply(reply, chunk, at)
        events += happened
    text = reply.completion.text
    bare = replace(reply, completion=replace(reply.completion, text=replace(text, parts=())))
    return ReplyOutput(
        reply=bare,
        events=tuple(events),
        text="".join(text.parts),
        is_over=reply.is_over,
        is_settled=reply.is_settled,
    )


def _closed(reply: Reply, given: ReplyInput) -> ReplyOutput:
    text = "" if given.text is UNSET else given.text
    if len(text) != reply.chars:
        raise PurestepError(
            "invalid_input",
            f"expected text: the {reply.chars} characters that the feedings gave, in order; got {len(text)}",
            "/text",
        )
    whole = GrowingText(parts=(text,), half=reply.completion.text.half)
    restored = replace(reply, completion=replace(reply.completion, text=whole))
    observation, events = close_reply(restored, ReplyEnd() if given.end is UNSET else given.end)
    return ReplyOutput(observation=observation, events=events)


def fault_from_json(data: bytes) -> ModelError:
    """Return the observation for a reply that failed. Error codes: `invalid_input`."""
    return read_fault(read_input(ReplyEnd, _END_DECODER.decode, data))
