"""The bundled model in a page, as taught, with 12 tools: how soon it decides, and what memory the page takes.

Each page is measured in a browser of its own: cross-origin isolated, where llama.cpp has two threads, and not, where it
has one; with the weights as they are in the file, and unpacked. A prompt's beginning is read ahead as the playground
does it, by a request for one token; the first decision is measured without that too, right after loading. Threads wait
for each other by spinning: on a machine that does other work the figures of two are several times too high.
"""

from pathlib import Path
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from bench.figures import Figure
from purestep_hosts.download import default_model
from purestep_hosts.models.adapters import SHIPPED, TAUGHT_NAME, taught_members
from tests.bundle.served import ROOT, Served
from tests.programs import headless_chromium

WLLAMA: Final = ROOT / "web" / "node_modules" / "@wllama" / "wllama" / "esm"
PATIENCE_MS: Final = 600_000
MIB: Final = 1 << 20

QUESTIONS: Final = (
    "Turn the lights in the kitchen off, please.",
    "What is 17 plus 25?",
    "What time is it in Tokyo?",
    "Remind me to call Ann tomorrow at nine.",
    "How warm is it in the greenhouse?",
)

ASK = """async ({ url, adapter, unpack, threads, taught, tools, questions, aheadOf }) => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  const { Agent, createAgentCore } = await import("/dist/index.js");
  const core = await createAgentCore();
  const wllama = () => import("/wllama/index.js");
  const wasmUrl = "/wllama/wasm/wllama.wasm";
  const files = { url, adapter: { url: adapter }, wasmUrl };
  const model = wllamaModel({ ...files, unpack, threads, wllama, taught, name: taught.name, windowTokens: 2048 });
  const instead = (object, name, member) =>
    new Proxy(object, {
      get: (target, key) => {
        if (key === name) return member;
        return typeof target[key] === "function" ? target[key].bind(target) : target[key];
      },
    });
  const since = (began) => (performance.now() - began) / 1000;
  const decided = async (question, sampling) => {
    let seconds, tokens;
    const complete = async (request, reply, signal) => {
      const told = instead(reply, "promptRead", ({ totalTokens }) => (tokens = totalTokens));
      const began = performance.now();
      const end = await model.complete({ ...request, sampling: { ...request.sampling, ...sampling } }, told, signal);
      seconds ??= since(began);
      agent.cancel("measured");
      return end;
    };
    const definition = { tools, sampling: { temperature: 0, max_tokens: 100 } };
    const agent = new Agent(core, { model: instead(model, "complete", complete) }, definition);
    await agent.ask(question);
    return { seconds, tokens };
  };
  const began = performance.now();
  await model.load();
  const found = { loaded: since(began), isolated: crossOriginIsolated };
  if (aheadOf) found.ahead = (await decided(aheadOf, { max_tokens: 1 })).seconds;
  found.decisions = [];
  for (const question of questions) found.decisions.push(await decided(question, {}));
  return found;
}"""


def _tools() -> list[dict[str, Any]]:
    """Return 12 tools of usual size."""

    def tool(name: str, about: str, **types: str) -> dict[str, Any]:
        properties = {parameter: {"type": each} for parameter, each in types.items()}
        return {
            "name": name,
            "description": about,
            "parameters": {"type": "object", "properties": properties, "required": list(types)},
        }

    return [
        tool("add_numbers", "Add two numbers.", a="number", b="number"),
        tool("light_switch", "Switch the lights of a room on or off.", room="string", on="boolean"),
        tool("time_in", "The time in a city.", city="string"),
        tool("reminder_add", "Remind the user of something.", text="string", day="string", time="string"),
        tool("room_temperature", "How warm a room is.", room="string"),
        tool("weather_day", "The weather of a place on a day.", place="string", day="string"),
        tool("note_add", "Write a note down.", text="string"),
        tool("note_search", "Search the notes for words.", words="string"),
        tool("mail_send", "Send a mail.", to="string", subject="string", text="string"),
        tool("calendar_day", "The entries of a day in the calendar.", day="string"),
        tool("shopping_add", "Put something on the shopping list.", item="string", count="integer"),
        tool("music_play", "Play a song.", title="string", artist="string"),
    ]


