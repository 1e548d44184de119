"""The wllama adapter with the default model, for real, in a headless browser on one thread."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from purestep_hosts.models.adapters import SHIPPED, TAUGHT_NAME
from tests.web.conftest import Site
from tests.web.tiny_gguf import write_model

# Kept in the page, so that one load serves several completions.
SETUP = """async ({ url, wasmUrl, totalMs }) => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  const { observed } = await import("/observed.mjs");
  const { OutputGate } = await import("/dist/agent/output_gate.js");
  const { createAgentCore } = await import("/dist/index.js");
  const core = createAgentCore();
  window.ask = async (request, onText, ending = new AbortController()) =>
    observed({ OutputGate, core: await core }, model, request, onText, ending.signal);
  window.seen = [];
  const onProgress = (progress) => window.seen.push(progress);
  window.model = wllamaModel({ url, wasmUrl, windowTokens: 512, totalMs, onProgress });
}"""
COUNT_BLOBS = """globalThis.blobs = [];
globalThis.Blob = class extends Blob {
  constructor(...given) { super(...given); blobs.push(this.size); }
};"""
LOAD = "() => model.load().then(() => 'loaded', ({ name, code, message }) => ({ name, code, message }))"
ASK = """async (request) => {
  const texts = [];
  const observation = await ask(request, (text) => texts.push(text));
  return { observation, texts };
}"""
STOP = """async (request) => {
  const ending = new AbortController();
  const texts = [];
  const first = await ask(request, (text) => { texts.push(text); ending.abort(); }, ending);
  const short = { ...request, sampling: { temperature: 0, max_tokens: 2 } };
  const second = await ask(short, () => undefined);
  return { first, second, texts };
}"""
RUN = """async (grammar) => {
  const { Agent, createAgentCore } = await import("/dist/index.js");
  const core = await createAgentCore();
  const texts = [];
  const messages = [{ role: "user", content: "Hi" }]; // in the place of the agent's, which take longer to read
  const forced = (heard) => ({
    name: model.name,
    async complete(_request, reply, signal) {
      const chunks = [];
      const gathered = { isOver: false, chunk: (json) => chunks.push(json) }; // hears the reply to its end
      const told = {
        get isOver() { return reply.isOver; },
        chunk: (json) => (texts.push(json), (heard ? reply : gathered).chunk(json)),
      };
      const asked = { messages, grammar, sampling: { temperature: 0, max_tokens: 40 } };
      const end = await model.complete(asked, told, signal);
      for (const json of chunks) reply.chunk(json);
      return end;
    },
  });
  const run = async (heard) => {
    const ended = await new Agent(core, { model: forced(heard) }).ask("Go");
    // The next completion begins when the engine has let go of this one: nothing more comes of it then.
    const short = { messages, sampling: { max_tokens: 1 } };
    const next = await ask(short, () => undefined);
    return { ended, texts: texts.splice(0).length, next: next.type };
  };
  return { heard: await run(true), unheard: await run(false) };
}"""
PROMPT = """async (request) => {
  const read = [];
  const reply = { isOver: false, chunk() {}, promptRead: (progress) => read.push(progress) };
  await model.complete(request, reply, new AbortController().signal);
  return read;
}"""
STORED = """async () => {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("cache", { create: true });
  const names = [];
  for await (const [name] of folder.entries()) names.push(name);
  return names;
}"""
WASM = "/node_modules/@wllama/wllama/esm/wasm/wllama.wasm"
PATIENCE_MS = 300_000  # for a machine that does other work; an idle one takes 5 s


def set_up(page: Page, url: str, wasm: str = WASM, total_ms: int = PATIENCE_MS) -> None:
    """Make the model of a page."""
    page.set_default_timeout(PATIENCE_MS)
    page.evaluate(SETUP, {"url": url, "wasmUrl": wasm, "totalMs": total_ms})


def request(text: str, max_tokens: int, **more: Any) -> dict[str, Any]:
    """Return a short request."""
    sampling = {"temperature": 0, "max_tokens": max_tokens}
    return {"messages": [{"role": "user", "content": text}], "sampling": sampling, **more}


@pytest.fixture(scope="module")
def loaded(model_browser: Browser, package: Path, model_path: Path, module_site: Site) -> Any:
    """A page with the default model loaded, and the progress that was told."""
    module_site.answers["/model.gguf"] = lambda handler: handler.send_file(model_path)
    context = model_browser.new_context()
    context.add_init_script(COUNT_BLOBS)
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda asked: requests.append(asked.url))
    page.goto(module_site.url)
    set_up(page, f"{module_site.url}/model.gguf")
    assert "loaded" == page.evaluate(LOAD)
    yield page, page.evaluate("window.seen"), requests
    context.close()


def test_model_loads_with_progress_and_from_this_site_alone(loaded: Any, module_site: Site) -> None:
    """The bar grows to its end, in bytes while they come, and nothing is asked of any other host."""
    _, seen, requests = loaded
    fractions = [progress["fraction"] for progress in seen]
    assert sorted(fractions) == fractions
    assert 1 == fractions[-1]
    assert len(set(fractions)) > 3
    assert 98_362_432 == max(progress.get("loadedBytes", 0) for progress in seen)
    assert [] == [url for url in requests if not url.removeprefix("blob:").startswith(module_site.url)]


def test_weights_are_nowhere_in_one_blob(loaded: Any) -> None:
    """The model of 98 MB has 540 MB unpacked, which browsers lose or refuse as a blob: only small ones are made."""
    page, _, _ = loaded
    made = page.evaluate("blobs")
    assert made
    assert max(made) < 1 << 20
    assert sum(made) < 4 << 20


def test_reading_of_the_prompt_is_told(loaded: Any) -> None:
    """A prompt is read in batches, after each of which the tokens that were read are told, up to all of them."""
    page, _, _ = loaded
    read = page.evaluate(PROMPT, request("one two three four " * 20, 1))
    counts = [progress["readTokens"] for progress in read]
    assert sorted(set(counts)) == counts
    assert len(counts) > 2
    assert {counts[-1]} == {progress["totalTokens"] for progress in read}


def test_schema_is_enforced_and_counted(loaded: Any) -> None:
    """A constrained completion streams, is JSON of the schema, and says what it used."""
    page, _, _ = loaded
    schema = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
    schema["additionalProperties"] = False
    form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    found = page.evaluate(ASK, request("Is water wet?", 24, response_format=form))
    output = found["observation"]
    assert ("model_output", "stop") == (output["type"], output["finish_reason"])
    assert output["content"] == "".join(found["texts"])
    assert ["yes"] == list(json.loads(output["content"]))
    assert len(found["texts"]) > 1
    assert output["usage"]["completion_tokens"] > 2


def test_grammar_and_length_are_told(loaded: Any) -> None:
    """A grammar decides the text; a reply that was cut off says so."""
    page, _, _ = loaded
    assert "yes" == page.evaluate(ASK, request("Well?", 8, grammar='root ::= "yes"'))["observation"]["content"]
    assert "length" == page.evaluate(ASK, request("Tell a story.", 2))["observation"]["finish_reason"]


def test_overflow_and_bad_constraints_are_told(loaded: Any) -> None:
    """A prompt past the window, and a grammar that is none, are told as what they are."""
    page, _, _ = loaded
    overflow = page.evaluate(ASK, request("word " * 700, 2))["observation"]
    assert ("overflow", False) == (overflow["code"], overflow["retryable"])
    refused = page.evaluate(ASK, request("hi", 2, grammar="root ::= ("))["observation"]
    assert ("refused", False) == (refused["code"], refused["retryable"])


def test_generation_stops_and_the_next_one_goes_on(loaded: Any) -> None:
    """A stopped run shows nothing more, and the model is free again."""
    page, _, _ = loaded
    found = page.evaluate(STOP, request("Tell a long story.", 200))
    assert "stopped" in found["first"]["message"]
    assert 1 == len(found["texts"])
    assert "model_output" == found["second"]["type"]


def test_run_ends_the_generation_at_the_stop(loaded: Any) -> None:
    """A run hears fewer tokens than one that listens to the end, decides the same, and leaves the model free."""
    page, _, _ = loaded
    grammar = 'root ::= "{\\"kind\\":\\"final\\",\\"content\\":\\"Hi.\\"}" rest\nrest ::= " word" rest'
    found = page.evaluate(RUN, grammar)
    assert {"type": "done", "answer": "Hi."} == found["heard"]["ended"] == found["unheard"]["ended"]
    assert found["heard"]["texts"] + 10 < found["unheard"]["texts"]
    assert "model_output" == found["heard"]["next"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model's file of four megabytes, where the subject is how a file is fetched and kept."""
    path = tmp_path_factory.mktemp("tiny") / "tiny.gguf"
    write_model(path)
    return path


