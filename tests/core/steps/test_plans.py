"""Plans: a larger model gives steps, the smaller one is asked them one by one, and the last answer is the run's."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

import purestep
from purestep.bounds import MAX_PLANS
from purestep.draft import steps_in
from tests.core.agents import ADD, call, final, ok, said, tool
from tests.core.driver import Driver, assert_replays

WEATHER = tool(
    "get_weather", {"city": {"type": "string"}}, description="Get the weather.", annotations={"readOnlyHint": True}
)
PLAN = "1. Get the weather of Oslo with get_weather.\n2. Get the weather of Rome.\n3. Say which is warmer."
_THANKS = {"type": "user_message", "content": "Thanks"}
RULES = [
    {"cause": "unknown_tool", "count": 2, "move": "plan"},
    {"cause": "no_answer", "count": 2, "move": "plan"},
    {"cause": "unknown_tool", "count": 3, "move": "model"},
]


def _definition(**members: Any) -> dict[str, Any]:
    return {
        "tools": [ADD, WEATHER],
        "models": [{"name": "small"}, {"name": "large"}],
        "policies": [{"use": "negotiation", "rules": RULES}],
        **members,
    }


def _asked_for_plan(driver: Driver) -> Driver:
    """Have the small model fail twice."""
    driver.send(said(call("weather_of", city="Oslo")))
    driver.send(said(call("weather_of", city="Oslo")))
    return driver


def _planned(**members: Any) -> Driver:
    driver = _asked_for_plan(Driver(_definition(**members), "Is Oslo warmer than Rome?"))
    driver.send(said(final(PLAN)))
    return driver


def _called_natively(name: str, **arguments: Any) -> dict[str, Any]:
    """Return an output whose call stands apart from its text."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"type": "model_output", "tool_calls": [{"id": "x", "type": "function", "function": function}]}


def _switches(driver: Driver) -> list[tuple[str, str, str]]:
    return [(event["what"], event["cause"], event["to"]) for event in driver.events("switched")]


def _steps(driver: Driver) -> list[tuple[int, str]]:
    return [(event["attempt"], event["content"]) for event in driver.events("decided") if event["reason"] == "step"]


def _last(driver: Driver) -> str:
    text: str = driver.prompt()[-1]["content"]
    return text


def _refusal(state: dict[str, Any]) -> tuple[str, str]:
    given = {"state": state, "observation": said(final("x"))}
    error = json.loads(purestep.run_agent_step(json.dumps(given)))["error"]
    return error["code"], error["path"]


def test_larger_model_is_asked_for_steps_without_what_failed() -> None:
    """It sees the request and the tools, and may call none."""
    driver = _asked_for_plan(Driver(_definition(), "Is Oslo warmer than Rome?"))
    asked = driver.decision
    assert ("plan", "unknown_tool", "large") == (asked["reason"], asked["cause"], asked["model"])
    assert "response_format" not in asked
    assert [("plan", "unknown_tool", "large")] == _switches(driver)
    assert "weather_of" not in json.dumps(driver.prompt())
    assert ["user", "assistant", "user"] == [message["role"] for message in driver.prompt()[-3:]]
    assert _last(driver).startswith("Break what is left of the request above into steps for a smaller model")


def test_steps_are_put_to_the_smaller_model_one_by_one() -> None:
    """Each answer ends its step; that of the last one is the run's, after its checks."""
    driver = _planned()
    assert ("step", "small") == (driver.decision["reason"], driver.decision["model"])
    assert "Break what is left" not in json.dumps(driver.prompt())
    assert _last(driver).startswith("Step 1 of 3: Get the weather of Oslo with get_weather.\nDo this step alone")
    driver.send(said(call("get_weather", city="Oslo")))
    driver.send(ok("call_3", "12 degrees"))
    driver.send(said(final("Oslo has 12 degrees.")))
    assert _last(driver).startswith("Step 2 of 3: Get the weather of Rome")
    driver.send(said(call("get_weather", city="Rome")))
    driver.send(ok("call_4", "20 degrees"))
    driver.send(said(final("Rome has 20 degrees.")))
    assert "Step 3 of 3: Say which is warmer.\nDo this step, then answer the whole request." == _last(driver)
    driver.send(said(final("No, Rome is warmer.")))
    assert ("done", "No, Rome is warmer.") == (driver.decision["type"], driver.decision["answer"])
    assert [("plan", "unknown_tool", "large"), ("plan", "written", "small")] == _switches(driver)
    assert [1, 2, 3] == [number for number, _ in _steps(driver)]


