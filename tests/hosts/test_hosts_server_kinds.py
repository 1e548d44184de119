"""Servers by the word that people type: their addresses, keys and models, what is missing, and what runs here."""

import json
import socket
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from purestep_hosts import Agent
from purestep_hosts.models.local_servers import LocalLook, LocalServer
from purestep_hosts.models.model import ModelRequest, as_served
from purestep_hosts.models.named import elsewhere, missing_key, profile_of, settings_of, table_profile, with_model
from purestep_hosts.models.server_facts import NOTHING, ServerFacts
from purestep_hosts.models.server_kinds import BY_NAME, SERVER_KINDS, ServerKind, near_names
from purestep_hosts.settings import NAMES, SettingsError
from tests.hosts.asking import observed
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

Web = Callable[[Answer], str]
KEY = "sk-of-this-server-0123"


@pytest.mark.parametrize("kind", BY_NAME.values(), ids=lambda kind: kind.name)
def test_each_kind_has_a_row_among_the_profiles(kind: ServerKind) -> None:
    """Which names the same protocol: the host asks by it, and `purestep models` shows it."""
    assert kind.wire == table_profile("m", kind.name)["wire"]


def test_what_a_server_tells_is_added_to_what_the_table_says() -> None:
    """A model whose settings are refused keeps that where its server takes no tools either."""
    settings = settings_of("ollama:gpt-5-oss", None)
    profile = profile_of(settings, ServerFacts(tools=False))
    assert isinstance(profile, dict)
    assert {"tools", "temperature", "max_tokens"} <= set(profile["refuses"])
    assert "ollama" == profile_of(settings, NOTHING)


