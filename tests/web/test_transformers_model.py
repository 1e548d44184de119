"""The Transformers.js adapter with the real library and ONNX Runtime, in a headless browser.

The model is one that has a single sentence (`tiny_onnx`).
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import Site
from tests.web.test_wllama_model import ASK, LOAD, STOP, request
from tests.web.tiny_onnx import ANSWER, SAID, WINDOW, write_model

SETUP = """async ({ model, options }) => {
  const library = await import("@huggingface/transformers");
  Object.assign(library.env, { allowLocalModels: true, allowRemoteModels: false, localModelPath: "/models/" });
  library.env.backends.onnx.wasm.wasmPaths = "/node_modules/onnxruntime-web/dist/";
  const { transformersModel } = await import("/dist/models/transformers.js");
  const { observed } = await import("/observed.mjs");
  const { OutputGate } = await import("/dist/agent/output_gate.js");
  const { createAgentCore } = await import("/dist/index.js");
  const core = createAgentCore();
  window.seen = [];
  window.ask = async (request, onText, ending = new AbortController()) =>
    observed({ OutputGate, core: await core }, window.model, request, onText, ending.signal);
  const onProgress = (progress) => window.seen.push(progress);
  window.model = transformersModel({ model, settings: { dtype: "fp32", device: "wasm" }, onProgress, ...options });
}"""
RUN = """async () => {
  const { Agent, createAgentCore } = await import("/dist/index.js");
  const agent = new Agent(await createAgentCore(), { model });
  const ends = [await agent.ask("Hello"), await agent.ask("And again")];
  return { ends, usage: agent.usage };
}"""
PATIENCE_MS = 300_000
TEXT = "".join(SAID)


@pytest.fixture(scope="module")
def tiny(module_site: Site, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site that has the model."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    write_model(folder)
    for path in folder.rglob("*.*"):
        name = f"/models/me/tiny/{path.relative_to(folder)}"
        module_site.answers[name] = lambda handler, path=path: handler.send_file(path)
    return module_site


def open_page(browser: Browser, site: Site, model: str = "me/tiny", **options: Any) -> Page:
    """Open a page with a model that is not loaded yet."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(site.url)
    page.evaluate(SETUP, {"model": model, "options": options})
    return page


@pytest.fixture(scope="module")
def loaded(model_browser: Browser, tiny: Site) -> Iterator[tuple[Page, list[str]]]:
    """A page with the model loaded, and the addresses that were asked since the model was made."""
    page = open_page(model_browser, tiny)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    assert "loaded" == page.evaluate(LOAD)
    yield page, asked
    page.close()


def test_model_loads_with_progress_and_from_this_site_alone(loaded: tuple[Page, list[str]], tiny: Site) -> None:
    """The bar grows to its end, and nothing is asked of any other host."""
    page, asked = loaded
    fractions = [progress["fraction"] for progress in page.evaluate("window.seen")]
    assert (sorted(fractions), 1) == (fractions, fractions[-1])
    assert any(address.endswith("model.onnx") for address in asked)
    assert [] == [address for address in asked if not address.removeprefix("blob:").startswith(tiny.url)]


def test_reply_streams_and_is_counted(loaded: tuple[Page, list[str]]) -> None:
    """In pieces, without the token that ends it, with the counts of the tokenizer."""
    found = loaded[0].evaluate(ASK, request("Hi", 50))
    output = found["observation"]
    assert ("model_output", "stop", TEXT) == (output["type"], output["finish_reason"], output["content"])
    assert len(found["texts"]) > 2
    prompt = len(["<|user|>", "H", "i", "<|end|>", "<|assistant|>"])
    usage = {name: output["usage"][name] for name in ("prompt_tokens", "completion_tokens")}
    assert {"prompt_tokens": prompt, "completion_tokens": len(SAID) + 1} == usage


def test_limit_of_tokens_is_told(loaded: tuple[Page, list[str]]) -> None:
    """A reply that was cut off says so."""
    output = loaded[0].evaluate(ASK, request("Hi", 3))["observation"]
    assert ("".join(SAID[:3]), "length") == (output["content"], output["finish_reason"])


@pytest.mark.parametrize("stops", [[" good"], ["good day", "!"], ["e, and", " good"][1:], [" and go"]])
def test_text_ends_before_a_stop_text(loaded: tuple[Page, list[str]], stops: list[str]) -> None:
    """Also before one that lies across tokens."""
    output = loaded[0].evaluate(ASK, request("Hi", 50, stop=stops))["observation"]
    at = min(TEXT.index(stop) for stop in stops if stop in TEXT)
    assert (TEXT[:at], "stop") == (output["content"], output["finish_reason"])


def test_half_of_a_stop_text_is_text(loaded: tuple[Page, list[str]]) -> None:
    """What was held back is shown once it is clear that no stop text came."""
    output = loaded[0].evaluate(ASK, request("Hi", 50, stop=["day.!", "}?"]))["observation"]
    assert TEXT == output["content"]


