"""The whole-state form with a definition: self-contained, equal to the delta form, open to edited histories."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import agent, call, final, native_call, ok, said
from tests.core.driver import Driver, WholeDriver, altered, stepped


def _script(dialect: str) -> list[dict[str, Any]]:
    if dialect == "native":
        first = said(None, tool_calls=[native_call("add_numbers", {"a": 1, "b": 2})])
    elif dialect == "tool_tags":
        first = said('[TOOL_CALL]{"name":"add_numbers","args":{"a":1,"b":2}}[/TOOL_CALL]')
    elif dialect == "bare":
        first = said('{"tool":"add_numbers","a":1,"b":2}')
    else:
        first = said(call("add_numbers", a=1, b=2))
    last = final("It is 3.") if dialect in ("envelope", "auto") else "It is 3."
    return [first, ok("call_1", 3), said(last)]


@pytest.mark.parametrize("dialect", ["envelope", "tool_tags", "bare", "native", "auto"])
def test_both_forms_give_the_same_run(dialect: str) -> None:
    """Sections 2, 3: decisions, messages and log are the same in both forms; keys too."""
    delta, whole = Driver(agent(dialect=dialect)), WholeDriver(agent(dialect=dialect))
    assert delta.decision == whole.decision
    for observation in _script(dialect):
        assert delta.send(observation) == whole.send(observation)
        assert delta.messages == whole.state["history"]
    assert "done" == whole.decision["type"]
    assert delta.log == whole.log
    assert delta.state == altered(whole.state["run"], "exchange", answer=whole.state["final_answer"])


def test_state_is_self_contained() -> None:
    """Section 2: the state carries its definition, so a step needs nothing else."""
    driver = WholeDriver(agent(name="self-contained"))
    assert "self-contained" == driver.state["agent"]["name"]
    assert {"type": "done", "answer": "x", "acts": []} == driver.say(final("x"))


def test_log_of_a_whole_run_replays_to_it() -> None:
    """E29: the log of a whole-state run, which has no clock, folds to the same run."""
    driver = WholeDriver(agent())
    for observation in _script("envelope"):
        driver.send(observation)
    replayed = json.loads(purestep.replay_log(driver.log))
    assert (driver.decision, driver.state["history"]) == (replayed["decision"], replayed["messages"])
    assert json.loads(purestep.verify_log(driver.log, driver.state["run"]["head"]))["ok"]


def _replays(driver: WholeDriver) -> bool:
    replayed = json.loads(purestep.replay_log(driver.log))
    if "error" in replayed:
        return False
    kept = {"answer": None, **replayed["state"]["exchange"]}
    return bool(
        altered(driver.state["run"], "exchange", answer=driver.state["final_answer"])
        == {**replayed["state"], "exchange": kept}
        and driver.decision == replayed["decision"]
        and driver.state["history"] == replayed["messages"]
        and json.loads(purestep.verify_log(driver.log, driver.state["run"]["head"]))["ok"]
    )


IMPORTED: list[dict[str, Any]] = [
    {"history": [{"role": "user", "content": "q"}]},
    {"history": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]},
    {
        "history": [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": "a"},
            {"role": "user", "content": "r"},
        ]
    },
    {"history": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]},
    {"history": [{"role": "user", "content": "q"}], "agent": agent(dialect="bare")},
    {"history": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}], "agent": agent(dialect="bare")},
    {"history": [{"role": "user", "content": "ü\u2028\x85 ✓"}]},
]


@pytest.mark.parametrize("members", IMPORTED)
def test_imported_history_replays(members: dict[str, Any]) -> None:
    """E29: a history that some other program kept is in the log, so that the log alone gives the run."""
    driver = WholeDriver.of({"is_complete": False, "final_answer": None, **members})
    driver.say('{"tool":"add_numbers","a":1,"b":2}')
    driver.send(ok("call_1", 3))
    decision = driver.say("Three.")
    assert ("done", "Three.") == (decision["type"], decision["answer"])
    assert _replays(driver)


def test_imported_complete_run_goes_on_and_replays() -> None:
    """E29: a complete run of another program takes a user message, and the log of it folds to the same run."""
    history = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    driver = WholeDriver.of({"history": history, "is_complete": True, "final_answer": "a"})
    assert "call_model" == driver.send({"type": "user_message", "content": "more"})["type"]
    assert {"type": "done", "answer": "b"} == driver.say("b")
    assert _replays(driver)


def test_imported_native_history_replays() -> None:
    """E29: messages of an OpenAI-compatible program, tool calls and content parts left out, are kept in the log."""
    history = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "tool_calls": [native_call("f", {}, id="x")]},
        {"role": "tool", "tool_call_id": "x", "content": "4"},
    ]
    driver = WholeDriver.of({"history": history, "is_complete": False, "final_answer": None})
    assert {"type": "done", "answer": "b"} == driver.say("b")
    replayed = json.loads(purestep.replay_log(driver.log))
    assert driver.decision == replayed.get("decision")


def test_history_edited_before_the_first_step_replays() -> None:
    """E29: messages that a host adds before the first output are in the log."""
    driver = WholeDriver(agent())
    state = driver.state
    state["history"] += [{"role": "assistant", "content": "Hm."}, {"role": "user", "content": "Go on."}]
    driver.state_json = json.dumps(state)
    assert {"type": "done", "answer": "x"} == driver.say(final("x"))
    assert _replays(driver)


def test_first_message_edited_before_the_first_step_is_logged_as_edited() -> None:
    """E29: the log says what the model was sent."""
    driver = WholeDriver()
    driver.state_json = driver.state_json.replace("Hello", "Hallo")
    driver.say("x")
    assert "Hallo" == json.loads(driver.log.split("\n")[1])["content"]
    assert _replays(driver)


def test_history_is_spliced_not_rewritten() -> None:
    """Section 2: bytes of messages that are there stay as they are, whatever form they have."""
    odd = '[ {"content" : "caf\\u00e9", "role":"user", "extra": [1, 2.50]} ]'
    state = '{"history":' + odd + ',"is_complete":false,"final_answer":null}'
    after = stepped(state_json=state, model_output="x")["state_json"]
    assert odd[:-1].rstrip() + ',{"role":"assistant","content":"x"}]' in after


@pytest.mark.parametrize(
    "history",
    [
        "{}",
        "null",
        '"x"',
        "[1]",
        '[{"content":"no role"}]',
        '[{"role":1,"content":"x"}]',
        '[{"role":"user","content":1}]',
    ],
)
def test_history_of_another_shape_is_refused(history: str) -> None:
    """Host errors are data that name the path."""
    state = '{"history":' + history + ',"is_complete":false,"final_answer":null}'
    error = stepped(state_json=state, model_output="x")["error"]
    assert "invalid_input" == error["code"]
    assert error["path"].startswith("/state_json")


@pytest.mark.parametrize("content", ["\\ud800", "a\\udc00b", "\\ud83d\\ude00"])
def test_history_with_surrogate_escapes_is_read(content: str) -> None:
    """Section 9: lone surrogates in a history are decided like anywhere else, not refused."""
    state = '{"history":[{"role":"user","content":"' + content + '"}],"is_complete":false,"final_answer":null}'
    output = stepped(state_json=state, model_output="x")
    assert {"type": "done", "answer": "x"} == output.get("decision")
    output["state_json"].encode()


def test_swapped_definition_is_refused() -> None:
    """A run keeps the definition it began with."""
    driver = WholeDriver(agent())
    state = driver.state
    state["agent"]["tools"][1]["approval"] = "auto"
    driver.state_json = json.dumps(state)
    assert "agent_mismatch" == driver.say(call("shell", command="ls"))["code"]


def test_removed_definition_is_refused() -> None:
    """A state cannot lose its policy by losing its definition."""
    driver = WholeDriver(agent())
    state = driver.state
    del state["agent"]
    driver.state_json = json.dumps(state)
    assert "agent_mismatch" == driver.say(call("shell", command="ls"))["code"]


@pytest.mark.parametrize("key", ["state", "agent", "run_id"])
def test_members_of_the_delta_form_are_refused(key: str) -> None:
    """Section 2 and 3: the two forms are not mixed."""
    given = {"state": Driver().state, "agent": agent(), "run_id": "r"}
    output = stepped(state_json=WholeDriver().state_json, model_output="x", **{key: given[key]})
    assert ("invalid_input", f"/{key}") == (output["error"]["code"], output["error"]["path"])


def test_definition_errors_of_create_are_data() -> None:
    """A2: a definition that cannot be used gives an error as data, with its path."""
    output = json.loads(purestep.create_agent_state("q", '{"tools":[{"name":"a","colour":1}]}'))
    assert ("invalid_agent", "/tools/0/colour") == (output["error"]["code"], output["error"]["path"])


def test_agents_are_refused() -> None:
    """Their runs have transcripts of their own, for which a whole state has no place."""
    output = json.loads(purestep.create_agent_state("q", '{"agents":{"desk":{"agent":{}}}}'))
    assert ("invalid_agent", "/agents") == (output["error"]["code"], output["error"]["path"])


@pytest.mark.parametrize("query", ["", "\ud800", "\x00", '{"tool":"x"}', "a" * 100_000, "\u2028\r\n"])
def test_any_query_makes_a_state(query: str) -> None:
    """A2: no query is refused, and the state that it makes can go on."""
    driver = WholeDriver(query=query)
    expected = query.replace("\ud800", "\ufffd")
    assert expected == driver.state["history"][0]["content"]
    assert "done" == driver.say("x")["type"]


def test_cost_of_a_step_does_not_decode_the_history() -> None:
    """Section 2: messages are passed on as bytes, so members that the core does not know survive a run."""
    driver = WholeDriver()
    state = driver.state
    state["history"][0]["name"] = "alice"
    driver.state_json = json.dumps(state)
    driver.say('{"tool":"x"}')
    driver.send(ok("call_1", "something"))
    assert "alice" == driver.state["history"][0]["name"]
