"""What went wrong at a model, as the observation `model_error`: read off one table, the same on every host."""

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final, Literal

from msgspec import field
from msgspec.structs import replace

from purestep.bounds import MAX_FAULT_CHARS, MAX_SAFE_INTEGER
from purestep.errors import PurestepError
from purestep.json_text import decode_json, encode, to_bytes
from purestep.values import Count, ModelError, Tagged

from ..bounds import MIN_HIDDEN_INSIDE_CHARS
from .completion import Completion
from .fault_table import (
    AGAIN,
    CHECK_URL,
    KINDS,
    LATER,
    LIBRARIES,
    MEMBERS,
    NAMED,
    PATHS,
    REFUSING,
    SERVER,
    STATUS_OF_TYPE,
    SYSTEM_ROLE,
    TEMPLATE,
    Fault,
    compiled,
)
from .finish_reasons import is_whole
from .flaws import Flaw

EndKind = Literal[
    "ended", "cut", "status", "timeout", "unreachable", "unusable", "too_long", "not_utf8", "stopped", "thrown",
    "insecure", "not_loaded", "not_fetched",
]  # fmt: skip


class ReplyEnd(Tagged, frozen=True, kw_only=True, tag="reply_end"):
    """How a model's reply ended, as the host saw it; says nothing of what the reply holds.

    kind: `ended` by itself; `cut` off; `status`, an error reply over HTTP; `timeout`, `unreachable`, `insecure` (TLS
    failed), `unusable` (the client's own settings), `too_long` (a line or body past the host's bound), `not_utf8`,
    `stopped` (by the host), `thrown` (by a library), `not_loaded` and `not_fetched` (a model in the host).
    source: what to call the server or model. library: what runs a model in the host: `llama.cpp`, `webllm`, `wllama`,
    `transformers`, `prompt_api`; "" for a server. status, headers, body: of the error reply; of the headers, those of
    `FAULT_HEADERS`. media_type: of a body that did not stream. name, message:
    of an error. limit_ms: the time limit. limit_bytes: the bound. used, window: tokens, if a library reports them.
    secret: the key that was sent, and key_name: where it is set. sent: the names of the request's members, of which a
    server may say that it does not know them. hide: other texts to keep out of the message.
    base_end: what the base URL of such a server usually ends in, "" for one that says nothing by that.
    advice: a sentence of the host's own at the end of the message.
    """

    kind: EndKind = "ended"
    source: str = "The model"
    library: str = ""
    status: Count = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: str = ""
    media_type: str = ""
    name: str = ""
    message: str = ""
    limit_ms: Count = 0
    limit_bytes: Count = 0
    used: Count | None = None
    window: Count | None = None
    secret: str = ""
    key_name: str = ""
    sent: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    base_end: str = "/v1"
    advice: str = ""

    def __repr__(self) -> str:
        """Leave out the secret: a value is printed in places that outlive it."""
        return f"ReplyEnd(kind={self.kind!r}, source={self.source!r}, status={self.status})"


FAULT_HEADERS: Final = ("retry-after", "retry-after-ms", "date", "x-should-retry")
"""The headers of an error reply that are read; a host hands over no others."""


_STREAMED: Final = ("text/event-stream", "application/json")


def read_fault(end: ReplyEnd) -> ModelError:
    """Return the observation for a reply that failed before any of it came; pure.

    `retry_after_ms` is what the server asked for. No message holds the secret or what is to be hidden.
    """
    return fault_of(Completion(), end) or _cut(Completion(), end)


def fault_of(completion: Completion, end: ReplyEnd) -> ModelError | None:
    """Return why a reply is no output; None where it is one."""
    match end.kind:
        case "status":
            return _server_fault(end, end.status, _members(end.body))
        case "thrown":
            return _library_fault(end)
        case "too_long":
            return _no_completion(end, Flaw(message=_too_long(end), retryable=False))
        case "not_utf8":
            return _no_completion(end, Flaw(message="bytes that are not UTF-8", syntax=True))
        case "ended" | "cut":
            return _flawed(completion, end)
        case "timeout" if end.library:
            return _error(KINDS["too_slow"], end, seconds=_seconds(end.limit_ms))
        case kind:
            return _error(KINDS[kind], end, size=completion.size)


def _flawed(completion: Completion, end: ReplyEnd) -> ModelError | None:
    """Return what is wrong with what came."""
    if completion.error:
        return _stream_fault(completion.error, end)
    if completion.flaw is not None:
        return _no_completion(end, completion.flaw)
    reason = completion.finish_reason
    if completion.odd is not None and reason is None:
        return _no_completion(end, completion.odd)
    if reason is not None and not is_whole(reason):
        return _error(
            KINDS["broken"], end, size=completion.size, reason=encode(_hidden(reason, end)[:MAX_FAULT_CHARS]).decode()
        )
    if completion.is_complete or (end.kind == "ended" and reason is not None):
        return None
    return _cut(completion, end)


def _quoted(text: str, end: ReplyEnd) -> str:
    return encode(_hidden(text, end)[:MAX_FAULT_CHARS]).decode()


