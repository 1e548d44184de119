"""A model server of a few words, and a few pages to fetch: what it says is told to it by the query.

It speaks OpenAI's chat completions. A query holds a mark such as `[page]`, and each mark has its script.
"""

import itertools
import json
import re
import select
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.listing import ONLY_TOTAL
from tests.replies import as_asked

KEY = "sk-a-secret-of-the-wiring"
PAGES = {
    "/html": "<title>Shop &amp; more</title><style>p{}</style><p>Opens<br>at <b>nine</b>.<script>n()</script>",
    "/page": "The shop opens at nine.",
    "/empty": "",
    "/listing": ONLY_TOTAL,
    "/slow": None,
}

TEAM_PAGES = {"team": "[page] second", "team_slow": "[slow] second"}

_MARK = re.compile(r"\[(\w+)\]")


class ModelServer(ThreadingHTTPServer):
    """Answers completions by script, and pages; counts both."""

    daemon_threads = True

    def __init__(self) -> None:
        """Listen on a free port of loopback."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.ended = threading.Event()
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.fetched: list[str] = []
        self.dropped = threading.Event()
        # How often a query marked [busy] is still answered 503, and how long it asks to be left alone.
        self.busy_times = 0
        self.busy_s = "0"

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.server_port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves early is part of the tests."""

    def say(self, messages: list[dict[str, Any]]) -> str | None:
        """Return what the model says next; None for never."""
        at, mark = _last_mark(messages)
        turn = sum(message["role"] == "assistant" for message in messages[at:])
        page = f"http://{self.address}/"
        match mark, turn:
            case "hang", _:
                return None
            case "prose", _:
                return "I will now think about it."
            case "names", _:
                return '```json\n{"name":["Tom"]}\n```'
            case "liar", _:
                return '{"name":["Zed"]}'
            case "page" | "html" | "slow", 0:
                return _call(f"{page}{mark}")
            case "team" | "team_slow", 0:
                return f"[{_asked('a', '[page] first')},{_asked('b', TEAM_PAGES[mark])}]"
            case "both", 0:
                return f"[{_call(f'{page}page')},{_call(f'{page}slow')}]"
            case "elsewhere", 0:
                return _call("http://192.0.2.1/")
            case "empty", _:
                return _call(f"{page}empty?{turn}")
            case "listing", _:
                return _call(f"{page}listing?{turn}")
            case _:
                return json.dumps({"kind": "final", "content": f"It says: {words(messages[-1])}"})


def words(message: dict[str, Any]) -> str:
    """Return the text of a message, also of one that has images and files."""
    content = message["content"] or ""
    return content if isinstance(content, str) else " ".join([part["text"] for part in content if "text" in part])


def _last_mark(messages: list[dict[str, Any]]) -> tuple[int, str]:
    for at in range(len(messages) - 1, -1, -1):
        found = _MARK.search(words(messages[at])) if messages[at]["role"] == "user" else None
        if found:
            return at, found[1]
    return 0, ""


def _call(url: str) -> str:
    return json.dumps({"kind": "tool_call", "tool_name": "fetch_url", "arguments": {"url": url}})


def _asked(agent: str, question: str) -> str:
    return json.dumps({"kind": "tool_call", "tool_name": agent, "arguments": {"question": question}})


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_GET(self) -> None:
        self.server.fetched.append(self.path)
        text = PAGES[self.path.partition("?")[0]]
        if text is None:
            self._wait()
        else:
            self._reply(200, "text/html" if self.path == "/html" else "text/plain", text)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.keys.append(self.headers["Authorization"])
        if _last_mark(asked["messages"])[1] == "locked":
            return self._reply(401, "application/json", json.dumps({"error": {"message": f"bad key {KEY}"}}))
        if _last_mark(asked["messages"])[1] == "refused":
            message = f"http://127.0.0.1/v1 ({self.server.address}) has no use for {KEY}"
            return self._reply(400, "application/json", json.dumps({"error": {"message": message}}))
        if _last_mark(asked["messages"])[1] == "busy" and self.server.busy_times > 0:
            self.server.busy_times -= 1
            return self._reply(503, "application/json", '{"error":{"message":"loading"}}', self.server.busy_s)
        if _last_mark(asked["messages"])[1] == "babble":
            return self._babble()
        said = self.server.say(asked["messages"])
        if said is None:
            return self._wait()
        message = {"role": "assistant", **as_asked(said, asked)}
        finish_reason = "tool_calls" if "tool_calls" in message else "stop"
        choice = {"index": 0, "finish_reason": finish_reason, "message": message}
        return self._reply(200, "application/json", json.dumps({"model": "scripted", "choices": [choice]}))

    def _babble(self) -> None:
        """Stream an answer, and more behind it, until the client leaves."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for piece in itertools.chain(['{"kind":"final","con', 'tent":"Enough."}'], itertools.repeat(" more")):
            self.wfile.write(f"data: {json.dumps({'choices': [{'delta': {'content': piece}}]})}\n\n".encode())
            readable, _, _ = select.select([self.connection], [], [], 0.03)
            if readable or self.server.ended.is_set():
                self.server.dropped.set()
                return

    def _wait(self) -> None:
        """Say nothing until the client leaves or the server ends."""
        self.connection.settimeout(0.1)
        while not self.server.ended.is_set():
            try:
                if self.connection.recv(1) == b"":
                    self.server.dropped.set()
                    return
            except TimeoutError:
                continue

    def _reply(self, status: int, kind: str, text: str, retry_after: str = "") -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """Run a model server on loopback."""
    with ModelServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()
