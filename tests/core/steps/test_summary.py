"""What no longer fits is summed up by the model where the definition asks for it, and left out where that fails."""

import json
from itertools import pairwise
from typing import Any

import pytest

import purestep
from tests.core.agents import ADD, call, final, ok, said
from tests.core.driver import Driver, WholeDriver, stepped

WINDOW = 2000
SAID = "Three numbers were added: 1, 2 and 3. The user wants their names too."


def _definition(**members: Any) -> dict[str, Any]:
    models = [{"name": "small", "window_tokens": WINDOW}]
    return {"tools": [ADD], "models": models, "policies": [{"use": "summary"}], "limits": {"max_turns": 100}, **members}


def _turn(driver: Driver, output: str) -> dict[str, Any]:
    number = driver.state["run"]["calls"] + 1
    driver.send(said(call("add_numbers", a=number, b=number)))
    return driver.send(ok(f"call_{number}", output))


def _asked(driver: Driver | None = None, text: str = "word ", **members: Any) -> Driver:
    """Return a run whose model is asked for a summary."""
    driver = driver or Driver(_definition(**members), query="the task")
    while driver.decision["reason"] != "summary":
        _turn(driver, text * 60)
    return driver


def _contents(driver: Driver) -> list[str]:
    return [message["content"] for message in driver.prompt()]


def _switches(driver: Driver) -> list[tuple[str, str]]:
    return [(event["what"], event["cause"]) for event in driver.events("switched")]


def test_model_is_asked_to_sum_up_what_is_left_out() -> None:
    """It is shown the task and the turns that go, without head, tools and constraint, and with a limit of tokens."""
    driver = _asked()
    decision, prompt = driver.decision, driver.prompt()
    assert {"type", "prompt", "reason", "model", "sampling"} == decision.keys()
    assert {"max_tokens": 187} == decision["sampling"]
    assert ["user", "assistant", "user"] == [message["role"] for message in prompt[:3]]
    assert "the task" == prompt[0]["content"]
    assert ["assistant", "user"] == [message["role"] for message in prompt[-2:]]
    assert prompt[-1]["content"].startswith("Sum up the conversation above for yourself: it will be removed.")
    assert [("prompt", "window"), ("summary", "window")] == _switches(driver)
    shown = len(prompt) - 3
    assert shown == driver.events("switched")[0]["dropped"] == driver.events("switched")[1]["dropped"]


def test_summary_stands_after_the_task_as_the_models_own_words() -> None:
    """Roles alternate, the last turn stays last, and later prompts append to it."""
    driver = _asked()
    dropped = driver.prompt()[1]["content"]
    driver.send(said(SAID))
    prompt = driver.prompt()
    at = next(at for at, message in enumerate(prompt) if message["content"] == "the task")
    head = Driver(_definition(), query="the task").prompt()
    assert head == prompt[: at + 1]
    own = json.loads(prompt[at + 1]["content"])
    assert ("assistant", "final") == (prompt[at + 1]["role"], own["kind"])
    assert f"Summary of what was left out: {SAID}" == own["content"]
    assert {"role": "user", "content": "Go on with the task."} == prompt[at + 2]
    assert dropped not in [message["content"] for message in prompt]
    assert "Result of add_numbers" in prompt[-1]["content"]
    assert all(one["role"] != two["role"] for one, two in pairwise(prompt[1:]))
    assert ("tool_results", "tools" in driver.decision) == (driver.decision["reason"], False)
    assert ("summary", "written") == _switches(driver)[-1]
    _turn(driver, "short")
    assert prompt == driver.prompt()[: len(prompt)]


def test_run_with_a_summary_replays_and_verifies() -> None:
    """The log alone leads to the same state, while it is asked for and afterwards."""
    driver = _asked()
    for _ in range(2):
        assert driver.state == json.loads(purestep.replay_log(driver.log))["state"]
        assert driver.decision == json.loads(purestep.replay_log(driver.log))["decision"]
        assert json.loads(purestep.verify_log(driver.log, driver.state["head"]))["ok"]
        driver.send(said(SAID))


def test_later_summary_sums_up_the_one_before() -> None:
    """Only the latest stands in the prompt, and it was asked for with the one before."""
    driver = _asked()
    driver.send(said(SAID))
    _asked(driver)
    assert SAID in driver.prompt()[1]["content"]
    driver.send(said("All that, and more."))
    contents = _contents(driver)
    assert 1 == sum("Summary of what was left out" in content for content in contents)
    assert 1 == sum("All that, and more." in content for content in contents)


