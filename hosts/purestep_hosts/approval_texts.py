"""The texts of approval codes: what is asked, what is answered, and how both are packed into a link or a picture.

A request is `r.` and an answer `a.`, each followed by base64url of a signature and a JSON text with its members in one
order. The text of a request is deflated; that of an answer is not, so that one answer has one text.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta

from purestep import ArgumentOrigin, Problem, decode_as

REQUEST_FORMAT: Final = "purestep-approval-1"
ANSWER_FORMAT: Final = "purestep-answer-1"

MAX_REQUEST_BYTES: Final = 256 * 1024
"""A request's text: more than a person reads of a call, and nothing to unpack for a phone."""

MAX_PICTURE_CHARS: Final = 1000
"""As many characters as a picture has that a phone reads from a screen: 105 modules a side. A longer link is sent."""

MAX_CODE_CHARS: Final = 512 * 1024
"""A packed request or answer: its text even where nothing of it can be compressed."""

MAX_REASON_CHARS: Final = 1000
"""Why a person refuses: a paragraph."""

MAX_CALLS: Final = 64
"""As many as a turn has."""

SIGNATURE_BYTES: Final = 64
_BASE64URL: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)

_Key = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{43}\Z")]
_Millis = Annotated[int, Meta(ge=0, le=2**53 - 1)]
_Text = TypeVar("_Text", bound="RequestText | AnswerText")

ApprovalCodeErrorCode = Literal[
    "bad_request",
    "bad_answer",
    "answer_forged",
    "answer_not_allowed",
    "answer_stale",
    "answer_expired",
    "nothing_waits",
    "form_call",
    "request_too_large",
]


class ApprovalCodeError(Exception):
    """A request cannot be made or read, or an answer does not count; `code` is stable, `message` says what to do."""

    def __init__(self, code: ApprovalCodeErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Hints(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a tool's definition says of its effects."""

    readOnlyHint: bool | None = None  # noqa: N815 (MCP's spelling)
    destructiveHint: bool | None = None  # noqa: N815
    idempotentHint: bool | None = None  # noqa: N815
    openWorldHint: bool | None = None  # noqa: N815


class AskedCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A call as a person is shown it; `params_json` is the JSON text of its arguments, of which nothing is cut."""

    call_id: str
    key: str
    tool: str
    path: tuple[str, ...] = ()
    description: str = ""
    annotations: Hints | None = None
    params_json: str
    reason: str
    note: str = ""
    problems: tuple[Problem, ...] = ()
    origins: tuple[ArgumentOrigin, ...] = ()


class RequestText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person is asked: by which host, of which run, at which head of its log, until when, and about what.

    host: the raw public key. name: what the host calls itself. approvers: fingerprints of the keys that may answer;
    empty for each key that the host knows.
    """

    format: Literal["purestep-approval-1"]
    host: _Key
    name: str
    run_id: str
    head: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    expires_at: _Millis
    approvers: tuple[Annotated[str, Meta(pattern=r"\A[0-9a-f]{24}\Z")], ...]
    calls: Annotated[tuple[AskedCall, ...], Meta(min_length=1, max_length=MAX_CALLS)]


class Said(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The answer about one call; only a refusal has a reason."""

    approved: bool
    reason: Annotated[str, Meta(max_length=MAX_REASON_CHARS)] = ""


class AnswerText(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person answers about all calls of one request, in their order.

    request: the digest of its text. key: the person's raw public key. at: the person's clock.
    """

    format: Literal["purestep-answer-1"]
    run_id: str
    request: _Key
    expires_at: _Millis
    at: _Millis
    key: _Key
    answers: Annotated[tuple[Said, ...], Meta(min_length=1, max_length=MAX_CALLS)]


def signed_part(text: bytes, form: str) -> bytes:
    """Return what is signed of a text: a signature of one form fits no other."""
    return form.encode() + b"\n" + text


def digest_of(text: bytes) -> str:
    """Return the SHA-256 of a request's text in base64url: what an answer names."""
    return base64url(hashlib.sha256(text).digest())


def fingerprint(key: str) -> str:
    """Return the 24 hex digits by which people compare a public key (43 characters of base64url)."""
    return hashlib.sha256(urlsafe_b64decode(key + "=")).hexdigest()[:24]


def packed_request(text: bytes, signature: bytes) -> str:
    """Return a request as it stands in a link after `#`."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return "r." + base64url(signature + deflate.compress(text) + deflate.flush())


def unpacked_request(code: str) -> tuple[RequestText, bytes, bytes]:
    """Return a request, its text and its signature, of a code or of a link with one; raises `bad_request`."""
    data = _data_of(code, "r.")
    text = _inflated(data[SIGNATURE_BYTES:]) if data is not None else None
    read = _read(text, RequestText) if text is not None else None
    if data is None or text is None or read is None:
        raise ApprovalCodeError("bad_request", "expected the code of a request; scan or copy it again, as a whole")
    return read, text, data[:SIGNATURE_BYTES]


def packed_answer(text: bytes, signature: bytes) -> str:
    """Return an answer as it stands in a link after `#`."""
    return "a." + base64url(signature + text)


def unpacked_answer(code: str) -> tuple[AnswerText, bytes, bytes]:
    """Return an answer, its text and its signature, of a code or of a link with one; raises `bad_answer`."""
    data = _data_of(code, "a.")
    text = data[SIGNATURE_BYTES:] if data is not None else b""
    read = _read(text, AnswerText)
    if data is None or read is None or any(said.approved and said.reason for said in read.answers):
        raise ApprovalCodeError("bad_answer", "expected the code of an answer; scan or copy it again, as a whole")
    return read, text, data[:SIGNATURE_BYTES]


def written(value: RequestText | AnswerText) -> bytes:
    """Return the one text of a request or an answer."""
    return msgspec.json.encode(value)


def base64url(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _data_of(code: object, mark: str) -> bytes | None:
    """Return the bytes of a code, None for what is none: of all texts that decode to some bytes, one is their code."""
    packed = code.strip().rpartition("#")[2] if isinstance(code, str) else ""  # as a body of JSON may have it
    body = packed.removeprefix(mark)
    if body == packed or len(packed) > MAX_CODE_CHARS or not _BASE64URL.fullmatch(body):
        return None
    try:
        data = urlsafe_b64decode(body + "=" * (-len(body) % 4))
    except ValueError:
        return None
    return data if base64url(data) == body and len(data) > SIGNATURE_BYTES else None


def _inflated(data: bytes) -> bytes | None:
    """Return the text of a request, None for what is none or becomes larger than any."""
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = inflate.decompress(data, MAX_REQUEST_BYTES + 1)
    except zlib.error:
        return None
    return text if inflate.eof and not inflate.unused_data and len(text) <= MAX_REQUEST_BYTES else None


def _read(text: bytes, shape: type[_Text]) -> _Text | None:
    """Return what a text says, None unless it is exactly the one that would be written of it."""
    try:
        value = decode_as(text, shape)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return value if written(value) == text else None