def measure() -> list[Figure]:
    """Measure each page; the package must have been built."""
    figures: list[Figure] = []
    with sync_playwright() as driver:
        for unpack in (False, True):
            kind = "unpacked" if unpack else "packed"
            for isolated, threads in ((True, 2), (False, 1)):
                found = _asked(driver, isolated, {"unpack": unpack, "threads": threads})
                figures += _figures(f"{kind}, {threads} thread{'s' * (threads > 1)}", found, 3 if threads > 1 else 5)
            cold = _asked(driver, True, {"unpack": unpack, "threads": 2, "aheadOf": ""})
            figures.append(
                Figure(f"{kind}, 2 threads: first decision, nothing read ahead", _first(cold), "s", at_most=6)
            )
    return figures


def _figures(name: str, found: dict[str, Any], most_s: float) -> list[Figure]:
    seconds = [each["seconds"] for each in found["decisions"]]
    return [
        Figure(f"{name}: loaded", found["loaded"], "s"),
        Figure(f"{name}: tokens of the first prompt", found["decisions"][0]["tokens"], ""),
        Figure(f"{name}: reading ahead", found["ahead"], "s"),
        Figure(f"{name}: first decision", seconds[0], "s", at_most=most_s),
        Figure(f"{name}: decisions, median", median(seconds), "s", at_most=most_s),
        Figure(f"{name}: the page's own memory", found["RssAnon"], "MiB", at_most=450),
        Figure(f"{name}: most memory, with what browsers share", found["VmHWM"], "MiB"),
    ]


def _first(found: dict[str, Any]) -> float:
    return float(found["decisions"][0]["seconds"])


def _asked(driver: Any, isolated: bool, options: dict[str, Any]) -> dict[str, Any]:
    path, adapter = default_model(), SHIPPED[TAUGHT_NAME].path
    headers = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
    members = taught_members()
    entry = members["models"][0]
    supports = ["json_schema", "grammar", "spans", "logprobs"]
    taught = {**entry, "dialect": members["dialect"], "supports": supports, "policies": members["policies"]}
    with Served({}, headers=headers if isolated else {}) as served:
        served.folders |= {"/wllama/": WLLAMA, "/models/": path.parent, "/adapter/": adapter.parent}
        given = {
            "url": f"{served.address}/models/{path.name}",
            "adapter": f"{served.address}/adapter/{adapter.name}",
            "taught": {name: taught[name] for name in ("name", "dialect", "supports", "policies", "sha256", "adapter")},
            "tools": _tools(),
            "questions": QUESTIONS,
            "aheadOf": "Why is that so?",
        }
        browser: Browser = driver.chromium.launch(executable_path=headless_chromium(), args=["--no-sandbox"])
        try:
            page = browser.new_context(bypass_csp=True).new_page()  # wllama's workers are blobs
            page.set_default_timeout(PATIENCE_MS)
            page.goto(f"{served.address}/dist/index.js")
            found: dict[str, Any] = page.evaluate(ASK, given | options)
            if found["isolated"] is not isolated:
                raise RuntimeError("the page is not isolated as it should be: see the headers that it was served with")
            return {**found, **_renderer_memory(browser)}
        finally:
            browser.close()


def _renderer_memory(browser: Browser) -> dict[str, float]:
    """Return the memory of a browser's largest page process in MiB: its own now, and the most that was resident."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    pages = [_memory(each["id"]) for each in told["processInfo"] if each["type"] == "renderer"]
    return max(pages, key=lambda page: page["VmHWM"])


def _memory(pid: int) -> dict[str, float]:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    told = {name: value for name, _, value in (line.partition(":") for line in lines)}
    return {name: int(told[name].split()[0]) * 1024 / MIB for name in ("RssAnon", "VmHWM")}
