"""`npm create purestep`: each starter project is made, installed, built and opened as its README says."""

import json
import os
import re
import signal
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Browser, Page, expect

WEB = Path(__file__).resolve().parents[2] / "web"
CREATE = WEB / "create"
PATIENCE_MS = 300_000
ADDRESS = re.compile(r"http://(?:localhost|127\.0\.0\.1):(\d+)")

Create = Callable[..., "subprocess.CompletedProcess[str]"]


class _Model(BaseHTTPRequestHandler):
    """An OpenAI-compatible server: it calls the tool that a question is about, and says what came of it."""

    asked: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        """Answer a completion, whole."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append({"path": self.path, "key": self.headers["authorization"], **body})
        last = body["messages"][-1]
        reply = json.dumps({"choices": [{"index": 0, **_said(last)}], "model": body["model"]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


def _said(last: dict[str, Any]) -> dict[str, Any]:
    if last["role"] != "user":
        return {"message": {"role": "assistant", "content": f"I did it: {last['content']}"}, "finish_reason": "stop"}
    name = "refund_order" if "efund" in last["content"] else "find_order"
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": '{"number": 8}'}}
    return {"message": {"role": "assistant", "content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The address of a model server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Model) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def tarballs(node: str, package: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """What npm packs of purestep, and of what makes the projects."""
    del node
    folder = tmp_path_factory.mktemp("tarballs")
    command = ["npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder]
    packed = [_run(*command, cwd=place) for place in (package.parent, CREATE)]
    purestep, create = (folder / json.loads(said)[0]["filename"] for said in packed)
    return purestep, create


@pytest.fixture(scope="module")
def create(tarballs: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Create:
    """Runs the packed command, installed as npm does for `npm create`."""
    place = tmp_path_factory.mktemp("create")
    _run("npm", "install", "--no-audit", "--no-fund", "--prefix", place, tarballs[1], cwd=place)

    def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [place / "node_modules/.bin/create-purestep", *words]
        return subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )

    return run


def _run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def made(create: Create, tarballs: tuple[Path, Path], folder: Path, template: str) -> Path:
    """Make a project and install it: purestep from the tarball, since no registry has it, all else as it says."""
    done = create(folder, "desk", "--template", template)
    assert (0, "") == (done.returncode, done.stderr)
    project = folder / "desk"
    _run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", tarballs[0], cwd=project)
    return project


@contextmanager
def started(project: Path, script: str, *words: str, **environment: str) -> Iterator[str]:
    """Run a script of the project for the length of the block; gives the address that it prints."""
    command = ["npm", "run", script, "--", *words]
    process = subprocess.Popen(
        command,
        cwd=project,
        env=os.environ | environment | {"NO_COLOR": "1"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        said = ""
        while not (found := ADDRESS.search(said)):
            line = process.stdout.readline()
            assert line, said
            said += line
        reader = threading.Thread(target=process.stdout.read, daemon=True)  # a full pipe would stop it
        reader.start()
        yield f"http://localhost:{found[1]}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """Open the page once its chat is there; it must not complain."""
    complaints: list[str] = []
    with browser.new_page(viewport={"width": 390, "height": 844}) as page:
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        expect(page.get_by_role("button", name="Send")).to_be_visible(timeout=PATIENCE_MS)
        yield page
    assert [] == complaints


def refund(page: Page) -> None:
    """Ask for a refund, say yes, and read what was done."""
    expect(page.get_by_label("Message")).to_be_enabled(timeout=PATIENCE_MS)
    page.get_by_label("Message").fill("Refund order 8.")
    page.keyboard.press("Enter")
    button = page.get_by_role("button", name="Approve and run")
    expect(button).not_to_have_attribute("aria-disabled", "true", timeout=PATIENCE_MS)
    button.click()
    expect(page.get_by_role("log")).to_contain_text("I did it: Order 8 is refunded.", timeout=PATIENCE_MS)
    expect(page.get_by_role("log")).to_contain_text("hanged")


@pytest.mark.parametrize("template", ["vite", "react"])
def test_a_page_of_vite(
    create: Create, tarballs: tuple[Path, Path], tmp_path: Path, browser: Browser, model: str, template: str
) -> None:
    """Built and opened, its agent asks the model through its own origin, with the key that the page never has."""
    project = made(create, tarballs, tmp_path, template)
    (project / ".env.local").write_text(f"MODEL_SERVER={model}\nMODEL_KEY=sk-a-secret-of-mine\n")
    _run("npm", "run", "build", cwd=project)
    with started(project, "preview", "--port", "0") as address, opened(browser, address) as page:
        refund(page)
    assert ("/v1/chat/completions", "Bearer sk-a-secret-of-mine") == (_Model.asked[-1]["path"], _Model.asked[-1]["key"])
    assert [] == [path for path in (project / "dist").rglob("*.js") if "sk-a-secret" in path.read_text()]


def test_the_page_of_next(
    create: Create, tarballs: tuple[Path, Path], tmp_path: Path, browser: Browser, model: str
) -> None:
    """The same in Next, and a model server that is not there is said in words."""
    project = made(create, tarballs, tmp_path, "next")
    quiet = {"NEXT_TELEMETRY_DISABLED": "1"}
    with_key = {"MODEL_SERVER": model, "MODEL_KEY": "sk-a-secret-of-mine"}
    _run("npm", "run", "build", cwd=project)
    with (
        started(project, "start", "--port", "0", **with_key, **quiet) as at,
        opened(browser, at) as page,
    ):
        refund(page)
    assert ("/v1/chat/completions", "Bearer sk-a-secret-of-mine") == (_Model.asked[-1]["path"], _Model.asked[-1]["key"])
    with (
        started(project, "start", "--port", "0", MODEL_SERVER="http://127.0.0.1:9", **quiet) as at,
        opened(browser, at) as page,
    ):
        page.get_by_label("Message").fill("Hello")
        page.keyboard.press("Enter")
        expect(page.get_by_role("log").get_by_role("alert")).to_contain_text(
            "no model server answers", timeout=PATIENCE_MS
        )


def test_the_service_at_the_edge(create: Create, tarballs: tuple[Path, Path], tmp_path: Path, model: str) -> None:
    """The README's request is answered, a call waits, and goes on with the answer that came back."""
    project = made(create, tarballs, tmp_path, "edge")
    (project / ".env").write_text(f"MODEL_SERVER={model}/v1\nMODEL=m\nPORT=0\n")
    with started(project, "start") as address:
        found = _post(f"{address}/run", {"query": "Where is order 8?"})
        assert "I did it: lost" == found["result"]
        asked = _post(f"{address}/run", {"query": "Refund order 8."})
        (call,) = asked["decision"]["calls"]
        answer = {"call_id": call["call_id"], "key": call["key"], "approved": True}
        members = {name: asked[name] for name in ("state", "messages", "seal")}
        assert "I did it: Order 8 is refunded." == _post(f"{address}/run", {**members, "approvals": [answer]})["result"]


