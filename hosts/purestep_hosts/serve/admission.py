"""Who may ask: tokens and the users they stand for, and the pages that may call from a browser.

Without tokens everybody who reaches the address is the same user, so that is for loopback alone. A page of any site
can send requests there, and a name of its own can point there: so the header `Origin` has to be allowed, and `Host`
has to be a name of this machine.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from purestep_hosts.extras import SERVE
from purestep_hosts.serve.faults import ServiceError

with SERVE:
    from starlette.requests import Request

LEAST_TOKEN_CHARS: Final = 16
"""`openssl rand -base64 32` gives 44; fewer than 16 can be guessed in the time that a service runs."""

_USER: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}", re.ASCII)
_TOKEN: Final = re.compile(r"[!-~]+", re.ASCII)
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


class BadAdmission(ValueError):
    """Tokens or origins that no service can be started with; the message shows none of the tokens."""


class Admission:
    """The tokens and origins of a service."""

    def __init__(self, tokens: Mapping[str, str] | None, *, origins: Iterable[str] = ()) -> None:
        """Take the token of each user, by the user's name; the name "" is for a service with one user.

        tokens: None admits everybody, and only requests to a name of this machine. origins: of the pages that may call
        from elsewhere, such as `https://app.example.com`. Raises BadAdmission.
        """
        if tokens is not None:
            _check_tokens(tokens)
        self.is_open = tokens is None
        self.origins = tuple([_checked_origin(origin) for origin in origins])
        # Compared as hashes, so that neither the time nor the length tells anything.
        self._users = [(_digest(token), user) for user, token in (tokens or {}).items()]

    def user(self, request: Request) -> str:
        """Return whose request it is; raises ServiceError."""
        if self.is_open and _name_of(request.headers.get("host", "")) not in LOOPBACK:
            raise ServiceError("forbidden_host", "expected a request to localhost: this service has no tokens")
        self._check_origin(request)
        return "" if self.is_open else self._user_of(request.headers.get("authorization", ""))

    def _check_origin(self, request: Request) -> None:
        origin = request.headers.get("origin")
        if origin is None or origin in self.origins:
            return
        if urlsplit(origin).netloc == request.headers.get("host") and origin != "null":
            return
        raise ServiceError("forbidden_origin", "pages of this origin may not call the service; it has to be allowed")

    def _user_of(self, header: str) -> str:
        scheme, _, token = header.partition(" ")
        given = _digest(token.strip())
        found = [user for digest, user in self._users if hmac.compare_digest(digest, given)]
        if scheme.lower() != "bearer" or not found:
            raise ServiceError("unauthorized", "expected the header Authorization: Bearer TOKEN, with a known token")
        return found[0]


def _check_tokens(tokens: Mapping[str, str]) -> None:
    if not tokens:
        raise BadAdmission("expected at least one token")
    if len(set(tokens.values())) < len(tokens):
        raise BadAdmission("expected a token of its own for each user")
    for user, token in tokens.items():
        if user and not _USER.fullmatch(user):
            raise BadAdmission("expected a user's name of 1 to 32 of a-z, 0-9, _ and -, with a letter first")
        if len(token) < LEAST_TOKEN_CHARS or not _TOKEN.fullmatch(token):
            raise BadAdmission(
                f"expected a token of at least {LEAST_TOKEN_CHARS} visible ASCII characters, "
                "as openssl rand -base64 32 gives"
            )


def _checked_origin(origin: str) -> str:
    parts = urlsplit(origin)
    if parts.scheme not in {"http", "https"} or origin != f"{parts.scheme}://{parts.netloc}":
        raise BadAdmission(f"expected an origin such as https://app.example.com; got {origin!r}")
    return origin


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
