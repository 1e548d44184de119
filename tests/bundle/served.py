"""A local server for pages: the compiled loader, the bundle, damaged or not, a job, and the result posted back."""

import gzip
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"/dist/": ROOT / "web" / "dist", "/pyodide/": ROOT / "web" / "node_modules" / "pyodide"}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
}
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
"""The strictest policy that WebAssembly runs under: nothing is evaluated, nothing comes from elsewhere."""

PIECE_BYTES = 1 << 16

Damage = Callable[[bytes], bytes | None]
"""What becomes of a file on its way; None for a file that is not there."""


class Served:
    """Serves one job to one page, or one after the other; use it as a context."""

    def __init__(
        self,
        job: dict[str, Any] | Callable[[], Any],
        damage: dict[str, Damage] | None = None,
        pages: Path | None = None,
        taken: Callable[[Any], None] | None = None,
        headers: dict[str, str] | None = None,
        compresses: bool = False,
    ) -> None:
        """Serve a job, or the next one at each call; taken: is given each result. headers: of every answer.

        compresses: the files of the bundle are sent with a content encoding, as large hosts do; else as they are.
        """
        self.job = job
        self.taken = taken or (lambda _: None)
        self.damage = damage or {}
        self.headers = headers or {}
        self.compresses = compresses
        self.sent_bytes = 0
        self.folders = {**FOLDERS, "/": pages or Path(__file__).resolve().parent}
        self.result: dict[str, Any] | None = None
        self.asked: list[str] = []
        self.done = threading.Event()
        self.marks: dict[str, Callable[[], None]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "Served":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def body(self, path: str) -> bytes | None:
        """Return a file's bytes as this server serves them; None if there is none."""
        if path == "/job":
            return json.dumps(self.job() if callable(self.job) else self.job).encode()
        prefix = max((each for each in self.folders if path.startswith(each)), key=len)
        file = (self.folders[prefix] / path.removeprefix(prefix)).resolve()
        if not file.is_relative_to(self.folders[prefix].resolve()) or not file.is_file():
            return None
        damage = self.damage.get(file.name)
        return damage(file.read_bytes()) if damage else file.read_bytes()


def _handler(served: Served) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        encoding = ""

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            served.asked.append(path)
            body = served.body(path)
            content_type = TYPES.get(Path(path).suffix, "application/octet-stream")
            if body and served.compresses and path.startswith("/dist/bundle/"):
                body = gzip.compress(body, 1)
                self.encoding = "gzip"
            self._answer(
                200 if body is not None else 404, body or b"", "application/json" if path == "/job" else content_type
            )
            self.encoding = ""

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path.startswith("/mark/"):
                served.marks[self.path.removeprefix("/mark/")]()
            else:
                served.result = json.loads(data)
                served.done.set()
                served.taken(served.result)
            self._answer(200, b"", "text/plain")

        def _answer(self, status: int, body: bytes, content_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("Cache-Control", "no-store")
            if self.encoding:
                self.send_header("Content-Encoding", self.encoding)
            for name, value in served.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(ConnectionError):  # a page may look at a file's begin alone
                for at in range(0, len(body), PIECE_BYTES):
                    self.wfile.write(body[at : at + PIECE_BYTES])
                    served.sent_bytes += len(body[at : at + PIECE_BYTES])

        def log_message(self, *_: object) -> None:
            """Say nothing: the result tells what happened."""

    return Handler