def test_earlier_exchange_is_summed_up_for_the_next_one() -> None:
    """The questions before are in the summary's prompt, and the task stays the task."""
    driver = Driver(_definition(), query="first question " + "word " * 400)
    driver.send(said(final("first answer " + "word " * 400)))
    driver.send({"type": "user_message", "content": "second question " + "word " * 400})
    assert "summary" == driver.decision["reason"]
    contents = _contents(driver)
    assert contents[0].startswith("first question")
    assert contents[2].startswith("second question")
    driver.send(said("The first question was answered."))
    contents = _contents(driver)
    assert "Go on with the task." == contents[-1]
    assert contents[-3].startswith("second question")
    assert not any(content.startswith("first question") for content in contents)
    assert "done" == driver.send(said(final("second answer")))["type"]
    driver.send({"type": "user_message", "content": "third question"})
    assert any("The first question was answered." in content for content in _contents(driver))
    assert "third question" == _contents(driver)[-1]


NATIVE_CALL = {"type": "model_output", "tool_calls": [{"function": {"name": "add_numbers", "arguments": "{}"}}]}


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (said(""), "it is empty"),
        (said("..."), "it is empty"),
        (said(call("add_numbers", a=1, b=2)), "it is a call"),
        (NATIVE_CALL, "it is a call"),
        (said("They added one and", finish_reason="length"), "it was cut off"),
        (said("word " * 1000), "it is too long"),
        (said("no", finish_reason="content_filter"), "the server withheld it"),
        (said("{"), "it says too little"),
        (said('<tool_call>{"name": "add'), "it could not be read"),
        ({"type": "model_error", "code": "overflow", "message": "too long"}, "overflow"),
        ({"type": "model_error", "code": "unavailable", "message": "busy", "retryable": True}, "unavailable"),
    ],
)
def test_summary_that_cannot_be_used_is_done_without(output: dict[str, Any], why: str) -> None:
    """The run goes on with the shrunk prompt, as without the option, and the log says why."""
    driver, plain = _asked(), Driver(_definition(policies=[]), query="the task")
    while plain.state["run"]["calls"] < driver.state["run"]["calls"]:
        _turn(plain, "word " * 60)
    driver.send(output)
    assert ("call_model", "tool_results") == (driver.decision["type"], driver.decision["reason"])
    assert ("no_summary", why) == _switches(driver)[-1]
    assert plain.prompt() == driver.prompt()
    assert driver.state == json.loads(purestep.replay_log(driver.log))["state"]


def test_summary_that_repeats_the_request_is_done_without() -> None:
    """Neither the request nor the task is a summary."""
    asked = _asked().prompt()[-1]["content"]
    driver = _asked()
    driver.send(said(asked))
    assert ("no_summary", "it repeats the request") == _switches(driver)[-1]
    driver = Driver(_definition(), query="Add all of these numbers")
    _asked(driver).send(said("add all of these numbers "))
    assert ("no_summary", "it repeats the request") == _switches(driver)[-1]


def test_summary_counts_as_a_turn_and_its_tokens_count() -> None:
    """It is no turn of the transcript's, and no correction is spent on it."""
    driver = _asked()
    turns, used = driver.state["exchange"]["used"]["turns"], driver.state["exchange"]["used"].get("input_tokens", 0)
    driver.send(said(SAID, usage={"prompt_tokens": 500, "completion_tokens": 20}))
    assert (turns + 1, used + 500) == (
        driver.state["exchange"]["used"]["turns"],
        driver.state["exchange"]["used"]["input_tokens"],
    )
    assert {} == driver.state["exchange"].get("corrections", {})


def test_last_turns_are_not_spent_on_a_summary() -> None:
    """It is asked for only while turns for a call and an answer remain."""
    driver = Driver(_definition(), query="the task")
    while "switched" not in driver.kinds():
        _turn(driver, "word " * 60)
    first = driver.state["exchange"]["used"]["turns"]
    for more, asked in ((2, False), (3, True)):
        driver = Driver(_definition(limits={"max_turns": first + more}), query="the task")
        while "switched" not in driver.kinds():
            _turn(driver, "word " * 60)
        assert asked == (driver.decision["reason"] == "summary")