def test_kept_file_is_not_fetched_again_and_can_be_forgotten(page: Page, site: Site, tiny: Path) -> None:
    """Closed and loaded again, the model comes from the browser's storage; what was forgotten is gone."""
    site.answers["/model.gguf"] = lambda handler: handler.send_file(tiny)
    requests: list[str] = []
    page.on("request", lambda asked: requests.append(asked.url))
    set_up(page, f"{site.url}/model.gguf")
    assert "loaded" == page.evaluate(LOAD)
    before = len([url for url in requests if url.endswith(".gguf")])
    page.evaluate("() => model.close()")
    assert "loaded" == page.evaluate(LOAD)
    assert before == len([url for url in requests if url.endswith(".gguf")]) > 0
    page.evaluate("() => model.close().then(() => model.forget())")
    assert [] == page.evaluate(STORED)


def failure(page: Page) -> dict[str, Any]:
    """Load, and give the error; a completion has to tell the same."""
    error = page.evaluate(LOAD)
    assert "PurestepError" == error["name"]
    told = page.evaluate(ASK, request("hi", 2))["observation"]
    assert ("model_error", "unavailable") == (told["type"], told["code"])
    assert error["message"] == told["message"]
    return error


def test_missing_model_is_told(page: Page, site: Site) -> None:
    """An address without a file says so, and the page's own address is not repeated."""
    set_up(page, f"{site.url}/none.gguf?token=secret")
    error = failure(page)
    assert "no_model" == error["code"]
    assert "404" in error["message"]
    assert "secret" not in error["message"]


