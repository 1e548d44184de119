"""A run that goes on under another definition: what is logged, what is sent, and what becomes of pending calls."""

import json
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Agent, AgentChanged, CallModel, PurestepError, UserMessage
from tests.core.agents import ADD, SHELL, agent, answer, approvals, call, final, native_call, ok, said, tool
from tests.core.driver import Driver, WholeDriver, assert_replays, stepped

PAIR = said(None, tool_calls=[native_call("add_numbers", {"a": 1, "b": 2}), native_call("shell", {"command": "ls"})])
LIST = tool("list", annotations={"readOnlyHint": True})


def changed(driver: Driver, **definition: Any) -> dict[str, Any]:
    """Change the definition of a run; gives the decision or the error."""
    return driver.send({"type": "agent_changed", "agent": definition})


def native(*tools: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return a definition with these tools."""
    return {"dialect": "native", "tools": [*tools], **members}


def test_the_log_names_both_definitions_and_holds_the_new_one() -> None:
    """By their digests, as `load_agent` gives them."""
    driver = Driver(agent())
    changed(driver, **agent(name="other"))
    (event,) = driver.events("agent_changed")
    digests = [purestep.load_agent(json.dumps(each)) for each in (agent(), agent(name="other"))]
    assert digests == [event["from_digest"], event["to_digest"]]
    assert ("other", digests[1]) == (event["agent"]["name"], (driver.state or {})["agent"])
    assert_replays(driver)


def test_the_model_is_asked_under_the_new_instructions_and_with_the_new_tools() -> None:
    """The transcript goes on; its own preamble is sent no more."""
    driver = Driver(native(ADD, instructions="Be first."))
    driver.send(said("Hello."))
    changed(driver, **native(LIST, instructions="Be second."))
    driver.send({"type": "user_message", "content": "Go on."})
    assert ["Be second.", "Hello", "Hello.", "Go on."] == [message["content"] for message in driver.prompt()]
    assert ["list"] == [each["function"]["name"] for each in driver.decision["tools"]]
    assert_replays(driver)


def test_a_run_that_has_ended_stays_as_it_is() -> None:
    """The decision is the same until the user says something."""
    driver = Driver(agent())
    done = driver.send(said(final("It is 3.")))
    assert done == changed(driver, name="other")
    driver = Driver(agent())
    failed = driver.send({"type": "cancel"})
    assert failed == changed(driver, name="other")


def test_calls_of_removed_tools_are_answered_and_the_others_go_on() -> None:
    """While a person is asked nothing was handed out, so the call was not run."""
    driver = Driver(native(ADD, SHELL))
    assert "request_approval" == driver.send(PAIR)["type"]
    assert ["add_numbers"] == [each["tool"] for each in changed(driver, **native(ADD))["calls"]]
    driver.send(ok("call_1", 3))
    told = {message["tool_call_id"]: message["content"] for message in driver.messages if message["role"] == "tool"}
    assert ("3", True) == (told["call_1"], "was not run: the tools have changed" in told["call_2"])
    assert [("agent_changed", "call_2")] == [
        (event["check"], event["call_id"]) for event in driver.events("verdict") if event["verdict"] == "reject"
    ]
    assert_replays(driver)


def test_a_call_that_was_handed_out_may_have_run() -> None:
    """Nobody knows, so nobody says that it was not run; its late result is refused."""
    driver = Driver(native(LIST))
    driver.send(said(None, tool_calls=[native_call("list", {})]))
    assert ("call_model", "tool_results") == (changed(driver, **native(ADD))["type"], driver.decision["reason"])
    assert "may have run" in driver.messages[-1]["content"]
    assert "wrong_phase" == driver.send(ok("call_1", "a.txt"))["code"]
    assert_replays(driver)


@pytest.mark.parametrize("settled", [True, False])
def test_an_effect_is_remembered_when_its_tool_was_gone_meanwhile(settled: bool) -> None:
    """The same call under a definition that has the tool again is asked about, as without the changes."""
    wipe = tool("wipe", annotations={"destructiveHint": True}, approval="auto")
    driver = Driver(native(wipe, LIST))
    driver.send(said(None, tool_calls=[native_call("wipe", {}), native_call("list", {})]))
    if settled:
        driver.send(ok("call_1", "wiped"))
    changed(driver, **native(LIST))
    driver.send(ok("call_2", "a.txt"))
    changed(driver, **native(wipe, LIST))
    driver.send(said(None, tool_calls=[native_call("wipe", {})]))
    assert ("request_approval", "same_effect") == (driver.decision["type"], driver.decision["calls"][0]["reason"])
    assert_replays(driver)


@pytest.mark.parametrize(
    "stricter",
    [{"approval": "deny"}, {"approval": "ask"}, {"parameters": {"type": "object", "required": ["path"]}}],
)
def test_a_call_under_a_stricter_rule_is_answered(stricter: dict[str, Any]) -> None:
    """What it was handed out under holds no more."""
    driver = Driver(native(LIST))
    driver.send(said(None, tool_calls=[native_call("list", {})]))
    assert "call_model" == changed(driver, **native({**LIST, **stricter}))["type"]
    assert_replays(driver)


def test_an_approval_still_holds_for_the_key() -> None:
    """A call that waits for a person is the same call under a definition that has its tool."""
    driver = Driver(native(ADD, SHELL))
    asked = driver.send(PAIR)["calls"][0]
    changed(driver, **native(ADD, SHELL, instructions="Be brief."))
    assert asked == driver.decision["calls"][0]
    assert "invoke_tool" == driver.send(approvals(answer(asked, True)))["type"]
    assert_replays(driver)


def test_later_steps_need_the_new_definition() -> None:
    """The old one is another one now."""
    driver = Driver(agent())
    changed(driver, **agent(name="other"))
    assert "agent_mismatch" == stepped(agent=agent(), state=driver.state)["error"]["code"]
    assert driver.decision == stepped(agent=agent(name="other"), state=driver.state)["decision"]


def test_messages_that_wait_are_told_under_the_new_definition() -> None:
    """A tool choice that it cannot take is dropped."""
    driver = Driver(agent())
    driver.send({"type": "user_message", "content": "List it.", "tool_choice": {"tool": "shell"}})
    changed(driver, tools=[LIST])
    driver.send(said("{"))
    assert driver.prompt()[-1]["content"].endswith("List it.")
    assert_replays(driver)


@pytest.mark.parametrize(
    ("before", "steps", "after", "words"),
    [
        (agent(), [], {"models": [{"name": "m", "window_tokens": 4000}]}, "window_tokens"),
        (agent(), [], {"tools": [LIST], "models": [{"name": "m", "carry": "ground"}]}, "carried"),
        (native(LIST), [said(None, tool_calls=[native_call("list", {})])], {"tools": [LIST]}, "form for results"),
        (
            native(ADD, skills=["extract"]),
            [said(None, tool_calls=[native_call("extract", {"text": "Tom", "target": "name"})])],
            native(ADD),
            "a skill",
        ),
    ],
)
def test_what_cannot_go_on_so_is_refused_and_nothing_changes(
    before: dict[str, Any], steps: list[dict[str, Any]], after: dict[str, Any], words: str
) -> None:
    """The error says why, and what to do."""
    driver = Driver(before)
    for observation in steps:
        driver.send(observation)
    state, log = driver.state, driver.log
    error = driver.send({"type": "agent_changed", "agent": after})
    assert ("invalid_input", "/observation/agent", True) == (error["code"], error["path"], words in error["message"])
    assert (state, log) == (driver.state, driver.log)


def test_carry_is_taken_up_with_the_next_message() -> None:
    """Between two exchanges, in both directions; values of before are not known."""
    fetch = tool("fetch", {"url": {"type": "string", "format": "uri"}}, annotations={"readOnlyHint": True})
    driver = Driver({"tools": [fetch]}, query="hello")
    driver.send(said(final("Hello.")))
    changed(driver, tools=[fetch], models=[{"name": "m", "carry": "ground"}])
    driver.send({"type": "user_message", "content": "fetch https://a.example/x"})
    assert [["url", "https://a.example/x"]] == driver.state["run"]["carried"]["values"]  # type: ignore[index]
    changed(driver, tools=[fetch])
    assert "carried" not in driver.state["run"]  # type: ignore[operator]
    assert_replays(driver)


def test_results_of_before_are_open_to_new_rules_on_flows() -> None:
    """Which labels they would have had nobody knows, so a person is asked about what came from them."""
    wipe = tool("wipe", {"disk": {"type": "string"}}, annotations={"destructiveHint": True}, approval="auto")
    fetch = tool("fetch", annotations={"readOnlyHint": True, "openWorldHint": True})
    for tools, decision in (([wipe], "invoke_tool"), ([wipe, fetch], "request_approval")):
        driver = Driver(native(LIST))
        driver.send(said(None, tool_calls=[native_call("list", {})]))
        driver.send(ok("call_1", "wipe sdb"))
        changed(driver, **native(*tools))
        assert decision == driver.send(said(None, tool_calls=[native_call("wipe", {"disk": "sdb"})]))["type"]


def test_values_of_before_that_nobody_kept_are_not_held_against_a_result() -> None:
    """A check judges only what is known."""
    driver = Driver(agent())
    changed(driver, tools=[tool("find")], checks=["values"])
    driver.send(said(call("find")))
    driver.send(ok("call_1", {"people": ["Ann"]}))
    assert "done" == driver.send(said(final("Ann and 7120 others.")))["type"]
    assert_replays(driver)


def test_the_whole_state_holds_the_new_definition() -> None:
    """So the next step needs nothing else."""
    driver = WholeDriver(agent())
    driver.send({"type": "agent_changed", "agent": agent(name="other", instructions="Be second.")})
    assert "other" == driver.state["agent"]["name"]
    assert "Be second." in driver.decision["messages"][0]["content"]
    assert "done" == driver.say(final("It is 3."))["type"]
    assert json.loads(purestep.verify_log(driver.log))["ok"]


def test_a_run_without_a_definition_gets_one() -> None:
    """And never loses it again."""
    driver = Driver(None)
    changed(driver, **agent())
    assert None is driver.events("agent_changed")[0]["from_digest"]
    assert "invalid_input" == driver.send({"type": "agent_changed", "agent": None})["code"]
    assert_replays(driver)


def test_the_typed_form_takes_it_too() -> None:
    """The definition goes in as an agent's source."""
    other = Agent.load(agent(name="other"))
    begun = purestep.start(Agent.load(agent()), UserMessage(content="q"), "r")
    step = purestep.step(begun.state, AgentChanged(agent=msgspec.Raw(other.source)))
    assert isinstance(step.decision, CallModel)
    assert other.digest == step.state.agent
    with pytest.raises(PurestepError) as caught:
        purestep.step(begun.state, AgentChanged(agent=msgspec.Raw(b"{")))
    assert caught.value.code in ("invalid_json", "invalid_input")


def test_a_run_without_an_id_of_its_own_gets_no_tool_that_acts() -> None:
    """The keys of its calls would be those of other runs."""
    begun = stepped(agent=native(LIST), observation={"type": "user_message", "content": "q"})
    change = {"type": "agent_changed", "agent": native(SHELL)}
    assert "missing_run_id" == stepped(state=begun["state"], observation=change)["error"]["code"]


def test_a_forged_line_is_found() -> None:
    """The digests are those of the definitions."""
    driver = Driver(agent())
    changed(driver, **agent(name="other"))
    driver.send(said(final("It is 3.")))
    for old, new in (('"name":"other"', '"name":"Other"'), (driver.events("agent_changed")[0]["to_digest"], "0" * 64)):
        assert not json.loads(purestep.verify_log(driver.log.replace(old, new, 1)))["ok"]
