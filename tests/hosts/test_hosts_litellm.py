"""Models through LiteLLM: the package itself, asking servers of OpenAI's and of Anthropic's kind on loopback."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep_formats import ReplyEnd
from purestep_hosts import Agent
from purestep_hosts.models.model import ModelRequest, ReplySink
from purestep_hosts.models.named import settings_of
from purestep_hosts.settings import SettingsError
from tests.hosts.asking import observed
from tests.hosts.gemini_server import KEY as GEMINI_KEY
from tests.hosts.gemini_server import MODEL as GEMINI
from tests.hosts.gemini_server import SIGNATURE as GEMINI_SIGNATURE
from tests.hosts.gemini_server import GeminiServer
from tests.hosts.messages_server import ANSWER, CALL, KEY, SIGNATURE, THOUGHT, MessagesServer, event_stream
from tests.hosts.test_hosts_http_faults import GOOD, Answer, chunk, reply, stream
from tests.locked_packages import ROOT, packages_of

OPENAI_KEY = "sk-openai-secret-123456"
CLAUDE = "anthropic/claude-sonnet-4-5"
REQUEST = ModelRequest(messages=[{"role": "user", "content": "hi"}])
Web = Callable[[Answer], str]


class LiteLLM:
    """A process that has LiteLLM."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, asked: dict[str, Any], sink: ReplySink) -> ReplyEnd:
        """Ask for one reply and pass its chunks on."""
        self._write(asked)
        while "chunk" in (said := self._read()):
            self._write(sink.chunk(said["chunk"]))
        return msgspec.convert(said["end"], ReplyEnd)

    def _write(self, value: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(value).decode() + "\n")
        self._process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        said: dict[str, Any] = json.loads(self._process.stdout.readline() or '{"stopped": true}')
        assert "stopped" not in said, "the process has stopped"
        return said


class Proxy:
    """A `LiteLLMModel` in that process."""

    def __init__(self, process: LiteLLM, name: str, options: dict[str, Any], limits: dict[str, float]) -> None:
        self.name = name
        self._process = process
        self._rest = {"model": name, "options": options, "limits": limits}

    def complete(self, request: ModelRequest, reply: ReplySink) -> ReplyEnd:
        """Ask once."""
        return self._process.ask({**self._rest, "request": request}, reply)

    def stop(self) -> None:
        """Nothing is given up in these tests."""


Through = Callable[..., Proxy]


@pytest.fixture(scope="module")
def process() -> Iterator[LiteLLM]:
    """LiteLLM in a process of its own, with the keys in its environment."""
    keys = {"OPENAI_API_KEY": OPENAI_KEY, "ANTHROPIC_API_KEY": KEY, "GEMINI_API_KEY": GEMINI_KEY}
    places = os.pathsep.join(map(str, (packages_of("litellm"), ROOT / "core", ROOT / "hosts")))
    command = [sys.executable, "-P", str(Path(__file__).with_name("litellm_alone.py"))]
    environment = {**os.environ, **keys, "PYTHONPATH": places}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as started:
        yield LiteLLM(started)
        started.terminate()


@pytest.fixture
def through(process: LiteLLM) -> Through:
    """A function from a model's name and a server's address to the model."""

    def model(name: str, url: str, *, read_s: float = 20.0, total_s: float = 60.0, **options: Any) -> Proxy:
        base = f"{url}/v1" if name.startswith("openai/") else url
        return Proxy(process, name, {"api_base": base, **options}, {"read_s": read_s, "total_s": total_s})

    return model


def add_numbers(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def test_text_is_streamed_with_its_usage(through: Through, web: Web) -> None:
    """The chunks of a server of OpenAI's kind reach the reader one by one."""
    counted = b'data: {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}}\n\n'
    seen: list[str] = []
    output = observed(through("openai/m", web(stream(*GOOD[:-1], counted, GOOD[-1]))), REQUEST, seen.append)
    assert ("Hello", ["Hel", "lo"], "stop") == (output["content"], seen, output["finish_reason"])
    assert {"prompt_tokens": 3, "completion_tokens": 2} == {
        name: output["usage"][name] for name in ("prompt_tokens", "completion_tokens")
    }


def test_agent_calls_a_tool_of_a_thinking_model_of_anthropic(through: Through, web: Web) -> None:
    """Its thoughts go back with their signature, without which the server refuses the result."""
    server = MessagesServer()
    model = through(CLAUDE, web(server), thinking={"type": "enabled", "budget_tokens": 1024})
    agent = Agent(model, tools=[add_numbers], dialect="native", instructions="Be short.")
    assert "It is 42." == agent.run_sync("What is 17 plus 25?").answer
    first, second = server.bodies
    assert [{"type": "text", "text": "Be short."}] == first["system"]
    thinking, text, call = second["messages"][1]["content"]
    assert (THOUGHT, SIGNATURE) == (thinking["thinking"], thinking["signature"])
    assert ("I add them.", {"a": 17, "b": 25}) == (text["text"], call["input"])
    (result,) = second["messages"][2]["content"]
    assert ("tool_result", call["id"], "42") == (result["type"], result["tool_use_id"], _text(result["content"]))


def test_agent_calls_a_tool_of_a_thinking_model_of_google(through: Through, web: Web) -> None:
    """The call goes back with its signature, without which the server refuses the result."""
    server = GeminiServer()
    model = through(f"gemini/{GEMINI}", web(server) + "/v1beta")
    agent = Agent(model, tools=[add_numbers], dialect="native", instructions="Be short.")
    assert "It is 42." == agent.run_sync("What is 17 plus 25?").answer
    first, second = server.bodies
    assert "add_numbers" == first["tools"][0]["function_declarations"][0]["name"]
    *_, text, call = second["contents"][1]["parts"]
    assert ("I add them.", {"a": 17, "b": 25}) == (text["text"], call["function_call"]["args"])
    assert GEMINI_SIGNATURE == call["thoughtSignature"]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@pytest.mark.parametrize(
    ("status", "kind", "message", "code", "retryable"),
    [
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "overflow", False),
        (400, "invalid_request_error", f"odd {KEY}", "refused", False),
        (401, "authentication_error", f"bad {KEY}", "unavailable", False),
        (404, "not_found_error", "model: none", "unavailable", False),
        (429, "rate_limit_error", "slow down", "rate_limit", True),
        (500, "api_error", "oops", "unavailable", True),
        (529, "overloaded_error", "Overloaded", "unavailable", True),
    ],
)
@pytest.mark.parametrize("name", ["openai/m", CLAUDE])
def test_refusal_is_told_once_and_without_the_key(
    through: Through, web: Web, name: str, status: int, kind: str, message: str, code: str, retryable: bool
) -> None:
    """Whether to ask again is not the library's decision, and how long the server wants to be left alone is told."""
    tries: list[int] = []

    def answer(handler: Any, number: int) -> None:
        tries.append(number)
        body = json.dumps({"type": "error", "error": {"type": kind, "message": message}})
        handler.reply(status, "application/json", body.encode(), Retry_After="7")

    output = observed(through(name, web(answer)), REQUEST)
    assert [0] == tries
    assert (code, retryable) == (output["code"], output["retryable"]), output
    assert (7000 if retryable else None) == output.get("retry_after_ms")
    assert "secret" not in output["message"]
    assert "litellm." not in output["message"]


