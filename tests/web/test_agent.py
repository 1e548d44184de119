"""The loop in JavaScript does what the loop in Python does: the same log, byte for byte, and the same requests."""

import json
import subprocess
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Agent, ToolChoice
from purestep_hosts.loop import Ports, Run
from tests.web.agent_cases import BOOKS, CARRIED, CASES, LONG_CHAT, SUM, WINDOWED, Scripted, definition_of

HERE = Path(__file__).parent


def in_python(case: dict[str, Any]) -> dict[str, Any]:
    """Play a case with the loop of the native hosts."""
    host = Scripted(case)
    ports = Ports(model=host, tools=host, approve=host.approve, log=host, watch=host, clock=host.clock)
    run = Run(Agent.load(definition_of(case)), ports, "run-1")
    choices = [
        msgspec.convert(choice or case.get("tool_choice"), ToolChoice | None) for choice in case.get("choices", ())
    ]
    told = zip_longest(case["queries"], choices, case.get("pins", ()))
    asked = [run.ask(query, choice, pinned=bool(pinned)).decision for query, choice, pinned in told]
    ended = [json.loads(msgspec.json.encode(each)) for each in asked]
    state = msgspec.json.encode(run.state).decode()
    return {"ended": ended, "log": host.lines, "state": state, "shown": host.shown, "asked": host.requests}


@pytest.fixture(scope="module")
def in_node(node: str, package: Path) -> dict[str, Any]:
    """What Node made of all cases."""
    done = subprocess.run(
        [node, HERE / "agent_runs.mjs", package], input=json.dumps(CASES), capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    results: dict[str, Any] = json.loads(done.stdout)
    for result in results.values():
        result["asked"] = [request["messages"] for request in result["requests"]]
    return results


@pytest.mark.parametrize("name", CASES)
def test_both_loops_write_the_same_log_and_state(name: str, in_node: dict[str, Any]) -> None:
    """Log, state, text shown, ending and what the model is sent are the same from JavaScript and from Python."""
    expected = in_python(CASES[name])
    assert expected == {member: in_node[name][member] for member in expected}


@pytest.mark.parametrize("name", CASES)
def test_the_log_of_a_run_in_javascript_holds_natively(name: str, in_node: dict[str, Any]) -> None:
    """A log written by way of JavaScript verifies with the native core, and its head is the state's."""
    given = in_node[name]
    assert purestep.verify_log(given["log"], given["head"]).startswith('{"ok":true')


@pytest.mark.parametrize("name", CASES)
def test_a_run_taken_up_from_its_log_stands_where_it_stood(name: str, in_node: dict[str, Any]) -> None:
    """Resumed in JavaScript, the run has the same state text and the same ending."""
    given = in_node[name]
    assert {"ended": given["ended"][-1], "state": given["state"]} == given["resumed"]


def test_the_option_gives_a_model_its_level(in_node: dict[str, Any]) -> None:
    """A definition that names one keeps it; a carried model is shown examples."""
    sums = [in_node[name] for name, case in CARRIED.items() if case["queries"] is SUM["queries"]]
    levels = [json.loads(played["log"].splitlines()[0])["agent"]["models"][0]["carry"] for played in sums]
    assert ["ground"] * 4 == levels
    assert all(len(played["asked"][0]) > 2 for played in sums)


def test_the_only_call_of_a_definition_takes_no_model(in_node: dict[str, Any]) -> None:
    """The model is asked once, for the answer."""
    played = in_node["the only call of a definition"]
    assert 1 == len(played["asked"])
    assert "It is noon." == played["ended"][-1]["answer"]


def test_a_carried_model_is_sent_the_transcript(in_node: dict[str, Any]) -> None:
    """The prompt shows all tools, and ends with the question."""
    asked = in_node["asked which value"]["asked"]
    assert 2 == len(asked)
    assert {"role": "user", "content": BOOKS["queries"][0]} == asked[0][-1]


def test_a_pinned_query_is_sent_in_every_later_prompt(in_node: dict[str, Any]) -> None:
    """It and its answer stay, where those before and after it are left out."""
    [*_, last] = in_node["a query that is pinned"]["asked"]
    assert ["Two?", "Five?"] == [message["content"] for message in last if message["role"] == "user"]
    assert "The answer 1." in last[-2]["content"]


def test_a_negotiated_run_sends_its_own_head(in_node: dict[str, Any]) -> None:
    """The messages of the decision come first, then those of the transcript, without the output that failed."""
    first, second, third = in_node["asked in another form"]["asked"]
    assert '"kind"' in first[0]["content"]
    assert "[TOOL_CALL]" in second[0]["content"]
    assert SUM["queries"][0] == second[-1]["content"]
    assert second == third[: len(second)]


def test_a_servers_request_has_the_choice_beside_the_tools(in_node: dict[str, Any]) -> None:
    """As the core wrote it, for as long as it holds."""
    requests = in_node["a tool that the words do not name"]["requests"]
    assert [{"type": "function", "function": {"name": "count_books"}}] * 2 == [each["tool_choice"] for each in requests]
    assert ["obligation"] == [end["code"] for end in in_node["a tool that the words do not name"]["ended"]]


def agent_of(played: dict[str, Any]) -> dict[str, Any]:
    """Return the definition in a log."""
    agent: dict[str, Any] = json.loads(played["log"].splitlines()[0])["agent"]
    return agent


def windows_of(played: dict[str, Any]) -> list[int | None]:
    """Return the windows of the models that the definition in a log names."""
    return [model.get("window_tokens") for model in agent_of(played).get("models", ())]


def test_window_of_the_model_is_in_the_logged_definition(in_node: dict[str, Any]) -> None:
    """A definition that names a window keeps it, and a model that says none adds nothing."""
    assert {
        "a long chat in the window of the model": [2000],
        "a long chat of a definition that is text": [2000],
        "a long chat of a model that says no window": [],
        "a window of the definition beside that of the model": [8000],
        "the window of a model with a level": [2000],
    } == {name: windows_of(in_node[name]) for name in WINDOWED}
    assert "models" not in agent_of(in_node["a long chat of a model that says no window"])


def test_long_chat_is_cut_to_the_window_of_the_model(in_node: dict[str, Any]) -> None:
    """The prompts stop growing and have the newest question; without a window they have every question."""
    windowed = in_node["a long chat in the window of the model"]
    unknown = in_node["a long chat of a model that says no window"]
    causes = [event["cause"] for event in map(json.loads, windowed["log"].splitlines()) if event["kind"] == "switched"]
    assert {"window"} == set(causes)
    first, *_, last = LONG_CHAT["queries"]
    cut, whole = ([message["content"] for message in played["asked"][-1]] for played in (windowed, unknown))
    assert (False, True) == (first in cut, first in whole)
    assert last == cut[-1] == whole[-1]
    assert max(map(len, windowed["asked"])) < max(map(len, unknown["asked"]))
