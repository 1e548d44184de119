"""Requests that another program has recorded, a line of JSON each in OpenAI's form, by the parts that a cache has."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from msgspec import Struct, ValidationError

from ..errors import PurestepError
from ..json_text import decode_json, encode
from ..lazy import convert_to
from ..values import Count, PartKind, Usage
from ..window import ANY_TOKENIZER, attachment_tokens
from .cached_parts import SentParts

Members = dict[str, Any]

_MEDIA: Final[dict[str, PartKind]] = {"image_url": "image", "input_audio": "audio", "file": "file"}
"""The parts of a message that are no text: what each has stands in the member of its own name."""
_CACHE_MARK: Final = "cache_control"
"""A member that tells a server where to cache; it is no part of the prompt, and moves along with it."""


class _Request(Struct, frozen=True):
    """A request in OpenAI's form, as far as a cache has it."""

    messages: tuple[Members, ...]
    model: str = ""
    tools: tuple[Members, ...] | None = None
    response_format: Members | None = None
    system: Any = None
    """Of Anthropic's form, which has parts of a request in other places."""


class _CachedDetails(Struct, frozen=True):
    cached_tokens: Count | None = None


class _ToldUsage(Struct, frozen=True):
    prompt_tokens: Count | None = None
    cached_tokens: Count | None = None
    prompt_tokens_details: _CachedDetails | None = None


class _RecordedLine(Struct, frozen=True):
    """What may stand around a request: it is `request` or `body` then; `usage` stands beside it, or in `response`."""

    request: Members | None = None
    body: Members | None = None
    response: Any = None
    usage: Any = None


class RecordedRequest(NamedTuple):
    """A request as it was sent, by its parts; each tool is one, and so is the schema, also where there is none."""

    model: str
    parts: SentParts
    roles: tuple[str, ...]
    """Those of its messages."""
    own: list[bytes]
    """The messages that are its conversation's own, without what a program sends first in each of its conversations."""
    own_set: frozenset[bytes]
    usage: Usage | None


def recorded_request(line: int, data: bytes) -> RecordedRequest:
    """Return the request on a line of that number; raises PurestepError."""
    try:
        value = decode_json(data)
    except PurestepError as error:
        raise PurestepError(error.code, f"line {line}: {error.message}", f"/{line}") from None
    try:
        around: _RecordedLine = convert_to(value, _RecordedLine)
        request: _Request = convert_to(around.request or around.body or value, _Request)
    except ValidationError:
        expected = "expected a request in OpenAI's form, with messages; or one as request or body"
        raise _invalid(line, expected) from None
    if request.system is not None:
        raise _invalid(line, "`system` beside `messages` is Anthropic's form; expected a request in OpenAI's")
    return _of_parts(request, _usage(line, around))


def _usage(line: int, around: _RecordedLine) -> Usage | None:
    beside = around.response.get("usage") if isinstance(around.response, dict) else None
    try:
        told: _ToldUsage | None = convert_to(around.usage or beside, _ToldUsage | None)
    except ValidationError as error:
        expected = "expected prompt_tokens, and cached_tokens in prompt_tokens_details; or leave usage out"
        raise _invalid(line, f"`usage`: {error}; {expected}") from None
    if told is None:
        return None
    details = told.prompt_tokens_details
    cached = told.cached_tokens if details is None else details.cached_tokens
    return Usage(prompt_tokens=told.prompt_tokens, cached_tokens=cached)


def _invalid(line: int, text: str) -> PurestepError:
    return PurestepError("invalid_input", f"line {line}: {text}", f"/{line}")


def _of_parts(request: _Request, usage: Usage | None) -> RecordedRequest:
    tools = [encode(_unmarked(tool)) for tool in request.tools or ()]
    head = [*tools, b"" if request.response_format is None else encode(request.response_format)]
    messages = list(map(_unmarked_message, request.messages))
    said = list(map(encode, messages))
    roles = tuple([str(message.get("role")) for message in messages])
    tokens = [*map(_text_tokens, head), *map(_message_tokens, messages)]
    told = None if usage is None else usage.prompt_tokens
    parts = SentParts(parts=[*head, *said], tokens=tokens, head=len(head), prompt_tokens=told)
    # What stands before the user speaks, as instructions and a greeting, is the same in many conversations.
    own = said[roles.index("user") :] if "user" in roles else said
    return RecordedRequest(request.model, parts, roles, own, frozenset(own), usage)


def _unmarked(members: Members) -> Members:
    return {name: value for name, value in members.items() if name != _CACHE_MARK}


def _unmarked_message(message: Members) -> Members:
    message, content = _unmarked(message), message.get("content")
    if isinstance(content, list):
        message["content"] = [_unmarked(part) if isinstance(part, dict) else part for part in content]
    return message


def _text_tokens(part: bytes) -> int:
    return ANY_TOKENIZER.text(part.decode())


def _message_tokens(message: Members) -> int:
    """Return the tokens of a message, images and files counted as those of a run: not by the letters of their bytes."""
    content = message.get("content")
    if not isinstance(content, list):
        return _text_tokens(encode(message))
    texts = [part for part in content if not _is_media(part)]
    media = sum([_media_tokens(part) for part in content if _is_media(part)])
    return _text_tokens(encode({**message, "content": texts})) + media


def _is_media(part: object) -> bool:
    return isinstance(part, dict) and isinstance(kind := part.get("type"), str) and kind in _MEDIA


def _media_tokens(part: Members) -> int:
    kind = part["type"]
    data = max(map(len, _texts(part.get(kind))), default=0)
    return attachment_tokens(_MEDIA[kind], data * 3 // 4)  # in base64, four letters are three bytes


def _texts(value: object) -> Iterator[str]:
    """Yield what a part has: the data, in the longest text, and perhaps a name or a format."""
    for each in value.values() if isinstance(value, dict) else (value,):
        if isinstance(each, str):
            yield each