@pytest.mark.parametrize(
    "ending",
    [
        [{"type": "cancel"}, _THANKS],
        [said(final(PLAN)), said(final("a")), said(final("b")), said(final("c")), _THANKS],
        [said(final("Look.")), said(final("12 degrees.")), _THANKS],
        [{"type": "model_error", "code": "unavailable"}, said(final("12 degrees.")), _THANKS],
        [said(final(PLAN)), {"type": "cancel"}, _THANKS],
        [{"type": "agent_changed", "agent": {"tools": [ADD]}}],
        [{"type": "agent_changed", "agent": {"tools": [ADD]}}, said(final("12 degrees.")), _THANKS],
    ],
)
def test_request_for_a_plan_is_in_no_later_prompt(ending: list[dict[str, Any]]) -> None:
    """However the plan ended: the next exchange would read it as a request that is still open."""
    driver = _asked_for_plan(Driver(_definition()))
    for observation in ending:
        assert "error" not in driver.send(observation)
        assert "Break what is left" not in json.dumps(driver.prompt() if "prompt" in driver.decision else "")
        assert "Before I go on" not in json.dumps(driver.prompt() if "prompt" in driver.decision else "")
    assert "call_model" == driver.decision["type"]
    assert_replays(driver)


@pytest.mark.parametrize("fails_before", [1, 2])
@pytest.mark.parametrize("plan", [PLAN, "Look."])
def test_what_the_user_says_meanwhile_is_said_beside_the_step(fails_before: int, plan: str) -> None:
    """Not beside the request for a plan, which no later prompt has."""
    driver = Driver(_definition())
    for number in (1, 2):
        driver.send(said(call("weather_of", city="Oslo")))
        if number == fails_before:
            driver.send({"type": "user_message", "content": "In Fahrenheit, please."})
    assert "plan" == driver.decision["reason"]
    assert "Fahrenheit" not in json.dumps(driver.prompt())
    driver.send(said(final(plan)))
    assert "Fahrenheit" in _last(driver)
    roles = [message["role"] for message in driver.prompt() if message["role"] != "system"]
    assert all(first != second for first, second in pairwise(roles))
    driver.send(said(final("54 degrees.")))
    if plan == PLAN:
        assert "Fahrenheit" in json.dumps(driver.prompt())
    assert_replays(driver)


def test_notice_of_a_limit_is_said_beside_the_step() -> None:
    """As what the user says."""
    driver = Driver(_definition(limits={"max_output_tokens": 100, "final_answer": True}))
    for tokens in (41, 41):
        driver.send({**said(call("weather_of", city="Oslo")), "usage": {"completion_tokens": tokens}})
    assert ("plan", []) == (driver.decision["reason"], driver.events("decided"))
    driver.send(said(final(PLAN)))
    assert ["step", "near_limit"] == [event["reason"] for event in driver.events("decided")]
    assert driver.events("decided")[-1]["content"] in _last(driver)


def test_step_at_hand_stays_in_a_small_window() -> None:
    """Its calls' results are left out before it, and a step that is done before those."""
    driver = _planned(models=[{"name": "small", "window_tokens": 1500}, {"name": "large", "window_tokens": 1500}])
    for number in range(5):
        driver.send(said(call("get_weather", city=f"Oslo {number}")))
        driver.send(ok(next(iter(driver.calls())), f"{number} degrees " * 300))
        assert "Step 1 of 3" in json.dumps(driver.prompt())
    assert "Oslo 0" not in json.dumps(driver.prompt())
    driver.send(said(final("Oslo has 12 degrees.")))
    for number in range(5):
        driver.send(said(call("get_weather", city=f"Rome {number}")))
        driver.send(ok(next(iter(driver.calls())), f"{number} degrees " * 300))
    assert ["Step 2 of 3"] == [text for text in ("Step 1 of 3", "Step 2 of 3") if text in json.dumps(driver.prompt())]
    assert_replays(driver)


def _summed_up_first() -> Driver:
    """Have the larger model asked for a summary, before it is asked for a plan: its window is the smaller one."""
    models = [{"name": "small", "window_tokens": 4000}, {"name": "large", "window_tokens": 1500}]
    uses = [{"use": "negotiation", "rules": RULES}, {"use": "summary", "max_tokens": 60}]
    driver = Driver(_definition(models=models, policies=uses), "Is Oslo warmer than Rome?")
    for city in ("Oslo", "Rome"):
        driver.send(said(call("get_weather", city=city)))
        driver.send(ok(next(iter(driver.calls())), f"It is mild in {city}. " * 100))
    _asked_for_plan(driver)
    assert ("summary", "large") == (driver.decision["reason"], driver.decision["model"])
    return driver


