"""A model behind an HTTP server, by default an OpenAI-compatible one.

A request is sent once. One limit holds over connecting, headers and body, and what is kept of a body is bounded after
decoding, so that a broken, slow or endless server cannot block a run. The core interprets the replies.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from purestep_formats import FAULT_HEADERS, MAX_ERROR_BODY_CHARS, MAX_REPLY_LINE_BYTES, ReplyEnd, read_fault
from purestep_hosts.connection_limit import ConnectionLimit
from purestep_hosts.extras import OPENAI
from purestep_hosts.models.decoded import UnknownEncoding, decoded
from purestep_hosts.models.event_stream import NotUtf8, TooLong, chunks
from purestep_hosts.models.model import ANY_SERVER, ModelRequest, ReplySink
from purestep_hosts.models.prices import price_at
from purestep_hosts.models.server_kinds import owner_of_key
from purestep_hosts.models.wire import CHAT_COMPLETIONS, Wire

if TYPE_CHECKING:
    import httpx2

COMPLETIONS_PATH = "/chat/completions"
RESPONSES_PATH = "/responses"
_REDIRECTS = (307, 308)
"""The statuses by which a server names another address for the same request; a gateway may move once, not for ever."""
_MAX_REDIRECTS = 3
_NOT_THERE = (404, 405)
"""The statuses of an address or a model that is not there: the server's list says what is."""
_OF_KEYS = (400, 401, 403)
"""The statuses of a key that is not taken; the first is Google's."""


_MAX_REFUSED: Final = 16
"""Members that the core takes with a message: more than any request has."""

_REFUSED: Final[dict[str, dict[str, dict[str, None]]]] = {}
"""What servers have refused in this process, by their address and by the model."""


class HttpLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How long to wait, in seconds."""

    # A server that is up accepts a connection at once, also across the world.
    connect_s: float = 5.0
    # A large local model may read a long prompt for minutes before its first token.
    read_s: float = 180.0
    # Connecting, headers and body together; longer than any useful turn, so only what never ends meets it.
    total_s: float = 900.0


class HttpModel:
    """Completions from one URL with one key."""

    def __init__(
        self,
        url: str,
        *,
        model: str,
        api_key: str | None = None,
        limits: HttpLimits | None = None,
        time_advice: str = "",
        wire: Wire = CHAT_COMPLETIONS,
        profile: str = ANY_SERVER,
    ) -> None:
        """Prepare a client; nothing is sent yet.

        `url` is the full address of the chat completions (see `completions_url`), `model` the name to ask
        for when a request has none, `api_key` the bearer key or None for servers that want none, `time_advice` a
        sentence on how to wait longer, for the message of a server that was too slow, `wire` its protocol,
        `profile` the name of how such a server wants to be asked.
        Raises MissingExtraError when the extra `openai` is not installed.
        """
        OPENAI.require()
        self.name, self.profile = model, profile
        self.price_of = price_at(url)
        self._url = url
        self._key = api_key or ""
        self._limits = limits or HttpLimits()
        self.wire = wire
        self._ended = ReplyEnd(
            source=f"The model server at {_host(url)}",
            secret=self._key,
            key_name=wire.key_name,
            base_end=wire.base_end,
        )
        self._late = replace(self._ended, kind="timeout", advice=time_advice)
        self._client: httpx2.Client | None = None
        self._known = _REFUSED.setdefault(url, {})
        self._awaited: dict[int, ConnectionLimit] = {}
        """The connections that are read, by the identity of the reply that each gives to."""

    @property
    def refused(self) -> tuple[str, ...]:
        """What its server has refused of requests in this process, as the core has told with a later one."""
        return tuple(self._known.get(self.name, ()))[:_MAX_REFUSED]

    def complete(self, request: ModelRequest, reply: ReplySink) -> ReplyEnd:
        """Ask once, write the reply to `reply` and return how it ended; never raises for what the server did."""
        import httpx2

        if request.without:
            self._known.setdefault(request.model or self.name, {}).update(dict.fromkeys(request.without))
        with ConnectionLimit(self._limits.total_s) as limit:
            self._awaited[id(reply)] = limit
            try:
                end = self._ask(request, reply, limit)
            except TooLong:
                return replace(self._ended, kind="too_long", limit_bytes=MAX_REPLY_LINE_BYTES)
            except (httpx2.TimeoutException, _OutOfTime):
                end = self._late
            except httpx2.TransportError as error:
                end = self._failed(error)
            except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, UnknownEncoding) as error:
                end = self._unasked(error)
            except (ImportError, ValueError, OSError) as error:
                # A proxy, a certificate file or an address that the client cannot use.
                end = self._unasked(error)
            finally:
                self._awaited.pop(id(reply), None)
            # A connection that was ended for its time looks as if the server had closed it.
            return self._late if limit.is_over and end.kind in _OF_TIME else end

    def _failed(self, error: Exception) -> ReplyEnd:
        """Return how a connection failed: in the middle of a reply, or before any of it came."""
        tls = _tls_error(error)
        if tls is not None:
            advice = "For a certificate authority of your own, set SSL_CERT_FILE to its certificates."
            return replace(self._ended, kind="insecure", message=_tls_reason(tls), advice=advice)
        return replace(self._ended, kind="unreachable", name=type(error).__name__)

    def _refused(self, response: httpx2.Response, model: str, sent: tuple[str, ...]) -> ReplyEnd:
        headers = {name: response.headers[name] for name in FAULT_HEADERS if name in response.headers}
        body = _start_of(response).decode("utf-8", "replace")[:MAX_ERROR_BODY_CHARS]
        status = response.status_code
        end = replace(self._ended, kind="status", status=status, headers=headers, body=body, sent=sent)
        return replace(end, advice=self._advice(end, model))

    def _advice(self, end: ReplyEnd, model: str) -> str:
        """Return a sentence on a model or an address that is not there, or on a key of another server."""
        owner = owner_of_key(self._key) if end.status in _OF_KEYS else None
        is_other = owner is not None and owner.key_names[0] not in self.wire.key_name
        if owner is not None and is_other and read_fault(end).code == "unavailable":
            return f"This key begins as those of {owner.title} do."
        # OpenRouter says with 400 that it has no such model.
        names_it = end.status == HTTPStatus.BAD_REQUEST and model in end.body and read_fault(end).refused is None
        if end.status not in _NOT_THERE and not names_it:
            return ""
        from purestep_hosts.models.address_advice import address_advice

        return address_advice(self._url, self._key, model, self.wire.name)

    def _unasked(self, error: Exception) -> ReplyEnd:
        advice = "Also look at the proxy and certificate settings of the environment."
        return replace(self._ended, kind="unusable", name=type(error).__name__, advice=advice)

    def close(self) -> None:
        """Close the connections that are kept open."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def stop(self) -> None:
        """Give up what other threads read: each connection is shut, which ends the reading at once."""
        for limit in tuple(self._awaited.values()):
            limit.end()

    def stop_reply(self, reply: ReplySink) -> None:
        """Give up one reply of those that other threads read."""
        if (limit := self._awaited.get(id(reply))) is not None:
            limit.end()

    def _ask(self, request: ModelRequest, reply: ReplySink, limit: ConnectionLimit) -> ReplyEnd:
        import httpx2

        # Escaped JSON is ASCII, so text that UTF-8 cannot hold is sent too.
        members = self.wire.body(request, self.name)
        body = json.dumps(members, allow_nan=False).encode("ascii")
        model = request.model or self.name
        url = httpx2.URL(self.wire.address(self._url, model))
        for _ in range(_MAX_REDIRECTS + 1):
            response = self._post(url, body, limit)
            try:
                moved = self._moved_to(url, response)
                if moved is None:
                    if response.is_success:
                        return self._receive(response, reply, limit)
                    return self._refused(response, model, tuple(members))
                url = moved
            finally:
                response.close()
        return self._unasked(httpx2.TooManyRedirects("the server redirects for ever"))

    def _post(self, url: httpx2.URL, body: bytes, limit: ConnectionLimit) -> httpx2.Response:
        client = self._connected()
        headers = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream, application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "purestep",
            **self.wire.headers(self._key),
        }
        request = client.build_request(
            "POST", url, content=body, headers=headers, extensions={"trace": _watching(limit)}
        )
        return client.send(request, stream=True)

    def _moved_to(self, url: httpx2.URL, response: httpx2.Response) -> httpx2.URL | None:
        """Return where a redirect leads; None for another host, which gets neither the key nor the question."""
        location = response.headers.get("location", "")
        if response.status_code not in _REDIRECTS or not location:
            return None
        moved = url.join(location)
        return moved if (moved.host, moved.scheme) in ((url.host, url.scheme), (url.host, "https")) else None

    def _receive(self, response: httpx2.Response, reply: ReplySink, limit: ConnectionLimit) -> ReplyEnd:
        import httpx2

        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        pieces = decoded(response.iter_raw(), response.headers.get("content-encoding", ""))
        try:
            events = chunks(_before(limit, pieces), media_type, has_names=self.wire.has_names)
            for chunk in self.wire.chunks(events):
                if reply.chunk(chunk):
                    break
            else:
                if limit.is_over:  # an ended connection looks like the end of a body without a length
                    raise _OutOfTime
        except httpx2.TimeoutException:
            raise
        except httpx2.TransportError:
            return replace(self._ended, kind="cut")
        except NotUtf8:
            return replace(self._ended, kind="not_utf8", media_type=media_type or "unknown")
        return replace(self._ended, media_type=media_type or "unknown")

    def _connected(self) -> httpx2.Client:
        if self._client is None:
            import httpx2

            times = httpx2.Timeout(self._limits.read_s, connect=self._limits.connect_s)
            # Each request has a connection of its own, so the limit knows which one to end.
            self._client = httpx2.Client(timeout=times, limits=httpx2.Limits(max_keepalive_connections=0))
        return self._client


