"""The models that an agent takes: objects, files, names, servers; and the fixture for tests."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts import Agent, ScriptedModel, says, tool
from purestep_hosts.models.llamacpp import LlamaCppModel
from purestep_hosts.models.openai_http import HttpModel, completions_url
from purestep_hosts.models.scripted import ScriptError
from purestep_hosts.settings import NAMES, SettingsError
from tests.event_loops import run_in_loop
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

ROOT = Path(__file__).resolve().parents[2]
Web = Callable[[Answer], str]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the developer's model settings out of the tests."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@tool(read_only=True)
def find_order(number: int) -> str:
    """Look up the status of an order."""
    return "shipped"


def answering(text: str, bodies: list[Any]) -> Answer:
    """Answer each request with a text, and keep what was asked."""

    def answer(handler: Any, number: int) -> None:
        bodies.append((handler.headers.get("Authorization"), json.loads(handler.body)))
        stream(chunk(text), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    return answer


def test_a_name_and_an_address_are_a_model_on_a_server(web: Web) -> None:
    """The server at `base_url` is asked for the model of this name, with the key, which no log has."""
    bodies: list[Any] = []
    agent = Agent("small", base_url=web(answering("The key is right-key-123456.", bodies)), api_key="right-key-123456")
    result = agent.run_sync("Hello")
    assert [("Bearer right-key-123456", "small")] == [(key, body["model"]) for key, body in bodies]
    assert "The key is [hidden]." == result.answer


def test_the_environment_names_the_model_where_no_name_is_given(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the command; a `.env` of the working folder is not read, because nobody confirms it."""
    bodies: list[Any] = []
    monkeypatch.setenv("OPENAI_BASE_URL", web(answering("Hi.", bodies)))
    monkeypatch.setenv("OPENAI_MODEL", "named")
    assert "Hi." == Agent().run_sync("Hello").answer
    assert "Hi." == Agent("other").run_sync("Hello").answer
    assert ["named", "other"] == [body["model"] for _, body in bodies]


def test_a_folder_names_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `.env` is data that came with a folder: no text leaves for an address that stands there."""
    (tmp_path / ".env").write_text("OPENAI_BASE_URL=http://127.0.0.1:9/v1\nOPENAI_MODEL=evil\n")
    monkeypatch.chdir(tmp_path)
    assert "smollm2-135m-tools" == json.loads(Agent().definition.source)["models"][0]["name"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", "nothing is not a file, and no server is named; write SERVER:nothing, where SERVER is ollama,"),
        ("no/such.gguf", "no/such.gguf is not a file; give the path of a GGUF file"),
    ],
)
def test_a_name_of_nothing_says_what_to_give(name: str, said: str) -> None:
    """The error comes when the agent is made, before anything is loaded."""
    with pytest.raises(SettingsError) as raised:
        Agent(name)
    assert str(raised.value).startswith(said)


def test_a_server_is_asked_by_many_runs_at_once(web: Web) -> None:
    """One model object serves 40 runs, whose requests are all under way before any is answered."""
    together = threading.Barrier(40, timeout=300)

    def answer(handler: Any, number: int) -> None:
        together.wait()
        stream(chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    model = HttpModel(completions_url(web(answer)), model="m")
    agent = Agent(model)

    async def run_all() -> list[str]:
        return [result.answer for result in await asyncio.gather(*(agent.run("Hello") for _ in range(40)))]

    assert ["Hi."] * 40 == run_in_loop(run_all())
    model.close()


def test_giving_up_one_reply_leaves_the_others(web: Web) -> None:
    """Of two runs on one model object the cancelled one ends, and the other gets its answer."""
    arrived, release, go_on = threading.Semaphore(0), threading.Event(), threading.Event()
    requests: list[int] = []

    def answer(handler: Any, number: int) -> None:
        requests.append(number)
        arrived.release()
        (release if b"first" in handler.body else go_on).wait(60)
        stream(chunk("Hi."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    model = HttpModel(completions_url(web(answer)), model="m")
    agent = Agent(model)

    async def run_both() -> str:
        first, second = asyncio.create_task(agent.run("first")), asyncio.create_task(agent.run("second"))
        for _ in range(2):
            assert await asyncio.to_thread(arrived.acquire, timeout=300)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        go_on.set()
        return (await second).answer

    try:
        assert "Hi." == run_in_loop(run_both())
        assert [0, 1] == sorted(requests)  # nothing was asked again, as after a connection that broke
    finally:
        release.set()
        model.close()


@dataclass
class Weather:
    """How it is somewhere."""

    city: str
    degrees: int


def test_the_local_model_answers_in_the_form_asked_for(local_model: LlamaCppModel) -> None:
    """In the native dialect the server holds the answer to its schema: a tiny model's first output fits."""
    agent = Agent(local_model, output_type=Weather, dialect="native", sampling={"temperature": 0, "max_tokens": 60})
    result = agent.run_sync("It has 7 degrees in Oslo. Tell the weather.")
    assert ("done", 1) == (result.status, result.usage.turns)
    assert isinstance(result.data, Weather)