def test_plan_is_asked_for_after_a_summary() -> None:
    """And of what a plan was asked for nothing is summed up."""
    driver = _summed_up_first()
    driver.send({"type": "model_output", "content": "It is mild in Oslo and in Rome."})
    assert ("plan", "large") == (driver.decision["reason"], driver.decision["model"])
    assert "Break what is left" in _last(driver)
    driver.send(said(final(PLAN)))
    assert ("step", "small") == (driver.decision["reason"], driver.decision["model"])
    assert_replays(driver)


def test_definition_that_changes_within_a_summary_ends_the_planning() -> None:
    """The model is asked as after any such change, and not for a plan that nobody waits for."""
    driver = _summed_up_first()
    models = [{"name": "small", "window_tokens": 4000}]
    assert "error" not in driver.send({"type": "agent_changed", "agent": _definition(models=models, policies=[])})
    assert ("switch", "small") == (driver.decision["reason"], driver.decision["model"])
    assert "Break what is left" not in json.dumps(driver.prompt())
    assert_replays(driver)


def test_step_at_hand_stays_where_the_model_begins_anew() -> None:
    """What failed in the step before stands before that step's answer; a move leaves out what failed since."""
    rules = [{"cause": "unread", "count": 1, "move": "plan"}, {"cause": "no_answer", "count": 2, "move": "dialect"}]
    driver = Driver(_definition(policies=[{"use": "negotiation", "rules": rules}]))
    for output in ("{x}", final(PLAN), final(""), final("12 degrees."), final("")):
        driver.send(said(output))
    assert ("switch", "inconclusive") == (driver.decision["reason"], driver.decision["cause"])
    assert "Step 2 of 3" in _last(driver)
    assert "12 degrees." in driver.prompt()[-2]["content"]


def test_each_step_has_corrections_of_its_own() -> None:
    """One that was needed in the step before is not counted in this one."""
    driver = _planned(limits={"max_corrections": 1})
    for _ in range(2):
        driver.send(said(final("")))
        assert ("correction", "small") == (driver.decision["reason"], driver.decision["model"])
        driver.send(said(final("12 degrees.")))
    assert "Step 3 of 3" in _last(driver)


def test_step_at_hand_stays_after_an_overflow() -> None:
    """Where no window is declared only the latest turn is sent, with the step."""
    driver = _planned()
    driver.send(said(call("get_weather", city="Oslo")))
    driver.send(ok(next(iter(driver.calls())), "12 degrees"))
    driver.send({"type": "model_error", "code": "overflow"})
    assert "retry" == driver.decision["reason"]
    assert "Step 1 of 3" in json.dumps(driver.prompt())
    assert "12 degrees" in _last(driver)
    roles = [message["role"] for message in driver.prompt() if message["role"] != "system"]
    assert ["user", "assistant"] * 2 + ["user"] == roles


@pytest.mark.parametrize("member", ["tool_schemas", "tool_choice"])
def test_larger_model_is_asked_for_a_plan_as_its_server_takes_it(member: str) -> None:
    """What it refuses costs one request, and not the plan."""
    strings = {"city": {"type": "string", "pattern": "^[A-Z]"}}
    driver = Driver(_definition(dialect="native", tools=[tool("get_weather", strings)]))
    for _ in range(2):
        driver.send(_called_natively("weather_of", city="Oslo"))
    asked = driver.decision
    assert ("plan", "none", True) == (asked["reason"], asked["tool_choice"], "pattern" in json.dumps(asked["tools"]))
    driver.send({"type": "model_error", "code": "refused", "message": "it is not taken", "refused": member})
    asked = driver.decision
    assert ("plan", "large") == (asked["reason"], asked["model"])
    assert (member == "tool_choice") == ("tool_choice" not in asked) == ("pattern" in json.dumps(asked["tools"]))
    driver.send({"type": "model_output", "content": PLAN})
    assert "step" == driver.decision["reason"]


def test_roles_alternate_and_the_prompt_only_grows_from_the_plan_on() -> None:
    """Many chat templates demand the first, and caches of prompts live on the second."""
    driver = _planned()
    before = driver.prompt()
    driver.send(said(final("Oslo has 12 degrees.")))
    after = driver.prompt()
    assert before == after[: len(before)]
    roles = [message["role"] for message in after if message["role"] != "system"]
    assert all(first != second for first, second in pairwise(roles))


