"""MCP servers over streamable HTTP: calls, a server that falls, addresses, tokens, and bodies without an end."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from purestep_hosts.mcp import McpError, McpServer, McpServers, bounded_bodies
from tests.event_loops import run_in_loop
from tests.hosts.test_mcp_servers import run


@contextmanager
def http_server() -> Iterator[str]:
    """Serve over streamable HTTP until the block ends; gives the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(Path(__file__).with_name("mcp_http_server.py")), str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            while True:
                with socket.socket() as client:
                    if client.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


def test_server_over_http_is_asked_until_it_falls() -> None:
    """A call gives its result; one during which the server falls, and each after it, is an error result."""
    with http_server() as url, McpServers(f"sums={url}") as servers:
        assert {"ok": True, "output": {"result": 42}} == run(servers, "sums__add", {"a": 17, "b": 25})
        results = [run(servers, "sums__fall", {}), run(servers, "sums__add", {"a": 1, "b": 1})]
    assert [False, False] == [result["ok"] for result in results]
    assert all(result["error"].startswith("the MCP server sums ") for result in results), results
    assert ("interrupted", True) == (results[0]["error_kind"], "fall may have run" in results[0]["error"])


def test_message_past_the_bound_is_an_error_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not kept to its end; the server is given up, and smaller messages before it have come."""
    monkeypatch.setattr(bounded_bodies, "MAX_MESSAGE_BYTES", 500_000)
    with http_server() as url, McpServers(f"sums={url}") as servers:
        fits, *others = [run(servers, "sums__say", {"size": size}) for size in (100_000, 600_000, 1)]
    assert {"ok": True, "output": {"result": "x" * 100_000}} == fits
    ended = "the MCP server sums has ended"
    assert [f"{ended}; say may have run", ended] == [result["error"] for result in others]


class Bodies(BaseHTTPRequestHandler):
    """Answers each path with a body of its own: compressed, of one line, or a stream of events."""

    def do_GET(self) -> None:
        """Answer."""
        kind, lines = {"/line": ("application/json", 1), "/events": ("text/event-stream", 20)}.get(self.path, ("", 0))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if not lines:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        for _ in range(lines):
            self.wfile.write(b"data: " + b"x" * (2000 // lines) + b"\n")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("path", "said"),
    [("/line", "more than 1000 bytes"), ("/gzip", "although that was ruled out"), ("/events", "")],
)
def test_bodies_are_bounded_line_by_line_where_they_have_no_end(
    monkeypatch: pytest.MonkeyPatch, path: str, said: str
) -> None:
    """A body that is no stream is bounded whole; one that was compressed, whatever it may become, is not read."""
    monkeypatch.setattr(bounded_bodies, "MAX_MESSAGE_BYTES", 1000)

    async def fetched(url: str) -> str:
        hooks = {"response": [bounded_bodies.bound_body]}
        async with httpx2.AsyncClient(event_hooks=hooks, headers=bounded_bodies.HEADERS) as client:
            try:
                return f"{len((await client.get(url)).content)} bytes"
            except httpx2.ReadError as error:
                return str(error)

    with ThreadingHTTPServer(("127.0.0.1", 0), Bodies) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            assert (said or "2140 bytes") in run_in_loop(fetched(f"http://127.0.0.1:{server.server_port}{path}"))
        finally:
            server.shutdown()


def test_address_where_nobody_serves_is_one_sentence() -> None:
    """So is one that answers something else."""
    with pytest.raises(McpError, match="could not be used"):
        McpServers("sums=http://127.0.0.1:1/mcp")
    with http_server() as url, pytest.raises(McpError, match="could not be used"):
        McpServers(f"sums={url}-not")


def test_token_of_an_address_comes_from_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable nobody is asked."""
    monkeypatch.delenv("SUMS_TOKEN", raising=False)
    with pytest.raises(McpError, match="SUMS_TOKEN is not set"):
        McpServers(McpServer(name="sums", url="http://127.0.0.1:1/mcp", token_env="SUMS_TOKEN"))
