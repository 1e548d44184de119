"""Check tools: a tool of the host judges an output or an answer, and its verdict counts like a postcondition's."""

import json
from typing import Any

import pytest

import purestep
from purestep.json_text import call_key, call_signature
from tests.core.agents import call, final, native_call, results, said, tool
from tests.core.agents import result as given
from tests.core.driver import Driver, stepped

BALANCE: dict[str, Any] = {
    "name": "balance_ok",
    "annotations": {"readOnlyHint": True},
    "parameters": {
        "type": "object",
        "properties": {"paid": {"type": "number"}, "to": {"type": "string"}, "currency": {"type": "string"}},
        "required": ["paid"],
    },
}
TESTS: dict[str, Any] = {
    "name": "run_tests",
    "annotations": {"readOnlyHint": True},
    "parameters": {"type": "object", "properties": {"said": {}}},
}
RULE: dict[str, Any] = {
    "check": "balance_ok",
    "params": {"paid": "/output/paid", "to": "/arguments/to", "currency": {"value": "EUR"}},
}
PAY = tool("pay", {"to": {"type": "string"}}, annotations={"readOnlyHint": False}, postconditions=[RULE])
ANSWERED: dict[str, Any] = {"check": "run_tests", "params": {"said": "/output"}}


def _definition(*tools: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"tools": [*tools, BALANCE, TESTS], "guardrails": [], **members}


def _paid(output: Any = None, **members: Any) -> Driver:
    driver = Driver(_definition(PAY, **members), query="Pay Ann 5")
    driver.send(said(call("pay", to="Ann")))
    driver.send(results(given("call_1", {"paid": 5} if output is None else output)))
    return driver


def _verdict(call_id: str, accept: bool, **members: Any) -> dict[str, Any]:
    return results(given(call_id, {"accept": accept, **members}))


def _replays(driver: Driver) -> None:
    assert json.loads(purestep.verify_log(driver.log))["ok"]
    replayed = json.loads(purestep.replay_log(driver.log))
    assert (replayed["state"], replayed["decision"]) == (driver.state, driver.decision)


def test_an_accepted_output_is_checked_by_a_tool_first() -> None:
    """After an output that passes, the check is called with values of it, of the arguments and of the definition."""
    driver = _paid()
    [check] = driver.decision["calls"]
    expected = ("balance_ok", {"paid": 5, "to": "Ann", "currency": "EUR"}, "call_1")
    assert expected == (check["tool"], check["params"], check["checks"])
    assert [] == driver.events("verdict")
    driver.send(_verdict("call_2", True))
    assert ("call_model", "tool_results") == (driver.decision["type"], driver.decision["reason"])
    kinds = [(event["verdict"], event.get("check"), event["call_id"]) for event in driver.events("verdict")]
    assert [("accept", "postcondition:check", "call_1"), ("accept", None, "call_1")] == kinds
    assert '{"paid":5}' in driver.messages[-1]["content"]
    _replays(driver)


def test_a_rejected_output_is_corrected_once_and_then_fails_with_what_can_be_done() -> None:
    """A rejection leads to what a failed postcondition leads to; the failure names the check and what to do."""
    driver = _paid()
    driver.send(_verdict("call_2", False, reason="no money arrived"))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert "rejected: no money arrived" in driver.messages[-1]["content"]
    assert "do not make it again" in driver.messages[-1]["content"]
    driver.send(said(call("pay", to="Bob")))
    driver.send(results(given("call_3", {"paid": 5})))
    driver.send(_verdict("call_4", False))
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])
    assert "balance_ok, put that right" in driver.decision["message"]
    _replays(driver)


def test_an_answer_without_an_accepted_result_fails() -> None:
    """What a check has rejected is no basis for an answer."""
    driver = _paid()
    driver.send(_verdict("call_2", False))
    driver.send(said(final("It is paid.")))
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])