@pytest.mark.parametrize(
    ("output", "why"),
    [
        (final("Just ask for the weather."), "it has fewer than two steps"),
        ("\n".join(f"{number}. Look." for number in range(1, 10)), "it has more than 8 steps"),
        (final(f"1. Look.\n2. {'x' * 501}"), "a step is too long"),
        (call("get_weather", city="Oslo"), "it is a call"),
        ("", "it has fewer than two steps"),
    ],
)
def test_larger_model_takes_over_where_its_plan_is_none(output: str, why: str) -> None:
    """It is asked what the smaller one was asked, and the request for a plan is not sent again."""
    driver = _asked_for_plan(Driver(_definition()))
    driver.send(said(output))
    assert ("escalate", "large") == (driver.decision["reason"], driver.decision["model"])
    assert ("no_plan", why, "large") == _switches(driver)[-1]
    assert "Break what is left" not in json.dumps(driver.prompt())
    driver.send(said(final("12 degrees.")))
    assert "done" == driver.decision["type"]


def test_output_that_was_cut_off_or_withheld_is_no_plan() -> None:
    """Half a plan would look like a whole one."""
    for finish, why in (("length", "it was cut off"), ("content_filter", "the server withheld it")):
        driver = _asked_for_plan(Driver(_definition()))
        driver.send({**said(final(PLAN)), "finish_reason": finish})
        assert ("no_plan", why, "large") == _switches(driver)[-1]


def test_smaller_model_goes_on_where_the_larger_one_gives_nothing() -> None:
    """A server that cannot be reached costs the plan, and not the run."""
    driver = _asked_for_plan(Driver(_definition()))
    driver.send({"type": "model_error", "code": "unavailable", "retryable": True})
    assert ("switch", "small") == (driver.decision["reason"], driver.decision["model"])
    assert ("no_plan", "unavailable", "small") == _switches(driver)[-1]
    driver.send(said(final("12 degrees.")))
    assert "done" == driver.decision["type"]


def test_plan_is_made_once_and_only_where_a_larger_model_is() -> None:
    """Of two rules the second finds a plan there; without a larger model the run fails as it does without the rule."""
    driver = _planned()
    for _ in range(2):
        driver.send(said(final("")))
    assert ["plan", "plan"] == [what for what, _, _ in _switches(driver)]
    alone = _asked_for_plan(Driver(_definition(models=[{"name": "small"}])))
    assert [] == _switches(alone)


def test_step_that_fails_leads_to_the_larger_model_at_that_step() -> None:
    """Negotiation goes on within a step; what is done stays done."""
    driver = _planned()
    driver.send(said(final("Oslo has 12 degrees.")))
    for _ in range(4):
        if driver.decision["model"] == "small":
            driver.send(said(call("weather_of", city="Rome")))
    assert "large" == driver.decision["model"]
    assert "Step 2 of 3" in json.dumps(driver.prompt())
    driver.send(said(final("Rome has 20 degrees.")))
    assert _last(driver).startswith("Step 3 of 3")


def test_answer_of_the_last_step_is_held_to_the_checks_and_the_others_are_not() -> None:
    """The schema of the answer, and a tool that has to be used, are the whole request's."""
    schema = {"type": "object", "properties": {"warmer": {"type": "string"}}, "required": ["warmer"]}
    driver = _planned(answer_schema=schema)
    driver.send(said(final("Oslo has 12 degrees.")))
    driver.send(said(final("Rome has 20 degrees.")))
    driver.send(said(final("Rome.")))
    assert "answer_schema" == driver.decision["cause"]
    driver.send(said(json.dumps({"kind": "final", "content": {"warmer": "Rome"}})))
    assert {"warmer": "Rome"} == driver.decision["data"]


def test_limits_hold_over_the_plan_and_its_steps() -> None:
    """The plan's output is a turn, and a step is asked as any turn is."""
    driver = _planned(limits={"max_turns": 6})
    for answer in ("Oslo has 12 degrees.", "", "Rome has 20 degrees."):
        driver.send(said(final(answer)))
    assert ("failed", "max_turns") == (driver.decision["type"], driver.decision["code"])


def test_no_plan_is_asked_for_where_too_few_turns_are_left() -> None:
    """A plan and two steps need three."""
    driver = _asked_for_plan(Driver(_definition(limits={"max_turns": 5})))
    assert "plan" not in [what for what, _, _ in _switches(driver)]


