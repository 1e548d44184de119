"""Calls whose outcome nobody knows: never said to have been left out, never run again unless that is harmless."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import agent, answer, approvals, call, failure, listed, result, results, said, tool
from tests.core.driver import Driver

LOOK = tool("look", annotations={"readOnlyHint": True})
SET = tool("set", annotations={"idempotentHint": True})
SEND = tool("send")
CANCEL = {"type": "cancel", "reason": "Ctrl-C"}
RESUMED = {"type": "resumed"}
UNKNOWN = "it may have run"


def running(*names: str, **members: Any) -> Driver:
    """Return a run that has handed out one call of each of these tools."""
    driver = Driver(agent(tools=[LOOK, SET, SEND], **members))
    driver.send(said(listed(*map(call, names))))
    return driver


def verified(driver: Driver) -> bool:
    """Whether a run's log verifies and replays to its state."""
    assert driver.state is not None
    replayed = json.loads(purestep.replay_log(driver.log))
    assert driver.state == replayed["state"]
    return bool(json.loads(purestep.verify_log(driver.log, driver.state["head"]))["ok"])


def test_interrupted_result_is_told_as_such() -> None:
    """The model reads that the call may have run, and what the host says of it."""
    driver = running("send")
    decision = driver.send(results(failure("call_1", "the host was stopped", "interrupted")))
    assert ("call_model", True) == (decision["type"], verified(driver))
    assert "interrupted; it may have run: the host was stopped" in driver.messages[-1]["content"]


@pytest.mark.parametrize(
    "words", ["send did not end within 60 seconds; it may have run", "send ran; its result cannot be used: no JSON"]
)
def test_what_a_host_knows_of_a_call_is_told_as_it_says_it(words: str) -> None:
    """Its words are not told twice, and not against what they say."""
    driver = running("send")
    driver.send(results(failure("call_1", words, "interrupted")))
    assert words in driver.messages[-1]["content"]
    assert "interrupted; it may have run" not in driver.messages[-1]["content"]


def test_results_stand_before_the_cancellation() -> None:
    """What came before a cancel is recorded as a result; the rest is unknown."""
    driver = running("look", "send")
    driver.send(results(result("call_1", "a view"), failure("call_2", "", "interrupted")))
    decision = driver.send(CANCEL)
    told = [message["content"] for message in driver.messages[-1:]]
    assert ("failed", "cancelled", True) == (decision["type"], decision["code"], verified(driver))
    assert ["tool_result", "tool_result", "cancelled"] == [
        kind for kind in driver.kinds() if kind in ("tool_result", "cancelled")
    ]
    assert ("a view" in told[0], UNKNOWN in told[0], "was not run" in told[0]) == (True, True, False)


def test_cancel_while_calls_run_says_that_they_may_have_run() -> None:
    """A host that cancels without results leaves what it was told to run unknown; what is behind that has not run."""
    driver = running("send", "look", "set", limits={"max_parallel": 2})
    driver.send(CANCEL)
    told = driver.messages[-1]["content"]
    assert (True, True, True) == (
        f"send was interrupted; {UNKNOWN}" in told,
        f"look was interrupted; {UNKNOWN}" in told,
        "set was not run: the run was cancelled" in told,
    )


def test_resumed_run_asks_about_what_may_have_run() -> None:
    """Without a hint that repeating is harmless, a person is asked, with the reason and the same key."""
    driver = running("send")
    (key,) = [entry["key"] for entry in driver.decision["calls"]]
    decision = driver.send(RESUMED)
    (entry,) = decision["calls"]
    assert ("request_approval", "outcome_unknown", key) == (decision["type"], entry["reason"], entry["key"])
    assert (["resumed", "approval_request"], True) == (driver.kinds()[-2:], verified(driver))
    assert ("invoke_tool", key) == (driver.answer_all(True)["type"], driver.decision["key"])
    assert verified(driver)


@pytest.mark.parametrize("name", ["look", "set"])
def test_harmless_call_runs_again_unasked(name: str) -> None:
    """A tool that reads, or whose repetition changes nothing, is handed out again."""
    driver = running(name)
    before = driver.decision
    assert before == driver.send(RESUMED)
    assert ("resumed", True) == (driver.kinds()[-1], verified(driver))


