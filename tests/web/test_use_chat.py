"""`useChat` in Chromium, with an agent in the page and with one on a server: docs/ai-sdk.md as it stands."""

import json
import subprocess
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.react_pages import PACKAGES, WEB, built_app, program_of_page, programs_of_page, served

HERE = Path(__file__).parent
PATIENCE_MS = 300_000


@pytest.fixture(scope="module")
def site(node: str, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app."""
    del package
    app = HERE / "react_app"
    files = {path.name: path.read_text() for path in app.iterdir()} | {"app.jsx": program_of_page("ai-sdk.md", "jsx")}
    with served(built_app(node, tmp_path_factory.mktemp("chat"), files)) as address:
        yield address


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """The app with its core ready; it must not complain."""
    complaints: list[str] = []
    with browser.new_page() as page:
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
        page.goto(site)
        expect(page.get_by_role("button", name="Send")).to_be_enabled(timeout=PATIENCE_MS)
        yield page
    assert [] == complaints


def send(page: Page, text: str) -> None:
    """Write a message and send it."""
    page.get_by_label("Message").fill(text)
    page.keyboard.press("Enter")


def test_a_chat_shows_messages_and_answers(page: Page) -> None:
    """Two exchanges stand in order, streamed into messages by the hook."""
    send(page, "Good day")
    expect(page.locator("p.assistant")).to_have_text("You said: Good day")
    send(page, "Again")
    expect(page.locator("p.assistant").nth(1)).to_have_text("You said: Again")
    assert ["Good day", "You said: Good day", "Again", "You said: Again"] == page.locator("main > p").all_inner_texts()


def test_an_approval_goes_on_by_itself(page: Page) -> None:
    """The hook sends the answer, the call runs, and the same message holds call and answer."""
    send(page, "Refund order 7")
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("p.call")).to_have_text('refund_order {"number":7}: output-available')
    expect(page.locator("p.assistant")).to_contain_text("Order 7 is refunded.")


def test_a_refusal_is_read_by_the_model(page: Page) -> None:
    """The call is denied and never runs; the reason reaches the model."""
    send(page, "Refund order 8")
    page.get_by_role("button", name="Refuse").click()
    expect(page.locator("p.call")).to_have_text('refund_order {"number":8}: output-denied')
    expect(page.locator("p.assistant")).to_contain_text("asked in the page")


def test_a_stopped_chat_goes_on(page: Page) -> None:
    """`stop` of the hook cancels the run, and the next message is answered."""
    page.evaluate("held.isHolding = true")
    send(page, "One two three")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Stop")).to_be_disabled()
    page.evaluate("held.isHolding = false")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    send(page, "Hello")
    expect(page.get_by_text("You said: Hello")).to_be_visible()


class _Scripted(BaseHTTPRequestHandler):
    """A model server that says how many messages of the user it was shown."""

    def do_POST(self) -> None:
        """Answer a chat completion."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        count = len([message for message in asked["messages"] if message["role"] == "user"])
        content = f"Hello, for the {count}. time."
        head = {"id": "r", "created": 1, "model": "small", "object": "chat.completion.chunk"}
        chunks: list[Any] = [{"delta": {"content": content}}, {"delta": {}, "finish_reason": "stop"}]
        lines = [f"data: {json.dumps({**head, 'choices': [{'index': 0, **chunk}]})}\n\n" for chunk in chunks]
        body = "".join([*lines, "data: [DONE]\n\n"]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


@pytest.fixture(scope="module")
def model_url() -> Iterator[str]:
    """The base URL of the scripted server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Scripted) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


SERVE = """
import { createServer } from "node:http";
import { POST } from "./page.js";
createServer(async (incoming, outgoing) => {
  const pieces = [];
  for await (const piece of incoming) pieces.push(piece);
  const request = new Request("http://localhost/api/chat", { method: "POST", body: Buffer.concat(pieces) });
  const response = await POST(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const piece of response.body) outgoing.write(piece);
  outgoing.end();
}).listen(0, "127.0.0.1", function () { console.log(`port ${this.address().port}`); });
"""


@pytest.fixture(scope="module")
def folder(node: str, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The TypeScript of the page, checked and compiled by the compiler in a project of its own."""
    del package
    folder = tmp_path_factory.mktemp("server")
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "purestep").symlink_to(WEB)
    for name in (*PACKAGES, "@types"):
        (modules / name).symlink_to(WEB / "node_modules" / name)
    (folder / "package.json").write_text('{"type":"module"}')
    (folder / "page.ts").write_text("\n".join(programs_of_page("ai-sdk.md", "ts")))
    (folder / "serve.js").write_text(SERVE)
    flags = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--types", "node"]
    compiler = WEB / "node_modules/typescript/bin/tsc"
    command = [node, str(compiler), *flags, "page.ts"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert "" == done.stdout + done.stderr
    return folder


def test_the_server_of_the_page_goes_on_from_its_log(node: str, folder: Path, model_url: str) -> None:
    """Its model answers, and two requests of one chat, each with an agent of its own, are one run."""
    command = [node, "serve.js"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, env={"MODEL_URL": model_url}
    ) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline().strip()
            assert "Hello, for the 1. time." == said
            port = server.stdout.readline().split()[1]
            answers = [exchange(port, text) for text in ("Hello", "Hello again")]
        finally:
            server.kill()
    assert ["Hello, for the 1. time.", "Hello, for the 2. time."] == answers


def exchange(port: str, text: str) -> str:
    """Send a chat as `useChat` does; gives the text of the answer."""
    message = {"id": "u", "role": "user", "parts": [{"type": "text", "text": text}]}
    body = json.dumps({"id": "chat-1", "trigger": "submit-message", "messages": [message]}).encode()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", body, timeout=300) as response:
        assert "text/event-stream" == response.headers["Content-Type"]
        lines = response.read().decode().splitlines()
    chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    assert ("start", "finish") == (chunks[0]["type"], chunks[-1]["type"])
    return "".join(chunk["delta"] for chunk in chunks if chunk["type"] == "text-delta")
