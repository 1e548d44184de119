"""Negotiation: rules change how a model is asked when its outputs fail, each once, and every change is logged."""

import json
from itertools import pairwise
from typing import Any

import pytest

import purestep
from purestep.steps.limits import FAILURES
from purestep.values import FAULT_OF
from tests.core.agents import ADD, SHELL, agent, call, failure, final, native_call, ok, results, said, tool
from tests.core.driver import Driver, WholeDriver, altered

ORDER = tool("lookup_order", {"number": {"type": "string"}}, description="Look up the status of an order.")
PAGE = tool(
    "fetch_page",
    {"url": {"type": "string", "format": "uri"}},
    description="Fetch a web page.",
    annotations={"readOnlyHint": True},
)
WEATHER = tool("get_weather", {"city": {"type": "string"}}, description="Get the weather of a city.")
TAGS = '[TOOL_CALL]{"name": "add_numbers", "args": {"a": 1, "b": 2}}[/TOOL_CALL]'


def _rule(cause: str, move: str, count: int = 1, **members: Any) -> dict[str, Any]:
    return {"cause": cause, "move": move, "count": count, **members}


def _definition(*rules: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"tools": [ADD, ORDER, PAGE, WEATHER], "policies": [{"use": "negotiation", "rules": list(rules)}], **members}


def _switches(driver: Driver) -> list[tuple[str, str, str]]:
    return [(event["what"], event["cause"], event.get("to", "")) for event in driver.events("switched")]


def _faults(driver: Driver) -> dict[str, int]:
    assert driver.state is not None
    faults: dict[str, int] = driver.state["exchange"].get("negotiated", {}).get("faults", {})
    return faults


def test_run_that_does_not_fail_sends_what_it_sends_without_rules() -> None:
    """Decisions are the same, and the state keeps nothing of a negotiation."""
    drivers = [
        Driver(agent(**members), "What is 1 plus 2?") for members in ({}, {"policies": [{"use": "negotiation"}]})
    ]
    for output in (said(call("add_numbers", a=1, b=2)), ok("call_1", 3), said(final("3"))):
        first, second = (driver.decision for driver in drivers)
        assert [first[key] for key in first if key != "key"] == [second[key] for key in second if key != "key"]
        for driver in drivers:
            driver.send(output)
        assert "negotiated" not in (drivers[1].state or {})
    assert drivers[0].messages == drivers[1].messages


def test_example_of_the_failed_tool_follows_corrections() -> None:
    """From the move on each correction shows one; the prompt is appended to."""
    driver = Driver(_definition(_rule("invalid_arguments", "examples")))
    before = driver.prompt()
    driver.send(said(call("add_numbers", a="one", b=2)))
    assert [("examples", "invalid_arguments", "")] == _switches(driver)
    assert before == driver.prompt()[: len(before)]
    assert driver.prompt()[-1]["content"].endswith(
        'For example, for "What is 2 plus 3?" write this:\n'
        '{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":2,"b":3}}'
    )
    assert "correction" == driver.decision["reason"]


def test_other_dialect_begins_anew_without_the_outputs_that_failed() -> None:
    """The head teaches the new form, the user's words follow, and outputs are read by the new dialect."""
    driver = Driver(_definition(_rule("unread", "dialect", 2)), "What is 1 plus 2?")
    driver.send(said("one"))
    driver.send(said("two"))
    assert [("dialect", "unread", "tool_tags")] == _switches(driver)
    assert ("switch", "parse_error") == (driver.decision["reason"], driver.decision["cause"])
    prompt = driver.prompt()
    assert "[TOOL_CALL]" in prompt[0]["content"]
    assert "What is 1 plus 2?" == prompt[-1]["content"]
    assert '"kind"' not in json.dumps(prompt)
    assert "invoke_tool" == driver.send(said(TAGS))["type"]
    driver.send(ok("call_1", 3))
    assert [TAGS, "Result of add_numbers: 3"] == [message["content"] for message in driver.prompt()[-2:]]
    assert "3" == driver.send(said("3"))["answer"]


def test_dialect_named_by_the_rule_is_taken() -> None:
    """A rule may name any dialect that teaches its form."""
    driver = Driver(_definition(_rule("unread", "dialect", to="hermes_json")))
    driver.send(said("one"))
    assert "<tool_call>" in driver.prompt()[0]["content"]


