"""Budgets: what calls cost, the warning before the end, and the answer with what is known."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import agent, call, final, ok, result, results, said
from tests.core.driver import Driver

PRICE = {"input": 2_000_000, "output": 8_000_000, "cached_input": 500_000}
"""A dollar's millionths for a million tokens: two dollars, eight, and half a dollar."""


def _turn(driver: Driver, **members: Any) -> dict[str, Any]:
    number = driver.state["run"]["calls"] + 1
    driver.send(said(call("add_numbers", a=number, b=number), **members))
    if driver.decision["type"] == "invoke_tool":
        driver.send(ok(f"call_{number}", f"sum {number}"))
    return driver.decision


def _usage(**tokens: int) -> dict[str, Any]:
    return {"usage": tokens}


def test_cost_is_counted_from_tokens_and_prices() -> None:
    """Cached tokens have their own price and are part of the prompt's; every call is rounded up."""
    driver = Driver(agent(models=[{"name": "m", "price": PRICE}]))
    _turn(driver, **_usage(prompt_tokens=1000, completion_tokens=10, cached_tokens=600, reasoning_tokens=4))
    assert (400 * 2 + 300 + 80, 600, 4) == tuple(
        driver.state["exchange"]["used"][name] for name in ("cost", "cached_tokens", "reasoning_tokens")
    )
    _turn(driver, **_usage(prompt_tokens=0, completion_tokens=0, cached_tokens=50))
    assert 400 * 2 + 300 + 80 == driver.state["exchange"]["used"]["cost"]


def test_cached_tokens_cost_the_inputs_price_where_no_other_is_given() -> None:
    """Without prices nothing costs anything."""
    driver = Driver(agent(models=[{"name": "m", "price": {"input": 1}}]))
    _turn(driver, **_usage(prompt_tokens=3, cached_tokens=2))
    assert 1 == driver.state["exchange"]["used"]["cost"]
    free = Driver(agent())
    _turn(free, **_usage(prompt_tokens=3))
    assert "cost" not in free.state["exchange"]["used"]


def test_cost_of_each_call_stands_in_the_log() -> None:
    """A call whose tokens nobody told, or of a model without a price, has none: that is not the same as nothing."""
    driver = Driver(agent(models=[{"name": "m", "price": PRICE}]))
    _turn(driver, **_usage(prompt_tokens=1000, completion_tokens=10))
    _turn(driver)
    free = Driver(agent(models=[{"name": "m", "price": {}}]))
    _turn(free, **_usage(prompt_tokens=1000))
    unknown = Driver(agent(models=[{"name": "m"}]))
    _turn(unknown, **_usage(prompt_tokens=1000))
    costs = [[event.get("cost") for event in each.events("model_response")] for each in (driver, free, unknown)]
    assert [[2080, None], [0], [None]] == costs
    assert json.loads(purestep.verify_log(driver.log))["ok"]
    changed = driver.log.replace('"cost":2080', '"cost":2079')
    assert "log_mismatch" == json.loads(purestep.verify_log(changed))["code"]


def test_longer_prompts_have_prices_of_their_own() -> None:
    """All tokens of a call cost what the highest price says that its prompt passes, those written to a cache too."""
    price = [
        {"above": 900, "input": 9_000_000},
        {"input": 2_000_000, "cache_write": 3_000_000},
        {"above": 100, "input": 4_000_000, "cache_write": 5_000_000},
    ]
    driver = Driver(agent(models=[{"name": "m", "price": price}]))
    for tokens in (100, 101, 1000):
        _turn(driver, **_usage(prompt_tokens=tokens, cached_tokens=20, cache_write_tokens=10))
    costs = [event["cost"] for event in driver.events("model_response")]
    assert [90 * 2 + 10 * 3, 91 * 4 + 10 * 5, 9000] == costs


@pytest.mark.parametrize(
    ("definition", "path"),
    [
        ({"limits": {"max_cost": 5}}, "/models/0/price"),
        ({"limits": {"max_cost": 5}, "models": [{"name": "a", "price": {}}, {"name": "b"}]}, "/models/1/price"),
        (
            {"models": [{"name": "a", "price": {"input": 1}}, {"name": "b", "price": {"input": 1, "unit": "EUR"}}]},
            "/models",
        ),
    ],
    ids=["no model", "a model without a price", "two units"],
)
def test_a_limit_of_cost_that_cannot_be_held_is_refused(definition: Any, path: str) -> None:
    """It would never end a run, and its user would think that it does."""
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.Agent.load(definition)
    assert ("invalid_agent", path) == (caught.value.code, caught.value.path)


def test_cost_past_its_limit_ends_the_run() -> None:
    """The failure names the budget and both figures."""
    driver = Driver(agent(models=[{"name": "m", "price": PRICE}], limits={"max_cost": 1500}))
    assert "call_model" == _turn(driver, **_usage(prompt_tokens=500))["type"]
    decision = _turn(driver, **_usage(prompt_tokens=500))
    assert ("failed", "budget") == (decision["type"], decision["code"])
    assert {"limit": "max_cost", "allowed": 1500, "used": 2000} == decision["detail"]
    assert "the budget max_cost of 0.0015 is used up (0.002);" in decision["message"]


