"""Seals: an HMAC over where a run stands, for hosts that hand runs to clients and take them back.

A seal is `v1.KEY.EXPIRY.MAC`: the key's name, milliseconds since 1970, and the HMAC-SHA256 of `purestep.sealed_text` in
base64url without padding. It fits one state with one transcript, one user and one expiry; the edge service makes the
same ones. It says that this host made the state, and nothing of how often the state comes back (`docs/edge.md`).
"""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

import purestep

LIFE_MS: Final = 24 * 60 * 60 * 1000
"""How long a seal holds: a day, so that an approval may wait for the next morning."""

LEAST_SECRET_BYTES: Final = 32
"""As long as the MAC; `openssl rand -base64 32` gives 44."""

MAX_KEYS: Final = 16
"""The one that seals, and older ones whose seals still hold: more than any rotation needs."""

_SEAL: Final = re.compile(r"v1\.([A-Za-z0-9_-]{1,64})\.([1-9][0-9]{0,15})\.[A-Za-z0-9_-]{43}", re.ASCII)
_KEY_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)

_Transcripts = Mapping[str, Sequence[Any]]
_NONE: Final[_Transcripts] = {}

SealCode = Literal["seal_missing", "seal_invalid", "seal_expired"]


class SealError(Exception):
    """A run that this host cannot know as its own; `code` is the same as at the edge."""

    def __init__(self, code: SealCode, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, kw_only=True)
class SealKey:
    """A key by its name (letters, digits, `_` and `-`); the secret is text of at least 32 bytes."""

    id: str
    secret: str = field(repr=False)


class Seals:
    """Makes seals with the first of its keys, and takes those of all."""

    def __init__(self, keys: Sequence[SealKey], *, life_ms: int = LIFE_MS) -> None:
        """Take the keys and how long a seal holds; raises ValueError, without the secret, for keys that cannot seal."""
        _check_keys(keys)
        if life_ms < 1:
            raise ValueError("expected a life of at least one millisecond")
        self._keys = {key.id: key for key in keys}
        self._first = keys[0]
        self._life_ms = life_ms

    def seal(
        self, state: Any, messages: Sequence[Any], *, now_ms: int, user: str = "", children: _Transcripts = _NONE
    ) -> str:
        """Return the seal of a run: of its state and whole transcript, as JSON values or typed ones.

        children: the transcripts of the agents that go on, by the ids of their runs. Raises `purestep.PurestepError`
        for what is no state.
        """
        return _made(self._first, now_ms + self._life_ms, _sealed(state, messages, user, children))

    def check(
        self,
        seal: str | None,
        state: Any,
        messages: Sequence[Any],
        *,
        now_ms: int,
        user: str = "",
        children: _Transcripts = _NONE,
    ) -> None:
        """Raise SealError unless the seal is of a key of this host, fits the run and the user, and still holds."""
        if seal is None:
            raise SealError("seal_missing", "expected the seal that came with this run; send it back with the run")
        parts = _SEAL.fullmatch(seal)
        key = self._keys.get(parts[1]) if parts else None
        if (
            parts is None
            or key is None
            or not _fits(seal, key, int(parts[2]), _sealed(state, messages, user, children))
        ):
            raise SealError("seal_invalid", "expected the seal of exactly this run and user; send back what came")
        if int(parts[2]) <= now_ms:
            raise SealError("seal_expired", "the seal holds no longer; begin a new run")


def _sealed(state: Any, messages: Sequence[Any], user: str, children: _Transcripts) -> dict[str, Any]:
    return {"state": state, "messages": messages, "user": user, **({"children": children} if children else {})}


def _fits(seal: str, key: SealKey, expires_at: int, sealed: Mapping[str, Any]) -> bool:
    try:
        expected = _made(key, expires_at, sealed)
    except purestep.PurestepError:
        return False  # what no seal can be made of has none
    return hmac.compare_digest(expected.encode(), seal.encode())


def _made(key: SealKey, expires_at: int, sealed: Mapping[str, Any]) -> str:
    given = {**sealed, "expires_at": expires_at, "key_id": key.id}
    text = purestep.sealed_text(msgspec.json.encode(given))
    if text.startswith('{"error":'):
        raise purestep.PurestepError(**purestep.decode_json(text.encode())["error"])
    mac = hmac.digest(key.secret.encode(), text.encode(), hashlib.sha256)
    return f"v1.{key.id}.{expires_at}.{urlsafe_b64encode(mac).decode().rstrip('=')}"


def _check_keys(keys: Sequence[SealKey]) -> None:
    if not 1 <= len(keys) <= MAX_KEYS:
        raise ValueError(f"expected 1 to {MAX_KEYS} keys")
    if len({key.id for key in keys}) < len(keys):
        raise ValueError("expected each key to have a name of its own")
    for key in keys:
        if not _KEY_NAME.fullmatch(key.id):
            raise ValueError("expected the name of a key to be 1 to 64 letters, digits, _ or -")
        if len(key.secret.encode()) < LEAST_SECRET_BYTES:
            raise ValueError(f"expected a secret of at least {LEAST_SECRET_BYTES} bytes, as of openssl rand -base64 32")
