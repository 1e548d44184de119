"""How long the default model takes to its first token in a page, with its weights packed and unpacked."""

from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.figures import Figure
from purestep_hosts.download import default_model
from tests.bundle.served import ROOT, Served
from tests.programs import headless_chromium

WLLAMA = ROOT / "web" / "node_modules" / "@wllama" / "wllama" / "esm"
PATIENCE_MS = 600_000
ASK = """async ({ url, unpack }) => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  const wllama = () => import("/wllama/index.js");
  const model = wllamaModel({ url, wasmUrl: "/wllama/wasm/wllama.wasm", unpack, wllama, windowTokens: 512 });
  let began = performance.now();
  const since = () => (performance.now() - began) / 1000;
  await model.load();
  const found = { loaded: since() };
  const said = "You are a careful assistant. Answer in a sentence. ".repeat(12);
  const messages = [{ role: "system", content: said }, { role: "user", content: "Why is the sky blue?" }];
  const reply = {
    isOver: false,
    promptRead: ({ totalTokens }) => (found.tokens = totalTokens),
    chunk: (json) => {
      if (JSON.parse(json).choices?.[0]?.delta?.content) found.first ??= since();
    },
  };
  began = performance.now();
  await model.complete({ messages, sampling: { temperature: 0, max_tokens: 17 } }, reply, new AbortController().signal);
  return { ...found, ended: since() };
}"""


def measure() -> list[Figure]:
    """Measure both ways in turn, in a browser that is started once; the package must have been built."""
    path = default_model()
    with Served({}) as served, sync_playwright() as driver:
        served.folders |= {"/wllama/": WLLAMA, "/models/": path.parent}
        chromium = driver.chromium.launch(executable_path=headless_chromium(), args=["--no-sandbox"])
        packed, unpacked = (_asked(chromium, served.address, path.name, unpack) for unpack in (False, True))
    return [
        Figure("tokens of the prompt", packed["tokens"], ""),
        Figure("loaded, packed", packed["loaded"], "s"),
        Figure("loaded, unpacked", unpacked["loaded"], "s"),
        Figure("first token, packed", packed["first"], "s"),
        Figure("first token, unpacked", unpacked["first"], "s", at_most=10),
        Figure("first token, unpacked to packed", unpacked["first"] / packed["first"], "times", at_most=0.5),
        Figure("16 tokens more, unpacked to packed", _written(unpacked) / _written(packed), "times"),
    ]


def _asked(chromium: Browser, address: str, name: str, unpack: bool) -> dict[str, Any]:
    page = chromium.new_context(bypass_csp=True).new_page()  # wllama's workers are blobs
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{address}/dist/index.js")
    found: dict[str, Any] = page.evaluate(ASK, {"url": f"{address}/models/{name}", "unpack": unpack})
    page.context.close()
    return found


def _written(found: dict[str, Any]) -> float:
    return float(found["ended"] - found["first"])