@pytest.mark.parametrize("body", [b"<!doctype html><title>Not found</title>", b""])
def test_what_is_no_model_is_told_and_not_kept(page: Page, site: Site, body: bytes) -> None:
    """A page sent in the place of the file must not be taken for it for ever."""
    site.answers["/odd.gguf"] = lambda handler: handler.reply(200, "text/html", body)
    set_up(page, f"{site.url}/odd.gguf")
    assert failure(page)["code"] in ("no_model", "download_failed")
    assert [] == page.evaluate(STORED)


def test_download_that_ends_half_way_may_be_tried_again(page: Page, site: Site, tiny: Path) -> None:
    """A lost connection is told as such, keeps nothing, and the next try gets the whole file."""
    left = [2]

    def answer(handler: Any) -> None:
        if left[0] and handler.command == "GET":
            left[0] -= 1
            handler.send_file(tiny, only=1_500_000)
        else:
            handler.send_file(tiny)

    site.answers["/half.gguf"] = answer
    set_up(page, f"{site.url}/half.gguf")
    assert "download_failed" == failure(page)["code"]
    assert [] == page.evaluate(STORED)
    assert "loaded" == page.evaluate(LOAD)
    fractions = [progress["fraction"] for progress in page.evaluate("window.seen")]
    assert 1 == fractions[-1]


def test_full_storage_is_told(page: Page, site: Site, tiny: Path) -> None:
    """A browser without room says what to do about it."""
    site.answers["/model.gguf"] = lambda handler: handler.send_file(tiny)
    session = page.context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": site.url, "quotaSize": 1_000_000})
    set_up(page, f"{site.url}/model.gguf")
    error = failure(page)
    assert "storage_full" == error["code"]
    assert [] == page.evaluate(STORED)