def test_plan_is_counted_by_the_price_of_the_model_that_made_it() -> None:
    """A thousand tokens at five for a million."""
    models = [
        {"name": "small", "price": {"input": 1, "output": 1}},
        {"name": "large", "price": {"input": 5_000_000, "output": 1}},
    ]
    driver = _asked_for_plan(Driver(_definition(models=models)))
    driver.send({**said(final(PLAN)), "usage": {"prompt_tokens": 1000, "completion_tokens": 0}})
    assert driver.state is not None
    assert 5_000 == driver.state["exchange"]["used"]["cost"]


def test_model_that_was_told_to_answer_now_has_answered() -> None:
    """With the last turn no step is left to ask for."""
    driver = _planned(limits={"max_turns": 5, "final_answer": True})
    while driver.decision.get("type") == "call_model":
        assert driver.decision["reason"] in ("step", "near_limit")
        driver.send(said(final("12 degrees.")))
    assert "done" == driver.decision["type"]


def test_question_and_message_of_the_user_end_a_plan() -> None:
    """What comes next is another exchange."""
    driver = _planned()
    driver.send(said(json.dumps({"kind": "ask_user", "content": "Which Rome?"})))
    driver.send({"type": "cancel"})
    driver.send({"type": "user_message", "content": "And Bergen?"})
    assert driver.state is not None
    assert "plan" not in driver.state["exchange"]


@pytest.mark.parametrize(
    "change",
    [
        lambda plan: {**plan, "at": 3},
        lambda plan: {**plan, "model": 1},
        lambda plan: {**plan, "asked": 1},
        lambda plan: {**plan, "asked": 99},
        lambda plan: {},
        lambda plan: {"asked": plan["asked"]},
    ],
)
def test_edited_plan_is_refused(change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """A state that no step can have made."""
    driver = _planned()
    state = json.loads(json.dumps(driver.state))
    state["exchange"]["plan"] = change(state["exchange"]["plan"])
    assert ("invalid_state", "/state/exchange/plan") == _refusal(state)


@pytest.mark.parametrize("places", [[0], [9], [6, 7], [7, 1], list(range(1, 200, 2))])
def test_edited_places_of_requests_are_refused(places: list[int]) -> None:
    """Two messages at each place, in order, all in the transcript, and so many at most."""
    state = json.loads(json.dumps(_planned().state))
    state["run"]["plan_requests"] = places
    assert _refusal(state) in (
        ("invalid_state", "/state/run/plan_requests"),
        ("invalid_input", "/state/run/plan_requests"),
    )


def test_run_has_a_bounded_number_of_plans() -> None:
    """Past it a larger model takes over without being asked for one."""
    rules = [{"cause": "unread", "count": 1, "move": "plan"}, {"cause": "unread", "count": 2, "move": "model"}]
    driver = Driver(_definition(policies=[{"use": "negotiation", "rules": rules}]))
    for _ in range(MAX_PLANS):
        driver.send(said("{x}"))
        assert "plan" == driver.decision["reason"]
        driver.send(said(final("Look.")))
        driver.send(said(final("12 degrees.")))
        driver.send({"type": "user_message", "content": "And now?"})
    driver.send(said("{x}"))
    assert ("correction", "small") == (driver.decision["reason"], driver.decision["model"])


def test_plan_without_its_rule_is_refused() -> None:
    """A definition without the move has no plans."""
    driver = Driver(_definition(policies=[]))
    state = {**json.loads(json.dumps(driver.state))}
    state["exchange"]["plan"] = {"steps": ["a", "b"]}
    assert ("invalid_state", "/state/exchange/plan") == _refusal(state)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("1. Look.\n2) Add.\n3: Say.", ("Look.", "Add.", "Say.")),
        ("Here it is:\n- Look.\n  in the notes\n- Add.", ("Look. in the notes", "Add.")),
        ("Look.\n\nAdd.", ("Look.", "Add.")),
        ("1. 3.5 times 2\n2. -4 plus 1", ("3.5 times 2", "-4 plus 1")),
        ("3.5 times 2\n-4 plus 1", ("3.5 times 2", "-4 plus 1")),
        ("", ()),
    ],
)
def test_steps_are_numbered_lines_bulleted_ones_or_all(text: str, steps: tuple[str, ...]) -> None:
    """What stands before the first is an introduction; a number within a step is its own."""
    assert steps == steps_in(text)
