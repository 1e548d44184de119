"""How a server is reached: a program that is started, or an address, with a login where one is kept or asked for."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from purestep_hosts.extras import MissingExtraError
from purestep_hosts.mcp.server_entry import McpError, McpServer
from purestep_hosts.tools import keeper

if TYPE_CHECKING:
    import httpx2

    from purestep_hosts.mcp.login import ServerLogin, ShowAddress

_MAX_ERROR_CHARS: Final = 300
"""Of what a server says about itself in an error; more does not help a person or a model."""

_ADVICE: Final = "log in once with `purestep` in a terminal, or with `login` in Python, or give `token_env`"


def login_for(server: McpServer, show: ShowAddress | None) -> ServerLogin | None:
    """Return the login of an address without a token of its own: the one that was kept, or one that a person does.

    show: shows a person where to log in; None where there is nobody. Raises MissingExtraError where there is.
    """
    if not server.url or server.token_env:
        return None
    from purestep_hosts.mcp.kept_login import KeptLogin
    from purestep_hosts.mcp.login import ServerLogin

    try:
        kept = KeptLogin(server.url)
    except MissingExtraError:
        if show is None:
            return None
        raise
    return ServerLogin(server.url, kept, show) if kept.has_tokens or show is not None else None


@asynccontextmanager
async def transport_of(server: McpServer, said: LastWords, login: ServerLogin | None) -> AsyncIterator[Any]:
    """Return the transport of the SDK for a server; said: takes what a program prints. Raises McpError."""
    if server.command:
        from mcp.client.stdio import StdioServerParameters, stdio_client

        from purestep_hosts.mcp.bounded_bodies import MAX_MESSAGE_BYTES

        _check_program(server)
        given = {name: os.environ[name] for name in server.env if name in os.environ}
        # Isolated, and without site-packages, as the shell tool has it.
        words = ["-I", "-S", keeper.__file__, "--serve", str(MAX_MESSAGE_BYTES), *server.command]
        yield stdio_client(StdioServerParameters(command=sys.executable, args=words, env=given), said.pipe())
        return
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    from purestep_hosts.mcp.bounded_bodies import HEADERS, bound_body
    from purestep_hosts.mcp.login import only_private

    token = os.environ.get(server.token_env, "") if server.token_env else ""
    if server.token_env and not token:
        raise McpError(f"the variable {server.token_env} is not set; it holds the token of the server")
    headers = {**HEADERS, "Authorization": f"Bearer {token}"} if token else HEADERS
    timeout = httpx2.Timeout(30, read=300)
    hooks: dict[str, list[Callable[..., Any]]] = {
        "request": [only_private],
        "response": [bound_body, said.note_refusal],
    }
    auth = None if login is None else login.auth
    async with httpx2.AsyncClient(headers=headers, timeout=timeout, event_hooks=hooks, auth=auth) as client:
        yield streamable_http_client(server.url, http_client=client)


def _check_program(server: McpServer) -> None:
    if shutil.which(server.command[0]) is None:
        raise McpError(f"there is no program {server.command[0]!r}; install it, or give its path")


class LastWords:
    """The last line that a program prints on stderr, read to its end so that it does not block.

    Of an address, that it has refused to answer.
    """

    def __init__(self) -> None:
        self._kept = b""
        self._thread: threading.Thread | None = None
        self._writer: Any = None

    def pipe(self) -> Any:
        """Return what a program is to print to."""
        reader, writer = os.pipe()
        self._writer = os.fdopen(writer, "wb", buffering=0)
        self._thread = threading.Thread(target=self._read, args=(reader,), daemon=True)
        self._thread.start()
        return self._writer

    async def note_refusal(self, response: httpx2.Response) -> None:
        """Keep that a server wants to know who asks; an event hook of a client."""
        if response.status_code in (401, 403):
            self._kept = f"HTTP {response.status_code}; {_ADVICE}".encode()

    def forget(self) -> None:
        """Keep nothing of what was said."""
        self._kept = b""

    def _read(self, reader: int) -> None:
        with os.fdopen(reader, "rb", buffering=0) as pipe:
            while piece := pipe.read(65536):
                self._kept = (self._kept + piece)[-4096:]

    @property
    def last(self) -> str:
        """The last line that is not blank, without control characters."""
        lines = [line for line in self._kept.decode("utf-8", "replace").splitlines() if line.strip()]
        return plain_words(lines[-1]) if lines else ""

    def close(self) -> None:
        """Close our end, and wait shortly for the rest."""
        if self._writer is not None:
            self._writer.close()
        if self._thread is not None:
            self._thread.join(0.2)


def plain_words(text: str) -> str:
    """Return what a server or a program says, as a line of bounded length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * _MAX_ERROR_CHARS]).split())
    return line.rstrip(".") if len(line) <= _MAX_ERROR_CHARS else f"{line[:_MAX_ERROR_CHARS]}…"
