"""Acts: what stands beside an ending of the calls that may have changed something (purestep.draft.acts)."""

import json
from typing import Any

import pytest

from purestep.bounds import MAX_ACT_CHARS, MAX_ACTS
from tests.core.agents import answer, approvals, call, failure, final, listed, ok, results, said, tool
from tests.core.driver import Driver, WholeDriver, assert_replays, stepped

TO: dict[str, Any] = {"type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}}}
LOOK = tool("look", annotations={"readOnlyHint": True})
SEND = tool("send", parameters=TO, annotations={"destructiveHint": True}, approval="auto")
ASK = tool("ask", parameters=TO, approval="ask")
NOTE = tool("note", parameters=TO)
AGENT: dict[str, Any] = {"tools": [LOOK, SEND, ASK, NOTE]}
DONE = said(final("It is done."))


def acts(decision: dict[str, Any]) -> list[tuple[str, str]] | None:
    """Return the tools and statuses of the acts of an ending; None where it has none."""
    found = decision.get("acts")
    return None if found is None else [(act["tool"], act["status"]) for act in found]


def logged(driver: Driver) -> Any:
    """Return the acts of the last line of the log."""
    return driver.lines()[-1].get("acts")


def ended(driver: Driver, *observations: dict[str, Any]) -> list[tuple[str, str]] | None:
    """Return the acts that a run ends with, which are the same in its log, which replays."""
    for observation in observations:
        driver.send(observation)
    assert driver.decision["type"] in ("done", "failed")
    assert driver.decision.get("acts") == logged(driver)
    assert_replays(driver)
    return acts(driver.decision)


def test_an_answer_without_a_call_says_that_nothing_was_changed() -> None:
    """Whatever it says in words."""
    assert [] == ended(Driver(AGENT), said(final("I have sent it.")))


def test_reading_changes_nothing() -> None:
    """A tool that only reads is no act."""
    assert [] == ended(Driver(AGENT), said(call("look")), ok("call_1", "a"), DONE)


def test_without_a_tool_that_may_act_there_are_no_acts() -> None:
    """Nobody needs to be told so."""
    assert None is ended(Driver({"tools": [LOOK]}), said(call("look")), ok("call_1", "a"), DONE)


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (ok("call_1", "sent"), "succeeded"),
        (ok("call_1", None), "succeeded"),
        (results(failure("call_1", "no such box")), "failed"),
        (results(failure("call_1", "stopped", "interrupted")), "unknown"),
    ],
)
@pytest.mark.parametrize("name", ["send", "note"])
def test_status_is_what_the_result_says(name: str, result: dict[str, Any], status: str) -> None:
    """For every tool without the annotation that it only reads."""
    driver = Driver(AGENT)
    assert [(name, status)] == ended(driver, said(call(name, to="ada")), result, DONE)
    assert {"call_id": "call_1", "tool": name, "params": {"to": "ada"}, "status": status} == driver.decision["acts"][0]


def test_call_that_a_person_refused_is_refused() -> None:
    """It stands there, so that the answer cannot pass it over."""
    driver = Driver(AGENT)
    driver.send(said(call("ask", to="ada")))
    assert [("ask", "refused")] == ended(driver, approvals(answer(driver.decision["calls"][0], False)), DONE)


def test_edited_call_has_the_arguments_that_it_ran_with() -> None:
    """Not those that the model wrote."""
    driver = Driver(AGENT)
    driver.send(said(call("ask", to="ada")))
    driver.send(approvals(answer(driver.decision["calls"][0], True, params={"to": "b"})))
    assert [("ask", "succeeded")] == ended(driver, ok("call_1", "sent"), DONE)
    assert {"to": "b"} == driver.decision["acts"][0]["params"]


def test_cancelled_calls_are_unknown_or_left_out() -> None:
    """What was handed out may have run; what waited for a person has changed nothing, and nobody refused it."""
    assert [("send", "unknown")] == ended(Driver(AGENT), said(call("send")), {"type": "cancel"})
    assert [] == ended(Driver(AGENT), said(call("ask")), {"type": "cancel"})