def test_streams_follow_the_dialect_in_force() -> None:
    """The text of a call in tags is held back as soon as these are the dialect."""
    driver = Driver(_definition(_rule("unread", "dialect")))
    driver.send(said("one"))
    opened = json.loads(purestep.stream_model_output(json.dumps({"state": driver.state})))
    fed = json.loads(purestep.stream_model_output(json.dumps({"stream": opened["stream"], "chunk": f"Adding. {TAGS}"})))
    assert "tool_tags" == opened["stream"]["dialect"]
    assert "Adding." == "".join(event.get("text", "") for event in fed["events"]).strip()


def test_native_calls_give_way_to_prompted_ones_only_before_any_has_run() -> None:
    """No server is sent messages with calls beside tools that it was not given."""
    definition = _definition(_rule("unread", "dialect"), dialect="native")
    driver = Driver(definition)
    driver.send(said(None, tool_calls=[native_call("add_numbers", "{")]))
    assert [("dialect", "unread", "envelope")] == _switches(driver)
    assert not any("tool_calls" in message or message["role"] == "tool" for message in driver.prompt())
    assert "tools" not in driver.decision
    assert "response_format" in driver.decision
    later = Driver(definition)
    later.send(said(None, tool_calls=[native_call("add_numbers", {"a": 1, "b": 2})]))
    later.send(ok("call_1", 3))
    later.send(said(None, tool_calls=[native_call("add_numbers", "{")]))
    assert [] == _switches(later)


def test_next_model_is_asked_as_the_definition_says() -> None:
    """What suited the model before is not taken over."""
    rules = (_rule("unread", "dialect"), _rule("unread", "model", 2))
    driver = Driver(_definition(*rules, models=[{"name": "small"}, {"name": "large"}]))
    driver.send(said("one"))
    driver.send(said("[TOOL_CALL]{"))
    assert [("dialect", "unread", "tool_tags"), ("model", "unread", "large")] == _switches(driver)
    assert ("escalate", "large") == (driver.decision["reason"], driver.decision["model"])
    assert "messages" not in driver.decision
    assert "done" == driver.send(said(final("hello")))["type"]


def test_success_counts_against_failures() -> None:
    """A model that fails now and then in a long exchange is asked as before."""
    driver = Driver(_definition(_rule("unread", "dialect", 2)))
    for number in range(1, 7):
        driver.send(said("nothing"))
        driver.send(said(call("add_numbers", a=number, b=2)))
        driver.send(ok(f"call_{number}", number + 2))
    assert [] == _switches(driver)
    assert {} == _faults(driver)


def test_failed_call_counts_unless_its_connection_was_broken() -> None:
    """What another call would have met too is not held against the model."""
    for kind, faults in (("execution", {"rejected_result": 1}), ("io", {}), ("interrupted", {})):
        driver = Driver(_definition(_rule("rejected_result", "model", 9)))
        driver.send(said(call("fetch_page", url="https://example.com")))
        driver.send(results(failure("call_1", "it failed", kind)))
        assert faults == _faults(driver)


def test_rejected_result_stays_in_the_prompt() -> None:
    """A call that has run is never hidden from the model by a new beginning."""
    guarded = {**SHELL, "approval": "auto", "checks": ["plausibility"]}
    driver = Driver(
        {"tools": [guarded], "policies": [{"use": "negotiation", "rules": [_rule("rejected_result", "dialect")]}]}
    )
    driver.send(said(call("shell", command="ls")))
    driver.send(ok("call_1", "total 0"))
    assert [("dialect", "rejected_result", "tool_tags")] == _switches(driver)
    assert "was rejected" in driver.prompt()[-1]["content"]


def test_run_that_would_fail_makes_its_next_move_at_any_count() -> None:
    """A count says when at the earliest."""
    driver = Driver(_definition(_rule("unread", "dialect", 9)))
    driver.send(said("one"))
    driver.send(said("two"))
    assert [("dialect", "unread", "tool_tags")] == _switches(driver)


