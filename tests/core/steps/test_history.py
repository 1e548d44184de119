"""The rules of history: what leaves the prompt, what stays, and what of a run's state and definition is refused."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import call, final, native_call, result, results, said, tool
from tests.core.driver import Driver, altered, assert_replays

READ = {**tool("read", {"at": {"type": "integer"}}), "annotations": {"readOnlyHint": True}}
LOOK = {**tool("look", {"at": {"type": "integer"}}), "annotations": {"readOnlyHint": True}}
LONG = "word " * 200


def _driver(dialect: str = "envelope", **rules: Any) -> Driver:
    model = {"models": [{"name": "m", "window_tokens": rules.pop("window")}]} if "window" in rules else {}
    policies = [{"use": "history", "slack": 0, **rules}]
    return Driver({"dialect": dialect, "tools": [READ, LOOK], "policies": policies, **model}, "Question 0")


def _turn(driver: Driver, name: str = "read", output: str = LONG, **members: Any) -> None:
    assert driver.state is not None
    number = driver.state["run"]["calls"] + 1
    native = driver.definition is not None and driver.definition["dialect"] == "native"
    if native:
        driver.send(said(None, tool_calls=[native_call(name, {"at": number})], **members))
    else:
        driver.send(said(call(name, at=number)))
    driver.send(results(result(f"call_{number}", f"{number}: {output}")))


def _call_and_steer(driver: Driver, **members: Any) -> None:
    """Have a call made, and say something while it runs."""
    assert driver.state is not None
    number = driver.state["run"]["calls"] + 1
    native = driver.definition is not None and driver.definition["dialect"] == "native"
    driver.send(
        said(None, tool_calls=[native_call("read", {"at": number})]) if native else said(call("read", at=number))
    )
    driver.send({"type": "user_message", "content": "In euros.", **members})
    driver.send(results(result(f"call_{number}", f"{number}: {LONG}")))


def _answer_and_ask(driver: Driver, number: int) -> None:
    native = driver.definition is not None and driver.definition["dialect"] == "native"
    driver.send(said(f"Answer {number}" if native else final(f"Answer {number}")))
    driver.send({"type": "user_message", "content": f"Question {number + 1}"})


def _contents(driver: Driver) -> list[str]:
    return [str(message["content"]) for message in driver.prompt() if message["role"] != "system"]


def test_results_go_by_the_first_rule_that_names_their_tool() -> None:
    """Those of `look` are dropped but for the latest, those of `read` shortened; calls stay."""
    driver = _driver(results=[{"tools": ["look"], "keep": 1, "then": "drop"}, {"keep": 0}])
    for name in ("look", "read", "look", "look", "read"):
        _turn(driver, name)
    shown = [each for each in _contents(driver) if each.startswith("Result of")]
    begins = ["Result of look: [", "Result of read: 2", "Result of look: [", "Result of look: 4", "Result of read: 5"]
    assert begins == [each[:17] for each in shown]
    assert [False, True] == ["word word" in each for each in shown[:2]]
    assert {"results"} == {event["cause"] for event in driver.events("switched")}
    assert_replays(driver)


def test_pinned_message_and_its_answer_stay_when_exchanges_go() -> None:
    """Roles alternate around them."""
    driver = _driver(keep_exchanges=1, pin="first")
    for number in range(4):
        _turn(driver)
        _answer_and_ask(driver, number)
    assert ["Question 0", final("Answer 0"), "Question 4"] == _contents(driver)
    assert_replays(driver)


def test_message_that_is_pinned_stays_with_its_answer() -> None:
    """The exchange is neither the first nor one of the latest; its calls go."""
    driver = _driver(keep_exchanges=1)
    for number in range(5):
        _turn(driver)
        driver.send(said(final(f"Answer {number}")))
        driver.send({"type": "user_message", "content": f"Question {number + 1}", "pinned": number == 1})
    assert ["Question 2", final("Answer 2"), "Question 5"] == _contents(driver)
    assert [True] == [event["pinned"] for event in driver.events("user_message") if "pinned" in event]
    assert_replays(driver)


@pytest.mark.parametrize("dialect", ["envelope", "native"])
def test_pinned_message_that_steers_stays_with_its_turn(dialect: str) -> None:
    """Its exchange's message and answer stay, too, so that roles alternate; the other turns go."""
    driver = _driver(dialect, keep_exchanges=1)
    _turn(driver)
    _call_and_steer(driver, pinned=True)
    _turn(driver)
    for number in range(3):
        _answer_and_ask(driver, number)
    shown = _contents(driver)
    assert ("Question 0", "Question 3") == (shown[0], shown[-1])
    assert "Answer 0" in shown[-2]
    assert 1 == sum("In euros." in each for each in shown)
    assert ["2: word"] == [each[each.index(": word") - 1 :][:7] for each in shown if "word" in each]
    assert_replays(driver)