def _cut(completion: Completion, end: ReplyEnd) -> ModelError:
    return _error(KINDS["cut"], end, size=completion.size)


def _stream_fault(error: str, end: ReplyEnd) -> ModelError:
    """Return what an error object in the place of a chunk means: its code is a status, where it is a number."""
    members = _members(error)
    code = members.get("code")
    types = [members.get("type"), code]
    known = next((STATUS_OF_TYPE[name] for name in types if isinstance(name, str) and name in STATUS_OF_TYPE), 500)
    status = code if type(code) is int and 0 <= code <= MAX_SAFE_INTEGER else known
    return _server_fault(end, status, members)


def _server_fault(end: ReplyEnd, status: int, error: dict[str, Any]) -> ModelError:
    types = (error.get("type"), error.get("code"))
    said = error.get("message")
    text = said if isinstance(said, str) else ""
    row = next(row for row in SERVER if _fits(row, status, types, text))
    tokens = {"used": error.get("n_prompt_tokens"), "limit": error.get("n_ctx")}
    found = _error(row, end, status=status, said=_said(text, end), **_tokens(row, text, tokens))
    retryable = {"true": True, "false": False}.get(end.headers.get("x-should-retry", ""), row.retryable)
    wait = _asked_wait(end.headers) if retryable else None
    refused = _refused_member(end, status, error, text) if found.code != "overflow" else None
    return replace(found, retryable=retryable, retry_after_ms=wait, refused=refused)


def _refused_member(end: ReplyEnd, status: int, error: dict[str, Any], text: str) -> str | None:
    """Return the member of the request that a server does not take: the one it says, else the first that it speaks of.

    OpenAI says it as `param`, with a path into it, which may be one to a message's role or a tool's schema.
    """
    if status not in REFUSING:
        return _spoken_of(TEMPLATE, text) if status == _FAILED_ITSELF else None
    param = error.get("param")
    if not isinstance(param, str) or (said := compiled(_MEMBER).match(param)) is None:
        return _spoken_of(MEMBERS, text) or _named(text, end.sent)
    if said[0] == "messages":
        return _spoken_of((SYSTEM_ROLE,), text) or said[0]
    return _spoken_of(PATHS, param) or said[0]


_FAILED_ITSELF: Final = 500
"""The status of a server that broke down, which some are when a chat template takes no such message."""


def _spoken_of(rows: tuple[tuple[str, str], ...], text: str) -> str | None:
    """Return the name of the row whose words stand first in a text, of several there the first."""
    found = [(match.start(), name) for name, words in rows if (match := compiled(words).search(text)) is not None]
    return min(found, key=itemgetter(0))[1] if found else None


def _named(text: str, sent: Sequence[str]) -> str | None:
    """Return the member of those sent that a server's words name as what it does not know; others are no members."""
    match = compiled(NAMED).search(text)
    name = None if match is None else match["after"] or match["before"]
    return name if name in sent else None


_MEMBER: Final = r"(?-i:[a-z][a-z0-9_]{0,63})(?=[.\[]|$)"


def _fits(row: Fault, status: int, types: tuple[object, ...], text: str) -> bool:
    """Whether a server's error is all that a row asks for."""
    if status < row.from_status or (row.statuses and status not in row.statuses):
        return False
    if row.types and not any(kind in row.types for kind in types):
        return False
    return not row.pattern or compiled(row.pattern).search(text) is not None


def _library_fault(end: ReplyEnd) -> ModelError:
    rows = LIBRARIES.get(end.library, LIBRARIES["webllm"][-1:])
    row = next(row for row in rows if _is_thrown(row, end))
    tokens = _tokens(row, end.message, {"used": end.used, "limit": end.window})
    return _error(row, end, said=_said(end.message, end), **tokens)


def _is_thrown(row: Fault, end: ReplyEnd) -> bool:
    """Whether a library's error has a name of a row or its words; a row without either fits all."""
    if end.name in row.names or not (row.names or row.pattern):
        return True
    return bool(row.pattern) and compiled(row.pattern).search(end.message) is not None


def _tokens(row: Fault, text: str, reported: dict[str, object]) -> dict[str, str]:
    """Return the sizes of a context overflow in words, from the library's report or the text."""
    if row.code != "overflow":
        return {}
    match = compiled(row.sizes).search(text) if row.sizes else None
    sizes = {name: size for name, size in reported.items() if type(size) is int and size}
    found = {**(match.groupdict() if match else {}), **sizes}
    return {name: f" of {found[name]} tokens" if found.get(name) else "" for name in ("used", "limit")}


def _no_completion(end: ReplyEnd, flaw: Flaw) -> ModelError:
    message, retryable = flaw.message, flaw.retryable
    if flaw.syntax and end.media_type and end.media_type not in _STREAMED:
        message, retryable = f"its type is {_hidden(end.media_type, end)}; expected JSON or an event stream", False
    if end.library:
        words = f"{end.source} failed: {message}."
        retryable = True
    else:
        advice = CHECK_URL.format(base_end=_base_end(end))
        words = f"{end.source} sent something that is no chat completion: {message}. {advice}"
    return ModelError(code="unavailable", message=words, retryable=retryable)


