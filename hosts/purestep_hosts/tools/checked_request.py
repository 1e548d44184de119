"""A GET request to an address that somebody else wrote: where to connect is checked, and the connection goes there.

The host name is resolved, all its addresses must be public unless the host is allowed, and the connection goes to a
checked address, which prevents DNS rebinding. Proxies are not used, because a proxy would resolve the name again.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import SplitResult, urlsplit

import msgspec

from purestep_hosts.connection_limit import ConnectionLimit
from purestep_hosts.tools.addresses import AddressRefused, resolve
from purestep_hosts.tools.tool import RunningCall, ToolFailure

_PORTS = {"http": 80, "https": 443}
_CONNECT_S = 5.0


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """One checked request: where to connect and what to ask."""

    secure: bool
    host: str
    port: int
    path: str
    private_allowed: bool


def target_of(url: str, allowed: frozenset[str]) -> Target:
    """Return what an address asks for; raises ToolFailure for one that is none. allowed: hosts, or hosts with ports."""
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
    return Target(
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


@contextmanager
def answered(target: Target, call: RunningCall, accept: str) -> Iterator[http.client.HTTPResponse]:
    """Ask for a target, and give the response while its body is read; raises ToolFailure for what breaks.

    accept: the media types that are asked for. The connection is ended at the call's time limit.
    """
    headers = {"Accept": accept, "Accept-Encoding": "identity", "User-Agent": "purestep"}
    with _connection(target, call) as connection:
        try:
            connection.request("GET", target.path, headers=headers)
            yield connection.getresponse()
        except (http.client.HTTPException, OSError) as error:
            call.check()
            problem = f"{target.host} did not answer properly ({type(error).__name__})"
            raise ToolFailure(problem, "io") from None


@contextmanager
def _connection(target: Target, call: RunningCall) -> Iterator[http.client.HTTPConnection]:
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


def _connect(target: Target, call: RunningCall) -> socket.socket:
    problem = ""
    for address in _addresses(target):
        call.check()
        try:
            return socket.create_connection((address, target.port), min(_CONNECT_S, call.remaining_s()))
        except OSError as error:
            problem = error.strerror or "no answer in time"
    raise ToolFailure(f"{target.host} cannot be reached: {problem}", "io")


def _addresses(target: Target) -> list[str]:
    try:
        return resolve(target.host, target.port, private_allowed=target.private_allowed)
    except AddressRefused as refused:
        raise ToolFailure(f"this address may not be fetched: {refused}", "invalid_arguments") from None
    except (OSError, UnicodeError):
        raise ToolFailure(f"there is no host named {target.host}", "io") from None


def _secured(link: socket.socket, target: Target, call: RunningCall) -> ssl.SSLSocket:
    try:
        return ssl.create_default_context().wrap_socket(link, server_hostname=target.host)
    except (OSError, ValueError) as error:
        call.check()
        reason = error.verify_message if isinstance(error, ssl.SSLCertVerificationError) else type(error).__name__
        raise ToolFailure(f"no safe connection to {target.host} ({reason})", "io") from None


def bounded_body(response: http.client.HTTPResponse, call: RunningCall, most: int) -> bytes:
    """Return the body, or of a longer one more than `most` bytes; raises ToolFailure for one that broke off."""
    body = bytearray()
    while len(body) <= most and (piece := response.read1(65536)):
        body += piece
    call.check()  # a connection that was cut looks like the end of a page
    if len(body) <= most and response.length:
        raise ToolFailure("the page ended before all of it had come; what came is not shown", "io")
    return bytes(body)
