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

from purestep_hosts.extras import SERVE
from purestep_hosts.serve.faults import ServiceError, shown
from purestep_hosts.serve.host_names import Authority, read_authority, read_origin, written_origin

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

    def __init__(
        self,
        tokens: Mapping[str, str] | None,
        *,
        origins: Iterable[str] = (),
        metrics_token: str = "",
        has_open_metrics: bool = False,
        results_token: str = "",
    ) -> None:
        """Take the token of each user, by the user's name; the name "" is for a service with one user.

        tokens: None admits everybody, and only requests to a name of this machine. origins: of the pages that may call
        from elsewhere, such as `https://app.example.com`. metrics_token: of who reads /metrics and nothing else;
        without one, that is the token of a service with one user. has_open_metrics: they need no token. results_token:
        of who gives results of calls that go on elsewhere, which no user may. Raises BadAdmission.
        """
        if tokens is not None:
            _check_tokens(tokens)
        for token, purpose in ((metrics_token, "metrics"), (results_token, "results")):
            _check_own(token, tokens, purpose)
        if metrics_token and metrics_token == results_token:
            raise BadAdmission("expected a token for the results that is not the one for the metrics")
        self.is_open = tokens is None
        self.origins = tuple([_checked_origin(origin) for origin in origins])
        # Compared as hashes, so that neither the time nor the length tells anything.
        self._users = [(_digest(token), user) for user, token in (tokens or {}).items()]
        self._readers = [(_digest(metrics_token), "")] if metrics_token else self._users[:1]
        self._givers = [(_digest(results_token), "")] if results_token else []
        self.has_open_metrics = has_open_metrics or self.is_open
        self.has_shared_metrics = len(self._users) > 1 and not metrics_token and not has_open_metrics

    def user(self, request: Request) -> str:
        """Return whose request it is; raises ServiceError."""
        self._check_place(request)
        return "" if self.is_open else _owner_of(request, self._users)

    @property
    def users(self) -> tuple[str, ...]:
        """The names of the users; "" is that of the only one."""
        return tuple([user for _, user in self._users]) or ("",)

    def check_reader(self, request: Request) -> None:
        """Raise ServiceError unless the request may read the metrics, which are those of all users together."""
        self._check_place(request)
        if self.has_open_metrics:
            return
        if self.has_shared_metrics:
            raise ServiceError(
                "unauthorized", "expected a token for the metrics alone, which the service does not have"
            )
        _owner_of(request, self._readers)

    def check_giver(self, request: Request) -> None:
        """Raise ServiceError unless the request may give results of calls, which stand for what their tools say."""
        self._check_place(request)
        if self.is_open and not self._givers:
            return
        if not self._givers:
            raise ServiceError(
                "unauthorized",
                "expected the header Authorization: Bearer TOKEN, with a token for results alone; the service has one "
                "where its operator sets PURESTEP_RESULTS_TOKEN",
            )
        _owner_of(request, self._givers)

    def _check_place(self, request: Request) -> None:
        host = _host_of(request)
        if self.is_open and (host is None or host.name not in LOOPBACK):
            raise ServiceError(
                "forbidden_host",
                "expected an address with localhost or 127.0.0.1: without tokens it serves this machine alone",
            )
        self._check_origin(request, host)

    def _check_origin(self, request: Request, host: Authority | None) -> None:
        origin = request.headers.get("origin")
        if origin is None or origin in self.origins:
            return
        own = None if host is None else read_origin(f"{request.url.scheme}://{request.headers['host']}")
        if own is not None and read_origin(origin) == own:
            return
        raise ServiceError(
            "forbidden_origin",
            f"pages of {shown(origin)} may not call the service; its operator can allow them with --allow-origin",
        )


def _owner_of(request: Request, known: Iterable[tuple[bytes, str]]) -> str:
    """Return whose token a request has; raises ServiceError."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    given = _digest(token.strip())
    found = [user for digest, user in known if hmac.compare_digest(digest, given)]
    if scheme.lower() != "bearer" or not found:
        raise ServiceError("unauthorized", "expected the header Authorization: Bearer TOKEN, with a known token")
    return found[0]


def _check_own(token: str, tokens: Mapping[str, str] | None, purpose: str) -> None:
    """Raise BadAdmission for a token of one purpose that is too weak, or a user's."""
    if token:
        _check_tokens({"": token})
        if token in (tokens or {}).values():
            raise BadAdmission(f"expected a token for the {purpose} that is no user's")


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
    found = read_origin(origin)
    if found is None or origin != written_origin(*found):
        as_sent = "" if found is None else f"; as a browser sends it: {written_origin(*found)}"
        raise BadAdmission(f"expected an origin such as https://app.example.com; got {origin!r}{as_sent}")
    return origin


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _host_of(request: Request) -> Authority | None:
    """Return the host that a request names; None where it names none, or two."""
    named = request.headers.getlist("host")
    return read_authority(named[0]) if len(named) == 1 else None