@pytest.mark.parametrize(
    "output",
    [
        "yes",
        True,
        None,
        {},
        {"accept": "true"},
        {"accept": 1},
        {"accept": None},
        {"reason": "fine"},
        {"accept": True, "score": 1},
        {"accept": True, "reason": 5},
        [{"accept": True}],
        '{"accept": true}',
        {"Accept": True},
        {"accept": [True]},
    ],
)
def test_another_shape_is_no_acceptance(output: Any) -> None:
    """Only an object with accept, a boolean, and a reason as text is a verdict; anything else says that it failed."""
    driver = _paid()
    driver.send(results(given("call_2", output)))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert "its check failed: expected accept and reason" in driver.messages[-1]["content"]


@pytest.mark.parametrize("error", [{"error": "no such account"}, {"error": "stopped", "error_kind": "interrupted"}, {}])
def test_a_check_that_fails_accepts_nothing(error: dict[str, Any]) -> None:
    """An error of the check, or no result of it, is a rejection that says so."""
    driver = _paid()
    driver.send({"type": "tool_results", "results": [{"call_id": "call_2", "ok": False, **error}]})
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert f"its check failed: {error.get('error', 'it ended')}" in driver.messages[-1]["content"]


def test_the_words_of_the_definition_replace_a_reason_but_no_failure() -> None:
    """`message` stands instead of the check's reason; that a check failed is said openly all the same."""
    worded = {**PAY, "postconditions": [{**RULE, "message": "the bank has not got it"}]}
    for output, words in (({"accept": False, "reason": "x"}, "the bank has not got it"), (7, "its check failed")):
        driver = Driver(_definition(worded))
        driver.send(said(call("pay", to="Ann")))
        driver.send(results(given("call_1", {"paid": 5})))
        driver.send(results(given("call_2", output)))
        assert words in driver.messages[-1]["content"]


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ({"sum": 5}, "/output/paid names nothing that is there"),
        ({"paid": "much"}, "paid"),
        ("paid", "/output/paid names nothing that is there"),
    ],
)
def test_a_check_that_cannot_be_called_rejects(output: Any, words: str) -> None:
    """Where there is nothing to check, or the check does not take it, the output is rejected without a call."""
    driver = _paid(output)
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert words in driver.messages[-1]["content"]
    assert 1 == len(driver.events("tool_call"))


def test_what_is_too_long_or_too_deep_is_not_checked() -> None:
    """What a check would look at is bounded in bytes and nesting; past that the output is rejected."""
    spec = tool("read", postconditions=[{"check": "run_tests", "params": {"said": "/output"}}])
    deep: Any = 1
    for _ in range(56):
        deep = [deep]
    for output, words in (("x" * 262_144, "longer than 262144 bytes"), (deep, None), ([deep], "nested more than 56")):
        driver = Driver(_definition(spec))
        driver.send(said(call("read")))
        driver.send(results(given("call_1", output)))
        if words is None:
            assert "invoke_tool" == driver.decision["type"]
            assert "call_model" == driver.send(_verdict("call_2", True))["type"]
        else:
            assert words in driver.messages[-1]["content"]


def test_data_is_judged_before_a_check_is_called() -> None:
    """What the definition's data rejects already is not shown to a check."""
    spec = {**PAY, "postconditions": [{"excludes": "lost"}, {**RULE, "schema": {"required": ["paid"]}}]}
    for note, checks in (("lost", []), ("kept", ["call_2"])):
        driver = Driver(_definition(spec))
        driver.send(said(call("pay", to="Ann")))
        driver.send(results(given("call_1", {"paid": 5, "note": note})))
        assert (["postcondition:excludes"] * (not checks)) == [each["check"] for each in driver.events("verdict")]
        assert checks == [each["call_id"] for each in driver.events("tool_call")[1:]]