def test_definition_with_structs_is_completed_as_the_core_reads_it() -> None:
    """And one that nothing can write is left for the core to refuse."""
    price = ServerFacts(window_tokens=9)
    limits = as_served({"limits": price}, "m")["limits"]
    assert {"window_tokens": 9} == limits
    odd = {"name": object()}
    assert odd is as_served(odd, "m")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the developer's model settings out of the tests."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def having(names: list[str], asked: list[Any] | None = None) -> Answer:
    """Be a server with these models, which lists them and answers every question."""

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body) if handler.body else {}
        if asked is not None:
            asked.append((handler.command, handler.path, handler.headers.get("Authorization"), body.get("model")))
        if handler.command == "GET":
            listed = json.dumps({"data": [{"id": name} for name in names]}).encode()
            handler.reply(200, "application/json", listed)
        else:
            pieces = (chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")
            stream(*pieces)(handler, number)

    return answer


@pytest.mark.parametrize("kind", [kind for kind in SERVER_KINDS if kind.wire == "openai"], ids=lambda kind: kind.name)
def test_model_answers_by_the_name_of_its_server(kind: Any, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the address of its variable, with its own key and no other one."""
    asked: list[Any] = []
    monkeypatch.setenv("LLM_API_KEY", "sk-another-servers-key")
    monkeypatch.setenv(kind.address_name, web(having(["one", "two"], asked)))
    for name in kind.key_names:
        monkeypatch.setenv(name, KEY)
    assert "Hi." == Agent(f"{kind.name}:org/two").run_sync("Hello").answer
    sent = f"Bearer {KEY}" if kind.key_names else None
    assert [("POST", f"{kind.path}/chat/completions", sent, "org/two")] == asked


@pytest.mark.parametrize(
    ("kind", "path", "header", "listed"),
    [
        ("anthropic", "/v1/models?limit=1000", "x-api-key", {"data": [{"id": "claude-test-1"}]}),
        ("google", "/v1beta/models?pageSize=1000", "x-goog-api-key", {"models": [{"name": "models/gemini-test-1"}]}),
    ],
)
def test_only_model_of_a_server_with_its_own_protocol(
    kind: str, path: str, header: str, listed: Any, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listed at its own address, with the key in its own header."""
    asked: list[Any] = []

    def answer(handler: Any, number: int) -> None:
        asked.append((handler.path, handler.headers.get(header)))
        handler.reply(200, "application/json", json.dumps(listed).encode())

    row = BY_NAME[kind]
    monkeypatch.setenv(row.address_name, web(answer))
    monkeypatch.setenv(row.key_names[0], KEY)
    settings = with_model(settings_of(kind, None))
    assert [(path, KEY)] == asked
    assert settings.model in ("claude-test-1", "gemini-test-1")


def test_server_of_llama_cpp_needs_no_name_of_a_model(llama_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real server: its only model is asked."""
    monkeypatch.setenv("LLAMA_SERVER_BASE_URL", llama_url)
    monkeypatch.setenv("LLAMA_API_KEY", "right-key")
    model = elsewhere(with_model(settings_of("llama-server", None)))
    question = [{"role": "user", "content": "What is the capital of France?"}]
    said = observed(model, ModelRequest(messages=question, sampling={"temperature": 0, "max_tokens": 16}))
    assert ("model_output", True) == (said["type"], bool(said["content"]))
    assert model.name.startswith("SmolLM2")


def test_only_model_is_taken_and_of_several_none(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where several are there, the message says how to name one, and some of them."""
    asked: list[Any] = []
    monkeypatch.setenv("GROQ_API_KEY", KEY)
    monkeypatch.setenv("GROQ_BASE_URL", web(having(["only"], asked)))
    assert "Hi." == Agent().run_sync("Hello").answer
    assert ["GET", "POST"] == [each[0] for each in asked]
    assert "only" == asked[-1][-1]
    monkeypatch.setenv("GROQ_BASE_URL", web(having([f"m{at}" for at in range(9)])))
    with pytest.raises(SettingsError) as raised:
        Agent().run_sync("Hello")
    assert raised.value.message == (
        "GROQ_API_KEY chooses Groq, and no model is named: give its name as groq:NAME, or set GROQ_MODEL; "
        "it has m0, m1, m2, m3, m4 and 4 more"
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (having([]), "it has none"),
        (lambda handler, number: handler.reply(401, "text/plain", b""), "set GROQ_API_KEY to a key that it takes"),
        (lambda handler, number: handler.reply(200, "text/html", b"<html>"), "something else than a list of models"),
    ],
)
def test_server_that_lists_nothing_is_told_of(
    answer: Answer, said: str, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How to name a model is said as well, and the key is not."""
    monkeypatch.setenv("GROQ_API_KEY", KEY)
    monkeypatch.setenv("GROQ_BASE_URL", web(answer))
    with pytest.raises(SettingsError) as raised:
        with_model(settings_of(None, None))
    assert (True, True, False) == tuple(text in raised.value.message for text in (said, "groq:NAME", KEY))


@pytest.mark.parametrize("kind", [kind for kind in SERVER_KINDS if not kind.is_local], ids=lambda kind: kind.name)
def test_missing_key_is_named_with_its_variable_and_address(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the agent is made, before anything is sent; one that is given, or an address of one's own, is enough."""
    with pytest.raises(SettingsError) as raised:
        Agent(f"{kind.name}:{kind.example}")
    assert kind.key_name in raised.value.message
    assert f"which goes to {'/'.join(kind.url.split('/')[:3])};" in raised.value.message
    Agent(f"{kind.name}:{kind.example}", api_key=KEY)
    monkeypatch.setenv(kind.address_name, "http://127.0.0.1:9/v1")
    assert missing_key(settings_of(f"{kind.name}:{kind.example}", None)) is None


@pytest.mark.parametrize("name", ["gpt-5", "llama3.2:3b", "mistral:large"])
def test_name_without_a_server_says_how_to_write_it(name: str) -> None:
    """No model is guessed, and no server."""
    with pytest.raises(SettingsError, match=f"write SERVER:{name}, where SERVER is ollama, .*openai, "):
        settings_of(name, None)


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"])
def test_bare_name_is_one_of_the_server_that_is_chosen(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by a key alone, and where a file is named as well."""
    monkeypatch.setenv(variable, KEY)
    monkeypatch.setenv("MODEL_PATH", "some.gguf")
    settings = settings_of("some-model", None)
    assert ("some-model", variable) == (settings.model, settings.chosen_name)


def test_bundled_model_is_one_of_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a key would choose a server."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert ("built_in", "flag") == ((found := settings_of("bundled", None)).kind, found.chosen_by)


def test_rows_name_different_servers_and_their_sources() -> None:
    """A variable belongs to one row; OpenAI has two names more, one for each of its protocols."""
    names = [name for kind in SERVER_KINDS for name in (kind.address_name, *kind.key_names, kind.model_name)]
    assert (len(set(names)), len(BY_NAME)) == (len(names), len(SERVER_KINDS) + 2)
    assert all(kind.source.startswith("https://") for kind in SERVER_KINDS)


@pytest.mark.parametrize(
    ("name", "names", "shown"),
    [
        ("gpt5", ["whisper", "gpt-5", "dall-e"], "gpt-5 and 2 more"),
        ("nothing", ["aaa", "bbb"], "aaa, bbb"),
        ("", [], ""),
    ],
)
def test_near_names(name: str, names: list[str], shown: str) -> None:
    """The nearest, else the first ones."""
    assert shown == near_names(name, names)


def test_servers_on_this_machine_are_found(web: Web) -> None:
    """By their lists; a page, a closed port and another machine are none, and a slow one is not waited for."""
    asked: list[Any] = []

    def page(handler: Any, number: int) -> None:
        handler.reply(200, "text/html", b"<html>")

    def locked(handler: Any, number: int) -> None:
        handler.reply(401, "application/json", b"{}")

    kinds = (BY_NAME["ollama"], BY_NAME["lmstudio"], BY_NAME["llama-server"], BY_NAME["vllm"], BY_NAME["openai"])
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        urls = {
            "OLLAMA_HOST": web(having(["llama3.2", "qwen3"], asked)),
            "LMSTUDIO_BASE_URL": web(locked),
            "LLAMA_SERVER_BASE_URL": web(page),
            "VLLM_BASE_URL": f"http://127.0.0.1:{port}",
        }
        found = LocalLook(kinds, {**urls, "LM_API_TOKEN": KEY}).found()
    assert found == [
        LocalServer(kind="ollama", url=urls["OLLAMA_HOST"] + "/v1", models=("llama3.2", "qwen3")),
        LocalServer(kind="lmstudio", url=urls["LMSTUDIO_BASE_URL"] + "/v1"),
    ]
    assert [("GET", "/v1/models", None, None)] == asked
    away = {kind.address_name: "http://192.0.2.1:80" for kind in kinds}
    assert [] == LocalLook(kinds, away).found()
