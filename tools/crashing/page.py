"""Runs in the storage of a browser: the playground with a scripted model, and a person who clicks and types."""

import json
import mimetypes
import random
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from .browser import Browser
from .points import Points, watch_sink
from .scenario import QUERY, Outside, agent_of, plan_of

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_SITE: Final = _ROOT / "web" / "dist-playground"
_PERSON: Final = Path(__file__).with_name("person.js")
_HEADERS: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_LIMIT_S: Final = 600.0
_FAULTS: Final = ("full", "full", "abort", "cleared", "cleared", "", "", "", "", "")
"""What befalls the storage shortly before the kill, as often as it stands here; nothing for most points."""


class PageRuns:
    """The run of one trial, in the profile of a browser."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._outside = Outside(folder)

    def play(self, seed: int, points: Points) -> None:
        """Open the page and take part until the run there has ended."""
        assert (_SITE / "index.html").exists(), "web/dist-playground is missing: run ./build.sh web and build the page"
        watch_sink(points)
        person = Person(seed, points, self._outside)
        with _served(person.answer) as address, Browser(self._folder / "profile", address) as browser:
            points.at_end = lambda: browser.kill(person.chance)
            assert person.has_left.wait(_LIMIT_S), "the page does not come to an end"
        (self._folder / "log").write_text(person.left["log"], "utf-8")
        (self._folder / "head").write_text(person.left["head"], "utf-8")

    def found(self) -> tuple[str, str]:
        """Return the log and the head, as the page gave them at the end."""
        return (self._folder / "log").read_text("utf-8"), (self._folder / "head").read_text("utf-8")

    def remove(self) -> None:
        """Remove nothing: the profile is in the folder."""


class Person:
    """Who uses the page: what person.js asks is answered here, outside of what can be killed."""

    def __init__(self, seed: int, points: Points, outside: Outside) -> None:
        self._seed = seed
        self._points = points
        self._outside = outside
        self._plan = plan_of(seed)
        self._agent = agent_of(seed, outside, points)
        self.chance = random.Random(f"fault {seed} {points.target}")
        self._fault = self.chance.choice(_FAULTS) if points.target else ""
        self._fault_at = points.target - self.chance.randint(1, 6)
        self.has_left = threading.Event()
        self.left: dict[str, str] = {}

    def answer(self, path: str, body: Any) -> Any:
        """Answer what person.js asks."""
        match path:
            case "/point/reach":
                self._points.reach()
                return self._befalls("full", "abort")
            case "/point/cleared":
                return self._befalls("cleared")
            case "/point/kept":
                self._outside.note("witness", "".join([line + "\n" for line in body]))
            case "/person/begins":
                return {"settings": self._settings(), "query": QUERY}
            case "/person/approves":
                return self._approves(**body)
            case "/person/acts":
                return self._acts(**body)
            case "/person/says":
                return self._plan[-1]
            case "/person/makes-room":
                self._fault = ""
            case "/person/leaves":
                self.left = body
                self.has_left.set()
        return None

    def _befalls(self, *faults: str) -> str | None:
        """Return the fault that the storage has here; one that was not there yet promised nothing before."""
        if self._fault not in faults or self._points.passed < self._fault_at or not self._outside.text("witness"):
            return None
        found = self._fault
        if found != "full":  # which it is until somebody makes room
            self._fault = ""
        return found

    def _settings(self) -> dict[str, Any]:
        source = self._agent.definition.source
        assert source is not None
        return {"chosen": "scripted", "definition": bytes(source).decode(), "outputs": self._plan}

    def _approves(self, number: int, isUnknown: bool) -> bool:  # noqa: N803
        self._points.reach()
        chance = random.Random(f"person {self._seed} {number} {isUnknown}")
        return chance.random() < 0.7  # noqa: PLR2004

    def _acts(self, tool: str, key: str, number: int) -> str:
        """Do what a tool does, once for each key where it honours them."""
        match tool:
            case "look":
                self._points.reach()
            case "charge":
                self._points.around(lambda: self._outside.charged.append(key, number))
            case _:
                self._points.around(lambda: self._outside.note("effects", f"{key} {number}\n"))
        return f"{tool} {number}"


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that ended: that is what is tried here."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _served:  # noqa: N801
    """A server of the built page, with person.js before its script, for as long as it is entered."""

    def __init__(self, answer: Callable[[str, Any], Any]) -> None:
        self._server = _Server(("127.0.0.1", 0), _handler(answer))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> str:
        self._thread.start()
        return f"127.0.0.1:{self._server.server_address[1]}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()


def _handler(answer: Callable[[str, Any], Any]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            content, kind = _file(path)
            self.send_response(200 if content is not None else 404)
            self._end(content or b"", kind)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            given = answer(self.path, body)
            self.send_response(200)
            self._end(json.dumps(given).encode(), "application/json")

        def _end(self, content: bytes, kind: str) -> None:
            for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing of each request."""

    return Handler


def _file(path: str) -> tuple[bytes | None, str]:
    if path == "/":
        page = (_SITE / "index.html").read_text("utf-8")
        return page.replace("<head>", '<head><script src="/person.js"></script>', 1).encode(), "text/html"
    if path == "/person.js":
        return _PERSON.read_bytes(), "text/javascript"
    place = (_SITE / path.lstrip("/")).resolve()
    if not place.is_relative_to(_SITE) or not place.is_file():
        return None, "text/plain"
    kind = "text/javascript" if place.suffix == ".mjs" else mimetypes.guess_type(place.name)[0]
    return place.read_bytes(), kind or "application/octet-stream"
