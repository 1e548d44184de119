"""The fetch_url tool: GET a public web page as text.

The address is checked for every redirect: the host name is resolved, all its addresses must be public, and the
connection goes to a checked address, which prevents DNS rebinding. Proxies are not used, because a proxy would resolve
the name again.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

import msgspec

from purestep import Example
from purestep_hosts.connection_limit import ConnectionLimit
from purestep_hosts.tools.addresses import AddressRefused, resolve
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.limits import (
    ACCEPTED_TYPES,
    HTML_TYPES,
    MAX_PAGE_BYTES,
    MAX_REDIRECTS,
    MAX_URL_CHARS,
    PAGE_CUT_NOTICE,
    REDIRECT_STATUSES,
    TEXT_TYPE_ENDS,
    TEXT_TYPE_STARTS,
)
from purestep_hosts.tools.tool import RunningCall, Tool, ToolFailure, hints, parameters, text
from purestep_tools import html_text

_PORTS = {"http": 80, "https": 443}
_CONNECT_S = 5.0
_HEADERS = {
    "Accept": ACCEPTED_TYPES,
    "Accept-Encoding": "identity",
    "User-Agent": "purestep",
}


def tool(config: ToolConfig) -> Tool:
    """Return the fetch tool; `config.allow_hosts` names private hosts that it may reach."""
    allowed = frozenset(host.lower() for host in config.allow_hosts)

    def run(params: dict[str, Any], call: RunningCall) -> str:
        url = bounded_text(params, "url", max_chars=MAX_URL_CHARS)
        for _ in range(MAX_REDIRECTS + 1):
            answer = _get(_target(url, allowed), call)
            if isinstance(answer, str):
                return answer
            url = urljoin(url, answer.location)
        raise ToolFailure(f"the page redirects more than {MAX_REDIRECTS} times")

    return Tool(
        name="fetch_url",
        description="Get the text of a web page.",
        parameters=parameters(url=text("the address, starting with http:// or https://")),
        run=run,
        annotations=hints(read_only=True, idempotent=True, open_world=True),
        time_limit_s=config.fetch_time_limit_s,
        max_output_chars=config.max_output_chars,
        examples=(
            Example(
                query="Fetch https://example.com",
                arguments={"url": "https://example.com"},
                result="Example Domain\nThis domain is for use in examples.",
                answer="The page says that the domain is for use in examples.",
            ),
        ),
    )


class _Target(msgspec.Struct, frozen=True, kw_only=True):
    """One checked request: where to connect and what to ask."""

    secure: bool
    host: str
    port: int
    path: str
    private_allowed: bool


class _Redirect(msgspec.Struct, frozen=True, kw_only=True):
    location: str


def _target(url: str, allowed: frozenset[str]) -> _Target:
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
        host = (parts.hostname or "").encode("idna").decode("ascii")
    except ValueError:
        raise ToolFailure(f"{url!r} is no valid address", "invalid_arguments") from None
    if parts.scheme not in _PORTS:
        raise ToolFailure("only addresses with http:// or https:// can be fetched", "invalid_arguments")
    if not host or parts.username or parts.password:
        raise ToolFailure("the address must name a host, and no user or password", "invalid_arguments")
    return _Target(
        secure=parts.scheme == "https",
        host=host,
        port=port,
        path=_path(parts),
        private_allowed=bool({host, f"{host}:{port}"} & allowed),
    )


def _path(parts: SplitResult) -> str:
    """Return path and query in ASCII without spaces or control characters, as a request line needs them."""
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return "".join(ch if "!" <= ch <= "~" else "".join(f"%{byte:02X}" for byte in ch.encode()) for ch in path)


def _get(target: _Target, call: RunningCall) -> str | _Redirect:
    with _connection(target, call) as connection:
        try:
            connection.request("GET", target.path, headers=_HEADERS)
            return _read(connection.getresponse(), target, call)
        except (http.client.HTTPException, OSError) as error:
            call.check()
            problem = f"{target.host} did not answer properly ({type(error).__name__})"
            raise ToolFailure(problem, "io") from None


@contextmanager
def _connection(target: _Target, call: RunningCall) -> Iterator[http.client.HTTPConnection]:
    """Open a connection to a checked address; it is ended at the call's time limit, also while TLS is set up."""
    link = _connect(target, call)
    connection = http.client.HTTPConnection(target.host, target.port)
    connection.default_port = _PORTS["https" if target.secure else "http"]
    connection.auto_open = 0  # a second connection would not be checked
    with ConnectionLimit(call.remaining_s()) as limit, call.cut_by(limit.end):
        limit.watch(link)
        try:
            connection.sock = _secured(link, target, call) if target.secure else link
            yield connection
        finally:
            connection.close()
            link.close()


def _connect(target: _Target, call: RunningCall) -> socket.socket:
    problem = ""
    for address in _addresses(target):
        call.check()
        try:
            return socket.create_connection((address, target.port), min(_CONNECT_S, call.remaining_s()))
        except OSError as error:
            problem = error.strerror or "no answer in time"
    raise ToolFailure(f"{target.host} cannot be reached: {problem}", "io")


def _addresses(target: _Target) -> list[str]:
    try:
        return resolve(target.host, target.port, private_allowed=target.private_allowed)
    except AddressRefused as refused:
        raise ToolFailure(f"this address may not be fetched: {refused}", "invalid_arguments") from None
    except (OSError, UnicodeError):
        raise ToolFailure(f"there is no host named {target.host}", "io") from None


def _secured(link: socket.socket, target: _Target, call: RunningCall) -> ssl.SSLSocket:
    try:
        return ssl.create_default_context().wrap_socket(link, server_hostname=target.host)
    except (OSError, ValueError) as error:
        call.check()
        reason = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else type(error).__name__
        raise ToolFailure(f"no safe connection to {target.host} ({reason})", "io") from None


def _read(response: http.client.HTTPResponse, target: _Target, call: RunningCall) -> str | _Redirect:
    location = response.getheader("Location")
    if response.status in REDIRECT_STATUSES and location:
        return _Redirect(location=location)
    if not HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES:
        raise ToolFailure(f"{target.host} answered with status {response.status} {response.reason}"[:200])
    kind = response.headers.get_content_type()
    if not (kind.startswith(TEXT_TYPE_STARTS) or kind.endswith(TEXT_TYPE_ENDS)):
        raise ToolFailure(f"the address holds {kind}; only text can be fetched")
    if response.getheader("Content-Encoding", "identity") != "identity":
        raise ToolFailure("the page is compressed although that was not asked for")
    body = _body(response, call)
    if len(body) > MAX_PAGE_BYTES and kind not in HTML_TYPES:  # the start of other text, such as JSON, may be nothing
        raise ToolFailure(f"the address holds more than {MAX_PAGE_BYTES} bytes of {kind}; ask for a part of it")
    page = _decoded(body[:MAX_PAGE_BYTES], response.headers.get_content_charset())
    shown = html_text(page) if kind in HTML_TYPES else page
    return shown if len(body) <= MAX_PAGE_BYTES else shown + PAGE_CUT_NOTICE


def _body(response: http.client.HTTPResponse, call: RunningCall) -> bytes:
    """Return the body, or of a longer one more than MAX_PAGE_BYTES."""
    body = bytearray()
    while len(body) <= MAX_PAGE_BYTES and (piece := response.read1(65536)):
        body += piece
    call.check()  # a connection that was cut looks like the end of a page
    if len(body) <= MAX_PAGE_BYTES and response.length:
        raise ToolFailure("the page ended before all of it had come; what came is not shown", "io")
    return bytes(body)


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
