"""Images and files that clients name by an address, fetched from the origins that the operator allows and no other.

An origin counts for every redirect too. An allowed host may be at a private address, since the operator has named it;
the connection goes to the address that was resolved.
"""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from purestep_hosts.attachments import MAX_ATTACHMENT_BYTES, MAX_REQUEST_BYTES
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.tools.checked_request import Target, answered, bounded_body, target_of
from purestep_hosts.tools.limits import FETCH_TIME_LIMIT_MS, MAX_REDIRECTS, MAX_URL_CHARS, REDIRECT_STATUSES
from purestep_hosts.tools.tool import RunningCall, ToolFailure

_ACCEPTED: Final = "image/png, image/jpeg, image/gif, image/webp, application/pdf, text/*, application/json"


class BadFileOrigin(ValueError):
    """What was given as an origin of files is none."""


class FileOrigins:
    """The origins from which a service fetches files; with none of them it fetches nothing."""

    def __init__(self, origins: Iterable[str] = ()) -> None:
        """Take origins such as `https://files.example.com`; raises BadFileOrigin."""
        self._hosts = dict([_origin(each) for each in origins])

    def fetches(self) -> LinkedFiles:
        """Return what fetches the files of one request, in one time limit and up to one size."""
        return LinkedFiles(self._hosts)


def _origin(given: str) -> tuple[tuple[str, str, int], str]:
    """Return an origin as scheme, host and port, and the host as a request may reach it."""
    parts = urlsplit(given)
    if parts.scheme not in {"http", "https"} or given != f"{parts.scheme}://{parts.netloc}":
        raise BadFileOrigin(f"expected an origin such as https://files.example.com; got {given!r}")
    try:
        target = target_of(given, frozenset())
    except ToolFailure as failure:
        raise BadFileOrigin(f"expected an origin such as https://files.example.com; got {given!r}: {failure}") from None
    return _key(target), f"{target.host}:{target.port}"


def _key(target: Target) -> tuple[str, str, int]:
    return "https" if target.secure else "http", target.host, target.port


class LinkedFiles:
    """Fetches the files of one request."""

    def __init__(self, hosts: dict[tuple[str, str, int], str]) -> None:
        self._hosts = hosts
        self._call: RunningCall | None = None
        self._left = MAX_REQUEST_BYTES

    def fetched(self, url: object) -> tuple[bytes, str]:
        """Return the bytes of an address, and the name in it; raises ServiceError."""
        if not self._hosts:
            raise ServiceError("unsupported", "expected images and files as data URLs: the service fetches no address")
        if not isinstance(url, str) or len(url) > MAX_URL_CHARS:
            raise ServiceError("invalid_input", f"expected an address of at most {MAX_URL_CHARS} characters")
        # The time counts from the first one on.
        self._call = self._call or RunningCall("", FETCH_TIME_LIMIT_MS / 1000)
        try:
            return self._followed(url, self._call)
        except ToolFailure as failure:
            raise ServiceError("attachment_unreadable", f"the file could not be fetched: {failure}") from None

    def _followed(self, url: str, call: RunningCall) -> tuple[bytes, str]:
        at = url
        for _ in range(MAX_REDIRECTS + 1):
            found = self._asked(self._allowed(at), call)
            if isinstance(found, bytes):
                return found, unquote(urlsplit(url).path.rpartition("/")[2])
            at = urljoin(at, found)
        raise ToolFailure(f"it redirects more than {MAX_REDIRECTS} times")

    def _allowed(self, url: str) -> Target:
        target = target_of(url, frozenset(self._hosts.values()))
        if _key(target) not in self._hosts:
            raise ServiceError(
                "unsupported", f"the service fetches no files from {target.host}; send them as data URLs"
            )
        return target

    def _asked(self, target: Target, call: RunningCall) -> bytes | str:
        """Return the bytes of a target, or where it is instead."""
        most = min(MAX_ATTACHMENT_BYTES, self._left)
        with answered(target, call, _ACCEPTED) as response:
            location = response.getheader("Location")
            if response.status in REDIRECT_STATUSES and location:
                return location
            if response.status != HTTPStatus.OK:
                raise ToolFailure(f"{target.host} answered with status {response.status}")
            if response.getheader("Content-Encoding", "identity") != "identity":
                raise ToolFailure("it is compressed although that was not asked for")
            body = bounded_body(response, call, most)
        if len(body) > most:
            raise ServiceError("attachment_too_large", f"a file that is fetched may have {most:,} more bytes here")
        self._left -= len(body)
        return body
