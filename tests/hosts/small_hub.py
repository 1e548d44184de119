"""A hub on loopback that speaks as much of the Hugging Face hub's protocol as fetching a file takes."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
Content = bytes | Path


class SmallHub:
    """Repositories with their files, and what was asked of it; `refusals` are statuses by repository."""

    def __init__(self, repositories: dict[str, dict[str, Content]]) -> None:
        self.repositories = repositories
        self.refusals: dict[str, tuple[int, str]] = {}
        self.asked: list[str] = []
        self.url = ""

    def answer(self, method: str, path: str, begin: int) -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers and the body of a request."""
        self.asked.append(f"{method} {path}")
        if path.startswith("/api/models/"):
            repository = path.removeprefix("/api/models/")
            return self._refused(repository) or self._told(repository)
        repository, _, rest = path.removeprefix("/").partition("/resolve/")
        return self._refused(repository) or self._file(repository, rest.partition("/")[2], method, begin)

    def _refused(self, repository: str) -> tuple[int, dict[str, str], bytes] | None:
        status, code = self.refusals.get(repository, (404, "RepoNotFound"))
        if repository in self.repositories and repository not in self.refusals:
            return None
        return status, {"X-Error-Code": code}, b"{}"

    def _told(self, repository: str) -> tuple[int, dict[str, str], bytes]:
        siblings = [{"rfilename": path} for path in self.repositories[repository]]
        told = {"_id": "1", "id": repository, "modelId": repository, "sha": COMMIT, "siblings": siblings, "tags": []}
        return 200, {"Content-Type": "application/json"}, json.dumps(told).encode()

    def _file(self, repository: str, path: str, method: str, begin: int) -> tuple[int, dict[str, str], bytes]:
        if path not in self.repositories[repository]:
            return 404, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT}, b""
        body = _bytes(self.repositories[repository][path])
        etag = hashlib.sha256(body).hexdigest()
        headers = {"ETag": f'"{etag}"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
        if begin:
            headers["Content-Range"] = f"bytes {begin}-{len(body) - 1}/{len(body)}"
        return (206 if begin else 200), headers, body[begin:]


def _bytes(content: Content) -> bytes:
    return content.read_bytes() if isinstance(content, Path) else content


@contextmanager
def small_hub(repositories: dict[str, dict[str, Content]]) -> Iterator[SmallHub]:
    """Serve these repositories for the length of the block."""
    hub = SmallHub(repositories)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            begin = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
            status, headers, body = hub.answer(self.command, unquote(urlsplit(self.path).path), begin)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test output free of access logs."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        hub.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield hub
        finally:
            server.shutdown()
