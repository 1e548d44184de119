"""The real parts that the host tests run against: the small model, and web servers on loopback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.download import default_model
from purestep_hosts.models.llamacpp import LlamaCppModel, LlamaCppOptions, serve

Answer = Callable[[Any, int], None]
"""Answers one request with a `_Handler`; the number counts the requests of a server from 0."""

# A small window, so that a prompt that overflows it is short and quick; one thread leaves the other core free.
OPTIONS = LlamaCppOptions(n_ctx=1024, n_threads=1)


@pytest.fixture(autouse=True)
def _state_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the developer's state folder out of the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture(scope="session")
def model_path() -> Path:
    """The default model's file."""
    return default_model()


@pytest.fixture(scope="session")
def local_model(model_path: Path) -> Iterator[LlamaCppModel]:
    """The default model in this process."""
    model = LlamaCppModel(model_path, OPTIONS)
    yield model
    model.close()


@pytest.fixture(scope="session")
def llama_url(model_path: Path) -> Iterator[str]:
    """The base URL of a llama.cpp server that wants the key `right-key`."""
    with serve(model_path, options=OPTIONS, api_key="right-key") as url:
        yield url


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.requests = 0
        self.counting = threading.Lock()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves early is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        with self.server.counting:
            number = self.server.requests
            self.server.requests += 1
        self.body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.server.answer(self, number)

    def do_POST(self) -> None:
        self.do_GET()

    def reply(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        """Send a whole answer of known length."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


@pytest.fixture
def web() -> Iterator[Callable[[Answer], str]]:
    """Start servers on loopback: a function from an answer to a server's root URL."""
    with ExitStack() as stack:

        def start(answer: Answer) -> str:
            server = stack.enter_context(_Server(answer))
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}"

        yield start
