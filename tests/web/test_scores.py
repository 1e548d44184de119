"""Which tool the default model scores highest: in a headless browser, over HTTP from Node, and in this process."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import purestep
import purestep_formats
from purestep_hosts.effects import model_request
from purestep_hosts.models.llamacpp import LlamaCppModel, LlamaCppOptions
from purestep_hosts.output_gate import OutputGate
from tests.web.conftest import Site

# The real model is asked for scores only: what it would write then takes long, and tells nothing of them.
RUN = """async ({ url, wasmUrl, definition, questions }) => {
  const { wllamaModel } = await import("/dist/models/wllama.js");
  const { Agent, createAgentCore } = await import("/dist/index.js");
  const core = await createAgentCore();
  const real = wllamaModel({ url, wasmUrl, windowTokens: 1024, name: "m" });
  const model = {
    name: real.name,
    windowTokens: real.windowTokens,
    scores: real.scores,
    async complete(request, reply, signal) {
      if (request.choices) return real.complete(request, reply, signal);
      reply.text('{"kind":"final","content":"Done."}');
      return { type: "reply_end" };
    },
  };
  const logs = [];
  for (const question of questions) {
    const lines = [];
    const log = { append: (text) => void lines.push(text) };
    const tools = definition.tools.map((spec) => ({ spec, run: async () => ({ ok: true, output: "done" }) }));
    await new Agent(core, { model, tools, log }, definition, { carry: "ground" }).ask(question);
    logs.push(lines.join(""));
  }
  await real.close();
  return logs;
}"""
WASM = "/node_modules/@wllama/wllama/esm/wasm/wllama.wasm"
HERE = Path(__file__).parent
PATIENCE_MS = 600_000  # for a machine that does other work


def spec(name: str, description: str, *required: str) -> dict[str, Any]:
    """Return a tool whose arguments are texts."""
    properties = {each: {"type": "string"} for each in required}
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": description, "parameters": parameters, "annotations": {"readOnlyHint": True}}


DEFINITION: dict[str, Any] = {
    "tools": [
        spec("note_add", "Save a note", "note"),
        spec("note_search", "Search for a note", "query"),
        spec("order_status", "Look up an order", "order"),
        spec("order_invoice", "Give the invoice of an order", "order"),
    ],
    "sampling": {"temperature": 0, "seed": 1},
}
PLAIN = b'{"choices":[{"message":{"role":"assistant","content":"note"},"finish_reason":"stop"}]}'
QUESTIONS = [
    "a note please: I am late",
    "note about milk",
    "my order A-1042 please",
    "the note 'blue door'",
]


def scored_here(model: LlamaCppModel, question: str) -> dict[str, float]:
    """Return the scores of the model in this process; {} where the words leave no choice."""
    models = [{"name": "m", "carry": "ground", "window_tokens": 1024, "supports": ["tools", "json_schema", "scores"]}]
    agent = purestep.Agent.load({**DEFINITION, "models": models})
    first = purestep.start(agent, purestep.UserMessage(content=question), "r")
    if not isinstance(first.decision, purestep.CallModel) or first.decision.reason != "choice":
        return {}
    gate = OutputGate(purestep_formats.open_reply(first.state, model.name), _Unseen())
    observation = gate.close(model.complete(model_request(first.decision, list(first.messages)), gate))
    assert isinstance(observation, purestep.ModelOutput)
    return observation.scores or {}


class _Unseen:
    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""


@pytest.fixture(scope="module")
def here(model_path: Path) -> list[dict[str, float]]:
    """The scores of each question in this process."""
    model = LlamaCppModel(model_path, LlamaCppOptions(n_threads=1))
    found = [scored_here(model, question) for question in QUESTIONS]
    model.close()
    return found


@pytest.fixture(scope="module")
def in_page(model_browser: Browser, package: Path, model_path: Path, module_site: Site) -> list[list[dict[str, Any]]]:
    """The log of each question's run in a page."""
    module_site.answers["/model.gguf"] = lambda handler: handler.send_file(model_path)
    context = model_browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(module_site.url)
    given = {"url": f"{module_site.url}/model.gguf", "wasmUrl": WASM, "definition": DEFINITION, "questions": QUESTIONS}
    found = page.evaluate(RUN, given)
    context.close()
    return read(found)


