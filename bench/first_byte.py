"""How long after the model's first piece of text a reader has it: the agent's own stream, and the service's by HTTP."""

import asyncio
import http.client
import json
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import uvicorn

import purestep
from bench.figures import Figure
from purestep_hosts import Agent, TextPiece
from purestep_hosts.serve import Admission, create_app

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
        """Give the pieces; the second one once the first was read."""
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


def measure() -> list[Figure]:
    """Measure runs one after another; the median, since what another process takes shows in single ones."""
    ways = {"agent.stream()": _streamed(), "serve, AI SDK form over HTTP": _served()}
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


def _served() -> list[float]:
    model = Writing()
    with tempfile.TemporaryDirectory() as folder, _serving(Agent(model), Path(folder)) as port:
        return [_first_of_service(model, port, number) for number in range(RUNS)]


def _first_of_service(model: Writing, port: int, number: int) -> float:
    message = {"id": "m", "role": "user", "parts": [{"type": "text", "text": "Hello"}]}
    body = json.dumps({"id": f"chat-{number}", "messages": [message], "trigger": "submit-message"})
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(
        "POST", "/ai-sdk", body, {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    )
    response = connection.getresponse()
    while b'"text-delta"' not in (line := response.readline()):
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
