"""Words that an MCP server wants the model asked (sampling): made plain, bounded, and framed where a person reads them.

A server is given no part of the conversation, no tools and no image; what a person allows is all that the model reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from purestep import AskedForm, without_terminal_codes
from purestep_hosts.mcp.forms import plain
from purestep_hosts.tools.lent_model import LentReply, PlainMessage

if TYPE_CHECKING:
    from mcp_types import CreateMessageRequestParams, CreateMessageResult, ErrorData

Sampling = Literal["off", "ask", "auto"]
"""Whether a server may have the model asked: never, once a person has allowed it each time, or unasked."""

SAMPLING: Final[tuple[Sampling, ...]] = ("off", "ask", "auto")

MAX_ASKS: Final = 8
"""In one call, as many as its questions to a person: the budgets of the run are counted after it."""

_MAX_TOKENS: Final = 1000
"""Of one answer, whatever the server wants: a page and a half."""

_MAX_CHARS: Final = {"ask": 8_000, "auto": 32_000}
"""Of all messages together: what a person is shown whole, and what small windows have room for."""

_MAX_MESSAGES: Final = 32
"""Of one request; a longer talk is not shown to anybody."""

_REFUSED_BY_USER: Final = -1
"""The protocol's own code for a request that a person has refused."""


class RefusedSampling(Exception):
    """A request that reaches no model; the message says why."""


class WantedWords(msgspec.Struct, frozen=True, kw_only=True):
    """What a server wants the model asked; `form` is what a person is asked first, None where nobody is."""

    messages: tuple[PlainMessage, ...]
    max_tokens: int
    form: AskedForm | None = None


def wanted_words(server: str, sampling: Sampling, params: CreateMessageRequestParams) -> WantedWords:
    """Return what a server wants the model asked; raises RefusedSampling."""
    if params.include_context not in (None, "none"):
        raise RefusedSampling("the conversation is given to no server; leave out includeContext")
    if params.tools or params.tool_choice is not None:
        raise RefusedSampling("the model is asked without tools; leave them out")
    if params.max_tokens < 1:
        raise RefusedSampling(f"maxTokens is {params.max_tokens}; expected 1 or more")
    if not 0 < len(params.messages) <= _MAX_MESSAGES:
        raise RefusedSampling(f"it has {len(params.messages)} messages; expected 1 to {_MAX_MESSAGES}")
    raw, most = [*_given(params)], _MAX_CHARS[sampling]
    if (size := sum(len(text) for _, text in raw)) > most:
        raise RefusedSampling(f"it has {size:,} characters; the model is asked at most {most:,}")
    messages = tuple([PlainMessage(role=role, text=plain(without_terminal_codes(text), most)) for role, text in raw])
    tokens = min(params.max_tokens, _MAX_TOKENS)
    form = _form(server, messages, tokens) if sampling == "ask" else None
    return WantedWords(messages=messages, max_tokens=tokens, form=form)


def _given(params: CreateMessageRequestParams) -> Iterator[tuple[str, str]]:
    if params.system_prompt:
        yield "system", params.system_prompt
    for message in params.messages:
        blocks = message.content if isinstance(message.content, list) else [message.content]
        for block in blocks:
            if block.type != "text":
                raise RefusedSampling(f"it has a block of the type {block.type}; the model is asked in text alone")
            yield message.role, block.text


def _form(server: str, messages: tuple[PlainMessage, ...], tokens: int) -> AskedForm:
    """Return what a person is asked. The server's lines are marked, so that none passes for one of ours."""
    head = (
        f"The MCP server {server} wants the model to be asked what follows, in its own words, which may come from "
        f"anybody. The server gets the answer, of at most {tokens} tokens."
    )
    lines = [line for each in messages for line in (f"{each.role}:", *[f"| {one}" for one in each.text.split("\n")])]
    form = {"type": "object", "properties": {}, "additionalProperties": False}
    return AskedForm(message="\n".join((head, *lines)), form=form)


def as_answer(reply: LentReply) -> CreateMessageResult:
    """Return what the model said as the server is told it."""
    from mcp_types import CreateMessageResult, TextContent

    return CreateMessageResult(
        role="assistant",
        content=TextContent(type="text", text=reply.text),
        model=reply.model,
        stop_reason="maxTokens" if reply.is_cut else "endTurn",
    )


def refused_by_user() -> ErrorData:
    """Return the protocol's refusal by a person."""
    from mcp_types import ErrorData

    return ErrorData(code=_REFUSED_BY_USER, message="User rejected sampling request")


def refused(why: str) -> ErrorData:
    """Return a refusal of a request that reaches no model, in words."""
    from mcp_types import INVALID_REQUEST, ErrorData

    return ErrorData(code=INVALID_REQUEST, message=f"the model is not asked: {why}")


def as_sampling(value: Any) -> Sampling | None:
    """Return a setting that says whether a server may have the model asked; None where a value is none."""
    return next((each for each in SAMPLING if each == value), None)
