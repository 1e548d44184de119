"""Checks of the answer: judged once the answer has its form, sent back once, then an open failure."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import call, final, said, tool
from tests.core.driver import Driver, stepped

NAMES: dict[str, Any] = {
    "answer_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
    "checks": [{"schema": {"properties": {"names": {"maxItems": 2}}}}, {"not": {"pattern": "Eve"}}],
}
TEXT: dict[str, Any] = {"checks": [{"pattern": "^[^\\n]*$"}, {"not": {"pattern": "maybe"}}]}
COUNTED: dict[str, Any] = {"checks": ["values"], "tools": [tool("count")]}


def test_answer_that_holds_is_taken() -> None:
    """An answer that each check accepts is done."""
    decision = Driver(NAMES).send(said(final({"names": ["Ann", "Bob"]})))
    assert ("done", {"names": ["Ann", "Bob"]}) == (decision["type"], decision["data"])


def test_rejected_answer_is_sent_back_once_then_the_run_fails() -> None:
    """The cause is `postcondition`; the failure says which check failed and what was wrong last."""
    driver = Driver(NAMES)
    driver.send(said(final({"names": ["Eve"]})))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert "the answer is what it must not be (pattern)" in driver.prompt()[-1]["content"]
    assert ["postcondition"] == [event["cause"] for event in driver.events("correction")]
    driver.send(said(final({"names": ["Eve", "Ann"]})))
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])
    assert "not" == driver.decision["detail"]["check"]
    message = driver.decision["message"]
    assert message.startswith("the answer did not meet a condition, also after feedback")
    assert message.endswith("; ask in another way, or change what the answer is held to")


def test_corrected_answer_is_taken() -> None:
    """The answer after the correction is what was asked for, and no answer to a rejected output."""
    driver = Driver(NAMES)
    driver.send(said(final({"names": ["Eve"]})))
    assert "done" == driver.send(said(final({"names": ["Ann"]})))["type"]


@pytest.mark.parametrize(("names", "check"), [(["Eve", "Ann", "Bob"], "schema"), (["Eve"], "not")])
def test_first_rejection_in_the_order_of_the_definition_wins(names: list[str], check: str) -> None:
    """One reason is told: that of the first check that does not accept."""
    driver = Driver({**NAMES, "limits": {"max_corrections": 0}})
    driver.send(said(final({"names": names})))
    assert check == driver.decision["detail"]["check"]


def test_form_comes_before_checks() -> None:
    """Checks see the data, so an answer has its form first."""
    driver = Driver({**NAMES, "limits": {"max_corrections": 0}})
    assert "answer_schema" == driver.send(said(final("Eve")))["code"]


def test_values_of_accepted_results_count() -> None:
    """What a tool said in the exchange may be answered, also if it was called after the correction."""
    driver = Driver(COUNTED, "How many are there?")
    driver.send(said(call("count")))
    driver.give_all(120)
    driver.send(said(final("There are 7120.")))
    assert ("correction", "guardrail") == (driver.decision["reason"], driver.decision["cause"])
    driver.send(said(call("count", all=True)))
    driver.give_all({"n": 7120})
    assert "done" == driver.send(said(final("There are 7,120.")))["type"]


def test_answer_after_a_rejected_output_still_fails_at_once() -> None:
    """The correction of a tool's output asks for another call, whatever checks the answer has."""
    spec = tool("find", checks=[{"not": {"pattern": "wrong"}}])
    driver = Driver({**NAMES, "tools": [spec]})
    driver.send(said(call("find")))
    driver.give_all("wrong")
    driver.send(said(final({"names": ["Ann"]})))
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])
    assert "without an accepted result" in driver.decision["message"]


def test_each_of_both_has_its_own_correction() -> None:
    """A rejected output after a rejected answer is corrected too."""
    spec = tool("find", checks=[{"not": {"pattern": "wrong"}}])
    driver = Driver({**NAMES, "tools": [spec]})
    driver.send(said(final({"names": ["Eve"]})))
    driver.send(said(call("find")))
    assert "correction" == driver.give_all("wrong")["reason"]
    driver.send(said(call("find")))
    assert "tool_results" == driver.give_all("right")["reason"]
    assert "done" == driver.send(said(final({"names": ["Ann"]})))["type"]


def test_text_answer_is_judged_as_text() -> None:
    """Without an answer schema the answer's text is judged."""
    assert "done" == Driver(TEXT).send(said(final("yes")))["type"]
    assert "correction" == Driver(TEXT).send(said(final("yes\nno")))["reason"]


def test_larger_model_is_tried_before_the_run_fails() -> None:
    """A wrong answer is the model's fault, so it escalates as a wrong form does."""
    driver = Driver({**TEXT, "models": [{"name": "small"}, {"name": "large"}]})
    driver.send(said(final("maybe")))
    driver.send(said(final("maybe")))
    assert ("escalate", "postcondition", "large") == (
        driver.decision["reason"],
        driver.decision["cause"],
        driver.decision["model"],
    )


def test_rejected_answer_counts_as_no_answer_in_a_negotiation() -> None:
    """The rules that change how an answer is asked for are those that apply."""
    rules = [{"cause": "no_answer", "move": "dialect", "count": 1, "to": "tool_tags"}]
    driver = Driver({**TEXT, "tools": [tool("find")], "policies": [{"use": "negotiation", "rules": rules}]})
    driver.send(said(final("maybe")))
    assert ("switch", "postcondition") == (driver.decision["reason"], driver.decision["cause"])


def test_run_over_messages_from_elsewhere_knows_what_they_say() -> None:
    """The words of a history that another program wrote are the user's words, so that a number in them is no news."""
    history = [{"role": "user", "content": "I have 512."}, {"role": "assistant", "content": "And 768 too."}]
    for number, expected in (("512", "done"), ("640", "done"), ("768", "call_model")):
        state = json.loads(purestep.create_agent_state("And 640?", json.dumps(COUNTED)))
        state["history"] = [*history, *state["history"]]
        asked = stepped(state_json=json.dumps(state), observation=said(call("count")))
        given = {"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": "none of 999"}]}
        counted = stepped(state_json=asked["state_json"], observation=given)
        output = stepped(state_json=counted["state_json"], observation=said(final(f"There are {number}.")))
        assert expected == output["decision"]["type"]


def test_replay_gives_the_same_state() -> None:
    """What is kept is derived from the facts of the log."""
    driver = Driver(COUNTED, "How many?")
    driver.send(said(call("count")))
    driver.give_all(["Eve", 7120])
    replayed = purestep.replay_log(driver.log)
    assert driver.state == json.loads(replayed)["state"]


@pytest.mark.parametrize(
    ("check", "path"),
    [
        ({"tool": "count", "params": {"a": "/arguments/a"}}, "/params/a"),
        ("plausibility", ""),
        ({"use": "values", "tools": ["count"]}, "/tools"),
        ({"use": "obligation", "tools": ["nobody"]}, "/tools"),
        ({"any": ["planning", {"pattern": "a"}]}, "/any/0"),
        ({"not": {"use": "citations"}}, "/not/use"),
    ],
)
def test_wrong_checks_of_the_answer_are_refused_with_their_path(check: Any, path: str) -> None:
    """An answer has no arguments; a check of outputs is none of answers; one of the exchange stands at the top."""
    count = tool("count", {"a": {}}, annotations={"readOnlyHint": True})
    error = Driver({"tools": [count], "checks": [check]}).send({"type": "user_message", "content": "x"})
    assert ("invalid_agent", f"/checks/0{path}") == (error["code"], error["path"])