def test_nothing_of_a_summary_is_shown_while_it_comes() -> None:
    """It is no answer."""
    driver = _asked()
    opened = json.loads(purestep.stream_model_output(json.dumps({"state": driver.state})))
    fed = json.loads(purestep.stream_model_output(json.dumps({"stream": opened["stream"], "chunk": final(SAID)})))
    closed = json.loads(purestep.stream_model_output(json.dumps({"stream": fed["stream"]})))
    assert [] == fed["events"] + closed["events"]


def test_length_is_the_definitions_within_the_room() -> None:
    """At most an eighth of the room, and never more than the answer may have."""
    assert {"max_tokens": 40} == _asked(policies=[{"use": "summary", "max_tokens": 40}]).decision["sampling"]
    assert {"temperature": 0.5, "max_tokens": 30} == (
        _asked(sampling={"temperature": 0.5, "max_tokens": 30}).decision["sampling"]
    )


def test_without_a_window_nothing_is_summed_up() -> None:
    """No sizes are known, and the definition is otherwise as without the option."""
    driver = Driver(_definition(models=[{"name": "small"}]), query="the task")
    for _ in range(20):
        _turn(driver, "word " * 100)
    assert ("tool_results", None) == (driver.decision["reason"], driver.state["window"].get("sent"))


def test_native_dialect_sums_up_without_its_tools() -> None:
    """Results stay with their calls, and the summary follows the task."""
    driver = Driver(_definition(dialect="native"), query="the task")
    while driver.decision["reason"] != "summary":
        number = driver.state["run"]["calls"] + 1
        entry = {"function": {"name": "add_numbers", "arguments": json.dumps({"a": number, "b": number})}}
        driver.send({"type": "model_output", "tool_calls": [entry]})
        driver.send(ok(f"call_{number}", "word " * 60))
    assert "tools" not in driver.decision
    driver.send(said(SAID))
    roles = [message["role"] for message in driver.prompt()]
    assert ["user", "assistant", "user", "assistant", "tool"] == roles[:5]
    assert "tools" in driver.decision


def test_overflow_leads_to_a_summary_too() -> None:
    """What the server has no room for is summed up, and the model is asked again."""
    driver = Driver(_definition(models=[{"name": "small", "window_tokens": 4000}]), query="the task")
    while driver.state["exchange"]["used"]["turns"] < 8:
        _turn(driver, "word " * 60)
    driver.send({"type": "model_error", "code": "overflow", "message": "too long"})
    assert "summary" == driver.decision["reason"]
    driver.send(said(SAID))
    assert "retry" == driver.decision["reason"]
    assert any(SAID in content for content in _contents(driver))


def test_cancelled_while_it_is_asked_for() -> None:
    """The run ends, and the next exchange begins as ever."""
    driver = _asked()
    assert "failed" == driver.send({"type": "cancel"})["type"]
    assert "call_model" == driver.send({"type": "user_message", "content": "Another"})["type"]
    assert "summing" not in driver.state["exchange"]


def test_whole_state_form_sums_up_alike() -> None:
    """The same log and decisions; a history edited meanwhile begins anew without the summary."""
    driver, whole = Driver(_definition(), query="the task"), WholeDriver(_definition(), query="the task")
    while driver.decision["reason"] != "summary":
        number = driver.state["run"]["calls"] + 1
        for each in (driver, whole):
            each.send(said(call("add_numbers", a=number, b=number)))
            each.send(ok(f"call_{number}", "word " * 60))
    assert driver.decision == whole.decision
    edited = json.loads(whole.state_json)
    edited["history"] = edited["history"][:-2]
    assert "tool_results" == WholeDriver.of(edited).take(stepped(state_json=json.dumps(edited)))["reason"]
    for each in (driver, whole):
        each.send(said(SAID))
    assert (driver.decision, driver.log) == (whole.decision, whole.log)


def test_exchange_after_one_that_ended_at_its_summary() -> None:
    """The summary may be the last part that is sent, and what is said after it is counted once."""
    driver = Driver(_definition(), query="first question " + "word " * 400)
    driver.send(said(final("first answer " + "word " * 400)))
    driver.send({"type": "user_message", "content": "second question " + "word " * 400})
    driver.send(said("The first question was answered."))
    driver.send({"type": "cancel"})
    driver.send({"type": "user_message", "content": "third question"})
    assert "done" == driver.send(said(final("third answer")))["type"]