@pytest.mark.parametrize(
    ("name", "pieces"),
    [("openai/m", GOOD[:2]), (CLAUDE, (event_stream(CALL[:9]),)), (CLAUDE, (event_stream(ANSWER[:3]),))],
)
def test_reply_that_was_cut_is_no_answer(through: Through, web: Web, name: str, pieces: tuple[bytes, ...]) -> None:
    """The library itself ends such a reply as if its model had stopped."""
    output = observed(through(name, web(stream(*pieces))), REQUEST)
    assert ("unavailable", True) == (output["code"], output["retryable"])
    assert "ended its reply early" in output["message"]


def test_error_in_the_middle_of_a_reply_is_told(through: Through, web: Web) -> None:
    """An overloaded server says so in the place of an event."""
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    output = observed(through(CLAUDE, web(stream(event_stream([*CALL[:3], overloaded])))), REQUEST)
    assert ("unavailable", True) == (output["code"], output["retryable"])
    assert "Overloaded" in output["message"]


def test_server_that_is_not_there_is_unreachable(through: Through) -> None:
    """No connection is made."""
    for name in ("openai/m", CLAUDE):
        output = observed(through(name, "http://127.0.0.1:9"), REQUEST)
        assert ("unavailable", True) == (output["code"], output["retryable"])
        assert "cannot be reached" in output["message"]


@pytest.mark.parametrize("limits", [{"read_s": 0.3}, {"total_s": 0.3}])
def test_silent_server_meets_the_time_limit(through: Through, web: Web, limits: dict[str, float]) -> None:
    """Of one read, and of the whole reply."""
    is_over = threading.Event()
    try:
        output = observed(through("openai/m", web(lambda handler, number: is_over.wait()), **limits), REQUEST)
    finally:
        is_over.set()
    assert ("timeout", True) == (output["code"], output["retryable"])


@pytest.mark.parametrize(
    ("name", "first", "more"),
    [("openai/m", chunk("more "), chunk("more ")), (CLAUDE, event_stream(ANSWER[:2]), event_stream(ANSWER[2:3]))],
)
def test_reader_can_stop_the_generation(through: Through, web: Web, name: str, first: bytes, more: bytes) -> None:
    """A true answer of the reader ends the reply, and the connection to a server that would go on for ever."""
    was_closed = threading.Event()

    def answer(handler: Any, number: int) -> None:
        try:
            stream(first)(handler, number)
            while True:
                handler.wfile.write(more)
        except OSError:
            was_closed.set()

    seen: list[str] = []
    observed(through(name, web(answer)), REQUEST, lambda text: not seen.append(text))
    assert 1 == len(seen)
    assert was_closed.wait(60)


def test_setting_that_a_provider_does_not_take_is_told(through: Through) -> None:
    """It is not dropped silently: the library's global setting for that is the program's."""
    request = ModelRequest(messages=[{"role": "user", "content": "hi"}], sampling={"seed": 1})
    output = observed(through(CLAUDE, "http://127.0.0.1:9"), request)
    assert ("refused", False) == (output["code"], output["retryable"])
    assert "does not support parameters: ['seed']" in output["message"]


def test_page_instead_of_an_answer_is_no_answer(through: Through, web: Web) -> None:
    """An HTML page with status 200 holds no reply."""
    output = observed(through("openai/m", web(reply(200, "text/html", b"<html>Welcome</html>"))), REQUEST)
    assert "unavailable" == output["code"]


def test_model_is_named_by_a_prefix() -> None:
    """What comes after the colon is LiteLLM's name for it; no server and no key is asked for."""
    settings = settings_of(f"litellm:{CLAUDE}", None)
    assert ("litellm", CLAUDE, None, False) == (settings.kind, settings.model, settings.url, settings.runs_here)


@pytest.mark.parametrize("name", ["litellm:", "litellm:claude", "litellm:/x", "litellm:a/", "litellm:a/b c"])
def test_name_without_a_provider_is_told(name: str) -> None:
    """LiteLLM would guess, or fail at the first question."""
    with pytest.raises(SettingsError, match="expected litellm:PROVIDER/NAME"):
        settings_of(name, None)
