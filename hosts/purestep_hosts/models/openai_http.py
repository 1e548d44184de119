"""A model behind an OpenAI-compatible HTTP server.

The openai client sends the request once. This module reads the stream and limits its size and time, so that a broken,
slow or endless server cannot block a run. The core interprets the replies.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from purestep import FAULT_HEADERS, MAX_ERROR_BODY_CHARS, MAX_REPLY_LINE_BYTES, ReplyEnd
from purestep_hosts.extras import OPENAI
from purestep_hosts.models.model import ModelRequest, ReplySink, chat_body
from purestep_hosts.models.sse import DONE, TooLong, data_lines

if TYPE_CHECKING:
    import httpx2
    import openai

COMPLETIONS_PATH = "/chat/completions"


class HttpLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How long to wait, in seconds."""

    # A server that is up accepts a connection at once, also across the world.
    connect_s: float = 5.0
    # A large local model may read a long prompt for minutes before its first token.
    read_s: float = 180.0
    # A whole reply; longer than any useful turn, so only a stream that never ends meets it.
    total_s: float = 900.0


class HttpModel:
    """Completions from one URL with one key."""

    def __init__(self, url: str, *, model: str, api_key: str | None = None, limits: HttpLimits | None = None) -> None:
        """Prepare a client; nothing is sent yet.

        `url` is the full address of the chat completions (see `completions_url`), `model` the name to ask
        for when a request has none, `api_key` the bearer key or None for servers that want none.
        Raises MissingExtraError when the extra `openai` is not installed.
        """
        OPENAI.require()
        self.name = model
        self._url = url
        self._key = api_key or ""
        self._limits = limits or HttpLimits()
        self._ended = ReplyEnd(
            source=f"The model server at {_host(url)}", secret=self._key, key_name="OPENAI_API_KEY (or LLM_API_KEY)"
        )
        self._client: openai.OpenAI | None = None
        self._awaited: httpx2.Response | None = None

    def complete(self, request: ModelRequest, reply: ReplySink) -> ReplyEnd:
        """Ask once, write the reply to `reply` and return how it ended; never raises for what the server did."""
        import httpx2
        import openai

        try:
            return self._receive(request, reply)
        except openai.APIStatusError as error:
            return self._refused(error.response)
        except (openai.APITimeoutError, httpx2.TimeoutException, _OutOfTime):
            return replace(self._ended, kind="timeout")
        except openai.APIConnectionError as error:
            return replace(self._ended, kind="unreachable", name=type(error.__cause__ or error).__name__)
        except TooLong:
            return replace(self._ended, kind="too_long", limit_bytes=MAX_REPLY_LINE_BYTES)
        except httpx2.TransportError:
            return replace(self._ended, kind="cut")
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            return self._unasked(error)
        except (ImportError, ValueError, OSError) as error:
            # A proxy, a certificate file or an address that the client cannot use.
            return self._unasked(error)

    def _refused(self, response: httpx2.Response) -> ReplyEnd:
        headers = {name: response.headers[name] for name in FAULT_HEADERS if name in response.headers}
        body = response.text[:MAX_ERROR_BODY_CHARS]
        return replace(self._ended, kind="status", status=response.status_code, headers=headers, body=body)

    def _unasked(self, error: Exception) -> ReplyEnd:
        advice = "Also look at the proxy and certificate settings of the environment."
        return replace(self._ended, kind="unusable", name=type(error).__name__, advice=advice)

    def close(self) -> None:
        """Close the connections that are kept open."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def stop(self) -> None:
        """Give up the reply that another thread reads: its connection is shut, which ends the reading at once."""
        response = self._awaited
        link = response.extensions.get("network_stream") if response is not None else None
        raw = link.get_extra_info("socket") if link is not None else None
        if raw is not None:
            with suppress(OSError):
                raw.shutdown(socket.SHUT_RDWR)

    def _receive(self, request: ModelRequest, reply: ReplySink) -> ReplyEnd:
        deadline = time.monotonic() + self._limits.total_s
        response = self._post(chat_body(request, self.name))
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        self._awaited = response
        try:
            for chunk in _chunks(_before(deadline, response.iter_bytes()), media_type):
                if reply.chunk(chunk):
                    break
        finally:
            self._awaited = None
            response.close()
        return replace(self._ended, media_type=media_type or "unknown")

    def _post(self, body: dict[str, Any]) -> httpx2.Response:
        import openai

        client = self._connected()
        stream = client.post(self._url, cast_to=object, body=body, stream=True, stream_cls=openai.Stream[object])
        return stream.response

    def _connected(self) -> openai.OpenAI:
        if self._client is None:
            import httpx2
            import openai

            limits = self._limits
            times = httpx2.Timeout(limits.read_s, connect=limits.connect_s)
            # The client insists on a key; servers that want none ignore this one.
            key = self._key or "none"
            # The core decides on retries and back-off, and logs them.
            self._client = openai.OpenAI(api_key=key, base_url=_root(self._url), timeout=times, max_retries=0)
        return self._client


class _OutOfTime(Exception):
    """The reply as a whole took longer than its limit."""


def completions_url(base_url: str) -> str:
    """Return where to post for a base URL such as `http://127.0.0.1:8080/v1`; a full address stays."""
    base, mark, query = base_url.partition("?")
    base = base.rstrip("/")
    return (base if base.endswith(COMPLETIONS_PATH) else base + COMPLETIONS_PATH) + mark + query


def _chunks(pieces: Iterator[bytes], media_type: str) -> Iterator[bytes]:
    """Yield the chunks of a reply; a completion that is not streamed is one chunk."""
    if media_type == "text/event-stream":
        yield from data_lines(pieces)
    else:
        yield _whole(pieces)
        yield DONE


def _before(deadline: float, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces until the deadline, since a server may send forever."""
    for piece in pieces:
        if time.monotonic() > deadline:
            raise _OutOfTime
        yield piece


def _whole(pieces: Iterator[bytes]) -> bytes:
    """Return the body of a server that does not stream."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > MAX_REPLY_LINE_BYTES:
            raise TooLong
    return bytes(body)


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _root(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
