"""How long after the model's first piece of text a reader has it: the agent's own stream, and the services' by HTTP."""

import asyncio
import http.client
import json
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import uvicorn

import purestep
from bench.figures import Figure
from purestep_hosts import Agent, TextPiece
from purestep_hosts.serve import Admission, create_app
from tests.edge.drivers import serve

RUNS = 100
TOKEN = "a-token-of-the-measurement-0123456789"
PIECES = ('{"kind":"final","content":"Hello', " there", '."}')


class Writing:
    """A model that notes when it gave its first piece, and then waits, so that nothing comes with that."""

    name = "writing"

    def __init__(self) -> None:
        self.began_ns = 0
        self.was_read = threading.Event()

    def complete(self, request: Any, reply: Any) -> purestep.ModelOutput:
        """Return the pieces; the second one once the first was read."""
        self.was_read.clear()
        first, *others = PIECES
        self.began_ns = time.monotonic_ns()
        reply.text(first)
        self.was_read.wait(5)
        for piece in others:
            reply.text(piece)
        return purestep.ModelOutput(content="".join(PIECES))

    def stop(self) -> None:
        """Go on with the rest."""
        self.was_read.set()


class WritingServer(ThreadingHTTPServer):
    """The same as a server of OpenAI's chat completions."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Reply)
        self.began_ns = 0
        self.was_read = threading.Event()

    def __enter__(self) -> "WritingServer":
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Reply(BaseHTTPRequestHandler):
    server: WritingServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.was_read.clear()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self.server.began_ns = time.monotonic_ns()
        for number, piece in enumerate(PIECES):
            if number == 1:
                self.server.was_read.wait(5)
            self._send(json.dumps({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}))
        self._send(json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}))
        self._send("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def _send(self, data: str) -> None:
        event = f"data: {data}\n\n".encode()
        self.wfile.write(b"%x\r\n%b\r\n" % (len(event), event))

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Asked(NamedTuple):
    """A request in one form, and what the event with a piece of text has in it."""

    path: str
    body: dict[str, Any]
    mark: bytes


def _ai_sdk(chat: str) -> Asked:
    message = {"id": "m", "role": "user", "parts": [{"type": "text", "text": "Hello"}]}
    return Asked("/ai-sdk", {"id": chat, "messages": [message], "trigger": "submit-message"}, b'"text-delta"')


def _ag_ui(thread: str) -> Asked:
    said = {"id": "m", "role": "user", "content": "Hello"}
    empty = {"state": {}, "tools": [], "context": [], "forwardedProps": {}}
    body = {"threadId": thread, "runId": f"run-of-{thread}", "messages": [said], **empty}
    return Asked("/ag-ui", body, b'"TEXT_MESSAGE_CONTENT"')


FORMS: Final[dict[str, Callable[[str], Asked]]] = {"AI SDK": _ai_sdk, "AG-UI": _ag_ui}


def measure() -> list[Figure]:
    """Measure runs one after another; the median, since what another process takes shows in single ones."""
    ways = {"agent.stream()": _streamed(), **_served(), **_at_the_edge()}
    return [Figure(f"first text: {name}", median(times), "ms", at_most=5) for name, times in ways.items()]


def _streamed() -> list[float]:
    model = Writing()
    agent = Agent(model)

    async def first() -> float:
        taken = 0.0
        async for event in agent.stream("Hello"):
            if isinstance(event, TextPiece) and not model.was_read.is_set():
                taken = (time.monotonic_ns() - model.began_ns) / 1e6
                model.was_read.set()
        return taken

    async def runs() -> list[float]:
        return [await first() for _ in range(RUNS)]

    return asyncio.run(runs())


def _served() -> dict[str, list[float]]:
    model = Writing()
    with tempfile.TemporaryDirectory() as folder, _serving(Agent(model), Path(folder)) as port:
        return {f"serve, {name} form over HTTP": _first_texts(model, port, name) for name in FORMS}


def _at_the_edge() -> dict[str, list[float]]:
    """Measure the edge host in Node, whose model is a server too: two connections more."""
    with tempfile.TemporaryDirectory() as folder, WritingServer() as model:
        named = {"base_url": f"http://127.0.0.1:{model.server_port}/v1", "name": "writing"}
        config = {"model": named, "unsigned": True}
        with serve("node", config, Path(folder)) as service:
            return {f"edge in Node, {name} form over HTTP": _first_texts(model, service.port, name) for name in FORMS}


def _first_texts(model: Writing | WritingServer, port: int, form: str) -> list[float]:
    return [_first_text(model, port, FORMS[form](f"chat-{number}")) for number in range(RUNS)]


def _first_text(model: Writing | WritingServer, port: int, asked: Asked) -> float:
    """Return the milliseconds from the model's first piece to the event that has it."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Accept": "text/event-stream"}
    connection.request("POST", asked.path, json.dumps(asked.body), headers)
    response = connection.getresponse()
    while asked.mark not in (line := response.readline()):
        assert line, f"the stream of status {response.status} ended without text"
    taken = (time.monotonic_ns() - model.began_ns) / 1e6
    model.was_read.set()
    response.read()
    connection.close()
    return taken


@contextmanager
def _serving(agent: Agent[Any], folder: Path) -> Iterator[int]:
    app = create_app(agent, folder, Admission({"": TOKEN}))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()