def test_model_and_people_read_a_cost_in_its_unit() -> None:
    """As they write it, in whole units and not in millionths."""
    price = {"input": 3_000_000, "unit": "USD"}
    limits = {"max_cost": 1_100_000, "final_answer": True}
    driver = Driver(agent(models=[{"name": "m", "price": price}], limits=limits))
    _turn(driver, **_usage(prompt_tokens=300_000))
    assert "Note: 0.90 USD of 1.10 USD are used." in driver.messages[-1]["content"]
    driver.send(said(call("add_numbers", a=5, b=1), **_usage(prompt_tokens=100_000)))
    decision = driver.send(ok("call_2", "sum 6"))
    assert "the budget max_cost of 1.10 USD is used up (1.20 USD);" in decision["message"]


def test_model_is_warned_once_before_a_limit() -> None:
    """The warning stands with the results, is logged, and what was sent before stays as it was."""
    driver = Driver(agent(limits={"max_turns": 10, "final_answer": True}))
    for _ in range(8):
        before = driver.prompt()
        _turn(driver)
        assert before == driver.prompt()[: len(before)]
    noted = [message["content"] for message in driver.messages if "of 10 turns are used" in message["content"]]
    (event,) = driver.events("decided")
    assert ("near_limit", "Note: 8 of 10 turns are used.") == (event["reason"], event["content"][:29])
    assert [f"Result of add_numbers: sum 8\n\n{event['content']}"] == noted


def test_last_turn_asks_for_an_answer_with_what_is_known() -> None:
    """No tool is offered, the constraint takes only an answer, and the answer ends the run."""
    driver = Driver(agent(limits={"max_turns": 3, "final_answer": True}))
    _turn(driver)
    offered = driver.decision["response_format"]
    decision = _turn(driver)
    assert "call_model" == decision["type"]
    assert "Answer now with what you know" in driver.prompt()[-1]["content"]
    assert "add_numbers" in str(offered)
    assert "add_numbers" not in str(decision.get("response_format"))
    assert "done" == driver.send(said(final("about 3")))["type"]
    assert ["final_answer"] == [event["reason"] for event in driver.events("decided")]


def test_call_in_the_last_turn_is_not_run() -> None:
    """A model that calls a tool all the same has no turn left."""
    driver = Driver(agent(limits={"max_turns": 2, "final_answer": True}))
    _turn(driver)
    assert ("failed", "max_turns") == ((decision := _turn(driver))["type"], decision["code"])
    assert 1 == len(driver.events("tool_call"))


def test_native_tools_are_not_offered_in_the_last_turn() -> None:
    """The server is given no tools; a call all the same is answered in its place and corrected."""
    limits = {"max_input_tokens": 100, "final_answer": True}
    driver = Driver(agent(dialect="native", limits=limits))
    entry = {"id": "a", "function": {"name": "add_numbers", "arguments": '{"a":1,"b":2}'}}
    observation = {"type": "model_output", "content": None, "tool_calls": [entry]}
    driver.send({**observation, "usage": {"prompt_tokens": 92}})
    decision = driver.send(ok("call_1", "sum 3"))
    assert "tools" not in decision
    assert "user" == driver.prompt()[-1]["role"]
    assert ("correction", "unknown_tool") == ((again := driver.send(observation))["reason"], again["cause"])
    assert 1 == len(driver.events("tool_call"))


def test_calls_past_their_number_lead_to_the_answer() -> None:
    """With final_answer a turn with too many calls is told so, and none of them runs."""
    driver = Driver(agent(dialect="native", limits={"max_tool_calls": 1, "final_answer": True}))
    entries = [{"id": str(a), "function": {"name": "add_numbers", "arguments": f'{{"a":{a},"b":2}}'}} for a in range(2)]
    decision = driver.send({"type": "model_output", "content": None, "tool_calls": entries})
    assert ("call_model", 0) == (decision["type"], driver.state["exchange"]["used"].get("tool_calls", 0))
    assert "too few calls are left" in driver.prompt()[-1]["content"]


@pytest.mark.parametrize("max_turns", [1, 2])
def test_new_exchange_has_its_own_budgets(max_turns: int) -> None:
    """Cost, warning and last turn restart with the user's message, which is never changed."""
    driver = Driver(agent(limits={"max_turns": max_turns, "final_answer": True}), query="one")
    while driver.decision["type"] != "done":
        driver.send(said(final("x"), usage={"prompt_tokens": 5}))
    decision = driver.send({"type": "user_message", "content": "two"})
    assert ("call_model", max_turns == 1) == (decision["type"], driver.state["exchange"].get("final", False))
    assert "two" == driver.messages[-1]["content"]


def test_several_results_of_one_turn_bring_one_warning() -> None:
    """The warning comes once the model is asked, not with each result."""
    driver = Driver(agent(dialect="native", limits={"max_tool_calls": 2, "final_answer": True}))
    entries = [{"id": str(a), "function": {"name": "add_numbers", "arguments": f'{{"a":{a},"b":2}}'}} for a in range(2)]
    driver.send({"type": "model_output", "content": None, "tool_calls": entries})
    driver.send(results(result("call_1", "sum 2")))
    assert [] == driver.events("decided")
    driver.send(results(result("call_2", "sum 3")))
    assert 1 == len(driver.events("decided"))