def test_each_rule_moves_once_and_then_the_run_fails() -> None:
    """However a model goes on failing, the moves are no more than the rules."""
    driver = Driver(_definition(_rule("unread", "dialect"), _rule("unread", "dialect")))
    while driver.decision["type"] == "call_model":
        driver.send(said("[TOOL_CALL]{" if driver.decision.get("messages") else "nothing"))
    assert ("failed", "parse_error") == (driver.decision["type"], driver.decision["code"])
    assert [("dialect", "unread", "tool_tags"), ("dialect", "unread", "envelope")] == _switches(driver)


def test_next_exchange_begins_as_the_definition_says() -> None:
    """What was negotiated holds for one exchange."""
    driver = Driver(_definition(_rule("unread", "dialect")))
    driver.send(said("one"))
    driver.send(said("an answer"))
    driver.send({"type": "user_message", "content": "And now?"})
    assert "messages" not in driver.decision
    assert "negotiated" not in driver.state["exchange"]
    roles = [message["role"] for message in driver.prompt()]
    assert all(first != second for first, second in pairwise(roles))


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        (_rule("unread", "dialect", to="morse"), "/policies/0/rules/0/to"),
        (_rule("unread", "dialect", to="bare"), "/policies/0/rules/0/to"),
        (_rule("unread", "dialect", to="native"), "/policies/0/rules/0/to"),
        (_rule("unread", "carry", to="off"), "/policies/0/rules/0/to"),
        (_rule("unread", "model", to="large"), "/policies/0/rules/0/to"),
        (_rule("unread", "carry", 0), "/policies/0/rules/0/count"),
        (_rule("weather", "carry"), "/policies/0/rules/0/cause"),
    ],
)
def test_rule_that_leads_nowhere_is_refused_with_its_path(rule: dict[str, Any], path: str) -> None:
    """A definition is checked when it is loaded."""
    error = json.loads(purestep.load_agent(json.dumps(_definition(rule))))["error"]
    assert path == error["path"]


def test_state_whose_dialect_no_rule_leads_to_is_refused() -> None:
    """A client cannot choose how the model is asked."""
    driver = Driver(_definition(_rule("unread", "dialect")))
    driver.send(said("one"))
    assert driver.state is not None
    negotiated = {**driver.state["exchange"]["negotiated"], "dialect": "hermes_json"}
    driver.state = altered(driver.state, "exchange", negotiated=negotiated)
    assert "/state/exchange/negotiated" == driver.send(said("two"))["path"]


def test_windowed_run_keeps_its_window_after_a_move() -> None:
    """The size of the new head counts."""
    models = [{"name": "small", "window_tokens": 4000}]
    driver = Driver(_definition(_rule("unread", "dialect"), models=models))
    driver.send(said("one"))
    assert "[TOOL_CALL]" in driver.prompt()[0]["content"]
    driver.send(said(TAGS, usage={"prompt_tokens": 900, "completion_tokens": 9}))
    driver.send(ok("call_1", "a line\n" * 3000))
    assert driver.decision["type"] == "call_model"
    assert len(json.dumps(driver.prompt())) < 3000 * 7


def test_log_of_a_negotiation_replays_into_the_same_decision() -> None:
    """Every move follows from the facts."""
    driver = Driver(agent(policies=[{"use": "negotiation"}]), "What is 17 plus 25?")
    for text in ("one", "two", "[TOOL_CALL]{", "[TOOL_CALL]{"):
        driver.send(said(text))
    assert purestep.verify(driver.log).ok
    replayed = json.loads(purestep.replay_log(driver.log))
    assert (driver.decision, driver.state) == (replayed["decision"], replayed["state"])


def test_whole_state_form_negotiates_alike() -> None:
    """An edited history forgets the places, not the way of asking."""
    driver = WholeDriver(_definition(_rule("unread", "dialect")))
    driver.say("one")
    assert "[TOOL_CALL]" in driver.decision["messages"][0]["content"]
    state = driver.state
    state["history"] = [*state["history"][:-1]]
    edited = WholeDriver.of(state)
    assert "invoke_tool" == edited.say(TAGS)["type"]


def test_every_cause_of_a_correction_counts_as_a_fault() -> None:
    """Whatever a model is sent back for has a counter; a cause without one would be an exception in a run."""
    assert FAILURES.keys() <= FAULT_OF.keys()