@pytest.mark.parametrize("name", ["look", "set"])
def test_harmless_call_that_lost_three_hosts_is_asked_about(name: str) -> None:
    """It is likely what stops them: a person decides, also about each later attempt, and others are not counted."""
    driver = running(name)
    driver.send(RESUMED)
    assert "invoke_tool" == driver.send(RESUMED)["type"]
    decision = driver.send(RESUMED)
    (entry,) = decision["calls"]
    assert ("request_approval", "outcome_unknown") == (decision["type"], entry["reason"])
    assert ("invoke_tool", entry["key"]) == (driver.answer_all(True)["type"], driver.decision["key"])
    assert "request_approval" == driver.send(RESUMED)["type"]
    assert "invoke_tool" == driver.answer_all(True)["type"]
    driver.send(results(result("call_1", "a view")))
    driver.send(said(call(name)))
    assert ("invoke_tool", True) == (driver.send(RESUMED)["type"], verified(driver))


def test_bare_form_knows_no_harmless_call() -> None:
    """Without a definition nothing says that a call may be repeated."""
    driver = Driver(None)
    driver.send(said('{"tool":"look"}'))
    assert "request_approval" == driver.send(RESUMED)["type"]


def test_approval_given_before_does_not_count_again() -> None:
    """A call that a person has approved is asked about again after the host was stopped."""
    driver = Driver(agent())
    driver.send(said(call("shell", command="ls")))
    driver.answer_all(True)
    assert ("request_approval", True) == (driver.send(RESUMED)["type"], verified(driver))


def test_only_what_was_handed_out_is_asked_about() -> None:
    """Calls past `max_parallel` cannot have begun, so they run as they would have."""
    driver = running("send", "send", limits={"max_parallel": 1})
    decision = driver.send(RESUMED)
    assert ["call_1"] == [entry["call_id"] for entry in decision["calls"]]
    driver.answer_all(False)
    assert ["call_2"] == list(driver.calls())


def test_refused_repetition_is_told_and_not_asked_again() -> None:
    """The model reads that the call may have run and that nobody repeats it; the same call is barred."""
    driver = running("send")
    driver.send(RESUMED)
    driver.answer_all(False, reason="once is enough")
    told = driver.messages[-1]["content"]
    assert (True, True) == (UNKNOWN in told, "once is enough" in told)
    driver.send(said(call("send")))
    assert ("call_model", True) == (driver.decision["type"], verified(driver))


@pytest.mark.parametrize("name", ["look", "set"])
@pytest.mark.parametrize("late", [False, True], ids=["cancelled", "past the deadline"])
def test_harmless_calls_stay_unknown_while_a_person_is_asked_about_others(name: str, late: bool) -> None:
    """What was handed out and would run again without a question may have run too, if the run ends before it does."""
    driver = Driver(agent(tools=[LOOK, SET, SEND], limits={"max_parallel": 2, "deadline_ms": 1000}), at=0)
    driver.send(said(listed(call("send"), call(name), call("look"))))
    (entry,) = driver.send(RESUMED)["calls"]
    assert "call_1" == entry["call_id"]
    driver.send(approvals(answer(entry, True), at=5000) if late else CANCEL)
    told = driver.messages[-1]["content"]
    assert (True, True, True) == (
        f"send was interrupted; {UNKNOWN}" in told,
        f"{name} was interrupted; {UNKNOWN}" in told,
        "look was not run: " in told,
    )
    assert verified(driver)


def test_harmless_calls_run_again_once_a_person_has_answered_about_others() -> None:
    """They wait for the answer and are not asked about, and a state that says so of them is taken back."""
    driver = running("send", "set")
    (entry,) = driver.send(RESUMED)["calls"]
    decision = driver.answer_all(False)
    assert ("send", "invoke_tool", ["call_2"]) == (
        entry["tool"],
        decision["type"],
        [each["call_id"] for each in decision["calls"]],
    )
    assert "call_model" == driver.send(results(result("call_2", "set to five")))["type"]
    assert verified(driver)