def over_http(node: str, package: Path, **options: Any) -> list[list[dict[str, Any]]]:
    """Return the log of each question's run in Node."""
    given = {"options": {"model": "m", **options}, "definition": DEFINITION, "questions": QUESTIONS}
    command = [node, HERE / "scored_run.mjs", package, json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr[-2000:]
    return read(json.loads(done.stdout))


def read(logs: list[str]) -> list[list[dict[str, Any]]]:
    """Return the lines of logs."""
    return [[json.loads(line) for line in text.splitlines()] for text in logs]


def scores_in(lines: list[dict[str, Any]]) -> dict[str, float]:
    """Return the scores that a log holds; {} for none."""
    return next((line["scores"] for line in lines if line.get("scores")), {})


def best(scores: dict[str, float]) -> str:
    """Return the choice with the highest score."""
    return max(scores, key=lambda id_: scores[id_], default="")


def test_the_page_scores_as_the_terminal_does(
    in_page: list[list[dict[str, Any]]], here: list[dict[str, float]]
) -> None:
    """The same requests are scored, all choices have a score, and the best one is the same."""
    there = [scores_in(lines) for lines in in_page]
    assert sum(map(bool, here)) >= 3
    assert [sorted(scores) for scores in here] == [sorted(scores) for scores in there]
    assert [best(scores) for scores in here] == [best(scores) for scores in there]


def test_the_scores_choose_in_the_page(in_page: list[list[dict[str, Any]]]) -> None:
    """The definition says that the model scores, and the log names the tool that was chosen."""
    for lines in in_page:
        assert ["tools", "json_schema", "scores"] == lines[0]["agent"]["models"][0]["supports"]
        decided = [line for line in lines if line["kind"] == "decided" and line["reason"] == "scored"]
        assert bool(scores_in(lines)) == bool(decided)


def test_a_llama_cpp_server_scores_for_node(
    node: str, package: Path, llama_url: str, here: list[dict[str, float]]
) -> None:
    """With the option `scores` its probabilities are those of the model in this process."""
    logs = over_http(node, package, baseUrl=llama_url, apiKey="right-key", scores=True)
    assert [best(scores) for scores in here] == [best(scores_in(lines)) for lines in logs]
    assert [sorted(scores) for scores in here] == [sorted(scores_in(lines)) for lines in logs]


def ends_of_itself(lines: list[dict[str, Any]]) -> bool:
    """Whether no server ended a run; what writes "Done." where a call is due fails for that."""
    return lines[-1]["kind"] == "final_answer" or lines[-1]["code"] == "obligation"


def test_words_decide_where_a_server_gives_no_scores(node: str, package: Path, site: Site) -> None:
    """A server that answers with text alone, or that refuses, ends no run."""
    site.answers["/v1/chat/completions"] = lambda handler: handler.reply(200, "application/json", PLAIN)
    plain = over_http(node, package, baseUrl=f"{site.url}/v1", scores=True)
    assert any(line["kind"] == "model_response" and line["content"] == "note" for line in plain[0])
    site.answers["/v1/chat/completions"] = lambda handler: handler.reply(400, "application/json", b"{}")
    refused = over_http(node, package, baseUrl=f"{site.url}/v1", scores=True)
    assert any(line["kind"] == "model_error" for line in refused[0])
    for lines in (*plain, *refused):
        assert ends_of_itself(lines)
        assert not [line for line in lines if line.get("reason") == "scored"]


def test_without_the_option_nothing_is_scored(node: str, package: Path) -> None:
    """The definition names no scores, and the server is asked for none."""
    for lines in over_http(node, package, baseUrl="http://127.0.0.1:9/v1"):
        assert "supports" not in lines[0]["agent"]["models"][0]
        assert ends_of_itself(lines)
