import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Route, expect

import purestep
from tests.playground.conftest import Open
from tests.playground.driver import ADD, SUM, Playground, definition, tool

# A small model on one core of a busy machine reads and writes a few tokens a second.
MODEL_PATIENCE_MS = 600_000
EXAMPLE = {"query": "What is 2 plus 3?", "arguments": {"a": 2, "b": 3}, "result": 5, "answer": "The result is 5."}


def test_the_default_model_calls_a_tool_and_answers(open_page: Open, model_path: Path) -> None:
    """The 135M model runs in the tab by wllama, under the strict policy, from its file to a checked answer."""
    assert model_path.is_file()
    adder = {**ADD, "description": "Add two numbers.", "examples": [EXAMPLE]}
    sampling = {"temperature": 0, "max_tokens": 60}
    playground = open_page(definition=definition(adder, sampling=sampling), carry={"wllama": "off"})
    playground.button("Load SmolLM2").click()
    expect(playground.page.get_by_text("Ready: SmolLM2-135M-Instruct.Q4_1")).to_be_visible(timeout=MODEL_PATIENCE_MS)
    playground.ask("What is 17 plus 25?")
    expect(playground.answer("42")).to_be_visible(timeout=MODEL_PATIENCE_MS)
    log = playground.download_log().decode()
    events = [json.loads(line) for line in log.splitlines()]
    calls = [event["arguments"] for event in events if event["kind"] == "tool_call"]
    assert calls == [{"a": 17, "b": 25}]
    assert json.loads(purestep.verify_log(log))["ok"]


def test_window_of_the_default_model_is_in_the_logged_definition(open_page: Open, model_path: Path) -> None:
    """Prompts keep within what the model was loaded with, and the page shows no other definition."""
    assert model_path.is_file()
    calculator = {**tool("calculator", expression="string"), "annotations": {"readOnlyHint": True}}
    playground = open_page(definition=definition(calculator))
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("42")
    model = {"name": "SmolLM2-135M-Instruct.Q4_1", "window_tokens": 4096, "carry": "route"}
    model["supports"] = ["tools", "json_schema", "scores"]
    assert [model] == json.loads(playground.download_log().splitlines()[0])["agent"]["models"]
    expect(playground.page.get_by_text("This run keeps the definition")).to_have_count(0)
    playground.verify()


def test_the_default_model_scores_tools_that_come_near_each_other(open_page: Open, model_path: Path) -> None:
    """Where the words leave two tools open, the model in the tab chooses, and the timeline says so."""
    assert model_path.is_file()
    names = {"order_status": "Look up an order", "order_invoice": "Give the invoice of an order"}
    parameters = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
    near = [
        {"name": name, "description": about, "parameters": parameters, "annotations": {"readOnlyHint": True}}
        for name, about in names.items()
    ]
    playground = open_page(definition=definition(*near))
    playground.ask("my order A-1042 please")
    expect(playground.page.get_by_text("the scores chose order_status", exact=True)).to_be_visible(
        timeout=MODEL_PATIENCE_MS
    )


def test_a_model_file_that_is_not_there_is_told_and_tried_again(open_page: Open) -> None:
    """A server without the model says so, and the button tries again."""
    playground = open_page()
    playground.page.context.route("**/models/*.gguf", lambda route: route.fulfill(status=404, body=""))
    playground.button("Load SmolLM2").click()
    problem = playground.page.locator("#model [role=alert]")
    expect(problem).to_contain_text("404")
    expect(problem.get_by_role("button", name="Try again")).to_be_visible()
    playground.complaints.clear()  # the browser itself writes a failed request to the console


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
    expect(playground.page.locator(".thread progress")).to_be_visible()
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
        self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append(dict(self.headers))
        self._head("text/event-stream")
        chunk = {"choices": [{"index": 0, "delta": {"content": self.outputs.pop(0)}, "finish_reason": "stop"}]}
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