def test_damaged_model_and_missing_wasm_are_told(page: Page, site: Site) -> None:
    """A file that llama.cpp cannot read, and an address without wllama's wasm, end in an error."""
    site.answers["/bad.gguf"] = lambda handler: handler.reply(200, "application/octet-stream", b"GGUF" + bytes(5000))
    set_up(page, f"{site.url}/bad.gguf")
    assert "model_load" == failure(page)["code"]
    set_up(page, f"{site.url}/bad.gguf", wasm="/none.wasm")
    error = failure(page)
    assert "model_load" == error["code"]
    assert "wasmUrl" in error["message"]


SHORT_OF_MEMORY = """async ({ wasmUrl, url, packedBytes, unpack }) => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  const { Wllama } = await import("/node_modules/@wllama/wllama/esm/index.js");
  const sizes = [];
  class Short extends Wllama {
    loadModel(blobs, settings) {
      sizes.push(blobs[0].size);
      if (blobs[0].size > packedBytes) return Promise.reject(new Error("out of memory"));
      return super.loadModel(blobs, settings);
    }
  }
  const fractions = [];
  const onProgress = ({ fraction }) => fractions.push(fraction);
  const wllama = async () => ({ Wllama: Short });
  const model = wllamaModel({ url, wasmUrl, windowTokens: 512, unpack, wllama, onProgress });
  await model.load();
  return { sizes, fractions };
}"""


@pytest.mark.parametrize("unpack", [True, False])
def test_weights_that_find_no_room_unpacked_stay_packed(page: Page, site: Site, tmp_path: Path, unpack: bool) -> None:
    """The file is loaded as it is then, and progress goes on; with the option nothing is unpacked at all."""
    path = tmp_path / "packed.gguf"
    write_model(path, packed=True)
    site.answers["/packed.gguf"] = lambda handler: handler.send_file(path)
    size = path.stat().st_size
    page.set_default_timeout(PATIENCE_MS)
    given = {"wasmUrl": WASM, "url": f"{site.url}/packed.gguf", "packedBytes": size, "unpack": unpack}
    found = page.evaluate(SHORT_OF_MEMORY, given)
    assert [*[True] * unpack, False] == [each > 1.9 * size for each in found["sizes"]]
    assert (size, found["fractions"]) == (found["sizes"][-1], sorted(found["fractions"]))


CHOSEN = """async ({ wasmUrl, parts, name }) => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  const pieces = await Promise.all(parts.map(async (part) =>
    typeof part === "string" ? new Blob([part]) : (await fetch(part.url)).blob()));
  window.model = wllamaModel({ file: new File(pieces, name), wasmUrl, windowTokens: 512 });
  return model.name;
}"""
CHOICES = """async () => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  return [{}, { url: "/a.gguf", file: new Blob() }].map((options) => {
    try {
      wllamaModel({ wasmUrl: "/w.wasm", ...options });
    } catch ({ name, code }) {
      return [name, code];
    }
  });
}"""


def test_file_from_the_disk_is_loaded_and_not_kept(page: Page, site: Site, tiny: Path) -> None:
    """A file that a person chose is read where it is: nothing of it is copied into the browser's storage."""
    site.answers["/model.gguf"] = lambda handler: handler.send_file(tiny)
    page.set_default_timeout(PATIENCE_MS)
    chosen = {"wasmUrl": WASM, "parts": [{"url": "/model.gguf"}], "name": "My model.GGUF"}
    assert "My model" == page.evaluate(CHOSEN, chosen)
    assert "loaded" == page.evaluate(LOAD)
    assert [] == page.evaluate(STORED)
    page.evaluate("() => model.forget()")  # there is nothing to forget


