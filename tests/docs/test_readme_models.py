"""The lines of README that name a model of one's own: each runs, against a server in the place of the one it names."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.download import default_model
from purestep_hosts.models.llamacpp import LlamaCppOptions, serve
from purestep_hosts.settings import NAMES
from tests.cli.conftest import Shell
from tests.docs.test_readme_app import blocks
from tests.hosts.conftest import web
from tests.hosts.test_hosts_http_faults import Web, chunk, stream

__all__ = ["web"]

KEY = "sk-0123456789abcdef"


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the developer's model settings out of the tests."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """The program, each command in a process of its own."""
    return Shell(tmp_path)


@pytest.fixture(scope="module")
def llama_url() -> Iterator[str]:
    """The base URL of a llama.cpp server with the small model."""
    with serve(default_model(), options=LlamaCppOptions(n_ctx=4096, n_threads=1)) as url:
        yield url


def server(asked: list[Any]) -> Any:
    """Return what answers a request that OpenAI's API would take, and keeps the model and the key."""

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        roles = {"system", "user", "assistant", "tool"}
        is_valid = body["stream"] is True and roles >= {message["role"] for message in body["messages"]}
        if handler.path != "/v1/chat/completions" or not is_valid:
            handler.reply(400, "application/json", b'{"error": {"message": "no chat completion"}}')
            return
        asked.append((body["model"], handler.headers.get("Authorization")))
        text = '{"kind": "final", "content": "42"}' if "response_format" in body else "42"
        stream(chunk(text), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    return answer


def commands() -> list[list[str]]:
    """Return the arguments of the commands with a model, as a shell reads them."""
    lines = [line for block in blocks("sh") for line in block.splitlines() if "run --model" in line]
    return [shlex.split(line)[1:] for line in lines]


def test_hosted_model_in_the_terminal(shell: Shell, web: Web) -> None:
    """With the variables of OpenAI."""
    asked: list[Any] = []
    hosted, _ = commands()
    done = shell(*hosted, env={"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{web(server(asked))}/v1"})
    assert (0, "42\n", [("gpt-5", f"Bearer {KEY}")]) == (done.returncode, done.stdout, asked), done.stderr


def test_local_model_in_the_terminal(shell: Shell, llama_url: str) -> None:
    """A real server of llama.cpp is asked for the only model that it has; what a small model says is its own."""
    _, local = commands()
    done = shell(
        *local, "--max-turns", "1", "--sessions", str(shell.sessions), env={"LLAMA_SERVER_BASE_URL": llama_url}
    )
    named = f"model      SmolLM2-135M-Instruct.Q4_1 at {llama_url.removesuffix('/v1')}"
    assert named == done.stderr.splitlines()[0]


def test_models_in_python(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one by its key, the other without."""
    asked: list[Any] = []
    url = web(server(asked))
    for name, value in (("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", f"{url}/v1"), ("OLLAMA_HOST", url)):
        monkeypatch.setenv(name, value)
    (code,) = [block for block in blocks("py") if "gpt-5" in block]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ("42\n42\n", [("gpt-5", f"Bearer {KEY}"), ("llama3.2", None)]) == (done.stdout, asked), done.stderr


def test_models_in_javascript(
    node: str, package: Path, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one by its key, the other without; what is sent to their addresses reaches a server that is there."""
    asked: list[Any] = []
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (code,) = [block for block in blocks("javascript") if "gpt-5" in block]
    url = f"{web(server(asked))}/v1"
    addresses = ["https://api.openai.com/v1", "http://127.0.0.1:11434/v1"]
    there = "const to = (url) => ADDRESSES.reduce((found, address) => found.replace(address, URL), url);\n"
    there = there.replace("ADDRESSES", json.dumps(addresses)).replace("URL", json.dumps(url))
    (tmp_path / "there.mjs").write_text(
        there + "const { fetch } = globalThis; globalThis.fetch = (url, init) => fetch(to(url), init);\n",
        encoding="utf-8",
    )
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "purestep").symlink_to(package.parent)
    (tmp_path / "models.mjs").write_text(code, encoding="utf-8")
    command = [node, "--import", "./there.mjs", "models.mjs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ("42\n42\n", [("gpt-5", f"Bearer {KEY}"), ("llama3.2", None)]) == (done.stdout, asked), done.stderr