_OF_TIME = ("cut", "unreachable", "insecure", "unusable", "status")
"""How a reply may seem to have ended when its connection was ended for its time."""


class _OutOfTime(Exception):
    """The reply as a whole took longer than its limit."""


def completions_url(base_url: str) -> str:
    """Return where to post for a base URL such as `http://127.0.0.1:8080/v1`; a full address stays."""
    return posting_url(base_url, COMPLETIONS_PATH)


def posting_url(base_url: str, path: str) -> str:
    """Return where to post for a base URL and the path of a protocol behind it; a full address stays."""
    base, mark, query = base_url.partition("?")
    base = base.rstrip("/")
    return (base if base.endswith(path) else base + path) + mark + query


def _before(limit: ConnectionLimit, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces until the time is over, since a server may send for ever."""
    for piece in pieces:
        if limit.is_over:
            raise _OutOfTime
        yield piece


def _start_of(response: httpx2.Response) -> bytes:
    """Return the start of an error's body, which says why in a line or two; as much as came before it broke."""
    import httpx2

    body = bytearray()
    with suppress(httpx2.HTTPError, httpx2.StreamError, UnknownEncoding):
        for piece in decoded(response.iter_raw(), response.headers.get("content-encoding", "")):
            body += piece
            if len(body) > MAX_ERROR_BODY_CHARS:
                break
    return bytes(body)


def _watching(limit: ConnectionLimit) -> Callable[[str, dict[str, Any]], None]:
    """Return what is told of each step of a request; it puts every connection that is opened under the limit."""

    def trace(step: str, info: dict[str, Any]) -> None:
        if step.endswith("connect_tcp.complete"):
            limit.watch(info["return_value"].get_extra_info("socket"))

    return trace


def _tls_error(error: BaseException) -> ssl.SSLError | None:
    """Return the TLS failure behind an error of the client, if there is one."""
    found: BaseException | None = error
    while found is not None and not isinstance(found, ssl.SSLError):
        found = found.__cause__ or found.__context__
    return found


def _tls_reason(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message.rstrip(".") or "the certificate was not accepted"
    if error.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG"):
        return "it does not speak TLS at this address"
    return (error.reason or "the handshake failed").replace("_", " ").lower()


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]
