"""The examples of docs/page-models.md, built by Vite as they stand, in Chromium: wllama's really answers."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.web.react_pages import built_app, programs_of_page, served

PATIENCE_MS = 300_000
NAMES = ("wllama", "webllm", "transformers", "prompt_api")
ASK = """async () => {
  const { wllama } = globalThis.models;
  let text = "";
  const reply = { isOver: false, text: (piece) => void (text += piece), chunk: (json) => void (text += json) };
  const asked = { messages: [{ role: "user", content: "Say hello." }], sampling: { max_tokens: 4 } };
  const end = await wllama.model.complete(asked, reply, new AbortController().signal);
  return [wllama.model.name, end.kind ?? end.type, text.length > 0];
}"""
LOAD = """(name) => globalThis.models[name].model.load().then(
  () => "loaded",
  ({ code, message }) => `${code}: ${message}`,
)"""


@pytest.fixture(scope="module")
def site(node: str, package: Path, model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page that has all four."""
    del package
    files = {f"{name}.ts": code for name, code in zip(NAMES, programs_of_page("page-models.md", "ts"), strict=True)}
    imports = "".join(f'import * as {name} from "./{name}.ts";\n' for name in NAMES)
    files["main.jsx"] = f"{imports}globalThis.models = {{ {', '.join(NAMES)} }};\n"
    files["vite.config.js"] = 'export default { build: { target: "es2022", chunkSizeWarningLimit: 8000 } };\n'
    folder = built_app(node, tmp_path_factory.mktemp("page_models"), files)
    (folder / "models").mkdir()
    os.symlink(model_path, folder / "models/small.gguf")
    with served(folder) as address:
        yield address


@pytest.fixture(scope="module")
def page(model_browser: Browser, site: str) -> Iterator[Page]:
    """The page, which must not complain."""
    complaints: list[str] = []
    with model_browser.new_page() as page:
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(site)
        page.wait_for_function("globalThis.models !== undefined")
        yield page
    assert [] == complaints


def test_a_gguf_file_answers(page: Page) -> None:
    """The file of the example is loaded from the page's own origin, and the model writes."""
    assert ["small", "ended", True] == page.evaluate(ASK)


@pytest.mark.parametrize(("name", "says"), [("webllm", "WebGPU"), ("transformers", "Is this machine online")])
def test_what_cannot_be_loaded_here_is_said(page: Page, name: str, says: str) -> None:
    """Without a graphics card, or without a way to the files, loading ends with a sentence that says so."""
    assert says in page.evaluate(LOAD, name)


def test_the_browser_says_whether_it_has_a_model(page: Page) -> None:
    """One of the four words, and a sentence where it has none."""
    availability, problem = page.evaluate("Object.values(globalThis.models.prompt_api.support)")
    assert availability in ("available", "downloadable", "downloading", "unavailable")
    assert (availability == "unavailable") == (problem != "")
