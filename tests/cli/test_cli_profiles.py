"""`purestep models SERVER[:NAME]`: how a model is asked and why, and what a server on this machine tells of it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import genai_prices
import pytest

from purestep_hosts.download import default_model
from purestep_hosts.models.llamacpp import LlamaCppOptions, serve
from tests.cli.conftest import Shell
from tests.hosts.conftest import web as web  # noqa: PLC0414 (a fixture)
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

Web = Callable[[Answer], str]
SHOWN = {
    "llama3.2": {"capabilities": ["completion", "tools"], "parameters": 'num_ctx    8192\nstop "<|eot|>"'},
    "gemma2": {"capabilities": ["completion"]},
    "llava": {"capabilities": ["completion", "vision", "tools"]},
}


def ollama(asked: list[dict[str, Any]]) -> Answer:
    """Be an Ollama in the recorded shape of its answers: the last model is loaded, with a window of its own."""

    def answer(handler: Any, number: int) -> None:
        if handler.path == "/v1/models":
            handler.reply(200, "application/json", json.dumps({"data": [{"id": name} for name in SHOWN]}).encode())
        elif handler.path == "/api/ps":
            running = {"models": [{"name": "llava", "model": "llava", "context_length": 4096}]}
            handler.reply(200, "application/json", json.dumps(running).encode())
        elif handler.path == "/api/show":
            shown = SHOWN[json.loads(handler.body)["model"]]
            handler.reply(200, "application/json", json.dumps(shown).encode())
        else:
            asked.append(json.loads(handler.body))
            stream(chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    return answer


def test_models_of_ollama_are_listed_with_what_it_tells(shell: Shell, web: Web) -> None:
    """The window that a loaded one has, else the one that its file asks for; tools and images."""
    env = {"OLLAMA_HOST": web(ollama([]))}
    done = shell("models", "ollama", env=env)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [
        ["llama3.2", "8,192", "tools, no images", ""],
        ["gemma2", "", "no tools, no images", "tools"],
        ["llava", "4,096", "tools, images", ""],
    ] == rows, done.stderr
    listed = json.loads(shell("models", "ollama", "--json", env=env).stdout)
    assert {"id": "llama3.2", "window_tokens": 8192, "tools": True, "images": False} == listed["models"][0]


def test_model_without_tools_is_asked_in_text_from_the_first_request(shell: Shell, web: Web) -> None:
    """No request is refused; the definition in the log says what was told."""
    asked: list[dict[str, Any]] = []
    env = {"OLLAMA_HOST": web(ollama(asked))}
    done = shell("run", "--model", "ollama:gemma2", "Hello", "--sessions", str(shell.sessions), env=env)
    assert (0, "Hi.\n", 1) == (done.returncode, done.stdout, len(asked)), done.stderr
    assert ("tools" in asked[0], "[TOOL_CALL]" in asked[0]["messages"][0]["content"]) == (False, True)
    assert "system" not in [message["role"] for message in asked[0]["messages"]]
    log = next(shell.sessions.glob("*/log.jsonl")).read_text("utf-8")
    profile = json.loads(log.splitlines()[0])["agent"]["models"][0]["profile"]
    assert {"name": "ollama", "refuses": ["tools"]} == profile


def test_member_of_a_profile_says_where_it_comes_from(shell: Shell, web: Web) -> None:
    """The table's row of the kind, its row of the model, or the server."""
    env = {"OLLAMA_HOST": web(ollama([]))}
    shown = json.loads(shell("models", "ollama:gemma2", "--json", env=env).stdout)
    found = {name: (each["is"], each["from"]) for name, each in shown["profile"].items()}
    assert {
        "wire": ("openai", "the table: ollama"),
        "dialect": ("native", "the table: ollama"),
        "refuses": (["tools"], "/api/show"),
        "system": ("user", "the table: gemma2"),
        "roles": ("alternate", "the table: gemma2"),
    } == found
    done = shell("models", "openai:gpt-5")
    assert (0, True) == (done.returncode, "max_tokens\tthe table: gpt-5" in done.stdout), done.stderr


@pytest.mark.parametrize(
    ("model", "price", "source"),
    [
        (
            "openai:gpt-5",
            "input 1.25, output 10, cached input 0.125 USD per million tokens",
            f"genai-prices {genai_prices.__version__}, on {datetime.now(tz=UTC).date()}",
        ),
        ("openai:my-own", "unknown", f"genai-prices {genai_prices.__version__} has none for it"),
        ("vllm:gpt-5", "nothing", "a model on this machine"),
    ],
)
def test_price_of_a_model_is_shown_or_said_to_be_unknown(shell: Shell, model: str, price: str, source: str) -> None:
    """Per million tokens, with the version of the data and the day that it holds for."""
    done = shell("models", model)
    assert (0, ["price", price, source]) == (done.returncode, done.stdout.splitlines()[-1].split("\t")), done.stderr
    shown = json.loads(shell("models", model, "--json").stdout)["price"]
    assert (source, price == "unknown") == (shown["from"], shown["is"] is None)


def test_each_length_of_prompts_with_its_own_price_has_a_row(shell: Shell) -> None:
    """As Google has them for its large models."""
    rows = [row.split("\t") for row in shell("models", "google:gemini-2.5-pro").stdout.splitlines()]
    prices = [row[1] for row in rows if row[0] == "price"]
    assert [False, True] == ["of prompts above 200,000 tokens" in price for price in prices]


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>no</html>",
        b"[]",
        b'{"capabilities": 5, "parameters": []}',
        b'{"capabilities": "tools"}',
        b'{"parameters": "num_ctx 99999999999999999999"}',
        b'{"capabilities": ["a"' + b"]" * 9,
    ],
)
def test_server_that_tells_something_else_tells_nothing(shell: Shell, web: Web, answer: bytes) -> None:
    """The model is asked all the same."""

    def other(handler: Any, number: int) -> None:
        if handler.path.startswith("/api/"):
            handler.reply(200, "application/json", answer)
        else:
            stream(chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    env = {"OLLAMA_HOST": web(other)}
    done = shell("run", "--model", "ollama:m", "Hello", "--sessions", str(shell.sessions), env=env)
    assert (0, "Hi.\n") == (done.returncode, done.stdout), done.stderr


def test_real_llama_server_tells_its_window(shell: Shell) -> None:
    """The bundled model behind llama.cpp's own server; a run is told the window."""
    with serve(default_model(), options=LlamaCppOptions(n_ctx=2048)) as url:
        env = {"LLAMA_SERVER_BASE_URL": url.removesuffix("/v1")}
        listed = json.loads(shell("models", "llama-server", "--json", env=env).stdout)
    assert [2048] == [each["window_tokens"] for each in listed["models"]]
    assert ("native", True) == (listed["profile"]["dialect"]["is"], listed["profile"]["parallel_calls"]["is"])
