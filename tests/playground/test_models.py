import json
import re
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from playwright.sync_api import APIResponse, Route, expect

import purestep
from purestep_hosts.models.adapters import taught_members
from purestep_hosts.models.server_kinds import SERVER_KINDS
from tests.playground.conftest import Open
from tests.playground.driver import ADD, SUM, Playground, definition
from tests.replies import as_asked
from tests.web.tiny_gguf import write_model

# A small model on one core of a busy machine reads and writes a few tokens a second.
MODEL_PATIENCE_MS = 600_000
WEIGHTS = ("name", "sha256", "adapter")
READS = {"annotations": {"readOnlyHint": True}}


def test_the_default_model_calls_a_tool_and_answers(open_page: Open, model_path: Path) -> None:
    """The 135M model runs in the tab by wllama, under the strict policy, from its files to an answer.

    The log says which weights answered: the model's and those of the adapter that taught it to call tools.
    """
    assert model_path.is_file()
    playground = open_page(definition=definition({**ADD, "description": "Add two numbers.", **READS}))
    playground.button("Load SmolLM2").click()
    playground.page.get_by_text("Ready: smollm2-135m-tools").wait_for(timeout=MODEL_PATIENCE_MS)
    playground.ask("What is 17 plus 25?")
    playground.answer("42").wait_for(timeout=MODEL_PATIENCE_MS)
    expect(playground.page.locator(".answer-foot")).to_contain_text(
        "Answered by smollm2-135m-tools, a small demonstration model"
    )
    said = playground.page.locator(".timeline .row", has_text="Model said").first
    expect(said).to_contain_text("add_numbers(17, 25)")
    log = playground.download_log().decode()
    events = [json.loads(line) for line in log.splitlines()]
    calls = [event["arguments"] for event in events if event["kind"] == "tool_call"]
    assert calls == [{"a": 17, "b": 25}]
    assert json.loads(purestep.verify_log(log))["ok"]
    assert all(event["confidence"]["branch"] <= 0 for event in events if event["kind"] == "model_response")
    agent = events[0]["agent"]
    taught = taught_members()["models"][0]
    assert taught_members()["policies"][0].items() <= agent["policies"][-1].items()
    assert ["compact", *[taught[member] for member in WEIGHTS]] == [
        agent["dialect"], *[agent["models"][0][member] for member in WEIGHTS]
    ]  # fmt: skip


def test_the_default_model_scores_the_tools(open_page: Open, model_path: Path) -> None:
    """The model in the tab chooses among the tools by its scores, and the timeline says so."""
    assert model_path.is_file()
    names = {"order_status": "Look up an order", "order_invoice": "Give the invoice of an order"}
    parameters = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
    near = [
        {"name": name, "description": about, "parameters": parameters, "annotations": {"readOnlyHint": True}}
        for name, about in names.items()
    ]
    asked = definition(*near, dialect="envelope")
    playground = open_page(definition=asked, carry={"wllama": "ground"})
    playground.ask("my order A-1042 please")
    playground.page.get_by_text(re.compile("the model's scores chose .*order_status")).first.wait_for(
        timeout=MODEL_PATIENCE_MS
    )


def test_a_model_file_that_is_not_there_is_told_and_tried_again(open_page: Open) -> None:
    """A server without the model says so, and the button tries again."""
    playground = open_page()
    playground.page.context.route("**/models/*.gguf", lambda route: route.fulfill(status=404, body=""))
    playground.button("Load SmolLM2").click()
    problem = playground.page.locator("#model [role=alert]")
    expect(problem).to_contain_text("404")
    problem.get_by_role("button", name="Try again").wait_for()
    playground.complaints.clear()  # the browser itself writes a failed request to the console


def test_a_file_from_the_disk_answers(open_page: Open, model_path: Path) -> None:
    """Any GGUF file runs in the tab: chosen with the file picker, named by its file, and nothing is fetched for it."""
    sampling = {"temperature": 0, "max_tokens": 20}
    playground = open_page(definition=definition(dialect="native", sampling=sampling))
    fetched: list[str] = []
    playground.page.on("request", lambda asked: fetched.append(asked.url))
    playground.page.get_by_label("GGUF file").check()
    playground.page.get_by_label("File on this device").set_input_files(model_path)
    playground.button("Load GGUF file").click()
    playground.page.get_by_text(f"Ready: {model_path.stem}").wait_for(timeout=MODEL_PATIENCE_MS)
    playground.ask("What is the capital of France?")
    playground.answer("Paris").wait_for(timeout=MODEL_PATIENCE_MS)
    assert [] == [url for url in fetched if url.endswith(".gguf")]
    started = json.loads(playground.download_log().splitlines()[0])
    assert model_path.stem == started["agent"]["models"][0]["name"]
    playground.verify()