def _base_end(end: ReplyEnd) -> str:
    return f" (it usually ends in {end.base_end})" if end.base_end else ""


def _too_long(end: ReplyEnd) -> str:
    return f"it has a line or a body of more than {end.limit_bytes} bytes"


def _error(row: Fault, end: ReplyEnd, **members: object) -> ModelError:
    words = row.words.format(
        **{
            "source": end.source,
            "name": _hidden(end.name, end)[:MAX_FAULT_CHARS] or "no name given",
            "message": _hidden(end.message, end),
            "later": AGAIN if end.library else LATER,
            "key_said": "refused the API key" if end.secret else "wants an API key, and none is set",
            "check_key": f"{_set_key(end)} {end.key_name}." if end.key_name else "Check the API key.",
            "base_end": _base_end(end),
            "said": "",
            **members,
        }
    )
    message = f"{words} {end.advice}" if end.advice else words
    return ModelError(code=row.code, message=message, retryable=row.retryable)


def _set_key(end: ReplyEnd) -> str:
    return "Check" if end.secret else "Set"


def _seconds(limit_ms: int) -> str:
    whole, rest = divmod(limit_ms, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


def _members(text: str) -> dict[str, Any]:
    """Return the error's members; OpenAI nests them under `error`, other servers do not."""
    try:
        body = decode_json(to_bytes(text))
    except PurestepError:
        return {}  # the status says enough
    if not isinstance(body, dict):
        return {}
    inner = body.get("error", body)
    fields = inner if isinstance(inner, dict) else {"message": inner}
    return {name: value for name, value in fields.items() if isinstance(value, str | int)}


_BLANKS: Final = "[\t-\r \x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
_INVISIBLE: Final = (
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def _said(message: str, end: ReplyEnd) -> str:
    """Return `: what was said`, short, on one line and without the key; "" when nothing was said."""
    # Cleaned before the key is looked for: an invisible character inside must not hide it.
    line = compiled(_INVISIBLE).sub("", compiled(_BLANKS).sub(" ", message)).strip(" ")
    shown = _hidden(line, end)[:MAX_FAULT_CHARS].rstrip(".")
    return f": {shown}" if shown else ""


def _hidden(text: str, end: ReplyEnd) -> str:
    """Return somebody else's words without what nobody may read."""
    shown = _without_key(text, end.secret) if end.secret else text
    for hidden in end.hide:
        shown = shown.replace(hidden, "[address]") if hidden else shown
    return shown


def _without_key(text: str, key: str) -> str:
    """Return the text with the key hidden: a long one wherever it stands, a short one as a word of its own."""
    if len(key) >= MIN_HIDDEN_INSIDE_CHARS:
        return text.replace(key, "[key]")
    return re.sub(rf"(?<![0-9A-Za-z]){re.escape(key)}(?![0-9A-Za-z])", "[key]", text, flags=re.ASCII)


# --- how long a server asks clients to wait before a retry ----------------------------------------------------
# Source: RFC 9110 section 10.2.3; OpenAI's `retry-after-ms`.

_NUMBER: Final = r"([0-9]{1,12})(?:\.([0-9]{1,9}))?"
_DATE: Final = r"[a-z]{3}, ([0-9]{2}) ([a-z]{3}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT"
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _asked_wait(headers: dict[str, str]) -> int | None:
    """Return the milliseconds that the headers ask for; None where they ask for nothing that can be read.

    A date is read against the reply's own `date`: no clock is needed, and none that is wrong misleads.
    """
    exact = _milliseconds(headers.get("retry-after-ms", ""), 1)
    if exact is not None:
        return exact
    after = headers.get("retry-after", "")
    given = _milliseconds(after, 1000)
    if given is not None:
        return given
    until, now = _date(after), _date(headers.get("date", ""))
    return None if until is None or now is None or until < now else (until - now) * 1000


def _milliseconds(text: str, factor: int) -> int | None:
    number = compiled(_NUMBER).fullmatch(text.strip(" \t"))
    if number is None:
        return None
    digits = (number[2] or "").ljust(9, "0")
    return min((int(number[1]) * 10**9 + int(digits)) * factor // 10**9, MAX_SAFE_INTEGER)


def _date(text: str) -> int | None:
    """Return a date in the form that RFC 9110 prefers as seconds, from a day of its own."""
    found = compiled(_DATE).fullmatch(text.strip(" \t"))
    if found is None or found[2] not in _MONTHS:
        return None
    day, year, hour, minute, second = (int(found[number]) for number in (1, 3, 4, 5, 6))
    month = _MONTHS.index(found[2])
    # March is the first month, so that a leap day is the last day of its year (Fliegel and Van Flandern's way).
    years = year if month > 1 else year - 1
    days = 365 * years + years // 4 - years // 100 + years // 400 + (153 * ((month - 2) % 12) + 2) // 5 + day
    return ((days * 24 + hour) * 60 + minute) * 60 + second
