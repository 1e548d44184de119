"""Pages of tests that a bundler builds: a program of its own folder, with the packages of web/, in Chromium."""

import re
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
PACKAGES = ("react", "react-dom", "zod", "ai", "@ai-sdk", "@wllama", "@mlc-ai", "@huggingface")


def programs_of_page(page: str, language: str) -> list[str]:
    """Return the examples of a page of the documentation in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.DOTALL | re.MULTILINE)


def program_of_page(page: str, language: str) -> str:
    """Return its only example in this language."""
    (block,) = programs_of_page(page, language)
    return block


def built_app(node: str, folder: Path, files: dict[str, str]) -> Path:
    """Write a program whose entry is main.jsx, and build it with Vite as it comes; gives the folder of the page."""
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "purestep").symlink_to(WEB)
    for name in PACKAGES:
        (modules / name).symlink_to(WEB / "node_modules" / name)
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "package.json").write_text('{"type":"module"}')
    (folder / "index.html").write_text(
        '<!doctype html><html lang="en"><title>App</title><script type="module" src="main.jsx"></script>'
    )
    vite = WEB / "node_modules/vite/bin/vite.js"
    command = [node, str(vite), "build", "--logLevel", "warn"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return folder / "dist"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that leaves in the middle of a file is no fault."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback for the length of the block; gives its address."""
    with _Server(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
