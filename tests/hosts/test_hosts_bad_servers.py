"""What people get wrong about a server: each ends the run with what to do, and is not tried again in vain."""

import json
import ssl
import subprocess
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts import Agent
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.named import elsewhere, settings_of
from purestep_hosts.settings import NAMES
from tests.hosts.asking import observed
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

Web = Callable[[Answer], str]
REQUEST = ModelRequest(messages=[{"role": "user", "content": "hi"}])
KEY = "sk-ant-of-another-vendor-0123"
QUOTA = {"message": "You exceeded your current quota.", "type": "insufficient_quota", "code": "insufficient_quota"}


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the developer's model settings out of the tests."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def refusing(status: int, error: Any, asked: list[str], kind: str = "application/json") -> Answer:
    """Refuse every question, and keep which came."""
    body = error.encode() if isinstance(error, str) else json.dumps({"error": error}).encode()

    def answer(handler: Any, number: int) -> None:
        asked.append(f"{handler.command} {handler.path}")
        handler.reply(status, kind, body)

    return answer


@pytest.mark.parametrize(
    ("key", "status", "error", "kind", "said"),
    [
        (KEY, 401, {"message": f"Incorrect API key provided: {KEY}"}, "application/json", "Check OPENAI_API_KEY."),
        (None, 401, {"message": "no key"}, "application/json", "wants an API key, and none is set (401)"),
        (KEY, 429, QUOTA, "application/json", "The account has no quota left."),
        (KEY, 402, {"message": "Insufficient credits"}, "application/json", "The account has no credit left."),
        (KEY, 200, "<html>Welcome</html>", "text/html", "its type is text/html; expected JSON or an event stream"),
    ],
)
def test_mistake_that_does_not_pass_is_asked_once(
    key: str | None, status: int, error: Any, kind: str, said: str, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends with what to do, without the key, after one request."""
    asked: list[str] = []
    monkeypatch.setenv("OPENAI_BASE_URL", f"{web(refusing(status, error, asked, kind))}/v1")
    if key:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    failure = Agent("openai:gpt-5").run_sync("Hello").failure
    assert failure is not None
    assert ("model_error", True, False) == (failure.code, said in failure.message, KEY in failure.message)
    assert ["POST /v1/chat/completions"] == asked


def test_key_of_a_kind_is_named_where_it_is_missing(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable of the server that was asked, and not of another one."""
    monkeypatch.setenv("GROQ_BASE_URL", web(refusing(401, {"message": "no key"}, [])))
    model = elsewhere(settings_of("groq:m", None))
    assert observed(model, REQUEST)["message"].endswith("wants an API key, and none is set (401). Set GROQ_API_KEY.")


def test_overloaded_server_is_asked_again(web: Web) -> None:
    """529 passes: the second request has its answer."""
    asked: list[int] = []

    def answer(handler: Any, number: int) -> None:
        asked.append(number)
        if number == 0:
            handler.reply(529, "application/json", b'{"error": {"type": "overloaded_error"}}', Retry_After_Ms="1")
        else:
            stream(chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    assert "Hi." == Agent("m", base_url=web(answer)).run_sync("Hello").answer
    assert [0, 1] == asked


def listing_at(path: str, names: list[str]) -> Answer:
    """Be a server with these models at one address, which finds nothing else."""

    def answer(handler: Any, number: int) -> None:
        if handler.path == path:
            listed = json.dumps({"data": [{"id": name} for name in names]}).encode()
            handler.reply(200, "application/json", listed)
        else:
            handler.reply(404, "application/json", b'{"detail": "Not Found"}')

    return answer


@pytest.mark.parametrize(
    ("base", "path", "names", "said"),
    [
        (
            "/v1",
            "/v1/models",
            ["gpt-5", "gpt-5-mini", "whisper"],
            "It has no model gpt5, but gpt-5, gpt-5-mini and 1 mo",
        ),
        ("/v1", "/v1/models", ["a\x1b", "b"], "It has no model gpt5, but a\\x1b, b."),
        ("/v1", "/v1/models", [], "It has no model gpt5, but none at all."),
        ("", "/v1/models", ["gpt5"], "/v1: give this base URL."),
        ("/at", "/at/v1/models", ["gpt5"], "/at/v1: give this base URL."),
        ("/v1", "/v1/models", ["gpt5"], "Check the base URL (it usually ends in /v1) and the model's name."),
        ("/v1", "/nowhere", [], "Check the base URL (it usually ends in /v1) and the model's name."),
    ],
)
def test_what_is_not_there_is_looked_up_in_the_list(
    base: str, path: str, names: list[str], said: str, web: Web
) -> None:
    """A model of another name, or an address without `/v1`: the server says itself what it has."""
    model = elsewhere(settings_of("gpt5", f"{web(listing_at(path, names))}{base}"))
    output = observed(model, REQUEST)
    assert ("unavailable", False) == (output["code"], output["retryable"])
    assert said in output["message"]


@pytest.mark.parametrize(
    ("named", "variable", "said"),
    [
        ("google:g", "GOOGLE_GEMINI_BASE_URL", "Check the base URL and the model's name."),
        ("anthropic:a", "ANTHROPIC_BASE_URL", "Check the base URL and the model's name."),
        ("openai:o", "OPENAI_BASE_URL", "Check the base URL (it usually ends in /v1) and the model's name."),
        ("groq:g", "GROQ_BASE_URL", "Check the base URL (it usually ends in /v1) and the model's name."),
    ],
)
def test_advice_fits_the_kind_of_server(
    named: str, variable: str, said: str, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who writes `/v1` behind an address of Google is further away from it than before."""
    monkeypatch.setenv(variable, web(listing_at("/nowhere", [])))
    message = observed(elsewhere(settings_of(named, None)), REQUEST)["message"]
    assert (True, "/v1)" in said) == (message.endswith(said), "/v1)" in message), message


def test_model_of_another_protocol_is_looked_up_in_its_list(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the address that Anthropic has for it."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", web(listing_at("/v1/models?limit=1000", ["claude-test-1"])))
    output = observed(elsewhere(settings_of("anthropic:claude-test", None)), REQUEST)
    assert "It has no model claude-test, but claude-test-1." in output["message"]


def test_real_server_without_its_key_says_so(llama_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of llama.cpp refuses the list and the question; the variable of its key is named."""
    monkeypatch.setenv("LLAMA_SERVER_BASE_URL", llama_url)
    output = observed(elsewhere(settings_of("llama-server:any", None)), REQUEST)
    assert "Set LLAMA_API_KEY." in output["message"]


def test_certificate_that_nobody_vouches_for_is_told(tmp_path: Path) -> None:
    """A server with a certificate of its own making: reached, not trusted, and not asked again."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    making = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    named = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*making, *named, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        output = observed(elsewhere(settings_of("m", f"https://127.0.0.1:{server.server_port}/v1")), REQUEST)
        server.shutdown()
    assert ("unavailable", False) == (output["code"], output["retryable"])
    assert "reached, but not securely: " in output["message"]
    assert "set SSL_CERT_FILE" in output["message"]
