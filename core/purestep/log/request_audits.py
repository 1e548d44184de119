"""Requests that another program has recorded, compared as those of a log are."""

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


class _Earlier(NamedTuple):
    model: str
    sent: SentParts
    roles: tuple[str, ...]


def audit_requests(text: str | bytes) -> tuple[AuditedRequest, ...]:
    """Compare the requests that another program has recorded, each with the earlier one of which it has most.

    text: a line of JSON for each, in OpenAI's form: `messages`, `tools`, `response_format`, `model`, or these as
    `request` or `body`; `usage` beside them or in `response`. `cause` is `start`, `tools`, `schema`, `system`, or
    `messages`, where one that was sent is missing or another one. Error codes: `invalid_json` and `invalid_input`, both
    with the line.
    """
    found: list[AuditedRequest] = []
    kept: list[_Earlier] = []
    for line, data in enumerate(to_bytes(text).split(b"\n"), 1):
        if data.strip(b" \t\r"):
            request, usage = _recorded(line, data)
            sent = _parts(request, usage)
            roles = tuple([str(message.get("role")) for message in request.messages])
            before = _before(kept, request.model, sent)
            common = common_parts(None if before is None else before.sent, sent)
            cause = "start" if before is None else _cause(before, common, roles)
            earlier = None if before is None else before.sent
            found.append(replace(compared(line, sent, earlier, common, cause, usage), model=request.model))
            kept = [*kept[1 - _KEPT :], _Earlier(request.model, sent, roles)]
    return tuple(found)


def _before(kept: list[_Earlier], model: str, sent: SentParts) -> _Earlier | None:
    """Return the latest of the requests that begin most as this one does; None where none has a message of it."""
    shared = [(common_parts(each.sent, sent), at) for at, each in enumerate(kept) if each.model == model]
    common, at = max(shared, default=(0, 0))
    begins = common > sent.head or (common == sent.head and bool(sent.parts[0]))
    return kept[at] if shared and begins else None


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
    told = around.usage or (None if around.response is None else around.response.usage)
    if told is None:
        return request, None
    details = told.prompt_tokens_details
    cached = told.cached_tokens if details is None else details.cached_tokens
    return request, Usage(prompt_tokens=told.prompt_tokens, cached_tokens=cached)


def _parts(request: _Request, usage: Usage | None) -> SentParts:
    tools = encode(request.tools) if request.tools else b""
    schema = b"" if request.response_format is None else encode(request.response_format)
    parts = [tools, schema, *map(encode, request.messages)]
    tokens = [ANY_TOKENIZER.text(part.decode()) for part in parts]
    told = None if usage is None else usage.prompt_tokens
    return SentParts(parts=parts, tokens=tokens, head=len(_HEAD), prompt_tokens=told)


def _cause(before: _Earlier, common: int, roles: tuple[str, ...]) -> str:
    """Return what differs first: nothing, where all of the request before stands."""
    if common == len(before.sent.parts):
        return ""
    if common < len(_HEAD):
        return _HEAD[common]
    place = common - len(_HEAD)
    is_system = before.roles[place] in _INSTRUCTIONS and roles[place : place + 1] == before.roles[place : place + 1]
    return "system" if is_system else "messages"