@pytest.mark.parametrize(
    ("parts", "code", "said"),
    [
        (["PK\x03\x04 an archive"], "no_model", "The file is no GGUF file: it starts with "),
        ([], "no_model", 'it starts with "". Choose one whose name ends in .gguf.'),
        (["GGUF", "damaged" * 99], "model_load", "Its file may be damaged"),
    ],
)
def test_file_that_is_no_model_is_told(page: Page, site: Site, parts: list[str], code: str, said: str) -> None:
    """Whatever a person picks by mistake ends in words and not in a tab that hangs."""
    page.set_default_timeout(PATIENCE_MS)
    page.evaluate(CHOSEN, {"wasmUrl": WASM, "parts": parts, "name": "x.gguf"})
    error = page.evaluate(LOAD)
    assert ("PurestepError", code, True) == (error["name"], error["code"], said in error["message"])


ADAPTED = """async ({ wasmUrl, url, adapter, sha256 }) => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  window.model = wllamaModel({ url, adapter: { url: adapter }, sha256, wasmUrl, windowTokens: 512 });
}"""
ANOTHER = "0" * 64


@pytest.mark.parametrize(
    ("adapter", "sha256", "code", "said"),
    [
        (
            "/tools.gguf",
            {"adapter": ANOTHER},
            "model_load",
            "The file of the adapter is another one: expected SHA-256 0",
        ),
        ("/tools.gguf", {"model": ANOTHER}, "model_load", "The file of the model is another one: expected SHA-256 0"),
        ("/tools.gguf", {}, "model_load", "Or its adapter is damaged, or belongs to another model."),
        ("/none.gguf", {}, "no_model", "404"),
    ],
)
def test_adapter_that_does_not_fit_is_told(
    page: Page, site: Site, tiny: Path, adapter: str, sha256: dict[str, str], code: str, said: str
) -> None:
    """A changed file, one for another model and one that is not there end in words, and a changed one is not kept."""
    shipped = SHIPPED[TAUGHT_NAME]
    site.answers["/base.gguf"] = lambda handler: handler.send_file(tiny)
    site.answers["/tools.gguf"] = lambda handler: handler.send_file(shipped.path)
    page.set_default_timeout(PATIENCE_MS)
    files = {"url": f"{site.url}/base.gguf", "adapter": f"{site.url}{adapter}"}
    page.evaluate(ADAPTED, {**files, "sha256": sha256, "wasmUrl": WASM})
    error = page.evaluate(LOAD)
    assert ("PurestepError", code, True) == (error["name"], error["code"], said in error["message"]), error
    changed = [name for name, which in (("tools.gguf", "adapter"), ("base.gguf", "model")) if which in sha256]
    assert [] == [name for name in page.evaluate(STORED) if name.endswith(tuple(changed))]


def test_model_is_of_a_file_or_of_an_address(page: Page, site: Site) -> None:
    """Neither and both are mistakes of the page's author, told at once."""
    assert [["PurestepError", "invalid_input"]] * 2 == page.evaluate(CHOICES)


def test_older_browser_asks_no_other_host(page: Page, site: Site) -> None:
    """Where wllama would take other files from a CDN, it takes none: the page serves what it needs, or it fails."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    site.answers["/bad.gguf"] = lambda handler: handler.reply(200, "application/octet-stream", b"GGUF" + bytes(5000))
    page.evaluate("() => { delete WebAssembly.Suspending; }")
    set_up(page, f"{site.url}/bad.gguf")
    page.evaluate("() => Promise.race([model.load().catch(() => 0), new Promise((done) => setTimeout(done, 5000))])")
    assert [] == [url for url in asked if not url.removeprefix("blob:").startswith(site.url)]
    assert asked


def test_load_can_be_stopped(page: Page, site: Site, tiny: Path) -> None:
    """A download that is stopped ends at once and keeps nothing."""
    site.answers["/model.gguf"] = lambda handler: handler.send_file(tiny, pause_s=0.5)
    set_up(page, f"{site.url}/model.gguf")
    stop = """async () => {
      const ending = new AbortController();
      const load = model.load(ending.signal).catch(({ code }) => code);
      while (!seen.length) await new Promise((resolve) => setTimeout(resolve, 20));
      ending.abort();
      return load;
    }"""
    assert "stopped" == page.evaluate(stop)
    page.wait_for_timeout(500)
    assert [] == page.evaluate(STORED)