def test_two_checks_both_have_to_accept_in_any_order() -> None:
    """All checks of an output run at once; the output is accepted with the last one, or rejected by any."""
    spec = {**PAY, "postconditions": [RULE, {"check": "run_tests", "params": {"said": "/output/paid"}}]}
    for order, verdicts, reason in (
        (("call_2", "call_3"), (True, True), "tool_results"),
        (("call_3", "call_2"), (True, True), "tool_results"),
        (("call_3", "call_2"), (False, True), "correction"),
        (("call_2", "call_3"), (False, False), "correction"),
    ):
        driver = Driver(_definition(spec))
        driver.send(said(call("pay", to="Ann")))
        driver.send(results(given("call_1", {"paid": 5})))
        assert ["call_2", "call_3"] == [entry["call_id"] for entry in driver.decision["calls"]]
        for call_id, accept in zip(order, verdicts, strict=True):
            assert "invoke_tool" == driver.decision["type"]
            driver.send(_verdict(call_id, accept))
        assert reason == driver.decision["reason"]
        _replays(driver)


def test_checks_of_a_parallel_turn_run_beside_its_other_calls() -> None:
    """A check is due as soon as its output has come; the model is asked once all calls and checks have theirs."""
    definition = _definition(PAY, dialect="native", limits={"max_parallel": 2})
    driver = Driver(definition)
    driver.send(said(None, tool_calls=[native_call("pay", {"to": name}) for name in ("Ann", "Bob", "Eve")]))
    driver.send(results(given("call_2", {"paid": 2})))
    assert ["call_1", "call_3"] == [entry["call_id"] for entry in driver.decision["calls"]]
    driver.send(results(given("call_1", {"paid": 1}), given("call_3", {"paid": 3})))
    found = [(entry["call_id"], entry["checks"], entry["params"]["paid"]) for entry in driver.decision["calls"]]
    assert [("call_4", "call_2", 2), ("call_5", "call_1", 1)] == found
    driver.send(results(given("call_5", {"accept": True}), given("call_4", {"accept": False, "reason": "two"})))
    driver.send(_verdict("call_6", True))
    said_to_model = [(each["role"], each["tool_call_id"]) for each in driver.messages[-3:]]
    assert [("tool", "call_1"), ("tool", "call_2"), ("tool", "call_3")] == said_to_model
    assert "was rejected: two" in driver.messages[-2]["content"]
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    _replays(driver)


def test_one_observation_with_all_results_is_logged_as_many() -> None:
    """Results sent together leave the log, and the state, of results sent one by one."""
    logs = []
    for together in (True, False):
        driver = Driver(_definition(PAY, dialect="native"))
        driver.send(said(None, tool_calls=[native_call("pay", {"to": "Ann"}), native_call("pay", {"to": "Bob"})]))
        both = [given("call_1", {"paid": 1}), given("call_2", {"paid": 2})]
        for batch in [both] if together else [[each] for each in both]:
            driver.send(results(*batch))
        driver.send(results(given("call_3", {"accept": True}), given("call_4", {"accept": True})))
        logs.append((driver.log, driver.state))
    assert logs[0] == logs[1]


def test_the_model_neither_sees_nor_calls_a_check() -> None:
    """A check tool is in no prompt and no constraint, and a call of it is a call of no tool."""
    for members in ({}, {"dialect": "native"}, {"dialect": "tool_tags"}, {"dialect": "hermes_json"}):
        driver = Driver(_definition(PAY, answer_postconditions=[ANSWERED], **members))
        offered = json.dumps([driver.messages, driver.decision])
        assert "pay" in offered
        assert "balance_ok" not in offered
        assert "run_tests" not in offered
    driver = Driver(_definition(PAY, answer_postconditions=[ANSWERED]))
    driver.send(said(call("balance_ok", paid=5)))
    assert ("correction", "unknown_tool") == (driver.decision["reason"], driver.decision["cause"])
    assert "The tools are: pay." in driver.messages[-1]["content"]


def test_a_check_counts_as_a_call_and_no_call_begins_that_could_not_be_checked() -> None:
    """A budget of calls has room for a call and its checks, or the call does not begin."""
    driver = _paid(limits={"max_tool_calls": 2})
    assert 2 == (driver.state or {})["tool_calls"]
    driver = Driver(_definition(PAY, limits={"max_tool_calls": 1}))
    driver.send(said(call("pay", to="Ann")))
    assert ("failed", "budget") == (driver.decision["type"], driver.decision["code"])
    driver = Driver(_definition(PAY, limits={"max_tool_calls": 2}, answer_postconditions=[ANSWERED]))
    driver.send(said(call("pay", to="Ann")))
    assert ("failed", "budget") == (driver.decision["type"], driver.decision["code"])


