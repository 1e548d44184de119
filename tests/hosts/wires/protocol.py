"""A server of one protocol that says what it was told to, and refuses what its vendor would refuse."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from tests.hosts.wires.replies import Said

KEY: Final = "key-of-the-test-123456"
NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)
"""Names of functions. Source: OpenAI API reference, `tools[].function.name`; Anthropic's, `tools[].name`."""


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """How one server is asked and answers.

    path: where it is asked, a pattern. key: of the headers, the key in it or None. faults: what is wrong with a body,
    of those and what the server gave so far; "" for nothing. events: the stream of a reply, by its number. refusal: the
    body of an error, by its status and words.
    """

    path: str
    key: Callable[[Any], str | None]
    faults: Callable[[dict[str, Any], list[str]], str]
    events: Callable[[Said, int], bytes]
    refusal: Callable[[int, str], dict[str, Any]]
    wrong_key: int = 401


class VendorServer:
    """Answers each request with the next reply; keeps the bodies that came and what it said of those that it refused.

    given: the signatures of reasoning that it gave and wants back. waits: hold the reply after its first bytes until
    the client leaves.
    """

    def __init__(self, protocol: Protocol, replies: Sequence[Said], *, waits: bool = False) -> None:
        self.protocol, self.replies, self._waits = protocol, replies, waits
        self.bodies: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self.given: list[str] = []
        self.began, self.left = threading.Event(), threading.Event()

    def __call__(self, handler: Any, number: int) -> None:
        """Answer one request, or refuse it."""
        body = json.loads(handler.body)
        self.bodies.append(body)
        if self.protocol.key(handler.headers) != KEY:
            return self._refuse(handler, self.protocol.wrong_key, "API key not valid. Please pass a valid one.")
        if re.search(self.protocol.path, handler.path) is None:
            return self._refuse(handler, 404, f"no such address: {handler.path}")
        wrong = self.protocol.faults(body, self.given)
        at = len(self.bodies) - len(self.refused) - 1
        if wrong or at >= len(self.replies):
            return self._refuse(handler, 400, wrong or "nothing more was to be asked")
        if self.replies[at].thought:
            self.given.append(signature(at))
        self._answer(handler, self.protocol.events(self.replies[at], at))

    def _answer(self, handler: Any, stream: bytes) -> None:
        if not self._waits:
            return handler.reply(200, "text/event-stream; charset=utf-8", stream)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(stream[: stream.rindex(b"data:")])
        handler.wfile.flush()
        self.began.set()
        if handler.rfile.read(1) == b"":  # ends once the client has closed the connection
            self.left.set()

    def _refuse(self, handler: Any, status: int, message: str) -> None:
        self.refused.append(message)
        handler.reply(status, "application/json", json.dumps(self.protocol.refusal(status, message)).encode())


def signature(number: int) -> str:
    """Return what stands for the signed or encrypted reasoning of a reply."""
    return base64.b64encode(f"signed {number}".encode()).decode()


def stream_of(events: list[dict[str, Any]], *, named: bool = False, end: bytes = b"") -> bytes:
    """Return events as a server writes them; named: with their type on a line of its own."""
    lines = [
        (f"event: {event['type']}\n" if named else "").encode() + b"data: " + json.dumps(event).encode() + b"\n\n"
        for event in events
    ]
    return b"".join(lines) + end


def first_fault(*faults: str) -> str:
    """Return the first that there is."""
    return next(filter(None, faults), "")


def name_faults(names: Sequence[str]) -> str:
    """Return what is wrong with names of functions."""
    wrong = next((name for name in names if NAME.fullmatch(name) is None), None)
    if wrong is not None:
        return f"Invalid 'tools[0].function.name': {wrong!r} does not match the pattern '{NAME.pattern}'"
    return "Tool names must be unique." if len(set(names)) < len(names) else ""


def schema_faults(schemas: Sequence[Any]) -> str:
    """Return what is wrong with the schemas of functions' arguments: the root is an object.

    Source: OpenAI's guide on function calling; Anthropic API reference, `tools[].input_schema`.
    """
    return (
        ""
        if all(isinstance(each, dict) and each.get("type") == "object" for each in schemas)
        else ("Invalid schema for function: schema must have type 'object'")
    )
