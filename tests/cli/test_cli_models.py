"""Models by name on the command line: of a hub, of ollama, and the list of a server."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts.download import default_model
from tests.cli.conftest import Shell, Terminal, ended
from tests.hosts.conftest import web as web  # noqa: PLC0414 (a fixture)
from tests.hosts.small_hub import small_hub
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")
Web = Callable[[Answer], str]
NAME = "hf:org/small:Tiny-Q4_1.gguf"


def test_model_of_a_hub_runs_and_is_there_offline(shell: Shell, terminal: Terminal) -> None:
    """Fetched with progress on a terminal, run, named in the log as it was asked for, and there without the hub."""
    home = {"HF_HOME": str(shell.folder / "hub")}
    told = ("What is 17 plus 25?", "--model", NAME, "--tools", "add_numbers", "--carry", "ground")
    told = (*told, "--sessions", str(shell.sessions))
    with small_hub({"org/small": {"Tiny-Q4_1.gguf": default_model()}}) as hub:
        child = terminal("run", *told, env={**home, "HF_ENDPOINT": hub.url})
        assert 0 == ended(child), child.before
    assert "98.4M/98.4M" in (child.before or "")
    assert "42" in (child.before or "")
    again = shell("run", *told, env={**home, "HF_ENDPOINT": "http://127.0.0.1:9"})
    assert (0, True) == (again.returncode, "42" in again.stdout), again.stderr
    started = shell.events()[0]
    assert NAME.removeprefix("hf:") == started["agent"]["models"][0]["name"]
    assert str(shell.folder) not in json.dumps(started)


def test_models_of_a_server_are_listed(shell: Shell, web) -> None:  # type: ignore[no-untyped-def]
    """One a line for a program, with the window where the server tells it."""
    body = b'{"data": [{"id": "small", "max_model_len": 8192}, {"id": "large\\u001b"}]}'
    url = web(lambda handler, number: handler.reply(200, "application/json", body)) + "/v1"
    result = shell("models", "--base-url", url)
    assert (0, "small\t8,192\t\t\nlarge\\x1b\t\t\t\n") == (result.returncode, result.stdout)
    listed = json.loads(shell("models", "--base-url", url, "--json").stdout)
    assert [{"id": "small", "window_tokens": 8192}, {"id": "large\x1b"}] == listed["models"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("models", "--base-url", "http://127.0.0.1:9/v1"), 7, "cannot be reached"),
        (("models", "--base-url", "nowhere"), 2, "is not a web address"),
        (("run", "--model", "hf:org", "Hello"), 2, "expected hf:ORG/REPO or hf:ORG/REPO:FILE.gguf"),
        (("run", "--model", "ollama:", "Hello"), 2, "expected ollama:NAME"),
        (("run", "--model", "olama:x", "Hello"), 2, "did you mean ollama:x?"),
        (("run", "--model", "OpenAI:gpt-5", "Hello"), 2, "did you mean openai:gpt-5?"),
        (("run", "--model", "gpt-5", "Hello"), 2, "write SERVER:gpt-5, where SERVER is ollama, lmstudio,"),
        (("run", "--model", "anthropic:claude-x", "Hello"), 2, "set ANTHROPIC_API_KEY, which goes to https://api.anth"),
        (("models", "google"), 2, "set GOOGLE_API_KEY or GEMINI_API_KEY, which goes to https://generativelanguage."),
        (("serve-model", "--model", "vllm:m"), 2, "give a GGUF file or bundled with --model"),
        (("models", "unknown"), 2, "models takes the name of a server, SERVER:NAME or --base-url URL; the names are"),
    ],
)
def test_wrong_names_are_told_in_a_line(shell: Shell, arguments: tuple[str, ...], code: int, said: str) -> None:
    """What was expected, without a traceback."""
    result = shell(*arguments)
    assert (code, True, 1) == (result.returncode, said in result.stderr, result.stderr.count("\n")), result.stderr


def serving(*names: str) -> Answer:
    """Be a server with these models, which lists them and answers every question."""

    def answer(handler: Any, number: int) -> None:
        if handler.command == "GET":
            listed = json.dumps({"data": [{"id": name} for name in names]}).encode()
            handler.reply(200, "application/json", listed)
        else:
            stream(chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    return answer


def test_key_alone_chooses_a_server_and_the_first_rows_say_so(shell: Shell, web: Web) -> None:
    """Its only model answers, not the bundled one; of several, the user names one."""
    key = {"GROQ_API_KEY": "sk-0123456789abcdef"}
    told = ("run", "Hello", "--sessions", str(shell.sessions))
    done = shell(*told, env={**key, "GROQ_BASE_URL": (url := web(serving("only")))})
    assert (0, "Hi.\n") == (done.returncode, done.stdout), done.stderr
    assert f"model      only at {url}, chosen by GROQ_API_KEY (environment)" == done.stderr.splitlines()[0]
    several = shell(*told, env={**key, "GROQ_BASE_URL": web(serving("one", "two"))})
    assert (2, 1) == (several.returncode, several.stderr.count("\n")), several.stderr
    assert "give its name as groq:NAME, or set GROQ_MODEL; it has one, two" in several.stderr
    assert key["GROQ_API_KEY"] not in done.stderr + several.stderr


def test_servers_are_shown_with_what_was_found_and_what_is_missing(shell: Shell, web: Web) -> None:
    """Each kind of server is a row; a running one has its models."""
    env = {"LMSTUDIO_BASE_URL": (url := web(serving("qwen3"))), "OPENROUTER_API_KEY": "k", "OPENROUTER_MODEL": "m"}
    done = shell("models", env=env)
    assert 0 == done.returncode, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    assert ["lmstudio:NAME", f"{url}/v1", "answers; qwen3"] in rows
    assert ["anthropic:NAME", "https://api.anthropic.com/v1", "set ANTHROPIC_API_KEY"] in rows
    openrouter = "OPENROUTER_API_KEY from environment, OPENROUTER_MODEL from environment"
    assert ["openrouter:NAME", "https://openrouter.ai/api/v1", openrouter] in rows
    shown = json.loads(shell("models", "--json", env=env).stdout)
    assert ("m", True) == (shown["model"], {"openai", "ollama", "vllm"} <= {each["name"] for each in shown["servers"]})


def test_models_of_a_named_server_are_listed(shell: Shell, web: Web) -> None:
    """By the name of its kind."""
    done = shell("models", "vllm", env={"VLLM_BASE_URL": web(serving("a", "b"))})
    assert (0, "a\t\t\t\nb\t\t\t\n") == (done.returncode, done.stdout), done.stderr


def test_bundled_model_says_what_runs_beside_it_and_uses_none_of_it(terminal: Terminal, web: Web) -> None:
    """On a terminal, where nothing is named: a row offers the server that was found."""
    asked: list[str] = []

    def answer(handler: Any, number: int) -> None:
        asked.append(handler.command)
        serving("qwen3-4b")(handler, number)

    url = web(answer)
    child = terminal("run", "What is 17 plus 25?", env={"LMSTUDIO_BASE_URL": url})
    assert 0 == ended(child), child.before
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", child.before or "")
    assert "a small demonstration model; for another one:\r\n  export OPENAI_API_KEY=YOUR_KEY" in shown
    assert f"LM Studio at {url.removeprefix('http://')}; --model lmstudio:qwen3-4b" in shown
    assert ["GET"] == asked
