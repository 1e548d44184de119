"""The chat of docs/serve.md as a page, on an origin of its own."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
SOURCES = Path(__file__).with_name("chat_page")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


@contextmanager
def chat_site(node: str, parent: Path) -> Iterator[str]:
    """Bundle the page with vite and serve it; gives its origin."""
    folder = parent / "page"
    shutil.copytree(SOURCES, folder)
    (folder / "chat.tsx").write_text(_block("serve.md"))
    (folder / "kept_chat.tsx").write_text(_block("edge.md"))
    (folder / "node_modules").symlink_to(WEB / "node_modules")
    vite = [node, str(WEB / "node_modules" / "vite" / "bin" / "vite.js"), "build"]
    built = subprocess.run(
        vite, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"}
    )
    assert built.returncode == 0, built.stderr
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder / "dist"))) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _block(page: str) -> str:
    found = re.search(r"^```tsx\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def ask(page: Page, text: str) -> None:
    """Send a message as a person does."""
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send").click()