@pytest.mark.parametrize(
    "sampling",
    [
        {"temperature": 0},
        {"temperature": 1.5, "top_p": 0.5, "seed": 7},
        {"top_p": 0.01, "temperature": 2},
        {"top_k": 1, "temperature": 2, "repeat_penalty": 1.0},
        {"min_p": 0.1, "top_p": 1, "presence_penalty": 0, "temperature": 0.2},
    ],
)
def test_sampling_is_taken(loaded: tuple[Page, list[str]], sampling: dict[str, Any]) -> None:
    """Where only the sentence is probable enough, it is said, by each way of sampling."""
    page, _ = loaded
    asked = {**request("Hi", 50), "sampling": {"max_tokens": 50, **sampling}}
    assert TEXT == page.evaluate(ASK, asked)["observation"]["content"]


def test_same_seed_gives_the_same_text(loaded: tuple[Page, list[str]]) -> None:
    """At a temperature at which all tokens are likely; another seed gives another text."""
    page, _ = loaded
    texts = []
    for seed in (7, 7, 8):
        asked = {**request("Hi", 12), "sampling": {"max_tokens": 12, "temperature": 30, "seed": seed}}
        texts.append(page.evaluate(ASK, asked)["observation"]["content"])
    assert (True, False) == (texts[0] == texts[1], texts[0] == texts[2])


def test_stopped_completion_leaves_room_for_the_next(loaded: tuple[Page, list[str]]) -> None:
    """A completion that is stopped at its first piece ends, and the next one is answered."""
    found = loaded[0].evaluate(STOP, request("Hi", 50))
    assert "".join(found["texts"]) in TEXT
    assert len(found["texts"]) == 1
    assert "".join(SAID[:2]) == found["second"]["content"]


@pytest.mark.parametrize(
    "more",
    [
        {"response_format": {"type": "json_object"}},
        {"grammar": 'root ::= "a"'},
        {"tools": [{"type": "function"}]},
        {"choices": [{"text": "a"}]},
    ],
)
def test_constraints_are_refused_not_ignored(loaded: tuple[Page, list[str]], more: dict[str, Any]) -> None:
    """The library has none, and a model that is not held to one would look as if it were."""
    output = loaded[0].evaluate(ASK, request("Hi", 5, **more))["observation"]
    assert ("model_error", "refused", False) == (output["type"], output["code"], output["retryable"])


def test_prompt_past_the_window_is_an_overflow(loaded: tuple[Page, list[str]]) -> None:
    """The model's own window is known once it is loaded; the core makes the prompt shorter then."""
    output = loaded[0].evaluate(ASK, request("a" * WINDOW, 5))["observation"]
    assert ("model_error", "overflow") == (output["type"], output["code"])
    assert f"{WINDOW + 3} tokens" in output["message"]


def test_agent_runs_on_it(loaded: tuple[Page, list[str]]) -> None:
    """A whole run, twice, with the counts in its usage."""
    found = loaded[0].evaluate(RUN)
    assert [("done", ANSWER)] * 2 == [(end["type"], end.get("answer", end.get("message"))) for end in found["ends"]]
    assert found["usage"]["completion_tokens"] == len(SAID) + 1


def test_model_that_is_not_there(model_browser: Browser, tiny: Site) -> None:
    """Loading says that the model cannot be had, and what to look at."""
    page = open_page(model_browser, tiny, model="me/none")
    found = page.evaluate(LOAD)
    page.close()
    assert ("PurestepError", "model_load") == (found["name"], found["code"])
    assert "env" in found["message"]


def test_model_without_a_template_is_refused(
    model_browser: Browser, tiny: Site, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It takes no messages, so nothing of it is loaded."""
    folder = tmp_path_factory.mktemp("plain") / "plain"
    write_model(folder)
    config = folder / "tokenizer_config.json"
    config.write_text(config.read_text().replace("chat_template", "no_template"))
    for path in folder.rglob("*.*"):
        name = f"/models/me/plain/{path.relative_to(folder)}"
        tiny.answers[name] = lambda handler, path=path: handler.send_file(path)
    page = open_page(model_browser, tiny, model="me/plain")
    found = page.evaluate(LOAD)
    page.close()
    assert ("model_load", True) == (found["code"], "chat template" in found["message"])


def test_closed_model_loads_again(model_browser: Browser, tiny: Site) -> None:
    """Its memory is freed, and the next completion loads it anew."""
    page = open_page(model_browser, tiny, windowTokens=64)
    assert "loaded" == page.evaluate(LOAD)
    page.evaluate("model.close()")
    output = page.evaluate(ASK, request("Hi", 50))["observation"]
    page.close()
    assert TEXT == output["content"]