def _post(address: str, body: object) -> dict[str, Any]:
    request = urllib.request.Request(address, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        answer: dict[str, Any] = json.load(reply)
    return answer


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["desk", "--template", "angular"], 'There is no template "angular": react, vite, next, edge.'),
        (["desk", "--template", "toString"], 'There is no template "toString": react, vite, next, edge.'),
        (["full", "--template", "vite"], "full is there and has files in it: name a new folder, or an empty one."),
        (["desk"], "Expected a template."),
        ([], "Expected a folder."),
        (["desk", "more", "--template", "vite"], "Expected one folder, got another: more"),
        (["desk", "--tmplate", "vite"], "Unknown option '--tmplate'"),
    ],
)
def test_what_it_cannot_make_it_says(create: Create, tmp_path: Path, words: list[str], says: str) -> None:
    """One sentence, nothing on the disk, and no trace of the program."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    done = create(tmp_path, *words)
    assert (1, "") == (done.returncode, done.stdout)
    assert done.stderr.startswith(says)
    assert "    at " not in done.stderr
    assert ["full", "full/mine.txt"] == sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*"))


@pytest.mark.parametrize(("folder", "name"), [(".", None), ("My Desk", "my-desk"), ("日本", "agent")])
def test_any_folder_gets_a_name_that_npm_takes(create: Create, tmp_path: Path, folder: str, name: str | None) -> None:
    """The folder that one stands in too; no file that npm leaves out of tarballs is missing."""
    place = tmp_path / "here"
    place.mkdir()
    done = create(place, folder, "-t", "vite")
    assert 0 == done.returncode, done.stderr
    files = {path.name for path in (place / folder).iterdir()}
    assert {".env", ".gitignore", "README.md", "index.html", "package.json", "src", "vite.config.js"} == files
    assert (name or "here") == json.loads((place / folder / "package.json").read_text())["name"]


def test_the_projects_name_the_versions_that_are_tested() -> None:
    """purestep at its own version, and of the others those that the package itself is tested with."""
    own = json.loads((WEB / "package.json").read_text())
    known = {"purestep": own["version"], **own["devDependencies"]}
    for manifest in sorted((CREATE / "templates").glob("*/package.json")):
        wanted = json.loads(manifest.read_text())
        named = wanted["dependencies"] | wanted.get("devDependencies", {})
        assert {name: known.get(name, version) for name, version in named.items()} == named, manifest
    assert own["version"] == json.loads((CREATE / "package.json").read_text())["version"]
