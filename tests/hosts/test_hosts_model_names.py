"""Models of ollama by name, and the list of what a server has."""

import json
from collections.abc import Callable
from typing import Any, Literal

import pytest

from purestep_hosts import Agent
from purestep_hosts.models.named import settings_of
from purestep_hosts.models.server_kinds import ollama_url
from purestep_hosts.models.server_models import ModelListError, ServerModel, models_url, server_models
from purestep_hosts.settings import SettingsError
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

Web = Callable[[Answer], str]


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("", "http://127.0.0.1:11434/v1"),
        ("192.168.1.5", "http://192.168.1.5:11434/v1"),
        ("192.168.1.5:8080", "http://192.168.1.5:8080/v1"),
        (":8080", "http://127.0.0.1:8080/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080/v1"),
        ("[::]:8080", "http://127.0.0.1:8080/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        ("http://box", "http://box:80/v1"),
        ("https://box.example", "https://box.example:443/v1"),
        ("https://box.example/ollama/", "https://box.example:443/ollama/v1"),
    ],
)
def test_address_of_ollama_is_read_as_its_own_client_reads_it(given: str, url: str) -> None:
    """An address for a server to listen on means this machine for a client."""
    assert url == ollama_url(given)


@pytest.mark.parametrize("given", ["ftp://box", "box:port", "user:word@box", "a b", "http://[", "box:99999"])
def test_address_that_is_none_is_told(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is named, and its value, which may hold a password, is not."""
    monkeypatch.setenv("OLLAMA_HOST", given)
    with pytest.raises(SettingsError, match=r"OLLAMA_HOST .*is no address.* 127\.0\.0\.1:11434") as raised:
        settings_of("ollama:llama3.2", None)
    assert given not in raised.value.message


def test_model_of_ollama_answers_by_its_name_and_gets_no_key(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name may hold a tag; a key of the environment is another server's."""
    asked: list[Any] = []

    def answer(handler: Any, number: int) -> None:
        asked.append((handler.path, handler.headers.get("Authorization"), json.loads(handler.body)["model"]))
        stream(chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    monkeypatch.setenv("OPENAI_API_KEY", "sk-another-servers-key")
    monkeypatch.setenv("OLLAMA_HOST", web(answer))
    assert "Hi." == Agent("ollama:llama3.2:3b").run_sync("Hello").answer
    assert [("/v1/chat/completions", None, "llama3.2:3b")] == asked


def test_name_without_a_model_is_told() -> None:
    """What comes after the colon is missing."""
    with pytest.raises(SettingsError, match="expected ollama:NAME"):
        settings_of("ollama:", None)


def test_name_on_a_server_is_left_as_it_is(web: Web) -> None:
    """With a base URL a name is the server's own, whatever it begins with."""
    for name in ("ollama:x", "hf:org/repo"):
        assert ("openai", name) == ((found := settings_of(name, "http://127.0.0.1:9/v1")).kind, found.model)


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://a/v1", "http://a/v1/models"),
        ("http://a/v1/", "http://a/v1/models"),
        ("http://a/v1/chat/completions", "http://a/v1/models"),
        ("http://a/v1/chat/completions?api-version=1", "http://a/v1/models?api-version=1"),
    ],
)
def test_address_of_the_list(base: str, url: str) -> None:
    """Beside that of the completions."""
    assert url == models_url(base)


def listing(body: bytes, asked: list[Any] | None = None, status: int = 200) -> Answer:
    """Answer with a list."""

    def answer(handler: Any, number: int) -> None:
        if asked is not None:
            asked.append((handler.path, handler.headers.get("Authorization")))
        handler.reply(status, "application/json", body)

    return answer


def test_models_of_a_server_are_listed_with_their_windows(web: Web) -> None:
    """As OpenAI, vLLM, OpenRouter and llama.cpp write them; the key is sent as to the completions."""
    body = {
        "object": "list",
        "data": [
            {"id": "plain", "object": "model"},
            {"id": "vllm", "max_model_len": 8192},
            {"id": "router", "context_length": 131072, "top_provider": {"context_length": 1}},
            {"id": "llama", "meta": {"n_ctx": 4096, "n_ctx_train": 32768}},
            {"id": "odd", "max_model_len": "8192", "meta": None, "context_length": 0},
        ],
    }
    asked: list[Any] = []
    found = server_models(web(listing(json.dumps(body).encode(), asked)) + "/v1", "sk-key")
    windows = {"plain": None, "vllm": 8192, "router": 131072, "llama": 4096, "odd": None}
    assert [ServerModel(id=name, window_tokens=window) for name, window in windows.items()] == found
    assert [("/v1/models", "Bearer sk-key")] == asked


def test_llama_cpp_lists_its_model(llama_url: str) -> None:
    """A real server."""
    found = server_models(llama_url, "right-key")
    assert (1, True) == (len(found), found[0].id.startswith("SmolLM2"))


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, b"{}", "status 401; set OPENAI_API_KEY to a key that it takes"),
        (404, b"nothing", "status 404; a base URL usually ends in /v1"),
        (500, b"", "status 500; it may have no list of its models"),
        (200, b"<html>\x1b[31m", r"something else than a list of models, {\"data\": [{\"id\": …}]}: <html>\x1b[31m"),
        (200, b'{"models": []}', "something else than a list"),
        (200, b'{"data": [5]}', "something else than a list"),
        (200, b'{"data": [{"name": "x"}]}', "something else than a list"),
        (200, b"\xff", "something else than a list"),
        (200, b"[" * 100_000, "something else than a list"),
    ],
)
def test_server_without_a_list_is_told_of(web: Web, status: int, body: bytes, said: str) -> None:
    """What came and what to do, in a line that no terminal obeys; never the key."""
    with pytest.raises(ModelListError) as raised:
        server_models(web(listing(body, status=status)) + "/v1", "sk-secret-key")
    assert said.replace('\\"', '"') in raised.value.message
    assert ("sk-secret", "\x1b", "\n") == tuple(
        part for part in ("sk-secret", "\x1b", "\n") if part not in raised.value.message
    )


@pytest.mark.parametrize("wire", ["google", "anthropic"])
def test_server_whose_address_has_no_such_end_is_advised_none(web: Web, wire: Literal["google", "anthropic"]) -> None:
    """Only addresses of chat completions and Responses end in `/v1`."""
    with pytest.raises(ModelListError) as raised:
        server_models(web(listing(b"nothing", status=404)), "sk-key", wire)
    assert raised.value.message.endswith("answered with status 404; check the address")


def test_server_that_is_not_there_is_told_of() -> None:
    """Nobody listens."""
    with pytest.raises(ModelListError, match=r"cannot be reached .*start the server, or check the address"):
        server_models("http://127.0.0.1:9/v1")