def test_a_rejected_effect_is_not_had_twice_unasked() -> None:
    """A destructive call whose output a check rejected has had its effect: the same call asks a person."""
    spec = {**PAY, "annotations": {"destructiveHint": True}, "approval": "auto"}
    driver = Driver(_definition(spec))
    driver.send(said(call("pay", to="Ann")))
    driver.send(results(given("call_1", {"paid": 5})))
    driver.send(_verdict("call_2", False))
    driver.send(said(call("pay", to="Ann")))
    assert ("request_approval", "same_effect") == (driver.decision["type"], driver.decision["calls"][0]["reason"])


def test_edited_arguments_are_those_that_are_checked() -> None:
    """What a person wrote into a call is what its check is shown, and what the model is told of a rejection."""
    driver = Driver(_definition({**PAY, "approval": "ask"}))
    driver.send(said(call("pay", to="Ann")))
    driver.answer_all(approved=True, params={"to": "Bob"})
    driver.send(results(given("call_1", {"paid": 5})))
    assert "Bob" == driver.decision["params"]["to"]
    driver.send(_verdict("call_2", False, reason="not Bob"))
    assert 'changed the arguments to {"to":"Bob"}.) The output of pay was rejected' in driver.messages[-1]["content"]
    _replays(driver)


def test_after_a_stop_only_the_check_runs_again() -> None:
    """A check that was handed out runs again without a person, and what it judges does not."""
    driver = _paid()
    before = driver.decision
    driver.send({"type": "resumed"})
    assert before == driver.decision
    driver.send(_verdict("call_2", True))
    assert "tool_results" == driver.decision["reason"]
    _replays(driver)


def test_a_cancelled_check_leaves_its_output_unaccepted() -> None:
    """Where a run ends while a check is out, the transcript says that the output was not checked."""
    driver = _paid()
    driver.send({"type": "cancel"})
    assert "cancelled" == driver.decision["code"]
    assert "The output of pay was not checked: the run was cancelled." in driver.messages[-1]["content"]
    assert '{"paid":5}' not in driver.messages[-1]["content"]
    _replays(driver)


def test_an_answer_is_checked_by_a_tool() -> None:
    """An answer that passes the data is shown to its check, and done once that accepts it."""
    driver = Driver(_definition(answer_postconditions=[ANSWERED]))
    driver.send(said(final("It works.")))
    [check] = driver.decision["calls"]
    assert ("run_tests", {"said": "It works."}, "answer") == (check["tool"], check["params"], check["checks"])
    driver.send(_verdict("call_1", True))
    assert {"type": "done", "answer": "It works."} == driver.decision
    _replays(driver)


def test_a_rejected_answer_is_corrected_once_and_then_fails() -> None:
    """A check sends an answer back as a postcondition does, with its reason."""
    driver = Driver(_definition(answer_postconditions=[ANSWERED]))
    driver.send(said(final("It works.")))
    driver.send(_verdict("call_1", False, reason="two tests fail"))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])
    assert "Your last answer was rejected: two tests fail." in driver.messages[-1]["content"]
    driver.send(said(final("It works now.")))
    driver.send(_verdict("call_2", False))
    assert ("failed", ["postcondition:check"]) == (driver.decision["type"], driver.decision["detail"]["checks"])
    assert "run_tests, put that right" in driver.decision["message"]
    _replays(driver)


