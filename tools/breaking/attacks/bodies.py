"""Servers that send too much, too slowly, too little or in the wrong way: every reply ends in time and bounds.

The servers are real sockets on loopback. A drip is faster than the limit on silence, so only the limit on the whole
ends it; what a trial allows beyond that limit is for a busy machine.
"""

import gzip
import json
import random
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import msgspec

import purestep_formats
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpLimits, HttpModel, completions_url
from purestep_hosts.output_gate import OutputGate

from ..attack import Attack

TOTAL_S: Final = 0.8
LIMITS: Final = HttpLimits(connect_s=0.5, read_s=0.5, total_s=TOTAL_S)
PATIENCE_S: Final = 20.0
"""Far more than the limit on the whole, far less than any of these servers would take."""
MAX_KEPT_BYTES: Final = 40_000_000

Serve = Callable[[socket.socket], None]

_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
_DONE: Final = b'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


@contextmanager
def serving(serve: Serve) -> Iterator[str]:
    """Serve each connection in a thread until the block ends; gives the server's address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

        def answer(link: socket.socket) -> None:
            with link, suppress(OSError):
                serve(link)

        threading.Thread(target=accept, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)


def drip(lead: bytes, piece: bytes, count: int = 100_000) -> Serve:
    """Send pieces one by one, ten a second, nearly for ever."""

    def serve(link: socket.socket) -> None:
        link.recv(65_536)
        link.sendall(lead)
        for _ in range(count):
            link.sendall(piece)
            time.sleep(0.1)

    return serve


def whole(*pieces: bytes) -> Serve:
    """Send it all at once and close."""

    def serve(link: socket.socket) -> None:
        link.recv(65_536)
        for piece in pieces:
            link.sendall(piece)

    return serve


def _bomb(status: bytes, kind: bytes, rng: random.Random) -> Serve:
    """A few hundred kilobytes that expand a thousand times, perhaps twice compressed."""
    body = gzip.compress(b"x" * 200_000_000 if rng.random() < 0.2 else b"data: " + b"x" * 50_000_000)  # noqa: PLR2004
    head = b"HTTP/1.1 " + status + b"\r\nContent-Encoding: gzip\r\nContent-Type: " + kind + b"\r\n\r\n"
    return whole(head, body)


def _way(rng: random.Random) -> tuple[str, Serve, tuple[str, ...]]:
    """Return one hostile server: what it does, itself, and the codes that may come of it."""
    # On a busy machine the time may be over before the fault is met.
    slow, bad = ("timeout",), ("unavailable", "timeout")
    ways: tuple[Callable[[], tuple[str, Serve, tuple[str, ...]]], ...] = (
        lambda: ("silence", drip(b"", b"", 1), bad),
        lambda: ("dripping headers", drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), slow),
        lambda: ("a header byte by byte", drip(b"HTTP/1.1 200 OK\r\nX: ", b"y"), slow),
        lambda: ("dripping body", drip(_HEAD + b"\r\n", rng.choice((b": a\n", b"d", b"\n"))), slow),
        lambda: ("a dripping error", drip(b"HTTP/1.1 500 No\r\n\r\n", b"x"), bad),
        lambda: ("endless headers", whole(b"HTTP/1.1 200 OK\r\n", *[b"X: " + b"y" * 60_000 + b"\r\n"] * 300), bad),
        lambda: ("an endless error", whole(b"HTTP/1.1 500 No\r\n\r\n", *[b"x" * 65_536] * 3_000), bad),
        lambda: ("a bomb as an error", _bomb(b"500 No", b"application/json", rng), bad),
        lambda: ("a bomb as a body", _bomb(b"200 OK", b"application/json", rng), bad),
        lambda: ("a bomb as a stream", _bomb(b"200 OK", b"text/event-stream", rng), bad),
        lambda: ("a short stream", whole(_HEAD + b"Content-Length: 9999\r\n\r\n" + _DONE[: rng.randint(0, 70)]), bad),
        lambda: ("a short chunk", whole(_HEAD + b"Transfer-Encoding: chunked\r\n\r\nff\r\ndata: {"), bad),
        lambda: ("unknown encoding", whole(_HEAD + b"Content-Encoding: br\r\n\r\n" + _DONE), bad),
        lambda: ("bytes", whole(rng.randbytes(rng.randint(0, 400))), bad),
        lambda: ("redirects", whole(b"HTTP/1.1 307 M\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"), bad),
    )
    return rng.choice(ways)()


def asked(address: str, limits: HttpLimits = LIMITS) -> dict[str, Any]:
    """Ask a server once; gives the observation."""
    model = HttpModel(completions_url(f"{address}/v1"), model="m", limits=limits)
    gate = OutputGate(purestep_formats.open_reply(model="m"))
    try:
        ended = gate.close(model.complete(ModelRequest(messages=[]), gate))
        observation: dict[str, Any] = json.loads(msgspec.json.encode(ended))
        return observation
    finally:
        model.close()


def trial(rng: random.Random) -> str | None:
    """Ask one hostile server."""
    what, serve, codes = _way(rng)
    with serving(serve) as address:
        tracemalloc.start()
        began = time.monotonic()
        try:
            observation = asked(f"http://{address}")
        finally:
            seconds, kept = time.monotonic() - began, tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    if seconds > PATIENCE_S:
        return f"{what} held the host for {seconds:.0f} s of {TOTAL_S}"
    # The bombs are made in this process too, and count before the server is asked.
    if kept > MAX_KEPT_BYTES:
        return f"{what} took {kept:,} bytes"
    return None if observation.get("code") in codes else f"{what} gave {observation}"


def tls_trial(rng: random.Random) -> str | None:
    """Ask for TLS where there is none, where it drips, and where the peer leaves."""
    junk = rng.choice((b"HTTP/1.1 400 Bad Request\r\n\r\n", rng.randbytes(50), b""))
    what, serve = rng.choice((("no TLS", whole(junk)), ("dripping TLS", drip(b"\x16\x03\x03\x3f\xff", b"\x02"))))
    began = time.monotonic()
    with serving(serve) as address:
        observation = asked(f"https://{address}")
    if time.monotonic() - began > PATIENCE_S:
        return f"{what} held the host"
    good = observation["code"] in ("unavailable", "timeout") and "Traceback" not in observation["message"]
    return None if good else f"{what} gave {observation}"


ATTACKS: tuple[Attack, ...] = (
    Attack(
        name="bodies",
        promise="no model server holds a run past its time limit, fills memory, or passes a part as the whole",
        trial=trial,
        least=15,
    ),
    Attack(
        name="tls",
        promise="a failed or dripping TLS handshake ends in time and is named",
        trial=tls_trial,
        least=6,
    ),
)