def test_pinned_turn_stays_in_a_window_that_turns_fill() -> None:
    """Later turns of the same exchange go before it."""
    driver = _driver("native", window=3000, reasoning="latest")
    _turn(driver)
    _call_and_steer(driver, pinned=True)
    for _ in range(12):
        _turn(driver)
    shown = _contents(driver)
    assert any(event["what"] == "prompt" and event["dropped"] for event in driver.events("switched"))
    assert [True, False] == [any(each.startswith(f"{at}: word") for each in shown) for at in (2, 3)]
    assert "In euros." in shown
    assert_replays(driver)


def test_too_many_pinned_messages_are_refused() -> None:
    """The state has a place for each; without `pinned` the same message is taken."""
    driver = _driver(keep_exchanges=1)
    for number in range(40):
        driver.send(said(final(f"Answer {number}")))
        taken = driver.send({"type": "user_message", "content": f"Question {number + 1}", "pinned": True})
        if "code" in taken:
            break
    assert ("input_too_large", "/observation/pinned") == (taken["code"], taken["path"])
    assert number == 31
    assert driver.send({"type": "user_message", "content": "Question"})["type"] == "call_model"
    assert_replays(driver)


def test_pinned_changes_only_the_log_without_rules() -> None:
    """Another policy, or none, leaves out what it did."""
    ran = []
    for pinned in (True, False):
        driver = Driver({"tools": [READ], "models": [{"name": "m", "window_tokens": 1200}]}, "Question 0")
        for number in range(12):
            driver.send(said(final(f"Answer {number} {LONG[:300]}")))
            driver.send({"type": "user_message", "content": f"Question {number}", "pinned": pinned})
        ran.append((driver.decision, driver.events("user_message")))
    (decision, logged), (other, plain) = ran
    assert decision == other
    assert plain[1:] == [{name: each[name] for name in each if name != "pinned"} for each in logged[1:]]


def test_pin_that_leaves_no_room_is_named() -> None:
    """The window is too small for the pinned message and the next one."""
    policies = [{"use": "history", "pin": "first"}]
    definition = {"tools": [READ], "policies": policies, "models": [{"name": "m", "window_tokens": 1200}]}
    driver = Driver(definition, "word " * 350)
    driver.send(said(final("Yes.")))
    decision = driver.send({"type": "user_message", "content": "word " * 350})
    assert "window" == decision["code"]
    assert "what is pinned has" in decision["message"]
    assert "done" != driver.state["phase"] if driver.state else False


def test_reasoning_of_earlier_exchanges_goes_with_the_calls() -> None:
    """That of the exchange in progress stays, since its server wants it back."""
    driver = _driver("native", reasoning="latest")
    extra = {"thinking_blocks": [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]}
    _turn(driver, extra=extra)
    assert "extra_from" not in driver.decision
    _answer_and_ask(driver, 0)
    assert driver.decision["extra_from"] == driver.state["window"]["user_at"] if driver.state else False
    _turn(driver, extra=extra)
    assert driver.messages[-2]["extra"] == extra
    assert driver.decision["extra_from"] < len(driver.messages) - 2


def test_reasoning_in_tags_of_earlier_exchanges_goes() -> None:
    """The answer after it stays."""
    driver = _driver(reasoning="latest")
    driver.send(said(f"<think>Hm.</think>\n{final('Yes.')}"))
    driver.send({"type": "user_message", "content": "And then?"})
    assert ["Question 0", final("Yes."), "And then?"] == _contents(driver)
    assert ["reasoning"] == [event["cause"] for event in driver.events("switched")]


def test_prompt_above_a_size_is_summed_up_without_a_window() -> None:
    """The summary stands after the task, and the next prompts append to it."""
    driver = _driver(summary_above=1500)
    while driver.decision["reason"] != "summary":
        _turn(driver)
    driver.send(said("Some pages were read so far."))
    assert any("Summary of what was left out: Some pages" in each for each in _contents(driver))
    before = driver.prompt()
    _turn(driver, output="short")
    assert before == driver.prompt()[: len(before)]
    assert_replays(driver)