def test_rejected_output_has_acted() -> None:
    """A postcondition judges what a tool gave, not what it did; also where the run fails for it."""
    checked = {**NOTE, "checks": [{"not": {"pattern": "lost"}}]}
    driver = Driver({"tools": [checked]})
    assert [("note", "succeeded")] == ended(driver, said(call("note")), ok("call_1", "it was lost"), DONE)
    assert "failed" == driver.decision["type"]


def test_acts_are_those_of_the_exchange() -> None:
    """The next one begins with none."""
    driver = Driver(AGENT)
    assert [("note", "succeeded")] == ended(driver, said(call("note")), ok("call_1", "noted"), DONE)
    assert [] == ended(driver, {"type": "user_message", "content": "And now?"}, DONE)


def test_acts_are_in_the_order_of_the_calls() -> None:
    """Not of their results."""
    driver = Driver(AGENT)
    driver.send(said(listed(call("send"), call("look"), call("note"))))
    assert [("send", "succeeded"), ("note", "failed")] == ended(
        driver, results(failure("call_3", "full")), ok("call_2", "a"), ok("call_1", "sent"), DONE
    )


def test_acts_past_the_bound_are_counted() -> None:
    """The first ones are kept."""
    driver = Driver({**AGENT, "limits": {"max_turns": 50}})
    for number in range(1, MAX_ACTS + 4):
        driver.send(said(call("note", text=str(number))))
        driver.send(ok(f"call_{number}", number))
    driver.send(DONE)
    assert (MAX_ACTS, 3) == (len(driver.decision["acts"]), driver.decision["acts_left_out"])
    assert 3 == driver.events("final_answer")[-1]["acts_left_out"]
    assert_replays(driver)


@pytest.mark.parametrize("text", ["long " * 400, {"deep": ["long " * 400]}, [1] * 2000])
def test_long_arguments_are_cut(text: Any) -> None:
    """What names the thing stays whole, and that something was cut is said."""
    driver = Driver({"tools": [tool("note", {"to": {}, "text": {}})]})
    ended(driver, said(call("note", to="ada", text=text)), ok("call_1", "noted"), DONE)
    (act,) = driver.decision["acts"]
    assert (True, "ada") == (act["cut"], act["params"]["to"])
    assert act["params"]["text"].endswith("...")
    assert len(json.dumps(act["params"])) <= MAX_ACT_CHARS + 50


def test_many_arguments_are_kept_as_far_as_there_is_room() -> None:
    """The first ones, in the order in which they were written."""
    driver = Driver({"tools": [{"name": "note", "parameters": {"type": "object"}}]})
    given = {f"name {number}": number for number in range(500)}
    ended(driver, said(call("note", **given)), ok("call_1", "noted"), DONE)
    (act,) = driver.decision["acts"]
    assert act["cut"]
    assert list(given)[: len(act["params"])] == list(act["params"])
    assert len(act["params"]) > 10


def test_bare_form_has_acts_once_a_call_was_made() -> None:
    """It knows no tools: an answer alone stays as it was."""
    driver = WholeDriver(None, "q")
    assert {"type": "done", "answer": "It is 4."} == driver.say("It is 4.")
    driver = WholeDriver(None, "q")
    driver.say('{"tool":"send","to":"ada"}')
    driver.send(ok("call_1", "it is sent"))
    assert [("send", "succeeded")] == acts(driver.say("It is sent."))


def test_messages_of_another_program_leave_the_acts_unknown() -> None:
    """Nobody knows what it has done in the exchange that it began."""
    history = [{"role": "user", "content": "Send it"}, {"role": "assistant", "content": "I have sent it."}]
    given = {"schema_version": 3, "history": history, "is_complete": True, "final_answer": "I have sent it."}
    output = stepped(state_json=json.dumps({**given, "agent": AGENT}))
    assert ("done", None) == (output["decision"]["type"], acts(output["decision"]))
