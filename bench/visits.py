"""First and second visits of a page in Chromium: stock Pyodide, an earlier build and today's, in turn in each round."""

import hashlib
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from playwright.sync_api import Page, sync_playwright

from bench.earlier_build import COMMIT, earlier_dist
from bench.figures import Figure
from tests.programs import program_path
from tools.wasm.core_archive import write_core_archive
from tools.wasm.wheels import wheel_paths

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = ROOT / "bench" / "bundle_pages"
PYODIDE: Final = ROOT / "web" / "node_modules" / "pyodide"
COMPRESSED: Final = ROOT / ".cache" / "visits"
ROUNDS: Final = int(os.environ.get("PURESTEP_ROUNDS", "5"))
TODAY: Final = "today"
STOCK: Final = "stock Pyodide"
PLACES: Final = ("page", "worker")
MOST_OF_EARLIER: Final = {"cold": 0.6, "warm": 0.5}
SEND_BUFFER: Final = 1 << 16
VISIT: Final = "async (job) => (await import('/visit.js')).visit(job)"
TYPES: Final = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm"}


class Seen(NamedTuple):
    """What one visit took."""

    renderer_s: float
    browser_s: float
    sent_bytes: int
    longest_ms: float


class Host(ThreadingHTTPServer):
    """Serves folders by their first part, with brotli or as a bare host does, and counts the bytes of its answers."""

    daemon_threads = True

    def __init__(self, folders: dict[str, Path], compresses: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folders, self.compresses, self.sent_bytes = folders, compresses, 0
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A page that ends a request is part of what is measured."""

    def file(self, path: str) -> Path:
        """Return the file of an address."""
        first, _, rest = path.lstrip("/").partition("/")
        return self.folders[first] / rest if first in self.folders else PAGES / first


class _Handler(SimpleHTTPRequestHandler):
    server: Host
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        file = self.server.file(self.path.partition("?")[0])
        if not file.is_file():
            return self.send_error(404)
        packed = packed_path(file) if self.server.compresses else file
        is_packed = packed != file
        self.send_response(200)
        self.send_header("Content-Type", TYPES.get(file.suffix, self.guess_type(file)))
        self.send_header("Content-Length", str(packed.stat().st_size))
        self.send_header("Cache-Control", "max-age=3600")
        if is_packed:
            self.send_header("Content-Encoding", "br")
        self.end_headers()
        with packed.open("rb") as content:
            while piece := content.read(SEND_BUFFER):
                self.wfile.write(piece)
                self.server.sent_bytes += len(piece)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@cache
def packed_path(file: Path) -> Path:
    """Return where the file lies compressed, or itself where that is smaller."""
    path = COMPRESSED / f"{hashlib.sha256(file.read_bytes()).hexdigest()}.br"
    if not path.exists():
        subprocess.run(["node", PAGES / "brotli.mjs", COMPRESSED, file], check=True)
    return path if path.stat().st_size < file.stat().st_size else file


def measure() -> list[Figure]:
    """Measure each way in turn, as often as ROUNDS says; the bundle must have been built."""
    if program_path("chromium") is None:
        print("bench: chromium is not installed, so no visit is measured")
        return []
    earlier = earlier_dist()
    if earlier is None:
        print(f"bench: this checkout has no commit {COMMIT}, so no earlier build is measured")
    with tempfile.TemporaryDirectory() as folder:
        core = Path(folder) / "core.zip"
        write_core_archive(core)
        folders = {"pyodide": PYODIDE, "wheels": wheel_paths()[0].parent, "core": core.parent}
        folders |= {"today": ROOT / "web" / "dist"} | ({"earlier": earlier} if earlier else {})
        jobs = _jobs(earlier is not None)
        seen: dict[tuple[str, str, str], list[Seen]] = {}
        for round_number in range(ROUNDS + 1):
            for name, job in jobs.items():
                for host in ("brotli", "bare"):
                    visits = _visits(job, folders, compresses=host == "brotli")
                    if round_number:  # the first round compresses, and fills the system's caches
                        for state, visit in visits.items():
                            seen.setdefault((name, host, state), []).append(visit)
    return _figures(seen)


def _jobs(with_earlier: bool) -> dict[str, dict[str, Any]]:
    stock: dict[str, Any] = {
        "pyodide": "/pyodide/pyodide.mjs",
        "indexURL": "/pyodide/",
        "archives": [f"/wheels/{path.name}" for path in wheel_paths()],
        "core": "/core/core.zip",
    }
    ways: dict[str, dict[str, Any]] = {STOCK: stock, TODAY: {"tier": "snapshot", "loader": "/today/core/boot.js"}}
    if with_earlier:
        ways[COMMIT] = {"tier": "snapshot", "loader": "/earlier/core/boot.js"}
    return {f"{way}, {place}": {**job, "worker": place == "worker"} for way, job in ways.items() for place in PLACES}


def _visits(job: dict[str, Any], folders: dict[str, Path], *, compresses: bool) -> dict[str, Seen]:
    """Return a first visit in a fresh profile, and a second one after it."""
    job = json.loads(json.dumps(job))
    with Host(folders, compresses) as host, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        threading.Thread(target=host.serve_forever, args=(0.02,), daemon=True).start()
        for key in ("indexURL", "pyodide", "loader"):
            if key in job:
                job[key] = host.url + job[key]
        with _opened(profile) as page:
            seen = {state: _visit(page, host, job, profile) for state in ("cold", "warm")}
        host.shutdown()
    return seen


@contextmanager
def _opened(profile: str) -> Iterator[Page]:
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--headless=new"]
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=program_path("chromium"), headless=True, args=options
        )
        yield context.pages[0]
        context.close()


def _visit(page: Page, host: Host, job: dict[str, Any], profile: str) -> Seen:
    page.goto(f"{host.url}/visit.html")
    page.wait_for_timeout(500)  # the browser's own start is not what is measured
    before, host.sent_bytes = _cpu_seconds(profile), 0
    longest: float = page.evaluate(VISIT, job)
    after = _cpu_seconds(profile)
    used = {pid: spent - before.get(pid, (0.0, False))[0] for pid, (spent, _) in after.items()}
    renderer = sum(spent for pid, spent in used.items() if after[pid][1])
    return Seen(renderer, sum(used.values()), host.sent_bytes, longest)


def _cpu_seconds(profile: str) -> dict[int, tuple[float, bool]]:
    """Return what each process of the browser of this profile has used, and whether it is a renderer."""
    parents, found = {}, {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # the process has ended
        pid = int(entry.name)
        parents[pid] = int(fields[1])
        ticks = sum(map(int, fields[11:13]))
        found[pid] = (ticks / os.sysconf("SC_CLK_TCK"), "--type=renderer" in command, profile in command)
    roots = {pid for pid, (_, _, is_own) in found.items() if is_own}
    return {pid: (spent, kind) for pid, (spent, kind, _) in found.items() if _descends(pid, roots, parents)}


def _descends(pid: int, roots: set[int], parents: dict[int, int]) -> bool:
    while pid not in roots and pid in parents:
        pid = parents[pid]
    return pid in roots


def _figures(seen: dict[tuple[str, str, str], list[Seen]]) -> list[Figure]:
    middle = {key: Seen(*(median(values) for values in zip(*visits, strict=True))) for key, visits in seen.items()}
    figures = []
    for (name, host, state), visit in middle.items():
        at = f"{name}, {host} host, {state}"
        figures += [
            Figure(f"{at}: CPU of the renderer", visit.renderer_s * 1000, "ms"),
            Figure(f"{at}: CPU of the browser", visit.browser_s * 1000, "ms"),
            Figure(f"{at}: sent", visit.sent_bytes / 1e6, "MB"),
            Figure(f"{at}: longest task by the clock (0: below 50)", visit.longest_ms, "ms"),
        ]
    return [*figures, *_ratios(middle)]


def _ratios(middle: dict[tuple[str, str, str], Seen]) -> list[Figure]:
    return [
        Figure(
            f"{place}, {host} host, {state}: the browser's CPU, today to {COMMIT}",
            middle[f"{TODAY}, {place}", host, state].browser_s / middle[f"{COMMIT}, {place}", host, state].browser_s,
            "times",
            at_most=MOST_OF_EARLIER[state],
        )
        for place in PLACES
        for host in ("brotli", "bare")
        for state in ("cold", "warm")
        if (f"{COMMIT}, {place}", host, state) in middle
    ]