def test_a_file_at_an_address_is_loaded(open_page: Open, site: str, tmp_path: Path) -> None:
    """The address is typed by the person who allows it, and asked for once they press the button."""
    write_model(tmp_path / "tiny.gguf")
    playground = open_page()
    playground.page.context.route("**/models/tiny.gguf", lambda route: route.fulfill(path=tmp_path / "tiny.gguf"))
    playground.page.get_by_label("GGUF file").check()
    playground.page.get_by_label("Or its address").fill(f"{site}models/tiny.gguf")
    playground.button("Load GGUF file").click()
    playground.page.get_by_text("Ready: tiny").wait_for(timeout=MODEL_PATIENCE_MS)


NO_ADDRESS: Final = {
    "": "Choose a GGUF file, or enter the address of one.",
    "nowhere": "This is no web address. Expected something like https://example.com/model.gguf.",
    "javascript:alert(1)//.gguf": "This is no web address.",
    "file:///etc/passwd.gguf": "This is no web address.",
}


def test_what_is_no_file_and_no_address_is_told(playground: Playground) -> None:
    """What was expected, and nothing is asked anywhere."""
    playground.page.get_by_label("GGUF file").check()
    for address, said in NO_ADDRESS.items():
        playground.page.get_by_label("Or its address").fill(address)
        playground.button("Load GGUF file").click()
        expect(playground.page.locator("#model [role=alert]")).to_contain_text(said)


def test_a_file_that_is_no_model_is_told(open_page: Open, tmp_path: Path) -> None:
    """A picture with the wrong name, for instance; another file can be chosen at once."""
    picture = tmp_path / "picture.gguf"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    playground = open_page()
    playground.page.get_by_label("GGUF file").check()
    playground.page.get_by_label("File on this device").set_input_files(picture)
    playground.button("Load GGUF file").click()
    expect(playground.page.locator("#model [role=alert]")).to_contain_text("The file is no GGUF file")


def test_a_question_that_found_no_model_stays(open_page: Open) -> None:
    """A model that cannot be loaded is told of once, and what was asked need not be written again."""
    playground = open_page()
    playground.page.context.route("**/models/*.gguf", lambda route: route.fulfill(status=404, body=""))
    playground.ask("What is 17 plus 25?")
    expect(playground.page.locator(".notice")).to_have_count(1)
    expect(playground.page.get_by_label("Your question")).to_have_value("What is 17 plus 25?")
    playground.complaints.clear()  # the browser itself writes a failed request to the console


def test_stop_ends_the_wait_for_a_model(open_page: Open) -> None:
    """A model that does not come is not waited for any longer, and the question stays."""
    playground = open_page()
    playground.page.context.route("**/models/*.gguf", lambda _: None)
    playground.ask("What is 17 plus 25?")
    playground.page.locator(".thread progress").wait_for()
    playground.button("Stop").click()
    expect(playground.button("Stop")).to_have_count(0)
    expect(playground.page.get_by_label("Your question")).to_have_value("What is 17 plus 25?")


def test_a_browser_without_webgpu_says_what_to_do(playground: Playground) -> None:
    """WebLLM cannot be chosen by mistake: it says what is missing, and the question says so as well."""
    playground.page.get_by_label("WebLLM").check()
    expect(playground.page.locator("#model .problem")).to_contain_text("WebGPU")
    expect(playground.page.locator("#question-hint")).to_contain_text("WebGPU")


