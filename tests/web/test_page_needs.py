"""What a model in a page needs of the browser: found before it is fetched, told in words, or done without."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import PAGE, Site
from tests.web.test_wllama_model import PATIENCE_MS, WASM
from tests.web.tiny_gguf import write_model

LOAD = """async ({ url, wasmUrl, threads, alone }) => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  const { Wllama } = await import("/node_modules/@wllama/wllama/esm/index.js");
  const tried = [];
  class Watched extends Wllama {
    loadModel(files, settings) {
      tried.push(settings.n_threads);
      return alone && settings.n_threads > 1 ? Promise.reject(new Event("error")) : super.loadModel(files, settings);
    }
  }
  const wllama = async () => ({ Wllama: Watched });
  const model = wllamaModel({ url, wasmUrl, threads, windowTokens: 512, unpack: false, wllama });
  const said = await model.load().then(() => "loaded", ({ name, code, message }) => ({ name, code, message }));
  await model.close();
  return { said, tried };
}"""
NO_MEMORY = """{
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(wanted) { if (REFUSED) throw new RangeError("could not allocate memory"); super(wanted); }
  };
}"""
WITHOUT = {
    "delete globalThis.WebAssembly": r"it has no WebAssembly \(a strict security mode may have turned it off\)",
    "delete globalThis.Worker": "it has no workers",
    "WebAssembly.validate = (code) => !code.includes(253)": r"it has no WebAssembly with vectors \(SIMD\)",
    "WebAssembly.validate = (code) => !code.includes(25)": "it has no WebAssembly with exceptions",
    NO_MEMORY.replace("REFUSED", 'wanted.address === "i64"'): "it has no WebAssembly with memory of 64 bits",
    NO_MEMORY.replace("REFUSED", "wanted.initial > 100n"): r"The model needs \d+ MB of memory, and the browser gives",
    "Object.defineProperty(navigator, 'deviceMemory', { value: 0.125 })": r"MB of memory, and this device has about",
}
"""What a browser lacks, by an init script that takes it away, and what is said of it."""


@pytest.fixture
def model(site: Site, tmp_path: Path) -> str:
    """The address of a small model."""
    path = tmp_path / "tiny.gguf"
    write_model(path)
    site.answers["/tiny.gguf"] = lambda handler: handler.send_file(path)
    return f"{site.url}/tiny.gguf"


def load(page: Page, url: str, **more: Any) -> dict[str, Any]:
    """Load a model in a page; gives what came of it, and the threads of each try."""
    page.set_default_timeout(PATIENCE_MS)
    found: dict[str, Any] = page.evaluate(LOAD, {"url": url, "wasmUrl": WASM, **more})
    return found


@pytest.mark.parametrize("script", WITHOUT)
def test_what_a_browser_lacks_is_told_before_the_model_is_fetched(
    page: Page, site: Site, model: str, script: str
) -> None:
    """In a sentence that says what to do, and the server is asked at most how long the file is."""
    page.add_init_script(script)
    page.goto(site.url)
    asked: list[tuple[str, str]] = []
    page.on("request", lambda request: asked.append((request.method, request.url)))
    found = load(page, model)
    assert ("PurestepError", "unsupported", []) == (found["said"]["name"], found["said"]["code"], found["tried"])
    assert re.search(WITHOUT[script], found["said"]["message"])
    assert re.search(r"(Use a current browser|Choose a smaller model), or ", found["said"]["message"])
    assert ("GET", model) not in asked


def test_a_model_that_no_page_can_hold_is_not_fetched(page: Page, site: Site) -> None:
    """Its length is asked for, and that is all."""
    asked: list[str] = []

    def answer(handler: Any) -> None:
        asked.append(handler.command)
        handler.send_response(200)
        handler.send_header("Content-Length", str(6 << 30))
        handler.end_headers()

    site.answers["/huge.gguf"] = answer
    found = load(page, f"{site.url}/huge.gguf")
    assert "unsupported" == found["said"]["code"]
    assert "a page gives llama.cpp 4295 MB at most" in found["said"]["message"]
    assert ["HEAD"] == asked


def test_a_policy_that_forbids_the_worker_is_told_in_words(page: Page, site: Site, model: str) -> None:
    """The browser tells of it by an event without a text: what the policy has to allow is said in its place."""
    policy = "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'"
    site.answers["/strict"] = lambda handler: handler.reply(200, "text/html", PAGE, Content_Security_Policy=policy)
    page.goto(f"{site.url}/strict")
    found = load(page, model)
    assert ("PurestepError", "model_load") == (found["said"]["name"], found["said"]["code"])
    assert "[object" not in found["said"]["message"]
    assert "worker-src blob:" in found["said"]["message"]


@pytest.mark.parametrize("alone", [True, False])
def test_a_load_that_fails_with_threads_is_tried_with_one(
    model_browser: Browser, site: Site, model: str, alone: bool
) -> None:
    """The page is isolated, so it has threads; where they do not start, it goes on without them."""
    isolating = {"Cross_Origin_Opener_Policy": "same-origin", "Cross_Origin_Embedder_Policy": "require-corp"}
    site.answers["/isolated"] = lambda handler: handler.reply(200, "text/html", PAGE, **isolating)
    with model_browser.new_page() as page:
        page.goto(f"{site.url}/isolated")
        assert page.evaluate("crossOriginIsolated")
        found = load(page, model, threads=2, alone=alone)
    assert {"said": "loaded", "tried": [2, 1] if alone else [2]} == found


def test_two_tabs_that_load_a_model_at_once_both_have_it(page: Page, site: Site, tmp_path: Path) -> None:
    """Both write into one storage: the second waits for the first, and fetches nothing."""
    path = tmp_path / "tiny.gguf"
    write_model(path)
    asked: list[str] = []

    def answer(handler: Any) -> None:
        asked.append(handler.command)
        handler.send_file(path, pause_s=0.2)

    site.answers["/shared.gguf"] = answer
    given = {"url": f"{site.url}/shared.gguf", "wasmUrl": WASM}
    page.set_default_timeout(PATIENCE_MS)
    other = page.context.new_page()
    other.goto(site.url)
    other.evaluate(f"(given) => {{ globalThis.found = ({LOAD})(given); }}", given)
    assert "loaded" == load(page, given["url"])["said"]
    assert "loaded" == other.evaluate("async () => (await found).said")
    assert 1 == asked.count("GET")
