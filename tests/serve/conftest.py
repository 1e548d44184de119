"""The service as its users run it: `purestep serve` in a process of its own, on a free port."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import pytest

from tests.cli.conftest import base_environment
from tests.hosts.conftest import web

__all__ = ["web"]

TOKEN = "a-token-of-the-tests-0123456789"
SESSIONS = ("--sessions", "runs")
SOON_S = 300
"""After this something hangs: no machine is so slow."""

FUNCTIONS = '''
import asyncio
import pathlib
import time
from datetime import UTC, datetime

from purestep_hosts import Later, tool


@tool(read_only=True)
def find_order(number: int) -> str:
    """Look up the status of an order."""
    return "lost"


@tool(approval="ask", destructive=True)
def refund_order(number: int) -> str:
    """Refund an order."""
    with open("refunds", "a") as file:
        file.write(f"{number}\\n")
    return f"Order {number} is refunded."


@tool(read_only=True)
async def wait_for(file: str) -> str:
    """Wait until a file is there."""
    pathlib.Path("waiting").touch()
    while not pathlib.Path(file).exists():
        await asyncio.sleep(0.01)
    return "It is there."


@tool(read_only=True)
def report(year: int) -> str | Later:
    """Have a report made elsewhere."""
    return Later(f"job-{year}", note="It takes a day.")


@tool(read_only=True)
def wait_until(ms: int) -> str | Later:
    """Wait until a time, in milliseconds since 1970."""
    return Later.until(datetime.fromtimestamp(ms / 1000, UTC))


@tool(read_only=True)
def wait_until_told() -> str | Later:
    """Wait until the time that a file says."""
    return wait_until(int(pathlib.Path("due").read_text()))


@tool
def hang(seconds: int) -> str:
    """Do something that nobody may repeat."""
    pathlib.Path("hanging").touch()
    time.sleep(seconds)
    return "done"
'''


def calls(tool: str, **arguments: Any) -> str:
    """A model output that calls a tool."""
    return json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})


def says(text: str) -> str:
    """A model output that answers."""
    return json.dumps({"kind": "final", "content": text})


class Reply:
    """What came back: a status, headers and a body."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode()

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)

    @property
    def events(self) -> list[Any]:
        """The body as server-sent events, each of which is JSON or [DONE]."""
        return [as_event(block) for block in self.text.split("\n\n") if block.startswith("data: ")]

    @property
    def fault(self) -> tuple[int, str]:
        """The status and the code of an error, which has a message for people."""
        body = self.json
        assert sorted(body.keys() - {"run"}) == ["error", "message"]
        assert len(body["message"]) > 10
        return self.status, body["error"]


def as_event(block: str) -> Any:
    """Return one server-sent event."""
    text = block.removeprefix("data: ")
    return text if text == "[DONE]" else json.loads(text)


class Stream:
    """An answer that is read while it comes."""

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self._connection = connection
        self._response: http.client.HTTPResponse | None = None

    def send(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> None:
        """Send the request."""
        self._connection.request(method, path, data, headers)

    @property
    def response(self) -> http.client.HTTPResponse:
        """The answer, once its headers are there."""
        if self._response is None:
            self._response = self._connection.getresponse()
        return self._response

    @property
    def run(self) -> str:
        """The id of the run."""
        return self.response.headers["Run"]

    def next_event(self) -> Any:
        """Read one event."""
        while not (line := self.response.readline().decode()).startswith("data: "):
            assert line, "the stream has ended"
        return as_event(line.strip())

    def close(self) -> None:
        """Leave."""
        if self._response is not None:
            self._response.close()
        self._connection.close()


class Client:
    """Asks a service on this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._open_ones: list[Stream] = []

    def open(self, method: str, path: str, body: Any = None, *, token: str | None = TOKEN, **headers: str) -> Stream:
        """Send a request, whose answer is for the caller to read."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            given.setdefault("Authorization", f"Bearer {token}")
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if data is not None:
            given.setdefault("Content-Type", "application/json")
        stream = Stream(http.client.HTTPConnection("127.0.0.1", self.port, timeout=SOON_S))
        self._open_ones.append(stream)
        stream.send(method, path, data, given)
        return stream

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Reply:
        """Send a request and read its answer to the end."""
        stream = self.open(method, path, body, **options)
        try:
            return Reply(stream.response)
        finally:
            stream.close()

    def post(self, path: str, body: Any, **options: Any) -> Reply:
        """Post JSON."""
        return self.ask("POST", path, body, **options)

    def get(self, path: str, **options: Any) -> Reply:
        """Get a path."""
        return self.ask("GET", path, **options)

    def status_of(self, run: str) -> str:
        """Return where a run stands."""
        return str(self.get(f"/runs/{run}").json["status"])

    def becomes(self, run: str, status: str) -> None:
        """Wait until a run stands somewhere."""
        wait_until(lambda: self.status_of(run) == status)

    def close(self) -> None:
        """Leave all streams."""
        for stream in self._open_ones:
            stream.close()


class Serving(Client):
    """A running service."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self.process = process
        self.folder = folder
        assert process.stdout is not None
        self.url = process.stdout.readline().decode().strip()
        assert self.url.startswith("http://"), (folder / "errors").read_text()
        super().__init__(int(self.url.rpartition(":")[2]))

    def kill(self) -> None:
        """End the process as a crash does."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; it has to within SOON_S."""
    deadline = time.monotonic() + SOON_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


Start = Callable[..., Serving]


@contextmanager
def started(
    folder: Path, *options: str, script: list[Any] | None = None, kept: tuple[str, ...] = SESSIONS, **variables: str
) -> Iterator[Serving]:
    """Run the service in a folder until the block ends; `script` has the model's outputs, `kept` says where runs go."""
    given = list(options)
    if script is not None:
        (folder / "script.jsonl").write_text("".join(f"{json.dumps(output)}\n" for output in script))
        given += ["--script", "script.jsonl"]
    (folder / "tools.py").write_text(FUNCTIONS)
    command = [sys.executable, "-m", "purestep_hosts.cli", "serve", "--port", "0", *kept, *given]
    environment = {**base_environment(), "HOME": str(folder), "PURESTEP_SERVE_TOKEN": TOKEN, **variables}
    environment = {name: value for name, value in environment.items() if value}
    with (folder / "errors").open("ab") as errors:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
        )
    with Serving(process, folder) as serving:
        yield serving


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start services in the test's folder; all end with the test."""
    open_ones: list[Any] = []

    def start_one(*options: str, script: list[Any] | None = None, **variables: str) -> Serving:
        block = started(tmp_path, "--functions", "tools.py", *options, script=script, **variables)
        open_ones.append(block)
        return block.__enter__()

    yield start_one
    for block in open_ones:
        block.__exit__(None, None, None)


def in_background(function: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Call a function in a thread; gives the thread, and the list that its value will be in."""
    came: list[Any] = []

    def work() -> None:
        with suppress(OSError, http.client.HTTPException):  # the service was killed
            came.append(function())

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread, came