class _Server(BaseHTTPRequestHandler):
    """A model server that streams one output after the other, and lets pages of any origin ask."""

    outputs: list[str]
    asked: list[dict[str, str]]

    def do_OPTIONS(self) -> None:
        self._head("text/plain")

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(dict(self.headers))
        self._head("text/event-stream")
        delta = as_asked(self.outputs.pop(0), asked)
        chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}]}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())

    def _head(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        for name in ("Origin", "Headers", "Methods"):
            self.send_header(f"Access-Control-Allow-{name}", "*" if name != "Headers" else "*, authorization")
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    """A model server that says what the sum's script says."""
    _Server.outputs = list(SUM["outputs"])
    _Server.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as serving:
        Thread(target=serving.serve_forever, daemon=True).start()
        yield serving
        serving.shutdown()


def _choose_endpoint(playground: Playground, port: int) -> None:
    page = playground.page
    page.get_by_label("HTTP endpoint").check()
    page.get_by_label("Base URL").fill(f"http://127.0.0.1:{port}/v1")
    page.get_by_role("textbox", name="Model").fill("small")
    page.get_by_label("Key").fill("sk-test")


def test_an_endpoint_answers_with_the_key_it_was_given(open_page: Open, server: ThreadingHTTPServer) -> None:
    """A server of another origin is asked under the policy, with the bearer key."""
    playground = open_page(definition=SUM["definition"])
    _choose_endpoint(playground, server.server_port)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    assert [headers["Authorization"] for headers in _Server.asked] == ["Bearer sk-test"] * 2
    assert b"sk-test" not in playground.download_log()


def test_a_server_is_chosen_by_its_name(open_page: Open) -> None:
    """Its address is shown, a hosted one wants a key, the key is no other server's, and the choice is kept."""
    playground = open_page(definition=SUM["definition"])
    page = playground.page
    page.get_by_label("HTTP endpoint").check()
    server = page.get_by_label("Server", exact=True)
    names = server.locator("option").evaluate_all("options => options.map((option) => option.value)")
    shown = [kind.name for kind in SERVER_KINDS if "openai" in (kind.wire, kind.elsewhere)]
    assert [*shown, "own"] == names
    asked: list[str | None] = []
    page.context.route("https://api.groq.com/**", partial(_wrong_key, asked))
    server.select_option("groq")
    expect(page.get_by_label("Base URL")).to_have_count(0)
    expect(page.locator("#model .address")).to_have_text("https://api.groq.com/openai/v1")
    page.get_by_role("textbox", name="Model").fill("small")
    page.get_by_role("button", name="Use this endpoint").click()
    expect(page.locator("#model .problem")).to_contain_text("Enter a key: Groq wants one.")
    page.get_by_label("Key").fill(" sk-wrong\t")
    playground.ask("What is 17 plus 25?")
    note = playground.page.locator(".thread .note")
    expect(note).to_contain_text("refused the API key (401). Check the field Key.")
    assert asked == ["Bearer sk-wrong"]
    server.select_option("ollama")
    expect(page.get_by_label("Key")).to_have_value("")
    page.reload()
    expect(page.get_by_label("Server", exact=True)).to_have_value("ollama")
    playground.complaints.clear()  # the browser itself writes a refused request to the console


def _wrong_key(asked: list[str | None], route: Route) -> None:
    headers = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "authorization, content-type"}
    if route.request.method == "POST":
        asked.append(route.request.header_value("authorization"))
    status = 401 if route.request.method == "POST" else 204
    route.fulfill(status=status, headers=headers, json={"error": {"message": "Invalid API Key"}})


def test_an_http_address_of_another_machine_is_told_to_be_one(open_page: Open) -> None:
    """Before anything is asked: neither the policy nor a page that came by https lets it."""
    page = open_page(definition=SUM["definition"]).page
    page.get_by_label("HTTP endpoint").check()
    page.get_by_label("Base URL").fill("http://192.168.1.5:8080/v1")
    expect(page.locator("#base-url-trouble")).to_contain_text("other machines by https only")
    page.get_by_label("Base URL").fill("http://localhost:8080/v1")
    expect(page.locator("#base-url-trouble")).to_have_count(0)


def test_a_page_by_https_says_what_browsers_make_of_http(open_page: Open, site: str) -> None:
    """A server on this machine may be asked, though not in every browser."""
    context = open_page(definition=SUM["definition"]).page.context
    page = context.new_page()
    page.route("https://play.example/**", lambda route: route.fulfill(response=_fetched(route, site)))
    page.goto("https://play.example/")
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_label("HTTP endpoint").check()
    page.get_by_label("Server", exact=True).select_option("lmstudio")
    expect(page.locator("#model")).to_contain_text("Some browsers, such as Safari, let it ask no http address")
    page.get_by_label("Server", exact=True).select_option("openai")
    expect(page.locator("#model")).not_to_contain_text("Safari")
    # What the page still loads would be asked of a browser that has closed, in the midst of another test.
    page.unroute_all(behavior="wait")


def _fetched(route: Route, site: str) -> APIResponse:
    return route.fetch(url=route.request.url.replace("https://play.example/", site))


def test_an_endpoint_that_is_away_ends_the_run_with_its_reason(open_page: Open) -> None:
    """The run fails as the core decides, and the page says what the adapter said."""
    playground = open_page(definition=SUM["definition"])
    playground.page.context.route("**/chat/completions", _away)
    _choose_endpoint(playground, 9)
    playground.ask("What is 17 plus 25?")
    expect(playground.page.locator(".thread .thinking")).to_contain_text("asked again in")
    note = playground.page.locator(".thread .note")
    expect(note).to_contain_text(re.compile("model error|cannot be reached"))
    playground.complaints.clear()  # the browser itself writes a failed request to the console


def _away(route: Route) -> None:
    route.abort()