def test_an_edit_is_told_to_the_model_after_the_question_came_again() -> None:
    """A yes to arguments that a person wrote before the host was stopped does not make them the model's own."""
    to = {"type": "object", "properties": {"to": {"type": "string"}}}
    driver = Driver(agent(tools=[tool("mail", parameters=to, approval="ask")]))
    driver.send(said(call("mail", to="ann")))
    driver.answer_all(True, params={"to": "bob"})
    driver.send(RESUMED)
    assert {"to": "bob"} == driver.answer_all(True)["params"]
    driver.give_all("It was sent.")
    assert "bob" in driver.messages[-1]["content"]
    assert verified(driver)


@pytest.mark.parametrize("approved", [None, True])
def test_what_may_have_run_stays_unknown_until_it_has_a_result(approved: bool | None) -> None:
    """A cancel after the resumption does not say that the call was not run."""
    driver = running("send")
    driver.send(RESUMED)
    if approved:
        driver.answer_all(True)
    driver.send(CANCEL)
    assert f"send was interrupted; {UNKNOWN}" in driver.messages[-1]["content"]


def test_deadline_after_the_question_leaves_the_call_unknown() -> None:
    """A run that fails while an unknown call waits says no more than is known."""
    driver = Driver(agent(tools=[SEND], limits={"deadline_ms": 10}), at=0)
    driver.send({**said(call("send")), "at": 1})
    driver.send({**RESUMED, "at": 5})
    decision = driver.send(approvals(*(answer(entry, True) for entry in driver.decision["calls"]), at=99))
    assert ("deadline", True) == (decision["code"], UNKNOWN in driver.messages[-1]["content"])


@pytest.mark.parametrize("phase", ["model", "approval", "done"])
def test_only_running_calls_can_be_resumed(phase: str) -> None:
    """Where nothing was handed out, the decision that stands is carried out as it is."""
    driver = Driver(agent())
    if phase == "approval":
        driver.send(said(call("shell", command="ls")))
    if phase == "done":
        driver.send(said('{"kind":"final","content":"Hello."}'))
    assert "wrong_phase" == driver.send(RESUMED)["code"]


def failing(*names: str, **members: Any) -> Driver:
    """Return a run whose definition has it fail where an outcome is unknown."""
    return running(*names, approval={"unknown_outcome": "fail"}, **members)


def test_a_policy_has_the_run_fail_where_an_outcome_is_unknown() -> None:
    """The failure names the call and what a person can do; no call is said to have been left out that may have run."""
    driver = failing("look", "send", "send", limits={"max_parallel": 2})
    decision = driver.send(RESUMED)
    assert ("failed", "outcome_unknown") == (decision["type"], decision["code"])
    assert "send (call_2) ran" in decision["message"]
    assert "look what it did" in decision["message"]
    assert [{"call_id": "call_2", "tool": "send"}] == [
        {name: entry[name] for name in ("call_id", "tool")} for entry in decision["detail"]["calls"]
    ]
    told = driver.messages[-1]["content"].split("\n\n")
    assert [UNKNOWN in each for each in told] == [True, True, False]
    assert (["resumed", "run_failed"], True) == (driver.kinds()[-2:], verified(driver))
    assert "call_model" == driver.send({"type": "user_message", "content": "It was sent. Go on."})["type"]


@pytest.mark.parametrize("name", ["look", "set"])
def test_a_harmless_call_runs_again_under_the_same_key_whatever_the_policy(name: str) -> None:
    """Nothing can go wrong by it, so nothing fails."""
    driver = failing(name)
    before = driver.decision
    assert before == driver.send(RESUMED)
    assert ("invoke_tool", before["key"]) == (driver.decision["type"], driver.decision["calls"][0]["key"])


def test_a_call_that_was_not_handed_out_does_not_fail_the_run() -> None:
    """Behind `max_parallel` nothing has begun."""
    driver = failing("look", "send", limits={"max_parallel": 1})
    assert ["call_1"] == [each["call_id"] for each in driver.send(RESUMED)["calls"]]


def test_the_default_policy_is_to_ask() -> None:
    """Written out it means the same; another word is refused with its path."""
    driver = running("send", approval={"unknown_outcome": "ask"})
    assert "request_approval" == driver.send(RESUMED)["type"]
    error = json.loads(purestep.load_agent('{"approval": {"unknown_outcome": "retry"}}'))["error"]
    assert ("invalid_agent", "/approval/unknown_outcome") == (error["code"], error["path"])