def test_a_script_keeps_its_last_requests() -> None:
    """A long simulation does not fill the memory with them."""
    agent = Agent(model := ScriptedModel(lambda request: says("Yes.")))
    for number in range(1003):
        agent.run_sync(f"Question {number}")
    assert ["Question 3", "Question 1002"] == [model.requests[at].messages[-1]["content"] for at in (0, -1)]
    assert 1000 == len(model.requests)


def test_a_script_is_a_list_or_a_function() -> None:
    """Errors are outputs too; a text alone is no script, and other values are no outputs."""
    gone = purestep.ModelError(code="refused", message="No.")
    assert "model_error" == Agent(ScriptedModel([gone])).run_sync("Hello").failure.code  # type: ignore[union-attr]
    asked = Agent(ScriptedModel(lambda request: says(f"{len(request.messages)} messages"))).run_sync("Hello")
    assert "2 messages" == asked.answer
    with pytest.raises(ScriptError, match="put the text in one"):
        ScriptedModel("Hi")
    with pytest.raises(ScriptError, match="not int"):
        ScriptedModel([5])  # type: ignore[list-item]


TEST = """
from purestep_hosts import Agent, calls, says, tool

@tool
def look(number: int) -> str:
    "Look."
    return "here"

def test_it_is_found(scripted_model):
    model = scripted_model(calls("look", number=7), says("It is here."))
    assert Agent(model, tools=[look]).run_sync("Where is 7?").answer == "It is here."
    assert len(model.requests) == 2
"""


def run_plugin(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a folder with the plugin that the wheel names."""
    plugins = tomllib.loads((ROOT / "hosts" / "pyproject.toml").read_text())["project"]["entry-points"]["pytest11"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    # Where it is installed already, it is found by its entry point, and twice would be an error.
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": plugins["purestep"]}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


REDRIVEN = """
from purestep_hosts import Agent, ScriptedModel, calls, says, tool

@tool
def pay(amount: int) -> str:
    "Pay."
    return "paid"

def recorded(folder):
    model = ScriptedModel([calls("pay", amount=7), says("Paid.")])
    (folder / "pay.jsonl").write_text(Agent(model, tools=[pay]).run_sync("Pay 7").log)
    return folder

def test_same(assert_same_decisions, tmp_path):
    folder = recorded(tmp_path)
    assert_same_decisions(folder)
    assert_same_decisions(folder / "pay.jsonl", Agent(ScriptedModel([]), tools=[pay], instructions="Be brief."))

def test_other(assert_same_decisions, tmp_path):
    assert_same_decisions(recorded(tmp_path), Agent(ScriptedModel([]), tools=[]))

def test_none(assert_same_decisions, tmp_path):
    assert_same_decisions(tmp_path)
"""


def test_recorded_runs_are_tests(tmp_path: Path) -> None:
    """The failure text says which run differs, where, and both decisions; a folder without runs is no success."""
    (tmp_path / "test_it.py").write_text(REDRIVEN)
    done = run_plugin(tmp_path)
    assert "2 failed, 1 passed" in done.stdout, done.stdout
    assert "pay.jsonl differs at line 3, after 1 step:" in done.stdout
    assert 'recorded  tool_call pay {"amount":7}' in done.stdout
    assert "now       correction unknown_tool" in done.stdout
    assert "1 of 1 recorded runs differ" in done.stdout
    assert "expected recorded runs" in done.stdout


def test_the_plugin_for_pytest_has_the_fixture(tmp_path: Path) -> None:
    """The wheel names the plugin; a test of an agent runs with it."""
    (tmp_path / "test_it.py").write_text(TEST)
    done = run_plugin(tmp_path)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