def test_the_data_of_an_answer_is_checked_and_kept() -> None:
    """With an answer schema the check is shown the data; what was coerced is reported with the answer."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    rule = {"check": "run_tests", "params": {"said": "/output/n"}}
    definition = _definition(answer_schema=schema, coerce=True, answer_postconditions=[rule])
    driver = Driver(definition)
    driver.send(said(final({"n": "7"})))
    assert {"said": 7} == driver.decision["params"]
    driver.send(_verdict("call_1", True))
    assert ({"n": 7}, "repaired") == (driver.decision["data"], driver.decision["problems"][0]["code"])
    _replays(driver)
    driver = Driver({**definition, "answer_postconditions": [{"check": "run_tests", "params": {"said": "/output/m"}}]})
    driver.send(said(final({"n": 7})))
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])


def test_the_budget_ends_an_answer_that_cannot_be_checked() -> None:
    """Without a call left for its check, an answer is not given."""
    driver = Driver(_definition(answer_postconditions=[ANSWERED], limits={"max_tool_calls": 1}))
    driver.send(said(final("It works.")))
    driver.send(_verdict("call_1", False))
    driver.send(said(final("It works now.")))
    assert ("failed", "budget") == (driver.decision["type"], driver.decision["code"])


def test_a_cancelled_answer_is_not_given() -> None:
    """Where a run ends while its answer is checked, there is no answer."""
    driver = Driver(_definition(answer_postconditions=[ANSWERED]))
    driver.send(said(final("It works.")))
    number = len(driver.messages)
    driver.send({"type": "cancel"})
    assert ("failed", number) == (driver.decision["type"], len(driver.messages))
    assert "judged" not in (driver.state or {})
    _replays(driver)


def test_a_carried_model_is_asked_where_its_answer_has_to_be_checked() -> None:
    """An answer that a check has to accept is not given without the model."""
    spec = tool(
        "get_weather", {"city": {"type": "string"}}, description="Get the weather", annotations={"readOnlyHint": True}
    )
    models = [{"name": "m", "carry": "route"}]
    ends = []
    for conditions in ([], [ANSWERED]):
        driver = Driver(_definition(spec, models=models, answer_postconditions=conditions), "Get the weather in Oslo")
        driver.send(results(given("call_1", "Rain all day")))
        ends.append(driver.decision["type"])
    assert ["done", "call_model"] == ends


def test_a_rejected_output_is_no_evidence_and_is_not_read_on() -> None:
    """Later postconditions find values in accepted outputs only, and a rejected output cannot be read on in."""
    find = tool("find", postconditions=[{"check": "run_tests", "params": {"said": "/output"}}], max_output_chars=10)
    cited = [{"occurs": {"values": "/output", "in": ["results"]}}]
    for accept in (True, False):
        driver = Driver(_definition(find, read_output=True, answer_postconditions=cited))
        driver.send(said(call("find")))
        driver.send(results(given("call_1", "Ann Lee and Bob Ray")))
        assert "said" in (driver.state or {})["pending"][0]
        driver.send(_verdict("call_2", accept))
        assert accept == ("cut" in (driver.state or {}))
        assert accept == ("Bob Ray" in (driver.state or {})["evidence"].get("results", ""))
        _replays(driver)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"check": "nobody"}, "/tools/0/postconditions/0/check"),
        ({"check": "pay"}, "/tools/0/postconditions/0/check"),
        ({"check": "drop"}, "/tools/0/postconditions/0/check"),
        ({"check": "asked"}, "/tools/0/postconditions/0/check"),
        ({"check": "checked"}, "/tools/0/postconditions/0/check"),
        ({"params": {"paid": "/output/paid", "size": "/output"}}, "/tools/0/postconditions/0/params/size"),
        ({"params": {"to": "/arguments/to"}}, "/tools/0/postconditions/0/params"),
        ({"params": {"paid": "paid"}}, "/tools/0/postconditions/0/params/paid"),
        ({"params": {"paid": "/arguments/from"}}, "/tools/0/postconditions/0/params/paid"),
        ({"check": None}, "/tools/0/postconditions/0/params"),
        ({"params": {"paid": 5}}, "/tools/0/postconditions/0/params/paid"),
    ],
)
def test_a_check_that_cannot_be_is_refused_with_its_path(change: dict[str, Any], path: str) -> None:
    """A definition whose check is no tool, acts, asks, is judged itself, or takes other arguments is refused."""
    others = [
        tool("drop", annotations={"destructiveHint": True}),
        tool("asked", annotations={"readOnlyHint": True}, approval="ask"),
        tool("checked", annotations={"readOnlyHint": True}, postconditions=[{"contains": "x"}]),
    ]
    spec = {**PAY, "postconditions": [{**RULE, **change}]}
    output = stepped(agent=_definition(spec, *others), observation={"type": "user_message", "content": "x"}, run_id="r")
    assert ("invalid_agent", path) == (output["error"]["code"], output["error"]["path"])


def test_checks_stand_at_the_top_of_a_list_and_are_bounded() -> None:
    """Inside other conditions a check is refused, and so are more than eight of one list, and guardrails on checks."""
    nested = [{"any": [RULE]}, {"all": [RULE]}, {"not": RULE}]
    for condition, inner in zip(nested, ("/any/0", "/all/0", "/not"), strict=True):
        agent = _definition({**PAY, "postconditions": [condition]})
        error = stepped(agent=agent, observation={"type": "user_message", "content": "x"}, run_id="r")["error"]
        assert f"/tools/0/postconditions/0{inner}/check" == error["path"]
    for agent, path in (
        (_definition({**PAY, "postconditions": [RULE] * 9}), "/tools/0/postconditions"),
        ({**_definition(PAY), "guardrails": [{"name": "obligation", "tools": ["balance_ok"]}]}, "/guardrails/0/tools"),
        ({**_definition(PAY), "tool_choice": {"tool": "balance_ok"}}, "/tool_choice/tool"),
    ):
        error = stepped(agent=agent, observation={"type": "user_message", "content": "x"}, run_id="r")["error"]
        assert ("invalid_agent", path) == (error["code"], error["path"])


def _with(pending: int, **members: Any) -> Any:
    def change(state: dict[str, Any]) -> None:
        state["pending"][pending] |= members

    return change


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (_with(1, checks="call_7"), "/pending/1/checks"),
        (_with(1, checks="call_2"), "/pending/1/checks"),
        (_with(1, condition=3), "/pending/1/condition"),
        (_with(1, checks="answer"), "/pending/1/condition"),
        (_with(1, checks=""), "/pending/1/tool"),
        (_with(1, status="approval"), "/phase"),
        (_with(1, approved=True), "/pending/1/checks"),
        (_with(1, said="x"), "/pending/1/checks"),
        (_with(0, said="x"), "/judged"),
        (_with(0, status="run", ok=False, text=""), "/pending/1/status"),
        (_with(0, checks="call_2", status="run", ok=False, text=""), "/pending/0/checks"),
        (lambda state: state.update(judged={"answer": "x"}), "/judged"),
    ],
)
def test_a_changed_state_of_a_check_is_refused(change: Any, path: str) -> None:
    """A pending check has to be one that a postcondition of the definition asks for."""
    driver = _paid()
    change(driver.state)
    error = driver.send(_verdict("call_2", True))
    assert ("invalid_state", f"/state{path}") == (error["code"], error["path"])


@pytest.mark.parametrize(
    ("member", "change"),
    [
        ("params", {"to": "Eve"}),
        ("params", {"currency": "USD"}),
        ("params", {"paid": "much"}),
        ("tool", "run_tests"),
        ("tool", "pay"),
    ],
)
def test_another_check_under_a_fitting_key_is_refused(member: str, change: Any) -> None:
    """The tool is the postcondition's; arguments that the output does not give are the call's and the definition's."""
    driver = _paid()
    assert driver.state is not None
    check = driver.state["pending"][1]
    check[member] = {**check["params"], **change} if member == "params" else change
    check["key"] = call_key("run-1", 2, call_signature(check["tool"], check["params"]))
    error = driver.send(_verdict("call_2", True))
    assert ("invalid_state", f"/state/pending/1/{member}") == (error["code"], error["path"])
