"""Approval codes: what a run waits for as a code that fits into a picture, and a person's signed answer to it.

A host makes a request of what waits: the run, the head of its log, and the calls. A person's device signs an answer
that names the digest of exactly this request. The host keeps nothing: it makes the request again from what waits then,
so an answer about an earlier state, another run or another call fits nothing.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from purestep import Approval, ApprovalCall
from purestep_hosts.approval_texts import (
    ANSWER_FORMAT,
    MAX_PICTURE_CHARS,
    MAX_REASON_CHARS,
    MAX_REQUEST_BYTES,
    REQUEST_FORMAT,
    AnswerText,
    ApprovalCodeError,
    AskedCall,
    Hints,
    RequestText,
    Said,
    base64url,
    digest_of,
    fingerprint,
    packed_answer,
    packed_request,
    signed_part,
    unpacked_answer,
    unpacked_request,
    written,
)
from purestep_hosts.extras import ANCHOR

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = [
    "MAX_PICTURE_CHARS",
    "ApprovalCodeError",
    "ApprovalCodes",
    "Request",
    "Waiting",
    "answer_request",
    "fingerprint",
    "public_text",
]

LIFE_MS: Final = 60 * 60 * 1000
"""How long a request holds by default: an hour, since it asks for something that waits now."""
MAX_LIFE_MS: Final = 366 * 24 * LIFE_MS
"""A year: no time in another unit passes for a life."""


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """What waits for a person: `run_id` and `head` of the run's state, and the calls of its decision.

    definition: the run's, whose descriptions and hints of tools are shown. only: the names of those who may answer,
    where not everybody whose key the host knows; an empty list is refused, since nobody could answer.
    """

    run_id: str
    head: str
    calls: Sequence[ApprovalCall]
    definition: Mapping[str, Any] | None = None
    only: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request, packed: `code` is what a picture shows, `text` what is signed."""

    code: str
    text: str
    expires_at: int

    def link(self, page: str) -> str:
        """Return the link that opens the request in a page, as `approve.html`; what follows `#` is sent nowhere."""
        return f"{page.partition('#')[0]}#{self.code}"


class ApprovalCodes:
    """Makes requests, and checks answers to them, with a host's key and the public keys of those who may answer."""

    def __init__(self, key: Ed25519PrivateKey, approvers: Mapping[str, str], *, name: str = "") -> None:
        """Take the host's key, what it is called, and the approvers: their names, each with a public key as text.

        Raises TypeError for a key that is no Ed25519 key, ValueError for a text that is no public key, and for one that
        two names have.
        """
        self._key = key
        self._host = public_text(key)
        self._name = name
        self._names = {text: approver for approver, text in approvers.items()}
        if len(self._names) < len(approvers):
            raise ValueError("expected each approver to have a key of their own")
        for text in self._names:
            _public_key(text)

    def request(self, waiting: Waiting, *, now_ms: int, life_ms: int = LIFE_MS) -> Request:
        """Return the request for what waits, which holds for `life_ms`.

        life_ms: up to a year. Raises ApprovalCodeError `nothing_waits`; `form_call` where a call asks for more than yes
        or no; `request_too_large`: nothing of a call is ever cut.
        """
        if not 0 < life_ms <= MAX_LIFE_MS:
            raise ValueError(f"expected a life of 1 to {MAX_LIFE_MS} milliseconds; got {life_ms}")
        expires_at = now_ms + life_ms
        text = self._text(waiting, expires_at)
        if len(text) > MAX_REQUEST_BYTES:
            words = f"expected at most {MAX_REQUEST_BYTES} bytes of calls, got {len(text)}; answer where the run is"
            raise ApprovalCodeError("request_too_large", words)
        code = packed_request(text, self._key.sign(signed_part(text, REQUEST_FORMAT)))
        return Request(code=code, text=text.decode(), expires_at=expires_at)

    def check(self, answer: str, waiting: Waiting, *, now_ms: int) -> list[Approval]:
        """Return the approvals of an answer to what waits now, each `by` the approver's name.

        answer: the code, or a link with it. Raises ApprovalCodeError `bad_answer`, `answer_forged`,
        `answer_not_allowed`, `answer_stale`, `answer_expired`, and those of `request`.
        """
        read, text, signature = unpacked_answer(answer)
        _check_signature(read.key, signature, signed_part(text, ANSWER_FORMAT))
        name = self._names.get(read.key)
        if name is None or (waiting.only is not None and name not in waiting.only):
            words = f"expected the key of somebody who may answer; {fingerprint(read.key)} may not"
            raise ApprovalCodeError("answer_not_allowed", words)
        if read.run_id != waiting.run_id or read.request != digest_of(self._text(waiting, read.expires_at)):
            words = "expected an answer to what waits now; this one is about something else: show the code again"
            raise ApprovalCodeError("answer_stale", words)
        if read.expires_at <= now_ms:
            raise ApprovalCodeError("answer_expired", "the request holds no longer; show a new code")
        if len(read.answers) != len(waiting.calls):
            raise ApprovalCodeError("bad_answer", f"expected {len(waiting.calls)} answers; got {len(read.answers)}")
        return [_approval(call, said, name) for call, said in zip(waiting.calls, read.answers, strict=True)]

    def _text(self, waiting: Waiting, expires_at: int) -> bytes:
        only = self._only(waiting)
        if not waiting.calls:
            raise ApprovalCodeError("nothing_waits", "expected calls that wait for a person; the run waits for none")
        request = RequestText(
            format=REQUEST_FORMAT,
            host=self._host,
            name=self._name,
            run_id=waiting.run_id,
            head=waiting.head,
            expires_at=expires_at,
            approvers=tuple(sorted(fingerprint(key) for key, name in self._names.items() if name in only)),
            calls=tuple(_asked(call, waiting.definition or {}) for call in waiting.calls),
        )
        return written(request)

    def _only(self, waiting: Waiting) -> tuple[str, ...]:
        """Return who alone may answer, nobody where all may."""
        if waiting.only is None:
            return ()
        unknown = [name for name in waiting.only if name not in self._names.values()]
        if unknown or not waiting.only:
            got = repr(unknown[0]) if unknown else "none"
            raise ValueError(f"expected names of approvers in `only`, or None for all of them; got {got}")
        return waiting.only


