"""A model behind an OpenAI-compatible HTTP server.

The openai client sends the request and retries 429 and 5xx with back-off; the stream is read here, because
a server that is wrong, slow or endless must end in an observation, within bounds on size and time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from purestep_hosts.extras import OPENAI
from purestep_hosts.models.faults import server_fault
from purestep_hosts.models.port import ModelRequest, OnText, chat_body, model_error
from purestep_hosts.models.reply import BadReply, Reply
from purestep_hosts.models.sse import DONE, MAX_LINE_BYTES, data_lines

if TYPE_CHECKING:
    import httpx2
    import openai

COMPLETIONS_PATH = "/chat/completions"


class HttpLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How long and how often to try, in seconds and retries."""

    # A server that is up accepts a connection at once, also across the world.
    connect_s: float = 5.0
    # A large local model may read a long prompt for minutes before its first token.
    read_s: float = 180.0
    # A whole reply; longer than any useful turn, so only a stream that never ends meets it.
    total_s: float = 900.0
    max_retries: int = 2


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
        self._server = f"The model server at {_host(url)}"
        self._client: openai.OpenAI | None = None

    def complete(self, request: ModelRequest, on_text: OnText | None = None) -> dict[str, Any]:
        """Return a `model_output` or `model_error` observation; never raises for what the server did."""
        import httpx2
        import openai

        reply = Reply()
        try:
            return self._receive(request, reply, on_text)
        except openai.APIStatusError as error:
            return server_fault(error.status_code, error.body, server=self._server, secret=self._key)
        except (openai.APITimeoutError, httpx2.TimeoutException, _OutOfTime):
            return self._timeout(reply)
        except openai.APIConnectionError as error:
            return self._unreachable(error)
        except BadReply as error:
            text = f"{self._server} sent something that is no chat completion: {error.message}. {_CHECK}"
            return model_error("unavailable", text, retryable=error.retryable)
        except httpx2.TransportError:
            return self._cut(reply)
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            return self._unasked(error)
        except (ImportError, ValueError, OSError) as error:
            # A proxy, a certificate file or an address that the client cannot use.
            return self._unasked(error)

    def _unasked(self, error: Exception) -> dict[str, Any]:
        advice = f"{_CHECK} Also look at the proxy and certificate settings of the environment."
        text = f"{self._server} could not be asked ({type(error).__name__}). {advice}"
        return model_error("unavailable", text, retryable=False)

    def close(self) -> None:
        """Close the connections that are kept open."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _receive(self, request: ModelRequest, reply: Reply, on_text: OnText | None) -> dict[str, Any]:
        deadline = time.monotonic() + self._limits.total_s
        response = self._post(chat_body(request, self.name))
        try:
            for chunk in _chunks(response, deadline):
                if chunk is None:
                    return reply.observation()
                if isinstance(chunk, dict) and chunk.get("error"):
                    return self._stream_fault(chunk)
                text = reply.add(chunk)
                if text and on_text is not None and on_text(text):
                    reply.stop()
                    return reply.observation()
        finally:
            response.close()
        return reply.observation() if reply.finish_reason else self._cut(reply)

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
            self._client = openai.OpenAI(
                api_key=key, base_url=_root(self._url), timeout=times, max_retries=limits.max_retries
            )
        return self._client

    def _stream_fault(self, chunk: dict[str, Any]) -> dict[str, Any]:
        error = chunk["error"]
        status = error.get("code") if isinstance(error, dict) else None
        known = status if isinstance(status, int) else HTTPStatus.INTERNAL_SERVER_ERROR
        return server_fault(known, chunk, server=self._server, secret=self._key)

    def _timeout(self, reply: Reply) -> dict[str, Any]:
        text = f"{self._server} did not finish in time; {reply.size} characters had come. {_LATER}"
        return model_error("timeout", text, retryable=True)

    def _cut(self, reply: Reply) -> dict[str, Any]:
        text = f"{self._server} ended its reply early, after {reply.size} characters. {_LATER}"
        return model_error("unavailable", text, retryable=True)

    def _unreachable(self, error: Exception) -> dict[str, Any]:
        cause = type(error.__cause__ or error).__name__
        text = f"{self._server} cannot be reached ({cause}). Is it running, and is the base URL right?"
        return model_error("unavailable", text, retryable=True)


_CHECK = "Check the base URL (it usually ends in /v1)."
_LATER = "Try again, or raise the time limit if the model is slow."


class _OutOfTime(Exception):
    """The reply as a whole took longer than its limit."""


def completions_url(base_url: str) -> str:
    """Return where to post for a base URL such as `http://127.0.0.1:8080/v1`; a full address stays."""
    base, mark, query = base_url.partition("?")
    base = base.rstrip("/")
    return (base if base.endswith(COMPLETIONS_PATH) else base + COMPLETIONS_PATH) + mark + query


def _chunks(response: httpx2.Response, deadline: float) -> Iterator[object]:
    """Yield the decoded chunks of a reply; None means that the server said it was complete."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    pieces = _before(deadline, response.iter_bytes())
    if kind != "text/event-stream":
        yield _whole(pieces, kind)
        yield None
        return
    for line in data_lines(pieces):
        yield None if line == DONE else _decode(line)


def _before(deadline: float, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pass the pieces on until the deadline, which bounds a server that sends for ever."""
    for piece in pieces:
        if time.monotonic() > deadline:
            raise _OutOfTime
        yield piece


def _whole(pieces: Iterator[bytes], kind: str) -> object:
    """Return the completion of a server that does not stream."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > MAX_LINE_BYTES:
            raise BadReply(f"it has more than {MAX_LINE_BYTES} bytes", retryable=False)
    try:
        return _decode(bytes(body))
    except BadReply:
        if kind == "application/json":
            raise
        problem = f"its type is {kind or 'not given'}; expected JSON or an event stream"
        raise BadReply(problem, retryable=False) from None


def _decode(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise BadReply(f"{len(data)} bytes that are not JSON") from None


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _root(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
