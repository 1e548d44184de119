"""What the tests of the web package share: a browser, a site to open in it, and servers that answer as told."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.hosts.conftest import llama_url, model_path, web

__all__ = ["llama_url", "model_path", "web"]

WEB = Path(__file__).resolve().parents[2] / "web"
# Pages without a bundler find packages by this map, which is what a bundler would do for them.
PAGE = b"""<!doctype html><html lang="en"><title>Test page</title>
<script type="importmap">{"imports": {
  "eventsource-parser": "/node_modules/eventsource-parser/dist/index.js",
  "idb": "/node_modules/idb/build/index.js",
  "@wllama/wllama/esm/index.js": "/node_modules/@wllama/wllama/esm/index.js",
  "@huggingface/transformers": "/node_modules/@huggingface/transformers/dist/transformers.web.js",
  "onnxruntime-common": "/node_modules/onnxruntime-common/dist/esm/index.js",
  "onnxruntime-web/webgpu": "/node_modules/onnxruntime-web/dist/ort.webgpu.bundle.min.mjs"
}}</script><body></body></html>"""

Answer = Callable[[Any], None]


@pytest.fixture(scope="session")
def deno(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The beginning of Deno's command line; without npm it finds packages by a map, as a page does."""
    path = WEB / "node_modules" / ".bin" / "deno"
    if not path.exists():
        pytest.fail("web/node_modules has no deno: run ./build.sh setup")
    parser = WEB / "node_modules" / "eventsource-parser" / "dist" / "index.js"
    imports = tmp_path_factory.mktemp("deno") / "imports.json"
    imports.write_text(json.dumps({"imports": {"eventsource-parser": parser.as_uri()}}))
    return [str(path), "run", "--allow-all", "--no-config", "--no-npm", f"--import-map={imports}"]


class Site(ThreadingHTTPServer):
    """The package as a page loads it, and addresses that answer as a test wants."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, Answer] = {"/observed.mjs": _observed}
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves early is part of the tests."""


def _observed(handler: Any) -> None:
    handler.reply(200, "text/javascript", (Path(__file__).parent / "observed.mjs").read_bytes())


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments, directory=str(WEB))

    def do_GET(self) -> None:
        assert isinstance(self.server, Site)
        path = self.path.partition("?")[0]
        if path == "/":
            self.reply(200, "text/html", PAGE)
        elif path in self.server.answers:
            self.server.answers[path](self)
        else:
            super().do_GET()

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.do_GET()

    def reply(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        """Send a whole answer."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_file(self, path: Path, *, only: int | None = None, pause_s: float = 0.0) -> None:
        """Send a file, or announce it and send only so many bytes of it; `pause_s` comes after each megabyte."""
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(path.stat().st_size))
        self.end_headers()
        if self.command == "HEAD":
            return
        left = path.stat().st_size if only is None else only
        with path.open("rb") as file:
            while left > 0 and (piece := file.read(min(left, 1 << 20))):
                self.wfile.write(piece)
                left -= len(piece)
                time.sleep(pause_s)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


@contextmanager
def started_site() -> Iterator[Site]:
    """Serve a site for the length of the block."""
    with Site() as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def site(package: Path) -> Iterator[Site]:
    """The compiled package on loopback, on an origin of its own."""
    with started_site() as server:
        yield server


@pytest.fixture(scope="module")
def module_site(package: Path) -> Iterator[Site]:
    """A site that lasts for all tests of a file."""
    with started_site() as server:
        yield server


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """An open page of the site, in a profile of its own."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.url)
    yield page
    context.close()
