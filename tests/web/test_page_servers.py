"""Servers as a page reaches them: a proxy on its origin, and what it is told of those that it may not ask."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.hosts.test_hosts_http_faults import Answer, chunk, stream
from tests.web.conftest import WEB, Site

ASK = """async (options) => {
  const { Agent, createAgentCore } = await import("/dist/index.js");
  const { openAiModel } = await import("/dist/models/openai.js");
  const ports = { model: openAiModel({ model: "m", ...options }), sleep: async () => undefined };
  return new Agent(await createAgentCore(), ports).ask("Hello");
}"""
IN_WORKER = """async (origin) => {
  const code = `
    import { openAiModel } from "${origin}/dist/models/openai.js";
    let text = "";
    const sink = { chunk: (json) => void (text += json) };
    const end = await openAiModel({ baseUrl: "/v1", model: "m" }).complete(
      { messages: [{ role: "user", content: "Hello" }] }, sink, new AbortController().signal);
    postMessage({ kind: end.kind, text });
  `;
  const at = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  return new Promise((resolve, reject) => {
    const worker = new Worker(at, { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}"""
SAID = (chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")


def test_proxy_on_the_origin_answers(page: Page, site: Site) -> None:
    """`/v1` alone is enough of an address."""
    site.answers["/v1/chat/completions"] = lambda handler: stream(*SAID)(handler, 0)
    assert "Hi." == page.evaluate(ASK, {"baseUrl": "/v1"})["answer"]


def test_proxy_answers_a_worker_of_a_blob(page: Page, site: Site) -> None:
    """Such a worker has an address of its own, and the origin of its page."""
    site.answers["/v1/chat/completions"] = lambda handler: stream(*SAID)(handler, 0)
    # A blob has no folder and no map of imports: its packages are named by whole addresses.
    site.answers["/dist/models/event_stream.js"] = lambda handler: handler.reply(
        200, "text/javascript", _event_stream(site)
    )
    found = page.evaluate(IN_WORKER, site.url)
    assert ("ended", True) == (found["kind"], "Hi." in found["text"])


def _event_stream(site: Site) -> bytes:
    code = (WEB / "dist" / "models" / "event_stream.js").read_text(encoding="utf-8")
    parser = f"{site.url}/node_modules/eventsource-parser/dist/index.js"
    return code.replace('"eventsource-parser"', json.dumps(parser)).encode()


def test_server_that_lets_no_page_ask_is_told_apart(page: Page, site: Site, web: Callable[[Answer], str]) -> None:
    """It is there, so nothing is tried again, and both ways out are named."""
    asked: list[str] = []

    def answer(handler: Any, number: int) -> None:
        asked.append(handler.command)
        stream(*SAID)(handler, number)

    found = page.evaluate(ASK, {"baseUrl": f"{web(answer)}/v1"})
    message = found["message"]
    assert ("failed", "model_error") == (found["type"], found["code"])
    assert f"does not let this page ask it (CORS). Have it allow the origin {site.url}" in message
    assert 'baseUrl "/v1"' in message
    assert "POST" not in asked


def test_page_in_the_place_of_a_server_is_told(page: Page, site: Site) -> None:
    """A site that answers every path with its page, as those of one page do."""
    asked: list[str] = []

    def answer(handler: Any) -> None:
        asked.append(handler.path)
        handler.reply(200, "text/html", b"<!doctype html><title>Shop</title>")

    site.answers["/v1/chat/completions"] = answer
    found = page.evaluate(ASK, {"baseUrl": "/v1"})
    assert "its type is text/html; expected JSON or an event stream" in found["message"]
    assert 1 == len(asked)


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (401, {"message": "Incorrect API key"}, "refused the API key (401). Check the option apiKey."),
        (404, {"message": "no such model"}, "Check the base URL (it usually ends in /v1) and the model's name."),
        (402, {"message": "no credit"}, "The account has no credit left."),
        (429, {"code": "insufficient_quota", "message": "quota"}, "The account has no quota left."),
    ],
)
def test_what_no_retry_helps_is_asked_once(page: Page, site: Site, status: int, error: Any, said: str) -> None:
    """One sentence says what to do."""
    asked: list[str] = []

    def answer(handler: Any) -> None:
        asked.append(handler.path)
        handler.reply(status, "application/json", json.dumps({"error": error}).encode())

    site.answers["/v1/chat/completions"] = answer
    found = page.evaluate(ASK, {"baseUrl": "/v1", "apiKey": "sk-ant-of-another-vendor-0123"})
    assert said in found["message"]
    assert "sk-ant" not in found["message"]
    assert 1 == len(asked)