def answer_request(
    request: str, key: Ed25519PrivateKey, answers: Sequence[bool | str], *, host: str, now_ms: int
) -> str:
    """Return the code of an answer, as a person's device makes it.

    request: its code, or a link with it. answers: for each call True, False, or why it is refused. host: the public key
    of the host that the person knows. Raises ApprovalCodeError `bad_request`; TypeError, ValueError for other answers.
    """
    read, text, signature = unpacked_request(request)
    if read.host != host or not _fits(read.host, signature, signed_part(text, REQUEST_FORMAT)):
        raise ApprovalCodeError("bad_request", "expected a request that the known host has signed; answer none other")
    if any(isinstance(each, str) and len(each) > MAX_REASON_CHARS for each in answers):
        raise ValueError(f"expected reasons of at most {MAX_REASON_CHARS} characters")
    if len(answers) != len(read.calls):
        raise ValueError(f"expected an answer for each of {len(read.calls)} calls; got {len(answers)}")
    answer = AnswerText(
        format=ANSWER_FORMAT,
        run_id=read.run_id,
        request=digest_of(text),
        expires_at=read.expires_at,
        at=now_ms,
        key=public_text(key),
        answers=tuple(_said(each) for each in answers),
    )
    signed = written(answer)
    return packed_answer(signed, key.sign(signed_part(signed, ANSWER_FORMAT)))


def public_text(key: Ed25519PrivateKey) -> str:
    """Return the public half of a key as text: 43 characters of base64url; raises TypeError for another kind of key."""
    with ANCHOR:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    if not isinstance(key, Ed25519PrivateKey):
        raise TypeError("expected an Ed25519 private key, such as Ed25519PrivateKey.generate()")
    return base64url(key.public_key().public_bytes_raw())


def _said(answer: bool | str) -> Said:
    if not isinstance(answer, bool | str):
        raise TypeError("expected True, False, or a text that says why it is refused, for each call")
    return Said(approved=answer) if isinstance(answer, bool) else Said(approved=False, reason=answer)


def _approval(call: ApprovalCall, said: Said, name: str) -> Approval:
    reason = said.reason or None
    return Approval(call_id=call.call_id, key=call.key, approved=said.approved, reason=reason, by=name)


def _asked(call: ApprovalCall, definition: Mapping[str, Any]) -> AskedCall:
    """Return a call as it is shown; the definition has the tools of the run's own agent."""
    if call.form:
        raise ApprovalCodeError("form_call", f"{call.tool} asks for more than a yes or no; answer where the run is")
    path = call.path or ()
    specs: Any = () if path else definition.get("tools") or ()
    spec: Mapping[str, Any] = next((tool for tool in specs if tool.get("name") == call.tool), {})
    hints = {name: (spec.get("annotations") or {}).get(name) for name in Hints.__struct_fields__}
    return AskedCall(
        call_id=call.call_id,
        key=call.key,
        tool=call.tool,
        path=path,
        description=spec.get("description") or "",
        annotations=Hints(**hints) if any(hint is not None for hint in hints.values()) else None,
        params_json=msgspec.json.encode(call.params).decode(),
        reason=call.reason,
        note=call.note or "",
        problems=call.problems or (),
        origins=call.origins or (),
    )


def _public_key(text: str) -> Any:
    with ANCHOR:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    raw = urlsafe_b64decode(text + "=") if re.fullmatch(r"[A-Za-z0-9_-]{43}", text) else b""
    if base64url(raw) != text or not raw:
        raise ValueError("expected a public key as 43 characters of base64url, as the page `approve.html` shows it")
    return Ed25519PublicKey.from_public_bytes(raw)


def _fits(key: str, signature: bytes, signed: bytes) -> bool:
    with ANCHOR:
        from cryptography.exceptions import InvalidSignature
    try:
        _public_key(key).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def _check_signature(key: str, signature: bytes, signed: bytes) -> None:
    if not _fits(key, signature, signed):
        raise ApprovalCodeError("answer_forged", "the signature is not of the key that the answer names; ask again")
