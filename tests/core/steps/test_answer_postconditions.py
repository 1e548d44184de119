"""Postconditions of the answer: judged once the answer has its form, sent back once, then an open failure."""

import json
from typing import Any

import purestep
from tests.core.agents import call, final, said, tool
from tests.core.driver import Driver, stepped

NAMES: dict[str, Any] = {
    "answer_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
    "answer_postconditions": [{"occurs": {"values": "/output/names", "in": ["question", "results"]}}],
    "guardrails": [],
}
TEXT: dict[str, Any] = {"answer_postconditions": [{"lines": {"max": 1}}, {"excludes": "maybe"}], "guardrails": []}


def test_answer_that_holds_is_taken() -> None:
    """An answer whose values stand in the question is done, in any case."""
    decision = Driver(NAMES, "Who are ANN and Bob?").send(said(final({"names": ["Ann", "bob"]})))
    assert ("done", {"names": ["Ann", "bob"]}) == (decision["type"], decision["data"])


def test_invented_value_is_sent_back_once_then_the_run_fails() -> None:
    """The cause is `postcondition`; the failure says which checks failed and what was wrong last."""
    driver = Driver(NAMES, "Who are Ann and Bob?")
    driver.send(said(final({"names": ["Ann", "Eve"]})))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    told = driver.prompt()[-1]["content"]
    assert '"Eve" (/output/names) does not stand in the user\'s words or the results' in told
    assert ["postcondition"] == [event["cause"] for event in driver.events("correction")]
    driver.send(said(final({"names": ["Mallory"]})))
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])
    assert ["postcondition:occurs"] == driver.decision["detail"]["checks"]
    assert "Mallory" in driver.decision["detail"]["last"]
    message = driver.decision["message"]
    assert message.startswith("the answer broke a postcondition, also after feedback")
    assert message.endswith("; ask in another way, or change what the answer is held to")


def test_corrected_answer_is_taken() -> None:
    """The answer after the correction is what was asked for, and no answer to a rejected output."""
    driver = Driver(NAMES, "Who are Ann and Bob?")
    driver.send(said(final({"names": ["Eve"]})))
    assert "done" == driver.send(said(final({"names": ["Ann"]})))["type"]


def test_values_of_accepted_results_count() -> None:
    """What a tool said in the exchange may be answered, also if it was called after the correction."""
    driver = Driver({**NAMES, "tools": [tool("find")]}, "Who is there?")
    driver.send(said(final({"names": ["Eve"]})))
    driver.send(said(call("find")))
    driver.give_all([{"name": "Eve"}])
    assert "done" == driver.send(said(final({"names": ["Eve"]})))["type"]


def test_answer_after_a_rejected_output_still_fails_at_once() -> None:
    """The correction of a tool's output asks for another call, whatever postconditions the answer has."""
    spec = tool("find", postconditions=[{"excludes": "wrong"}])
    driver = Driver({**NAMES, "tools": [spec]}, "Ann?")
    driver.send(said(call("find")))
    driver.give_all("wrong")
    driver.send(said(final({"names": ["Ann"]})))
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])
    assert "without an accepted result" in driver.decision["message"]


def test_each_of_both_has_its_own_correction() -> None:
    """A rejected output after a rejected answer is corrected too."""
    spec = tool("find", postconditions=[{"excludes": "wrong"}])
    driver = Driver({**NAMES, "tools": [spec]}, "Ann?")
    driver.send(said(final({"names": ["Eve"]})))
    driver.send(said(call("find")))
    assert "correction" == driver.give_all("wrong")["reason"]
    driver.send(said(call("find")))
    assert "tool_results" == driver.give_all("right")["reason"]
    assert "done" == driver.send(said(final({"names": ["Ann"]})))["type"]


def test_all_broken_postconditions_are_named_together() -> None:
    """One correction has to be enough, so it holds everything that is wrong."""
    driver = Driver(TEXT)
    driver.send(said(final("maybe\nnot")))
    told = driver.prompt()[-1]["content"]
    assert "the answer has 2 lines; expected at most 1; the answer holds" in told
    driver.send(said(final("maybe\nnot")))
    assert ["postcondition:lines", "postcondition:excludes"] == driver.decision["detail"]["checks"]


def test_text_answer_is_judged_as_text() -> None:
    """Without an answer schema the answer's text is the output."""
    assert "done" == Driver(TEXT).send(said(final("yes")))["type"]
    pointed = {"answer_postconditions": [{"occurs": {"values": {"value": 1}, "in": ["output"]}}]}
    assert (
        "invalid_agent" == stepped(agent=pointed, observation={"type": "user_message", "content": "x"})["error"]["code"]
    )


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


def test_broken_postcondition_counts_as_no_answer_in_a_negotiation() -> None:
    """The rules that change how an answer is asked for are those that apply."""
    rules = [{"cause": "no_answer", "move": "dialect", "count": 1, "to": "tool_tags"}]
    driver = Driver({**TEXT, "tools": [tool("find")], "negotiation": rules})
    driver.send(said(final("maybe")))
    assert ("switch", "postcondition") == (driver.decision["reason"], driver.decision["cause"])


def test_run_over_messages_from_elsewhere_knows_what_they_say() -> None:
    """The words of a history that another program wrote are the user's words."""
    history = [{"role": "user", "content": "Ann is here."}, {"role": "assistant", "content": "Eve too."}]
    state = json.loads(purestep.create_agent_state("And Bob?", json.dumps(NAMES)))
    state["history"] = [*history, *state["history"]]
    for name, expected in (("Ann", "done"), ("Bob", "done"), ("Eve", "call_model")):
        output = stepped(state_json=json.dumps(state), observation=said(final({"names": [name]})))
        assert expected == output["decision"]["type"]


def test_replay_gives_the_same_state() -> None:
    """What is kept is derived from the facts of the log."""
    driver = Driver({**NAMES, "tools": [tool("find")]}, "Who is there?")
    driver.send(said(call("find")))
    driver.give_all(["Eve"])
    replayed = purestep.replay_log(driver.log)
    assert driver.state == json.loads(replayed)["state"]


def test_wrong_postconditions_of_the_answer_are_refused_with_their_path() -> None:
    """An answer has no arguments."""
    for check, path in (
        ({"mentions": "city"}, "/mentions"),
        ({"compare": {"left": "/arguments/a", "is": "equal", "right": {"value": 1}}}, "/compare/left"),
        ({"occurs": {"values": "/output", "in": ["/arguments/a"]}}, "/occurs/in/0"),
        ({"lines": {}}, "/lines"),
    ):
        error = Driver({"answer_postconditions": [check]}).send({"type": "user_message", "content": "x"})
        assert ("invalid_agent", f"/answer_postconditions/0{path}") == (error["code"], error["path"])
