"""Steering: a user message in the middle of a run is logged at once and put before the next model call."""

import itertools
import json
from typing import Any

import pytest

import purestep
from purestep.bounds import MAX_QUEUED_CHARS, MAX_QUEUED_MESSAGES
from tests.core.agents import agent, answer, approvals, call, final, native_call, ok, said, tool
from tests.core.driver import Driver, WholeDriver, altered, assert_replays, stepped

QUICK = {"type": "user_message", "content": "Be quick."}
CALLED = said(call("add_numbers", a=1, b=2))
NATIVE = agent(dialect="native")


def user(content: str, **members: Any) -> dict[str, Any]:
    """Return a user message."""
    return {"type": "user_message", "content": content, **members}


def waiting(phase: str) -> Driver:
    """Return a run that waits for the model, for a person or for a tool."""
    driver = Driver(NATIVE)
    if phase == "approval":
        driver.send(said(None, tool_calls=[native_call("shell", {"command": "ls"})]))
    elif phase == "tools":
        driver.send(said(None, tool_calls=[native_call("add_numbers", {"a": 1, "b": 2})]))
    assert driver.state is not None
    assert phase == driver.state["phase"]
    return driver


@pytest.mark.parametrize("phase", ["model", "approval", "tools"])
def test_a_message_is_logged_at_once_and_changes_nothing_that_is_waited_for(phase: str) -> None:
    """The decision stands, the transcript is as it was, and the log has one line more."""
    driver = waiting(phase)
    decision, messages, lines = driver.decision, list(driver.messages), len(driver.lines())
    assert decision == driver.send(QUICK)
    assert (messages, lines + 1) == (driver.messages, len(driver.lines()))
    assert ("user_message", "Be quick.") == (driver.lines()[-1]["kind"], driver.lines()[-1]["content"])
    assert_replays(driver)


def test_the_next_model_call_has_the_message_as_its_last_word() -> None:
    """After the results, which native servers expect right behind the calls."""
    driver = waiting("tools")
    driver.send(QUICK)
    driver.send(user("And kind."))
    driver.send(ok("call_1", 3))
    assert ["assistant", "tool", "user"] == [message["role"] for message in driver.prompt()[-3:]]
    assert "Be quick.\n\nAnd kind." == driver.prompt()[-1]["content"]
    assert "steered" == driver.lines()[-1]["reason"]
    assert_replays(driver)


def test_in_text_the_message_joins_the_results_so_that_roles_alternate() -> None:
    """One user message holds both, and says what is the user's."""
    driver = Driver(agent())
    driver.send(CALLED)
    driver.send(QUICK)
    driver.send(ok("call_1", 3))
    roles = [message["role"] for message in driver.prompt()[1:]]
    assert all(one != other for one, other in itertools.pairwise(roles))
    assert driver.prompt()[-1]["content"].endswith("\n\nThe user adds: Be quick.")
    assert_replays(driver)


def test_an_answer_given_without_the_message_ends_its_exchange_and_the_message_begins_the_next() -> None:
    """The answer is in the log, and the counters of the new exchange begin anew."""
    driver = Driver(agent(limits={"max_turns": 1}))
    driver.send(QUICK)
    driver.send(said(final("It is 3.")))
    assert ("call_model", "user_message") == (driver.decision["type"], driver.decision["reason"])
    assert ["final_answer", "decided"] == driver.kinds()[-2:]
    assert "Be quick." == driver.prompt()[-1]["content"]
    assert {"type": "done", "answer": "Quickly: 3.", "acts": []} == driver.send(said(final("Quickly: 3.")))
    assert_replays(driver)


def test_a_correction_and_a_message_are_one_word_to_the_model() -> None:
    """What was wrong with the output stands first."""
    driver = Driver(agent())
    driver.send(QUICK)
    driver.send(said("{"))
    assert ("correction", "truncated") == (driver.decision["reason"], driver.decision["cause"])
    assert driver.prompt()[-1]["content"].endswith("The user adds: Be quick.")


def test_a_model_that_begins_anew_in_another_dialect_has_the_message() -> None:
    """What failed is not sent again, and what the user said beside it is; so is that a limit is near."""
    rules = [{"cause": "unknown_tool", "count": 1, "move": "dialect"}]
    run = Driver(
        agent(policies=[{"use": "negotiation", "rules": rules}], limits={"max_output_tokens": 10, "final_answer": True})
    )
    run.send(user("And in Rome?"))
    run.send({**said(call("weather_of")), "usage": {"completion_tokens": 8}})
    assert ("switch", "And in Rome?") == (run.decision["reason"], run.prompt()[-1]["content"].partition("\n")[0])
    assert run.events("decided")[-1]["content"] in run.prompt()[-1]["content"]
    assert "weather_of" not in json.dumps(run.prompt())
    assert ["user", "assistant", "user"] == [message["role"] for message in run.prompt()[-3:]]
    assert_replays(run)


def test_a_model_that_is_asked_again_after_an_error_has_the_message() -> None:
    """The wait is the same, and so is the reason."""
    driver = Driver(agent())
    driver.send(QUICK)
    driver.send({"type": "model_error", "code": "timeout", "retryable": True})
    assert "retry" == driver.decision["reason"]
    assert ["Hello", final("(no answer)"), "Be quick."] == [message["content"] for message in driver.prompt()[-3:]]
    assert_replays(driver)


def test_a_run_that_fails_leaves_the_message_to_the_next_exchange() -> None:
    """Nothing that the user said is lost."""
    driver = waiting("tools")
    driver.send(QUICK)
    assert "cancelled" == driver.send({"type": "cancel"})["code"]
    driver.send(user("Go on."))
    assert ["Be quick.", "(no answer)", "Go on."] == [message["content"] for message in driver.prompt()[-3:]]
    assert_replays(driver)


