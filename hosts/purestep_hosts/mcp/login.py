"""A login to a server by the SDK's OAuth flow: an address that a person opens, and the answer at a port here.

The address and all that the flow asks come from the server, so only https:// and this machine are asked or shown.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from purestep_hosts.extras import MCP
from purestep_hosts.mcp.kept_login import KeptLogin
from purestep_hosts.mcp.server_entry import THIS_MACHINE

with MCP:
    import httpx2
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
    from pydantic import AnyUrl

LOGIN_S: Final = 300.0
"""For a person to log in: as long as authorization servers commonly keep such a page open."""

_MAX_REQUEST_BYTES: Final = 16_384
_REQUEST_S: Final = 10.0
"""Of a browser's request at the port: a line and its headers."""

_PAGE: Final = (
    "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n"
    "Cache-Control: no-store\r\nContent-Security-Policy: default-src 'none'\r\n\r\n"
    "<!doctype html><title>purestep</title><p>{text}</p>"
)

ShowAddress = Callable[[str], object]
"""Shows a person the address at which to log in, or opens it; called in a thread of its own."""


class LoginFailed(Exception):
    """Nobody has logged in; the message says why, and holds nothing of a server's or a token's."""


class ServerLogin:
    """Logs in to one address when its server asks for that, and keeps what comes of it."""

    def __init__(self, url: str, kept: KeptLogin, show: ShowAddress | None) -> None:
        """Take what shows the address; None where nobody can log in, and only what was kept is used."""
        self.kept = kept
        self.failure = ""
        """Why the last login failed."""
        self.is_waiting = False
        """Whether a person is waited for."""
        self._show = show
        self._state = ""
        self._socket = _bound(self.kept.port)
        place = f"http://127.0.0.1:{self._socket.getsockname()[1]}/callback"
        self._is_known = self.kept.port in (0, self._socket.getsockname()[1])
        self._answer: asyncio.Future[AuthorizationCodeResult] | None = None
        self._showing: asyncio.Task[object] | None = None
        self._server: asyncio.Server | None = None
        metadata = OAuthClientMetadata(client_name="purestep", redirect_uris=[AnyUrl(place)])
        self.auth = _Flow(self, url, metadata)
        self.kept.flow = self.auth.context

    def hidden(self, said: Any) -> Any:
        """Return what the server says without the secrets of the login, which it may send back."""
        return _without(said, self.kept.secrets)

    def close(self) -> None:
        """Give the port back; called in the event loop."""
        if self._server is not None:
            self._server.close()
        self._socket.close()

    async def shown(self, address: str) -> None:
        """Show a person the address; raises LoginFailed."""
        if self._show is None:
            raise LoginFailed("nobody can log in here: its tokens have ended")
        if not self._is_known:
            raise LoginFailed("another process has the port at which it answers; end that one, or wait for it")
        if not is_private(address):
            raise LoginFailed("its address for logging in does not begin with https://")
        self._state = (parse_qs(urlsplit(address).query).get("state") or [""])[0]
        self._answer = asyncio.get_running_loop().create_future()
        if self._server is None:
            self._server = await asyncio.start_server(self._took, sock=self._socket, limit=_MAX_REQUEST_BYTES)
        self.is_waiting = True
        # What shows it may come back only once the person has logged in.
        self._showing = asyncio.create_task(asyncio.to_thread(self._show, address))

    async def answered(self) -> AuthorizationCodeResult:
        """Return what the browser brings back; raises LoginFailed."""
        assert self._answer is not None, "an address that was shown"
        assert self._showing is not None, "an address that was shown"
        try:
            async with asyncio.timeout(LOGIN_S):
                await asyncio.wait((self._answer, self._showing), return_when=asyncio.FIRST_COMPLETED)
                if not self._answer.done() and (error := self._showing.exception()) is not None:
                    raise LoginFailed(f"its address could not be shown: {type(error).__name__}")
                return await self._answer
        except TimeoutError:
            raise LoginFailed(f"nobody has logged in within {LOGIN_S:g} seconds") from None
        finally:
            self._showing.cancel()
            self.is_waiting = False

    async def _took(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request: of the browser that comes back, or of anybody on this machine."""
        with suppress(OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(_REQUEST_S):
                line = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")[0].decode("ascii", "replace")
                status, text = self._judged(line)
                writer.write(_PAGE.format(status=status, text=text).encode())
                await writer.drain()
        writer.close()

    def _judged(self, line: str) -> tuple[str, str]:
        method, _, rest = line.partition(" ")
        parts = urlsplit(rest.partition(" ")[0])
        found = {name: values[0] for name, values in parse_qs(parts.query).items()}
        assert self._answer is not None, "an address that was shown"
        if (method, parts.path) != ("GET", "/callback") or not self._state or found.get("state") != self._state:
            return "400 Bad Request", "This is not the answer to the login that purestep waits for."
        if not self._answer.done():
            if "code" in found:
                self._answer.set_result(
                    AuthorizationCodeResult(code=found["code"], state=found["state"], iss=found.get("iss"))
                )
            else:
                self._answer.set_exception(LoginFailed("the login was refused"))
        return "200 OK", "Done. Close this page, and go back to purestep."


class _Flow(OAuthClientProvider):
    """The SDK's flow, whose errors are ours: its own hold what servers say."""

    def __init__(self, login: ServerLogin, url: str, metadata: OAuthClientMetadata) -> None:
        super().__init__(url, metadata, login.kept, login.shown, login.answered)
        self._login = login
        _keep_tracebacks_out()

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        if not self.context.is_token_valid():
            self._login.kept.take_newer()
        async with aclosing(super().async_auth_flow(request)) as flow:
            try:
                asked = await anext(flow)
                while True:
                    asked = await flow.asend((yield asked))
            except StopAsyncIteration:
                return
            except Exception as error:
                self._login.failure = login_error(error)
                raise LoginFailed(self._login.failure) from None


async def only_private(request: httpx2.Request) -> None:
    """Refuse a request that anybody on the way could read or answer; an event hook of a client."""
    if not is_private(str(request.url)):
        raise httpx2.UnsupportedProtocol("the server names an address that does not begin with https://")


def is_private(address: str) -> bool:
    """Whether an address is https://, or http:// on this machine."""
    parts = urlsplit(address)
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in THIS_MACHINE)
    )


def _without(value: Any, secrets: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        for each in secrets:
            value = value.replace(each, "[hidden]")
        return value
    if isinstance(value, dict):
        return {_without(name, secrets): _without(each, secrets) for name, each in value.items()}
    return [_without(each, secrets) for each in value] if isinstance(value, list) else value


def _keep_tracebacks_out() -> None:
    """Have the SDK's log say that a flow failed, without the words of the server that its errors end with."""
    logger = logging.getLogger("mcp.client.auth.oauth2")
    if _without_traceback not in logger.filters:
        logger.addFilter(_without_traceback)


def _without_traceback(record: logging.LogRecord) -> bool:
    record.exc_info = None
    return True


def login_error(error: BaseException) -> str:
    """Return what ended a login, without what a server said of it: that may hold what nobody may see."""
    return str(error) if isinstance(error, LoginFailed) else str(error).partition(":")[0][:80]


def _bound(port: int) -> socket.socket:
    """Return a socket at a port of this machine, or at any free one where that is taken."""
    found = socket.socket()
    try:
        found.bind(("127.0.0.1", port))
    except OSError:
        found.bind(("127.0.0.1", 0))
    return found
