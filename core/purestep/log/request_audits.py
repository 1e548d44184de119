"""Requests that another program has recorded, compared as those of a log are."""

from itertools import takewhile
from typing import Any, Final, NamedTuple

from msgspec import Struct, ValidationError
from msgspec.structs import replace

from ..errors import PurestepError
from ..json_text import decode_json, encode, to_bytes
from ..lazy import convert_to
from ..values import Usage
from ..window import ANY_TOKENIZER
from .cached_parts import AuditedRequest, SentParts, common_parts, compared

_KEPT: Final = 64
"""Requests that a later one is compared with: more conversations than that nobody has open at once."""
_HEAD: Final = ("tools", "schema")
_INSTRUCTIONS: Final = ("system", "developer")


class _Request(Struct, frozen=True):
    """A request in OpenAI's form, as far as a cache has it."""

    messages: tuple[dict[str, Any], ...]
    model: str = ""
    tools: tuple[dict[str, Any], ...] = ()
    response_format: dict[str, Any] | None = None
    system: Any = None
    """Of Anthropic's form, which has parts of a request in other places."""


class _CachedDetails(Struct, frozen=True):
    cached_tokens: int | None = None


class _ToldUsage(Struct, frozen=True):
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    prompt_tokens_details: _CachedDetails | None = None


class _Reply(Struct, frozen=True):
    usage: _ToldUsage | None = None


class _RecordedLine(Struct, frozen=True):
    """What may stand around a request: it is `request` or `body` then; `usage` stands beside it, or in `response`."""

    request: dict[str, Any] | None = None
    body: dict[str, Any] | None = None
    response: _Reply | None = None
    usage: _ToldUsage | None = None


class _Sent(NamedTuple):
    """A request as it was sent; `said`: its messages after the instructions at the beginning."""

    model: str
    parts: SentParts
    roles: tuple[str, ...]
    said: list[bytes]


def audit_requests(text: str | bytes) -> tuple[AuditedRequest, ...]:
    """Compare the requests that another program has recorded, each with an earlier one of its conversation.

    text: a line of JSON for each, in OpenAI's form: `messages`, `tools`, `response_format`, `model`, or these as
    `request` or `body`; `usage` beside them or in `response`. `cause` is `start`, `model`, `tools`, `schema`,
    `system`, or `messages`, where one that was sent is missing or another one. Error codes: `invalid_json` and
    `invalid_input`, both with the line.
    """
    found: list[AuditedRequest] = []
    kept: list[_Sent] = []
    for line, data in enumerate(to_bytes(text).split(b"\n"), 1):
        if data.strip(b" \t\r"):
            request, usage = _recorded(line, data)
            sent = _sent(request, usage)
            before = _before(kept, sent)
            common = 0 if before is None or before.model != sent.model else common_parts(before.parts, sent.parts)
            cause = "start" if before is None else _cause(before, common, sent)
            earlier = None if before is None else before.parts
            found.append(replace(compared(line, sent.parts, earlier, common, cause, usage), model=request.model))
            kept = [*kept[1 - _KEPT :], sent]
    return tuple(found)


def _before(kept: list[_Sent], sent: _Sent) -> _Sent | None:
    """Return the latest of the requests that share most of the conversation with this one; None where none does.

    What is said counts first, since tools and instructions stand before it: where these have changed, nothing of the
    request begins as before, though it is the same conversation.
    """
    shared = [(*_shared(each, sent), at) for at, each in enumerate(kept)]
    said, common, _, at = max(shared, default=(0, 0, False, 0))
    head = sent.parts.head
    begins = common > head or (common == head and bool(sent.parts.parts[0]))
    return kept[at] if shared and (said or begins) else None


def _shared(one: _Sent, other: _Sent) -> tuple[int, int, bool]:
    """Return how many messages of the conversation two requests share, and how many parts, and whether the model."""
    pairs = enumerate(zip(one.said, other.said, strict=False))
    least = min(len(one.said), len(other.said))
    is_model = one.model == other.model
    said = next((at for at, (mine, theirs) in pairs if mine != theirs), least)
    return said, common_parts(one.parts, other.parts) if is_model else 0, is_model


def _recorded(line: int, data: bytes) -> tuple[_Request, Usage | None]:
    try:
        value = decode_json(data)
        around: _RecordedLine = convert_to(value, _RecordedLine)
        request: _Request = convert_to(around.request or around.body or value, _Request)
    except PurestepError as error:
        raise PurestepError(error.code, f"line {line}: {error.message}", f"/{line}") from None
    except ValidationError:
        text = f"line {line}: expected a request in OpenAI's form, with messages; or one as request or body"
        raise PurestepError("invalid_input", text, f"/{line}") from None
    if request.system is not None:
        text = f"line {line}: `system` beside `messages` is Anthropic's form; expected a request in OpenAI's"
        raise PurestepError("invalid_input", text, f"/{line}")
    told = around.usage or (None if around.response is None else around.response.usage)
    if told is None:
        return request, None
    details = told.prompt_tokens_details
    cached = told.cached_tokens if details is None else details.cached_tokens
    return request, Usage(prompt_tokens=told.prompt_tokens, cached_tokens=cached)


def _sent(request: _Request, usage: Usage | None) -> _Sent:
    tools = encode(request.tools) if request.tools else b""
    schema = b"" if request.response_format is None else encode(request.response_format)
    parts = [tools, schema, *map(encode, request.messages)]
    tokens = [ANY_TOKENIZER.text(part.decode()) for part in parts]
    told = None if usage is None else usage.prompt_tokens
    roles = tuple([str(message.get("role")) for message in request.messages])
    instructions = sum(1 for _ in takewhile(_INSTRUCTIONS.__contains__, roles))
    sent = SentParts(parts=parts, tokens=tokens, head=len(_HEAD), prompt_tokens=told)
    return _Sent(request.model, sent, roles, parts[len(_HEAD) + instructions :])


def _cause(before: _Sent, common: int, sent: _Sent) -> str:
    """Return what differs first: nothing, where all of the request before stands."""
    if before.model != sent.model:
        return "model"
    if common == len(before.parts.parts):
        return ""
    if common < len(_HEAD):
        return _HEAD[common]
    place = common - len(_HEAD)
    roles = before.roles[place : place + 1] + sent.roles[place : place + 1]
    is_system = any(role in _INSTRUCTIONS for role in roles)
    return "system" if is_system else "messages"