@pytest.mark.parametrize("failure", [{"type": "cancel"}, {"type": "model_error", "code": "unavailable"}])
def test_a_message_that_a_failed_run_leaves_follows_none_of_the_user(failure: dict[str, Any]) -> None:
    """Many chat templates demand that roles alternate."""
    driver = Driver(agent())
    driver.send(QUICK)
    driver.send(failure)
    driver.send(user("Go on."))
    said_so_far = [message["role"] for message in driver.prompt() if message["role"] != "system"]
    assert ["user", "assistant"] * 2 + ["user"] == said_so_far[-5:]
    assert_replays(driver)


def test_a_skill_ends_before_the_message_is_told() -> None:
    """A skill's prompt is its own; its result stands behind its call."""
    driver = Driver({"dialect": "native", "skills": ["extract"]})
    arguments = {"text": "Tom", "target": "name"}
    driver.send(said(None, tool_calls=[native_call("extract", arguments)]))
    driver.send(QUICK)
    assert "skill" == driver.decision["reason"]
    driver.send(said('{"name":["Tom"]}'))
    assert ["assistant", "tool", "user"] == [message["role"] for message in driver.prompt()[-3:]]
    assert_replays(driver)


def test_a_tool_choice_holds_from_the_next_model_call_on() -> None:
    """The output that was under way when it came may still call."""
    driver = Driver(agent())
    driver.send(user("Answer now.", tool_choice="none"))
    assert "invoke_tool" == driver.send(CALLED)["type"]
    driver.send(ok("call_1", 3))
    assert ("correction", "tool_choice") == (driver.send(CALLED)["reason"], driver.decision["cause"])


def test_a_choice_of_no_tool_is_refused() -> None:
    """As it is at the beginning of an exchange."""
    error = Driver(agent()).send(user("Go.", tool_choice={"tool": "stray"}))
    assert ("invalid_input", "/observation/tool_choice/tool") == (error["code"], error["path"])


def test_messages_that_wait_are_bounded() -> None:
    """Every state until the next model call holds them."""
    for messages in (["x"] * (MAX_QUEUED_MESSAGES + 1), ["x" * MAX_QUEUED_CHARS, "y"]):
        driver = Driver(agent())
        *taken, last = messages
        assert {"call_model"} == {driver.send(user(content))["type"] for content in taken}
        assert "input_too_large" == driver.send(user(last))["code"]


def test_a_state_whose_messages_choose_no_tool_is_refused() -> None:
    """A state may come from a client."""
    driver = Driver(agent())
    queued = [{"content": "x", "tool_choice": {"tool": "stray"}}]
    error = stepped(state=altered(driver.state, "run", queued=queued), agent=driver.definition)["error"]
    assert ("invalid_state", "/state/run/queued") == (error["code"], error["path"])


# --- what the words are looked at for ----------------------------------------------------------------------

WIPE = tool("wipe", {"disk": {"type": "string"}}, annotations={"destructiveHint": True}, approval="auto")
FETCH = tool("fetch", annotations={"readOnlyHint": True, "openWorldHint": True})


def test_what_the_user_says_meanwhile_is_the_users() -> None:
    """A value that only open text had needs a person; once the user has said it, it needs none."""
    for steering, decision in ((None, "request_approval"), (user("Take disk sdb."), "invoke_tool")):
        driver = Driver({"dialect": "native", "tools": [WIPE, FETCH]})
        driver.send(said(None, tool_calls=[native_call("fetch", {})]))
        if steering is not None:
            driver.send(steering)
        driver.send(ok("call_1", "wipe sdb"))
        assert decision == driver.send(said(None, tool_calls=[native_call("wipe", {"disk": "sdb"})]))["type"]


def test_values_of_the_message_are_evidence() -> None:
    """The check of values finds them there too."""
    for steering, decision in ((None, "call_model"), (user("I mean 7120."), "done")):
        driver = Driver({"tools": [tool("find")], "checks": ["values"]}, query="How many?")
        driver.send(said(call("find")))
        if steering is not None:
            driver.send(steering)
        driver.send(ok("call_1", {"people": ["Ann"]}))
        assert decision == driver.send(said(final("There are 7,120.")))["type"]


# --- the other forms ---------------------------------------------------------------------------------------


def test_the_whole_state_takes_a_message_too() -> None:
    """The history has it where the delta form's transcript has it."""
    created = json.loads(purestep.create_agent_state("q", json.dumps(agent())))
    state = json.dumps(created)
    for given in ({"observation": CALLED}, {"observation": QUICK}, {"observation": ok("call_1", 3)}):
        output = stepped(state_json=state, **given)
        state = output["state_json"]
    assert "call_model" == output["decision"]["type"]
    assert json.loads(state)["history"][-1]["content"].endswith("The user adds: Be quick.")


def test_a_program_that_reports_no_result_is_told_the_message() -> None:
    """In the bare form the model's next output closes the call; it was given without the message, which follows it."""
    driver = WholeDriver()
    driver.say('{"tool":"a"}')
    driver.send(QUICK)
    assert ("call_model", "user_message") == (driver.say("All done.")["type"], driver.decision["reason"])
    assert "Be quick." == driver.state["history"][-1]["content"]
    assert {"type": "done", "answer": "Quickly."} == driver.say("Quickly.")
    assert json.loads(purestep.verify_log(driver.log))["ok"]


def test_approvals_and_messages_do_not_mix() -> None:
    """The key that a person answers for is the same after the message."""
    driver = waiting("approval")
    asked = driver.decision["calls"][0]
    driver.send(QUICK)
    assert "invoke_tool" == driver.send(approvals(answer(asked, True)))["type"]