@pytest.mark.parametrize("dialect", ["envelope", "native"])
def test_state_stays_bounded_in_a_long_exchange(dialect: str) -> None:
    """Past the bound the oldest turns go; the latest results stay whole, and roles alternate."""
    definition = {
        "dialect": dialect,
        "tools": [READ],
        "policies": [{"use": "history", "results": [{"keep": 5, "then": "drop"}]}],
        "limits": {"max_turns": 400},
    }
    driver = Driver(definition, "Question 0")
    for _ in range(300):
        _turn(driver)
    assert any(event.get("dropped") for event in driver.events("switched"))
    assert len(json.dumps(driver.state)) < 20_000
    contents = _contents(driver)
    assert ("Question 0", "300: word") == (contents[0], contents[-1].removeprefix("Result of read: ")[:9])
    assert 5 <= sum("word word" in each for each in contents) <= 7


def test_explanation_says_what_is_left_out_and_why() -> None:
    """Dropped exchanges, and results with a notice."""
    driver = _driver(keep_exchanges=1, results=[{"then": "drop"}])
    _turn(driver)
    _answer_and_ask(driver, 0)
    _turn(driver)
    _turn(driver)
    first = driver.state["window"]["user_at"] if driver.state else 0
    assert [
        {"begin": 1, "end": first, "why": "keep_exchanges"},
        {"begin": first + 2, "end": first + 3, "why": "results", "shortened": True},
    ] == json.loads(purestep.explain_log(driver.log))["left_out"]


@pytest.mark.parametrize("rules", [{}, {"keep_exchanges": 2}])
def test_another_definition_takes_over(rules: dict[str, Any]) -> None:
    """Without rules what was cut is sent again, where sizes are kept; with others it stays cut."""
    driver = _driver(results=[{"then": "drop"}], window=20_000)
    _turn(driver)
    _turn(driver)
    assert driver.definition is not None
    policies = [{"use": "history", **rules}] if rules else []
    driver.send({"type": "agent_changed", "agent": {**driver.definition, "policies": policies}})
    assert [bool(rules)] == [any("left out" in each for each in _contents(driver))]
    _turn(driver)
    assert_replays(driver)


@pytest.mark.parametrize(
    "history",
    [
        None,
        {"exchanges": [9]},
        {"exchanges": [1, 1]},
        {"exchanges": [1], "cuts": [[99, 0, 5, 5, "read", [0, 0], True]]},
        {"exchanges": [1], "cuts": [[3, 9, 5, 5, "read", [0, 0], True]]},
        {"exchanges": [1], "cuts": [[3, 0, 5, 5, "read", [0, 0], True], [2, 0, 5, 5, "read", [0, 0], True]]},
        {"exchanges": [1], "kept_from": 50},
        {"exchanges": [1], "reasoning_from": 50},
        {"exchanges": list(range(1, 400))},
    ],
    ids=str,
)
def test_state_that_counts_what_is_not_there_is_refused(history: Any) -> None:
    """Places out of order, past the transcript, or more than are kept."""
    driver = _driver(keep_exchanges=2, results=[{}])
    _turn(driver)
    driver.state = altered(driver.state, "window", history=history)
    error = driver.send(said(final("Yes.")))
    assert ("invalid_state", "/state/window/history") == (error["code"], error["path"])


@pytest.mark.parametrize("pinned", [[99], [2, 1], [1, 2, 3]], ids=str)
def test_state_that_pins_what_is_not_there_is_refused(pinned: list[int]) -> None:
    """Pins are two messages of the transcript at most."""
    driver = _driver(pin="first")
    assert driver.state is not None
    sent = {**driver.state["window"]["sent"], "pinned": pinned}
    driver.state = altered(driver.state, "window", sent=sent)
    assert "invalid_state" == driver.send(said(final("Yes.")))["code"]


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ({}, ""),
        ({"results": [{"tools": ["raed"]}]}, "/results/0/tools/0"),
        ({"results": [{}, {"tools": ["read"]}]}, "/results/1"),
        ({"keep_exchanges": 0}, "/keep_exchanges"),
        ({"pin": "last"}, "/pin"),
    ],
    ids=str,
)
def test_rule_that_cannot_hold_is_refused(rules: dict[str, Any], path: str) -> None:
    """The error says where."""
    definition = {"tools": [READ], "policies": [{"use": "history", **rules}]}
    error = json.loads(purestep.load_agent(json.dumps(definition)))["error"]
    assert ("invalid_agent", f"/policies/0{path}") == (error["code"], error["path"])
