"""The tool choice of a definition and of one exchange: what is offered, corrected and logged (11.tool_choice)."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import ADD, call, failure, final, native_call, ok, results, said, tool
from tests.core.driver import Driver, WholeDriver, altered, stepped

LOOK = tool("look_up", {"word": {"type": "string"}}, annotations={"readOnlyHint": True})
TOOLS = [ADD, LOOK]
SUM = call("add_numbers", a=17, b=25)
SEEN = call("look_up", word="ox")
ONE = {"tool": "look_up"}


def begun(choice: Any = None, override: Any = None, **members: Any) -> Driver:
    """Return a run of the two tools with a choice of the definition and one of the user message."""
    definition = {"tools": TOOLS, **members} | ({} if choice is None else {"tool_choice": choice})
    driver = Driver(definition)
    if override is not None:
        driver = Driver.__new__(Driver)
        driver.definition, driver.messages, driver.log, driver.state, driver.decision = definition, [], "", None, {}
        driver.error = driver.send({"type": "user_message", "content": "Hello", "tool_choice": override})  # type: ignore[attr-defined]
    return driver


def constraint(driver: Driver) -> str:
    """Return what the output is held to, as text."""
    return json.dumps(driver.decision.get("response_format") or driver.decision.get("grammar"))


WAYS = [begun, lambda choice: begun(None, choice), lambda choice: begun("none", choice)]


@pytest.mark.parametrize("begin", WAYS, ids=["definition", "message", "message over definition"])
class TestChoices:
    """What each choice means, wherever it was made."""

    def test_required_takes_no_answer_before_a_result(self, begin: Any) -> None:
        """An answer comes back as a correction; after a result the model is free."""
        run = begin("required")
        assert '"final"' not in constraint(run)
        assert ("call_model", "obligation") == (run.send(said(final("42")))["type"], run.decision["cause"])
        run.send(said(SUM))
        run.send(ok("call_1", 42))
        assert '"final"' in constraint(run)
        assert {"type": "done", "answer": "42"} == run.send(said(final("42")))

    def test_a_failed_call_does_not_free_the_model(self, begin: Any) -> None:
        """Only a result that was ok does."""
        run = begin("required")
        run.send(said(SUM))
        run.send(results(failure("call_1", "no such number")))
        assert '"final"' not in constraint(run)
        run.send(said(final("42")))
        assert ("failed", "obligation") == (run.send(said(final("42")))["type"], run.decision["code"])

    def test_one_tool_is_called_first(self, begin: Any) -> None:
        """Another is corrected and never runs; after the first call any tool may follow, after a result an answer."""
        run = begin(ONE)
        assert ("look_up" in constraint(run), "add_numbers" in constraint(run)) == (True, False)
        assert ("call_model", "tool_choice") == (run.send(said(SUM))["type"], run.decision["cause"])
        run.send(said(f"[{SEEN},{SUM}]"))
        assert ("failed", "tool_choice") == (run.decision["type"], run.decision["code"])
        run = begin(ONE)
        assert "invoke_tool" == run.send(said(SEEN))["type"]
        run.send(results(failure("call_1", "not found")))
        assert ("add_numbers" in constraint(run), '"final"' in constraint(run)) == (True, False)
        run.send(said(SUM))
        run.send(ok("call_2", 42))
        assert "done" == run.send(said(final("42")))["type"]

    def test_an_answer_before_the_one_tool_names_it(self, begin: Any) -> None:
        """The correction says which tool is due."""
        run = begin(ONE)
        run.send(said(final("42")))
        assert "look_up" in run.messages[-1]["content"]


def test_none_takes_an_answer_only() -> None:
    """No call is offered, one that comes is corrected, and the next exchange has its tools again."""
    for run in (begun("none"), begun(None, "none"), begun("required", "none")):
        assert ('"final"' in constraint(run), "tool_call" in constraint(run)) == (True, False)
        assert ("call_model", "tool_choice") == (run.send(said(SUM))["type"], run.decision["cause"])
        assert "done" == run.send(said(final("42")))["type"]
        assert [] == run.events("tool_call")
    run = begun(None, "none")
    run.send(said(final("42")))
    run.send({"type": "user_message", "content": "And now?"})
    assert "tool_call" in constraint(run)
    assert run.state is not None
    assert "tool_choice" not in run.state["exchange"]


def test_the_head_of_the_prompt_is_the_same_for_every_choice() -> None:
    """A message's choice changes neither the system text nor the examples, so caches hold."""
    free = begun().prompt()[:-1]
    assert all(free == begun(None, choice).prompt()[:-1] for choice in ("auto", "none", "required", ONE))


def test_auto_in_a_message_lifts_the_definitions_demand() -> None:
    """The message's choice holds instead of the definition's, also where it is the default."""
    run = begun("required", "auto")
    assert '"final"' in constraint(run)
    assert "done" == run.send(said(final("42")))["type"]


def test_a_choice_of_an_unknown_tool_is_refused_with_the_nearest() -> None:
    """In a definition as one of the definition, in a message as one of the input; nothing begins."""
    error = json.loads(purestep.load_agent(json.dumps({"tools": TOOLS, "tool_choice": {"tool": "lookup"}})))["error"]
    assert ("invalid_agent", "/tool_choice/tool") == (error["code"], error["path"])
    assert 'no tool is named "lookup"; did you mean "look_up"?' == error["message"]
    run = begun(None, {"tool": "ad_numbers"})
    error = run.error  # type: ignore[attr-defined]
    assert ("invalid_input", "/observation/tool_choice/tool") == (error["code"], error["path"])
    assert ("add_numbers" in error["message"], run.state) == (True, None)
    assert "add_numbers, look_up" in begun(None, {"tool": "zzz"}).error["message"]  # type: ignore[attr-defined]
    for wrong in ("maybe", {"tool": 1}, {"tool": "look_up", "x": 1}, {"tool": "n" * 129}, 3):
        assert "invalid_input" == begun(None, wrong).error["code"]  # type: ignore[attr-defined]
        assert "invalid_agent" in purestep.load_agent(json.dumps({"tools": TOOLS, "tool_choice": wrong}))


def test_a_tool_cannot_be_required_where_there_is_none() -> None:
    """Such a run could never end."""
    assert '"path":"/tool_choice"' in purestep.load_agent('{"tool_choice": "required"}')
    first = {"agent": {}, "observation": {"type": "user_message", "content": "q", "tool_choice": "required"}}
    assert "/observation/tool_choice" == stepped(**first)["error"]["path"]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("required", "required"),
        ("none", "none"),
        (ONE, {"type": "function", "function": {"name": "look_up"}}),
        ("auto", None),
    ],
)
def test_native_tools_go_with_the_choice_in_openais_form(choice: Any, expected: Any) -> None:
    """All tools stay in the request, as its head is; the choice is gone once it is met."""
    run = begun(None, choice, dialect="native")
    assert (expected, 2) == (run.decision.get("tool_choice"), len(run.decision["tools"]))
    plain = begun(dialect="native")
    assert "tool_choice" not in plain.decision
    assert plain.decision["tools"] == run.decision["tools"]
    if choice == "none":
        run.send(said(None, tool_calls=[native_call("look_up", {"word": "ox"})]))
        assert ("tool_choice", "tool") == (run.decision["cause"], run.messages[-1]["role"])
        return
    run.send(said(None, tool_calls=[native_call("look_up", {"word": "ox"})]))
    run.send(ok("call_1", "an animal"))
    assert "tool_choice" not in run.decision


def test_native_after_a_failed_call_of_the_one_tool_requires_any() -> None:
    """The first call was of it; a result is still due."""
    run = begun(ONE, dialect="native")
    run.send(said(None, tool_calls=[native_call("look_up", {"word": "ox"})]))
    run.send(results(failure("call_1", "not found")))
    assert "required" == run.decision["tool_choice"]


def test_a_withheld_tool_is_not_demanded() -> None:
    """A tool that the repeat guard withholds is not offered, whatever was chosen."""
    run = begun(ONE, dialect="native")
    for number in (1, 2):
        run.send(said(None, tool_calls=[native_call("look_up", {"word": "ox"})]))
        run.send(results(failure(f"call_{number}", "not found")))
    run.send(said(None, tool_calls=[native_call("look_up", {"word": "ox"})]))
    assert (["add_numbers"], "required") == (
        [each["function"]["name"] for each in run.decision["tools"]],
        run.decision["tool_choice"],
    )


def test_the_last_turn_is_without_tools_also_where_one_was_required() -> None:
    """An answer is asked for, and one that rests on nothing fails the run."""
    run = begun("required", limits={"max_turns": 1, "final_answer": True})
    assert "tool_call" not in constraint(run)
    assert ("failed", "max_turns") == (run.send(said(final("42")))["type"], run.decision["code"])


def test_a_log_holds_the_choice_and_replays_it() -> None:
    """It stands in the line of the user message, as it came."""
    run = begun(None, ONE)
    run.send(said(SUM))
    run.send(said(SEEN))
    assert "call_model" == run.send(ok("call_2", "x" * 9))["type"]
    assert ONE == run.events("user_message")[0]["tool_choice"]
    replayed = json.loads(purestep.replay_log(run.log))
    assert (run.state, run.decision) == (replayed["state"], replayed["decision"])
    assert json.loads(purestep.verify_log(run.log, run.state["head"]))["ok"]  # type: ignore[index]
    forged = run.log.replace('"tool_choice":{"tool":"look_up"}', '"tool_choice":{"tool":"other"}')
    assert "invalid_log" == json.loads(purestep.verify_log(forged))["code"]


def test_a_state_with_a_choice_of_no_tool_is_refused() -> None:
    """No step can have made it."""
    run = begun(None, ONE)
    assert run.state is not None
    state = {**run.state, "tool_choice": {"tool": "other"}}
    assert "/state/tool_choice" == stepped(state=state)["error"]["path"]


def test_the_bare_form_takes_a_choice_of_any_tool() -> None:
    """Without a definition no tool is known, so any name may be the one."""
    first = {"observation": {"type": "user_message", "content": "q", "tool_choice": {"tool": "ls"}}}
    output = stepped(**first)
    after = stepped(state=output["state"], observation=said('{"tool":"rm","x":1}'))
    assert "tool_choice" == after["decision"]["cause"]
    after = stepped(state=output["state"], observation=said('{"tool":"ls"}'))
    assert "invoke_tool" == after["decision"]["type"]


def test_the_whole_state_form_takes_a_choice() -> None:
    """With the query that begins a run, and with a later user message; its log replays."""
    source = json.dumps({"tools": TOOLS})
    run = WholeDriver.of(purestep.create_agent_state("q", source, "r", '{"tool": "look_up"}'))
    assert "tool_choice" == run.say(SUM)["cause"]
    assert run.say(SEEN)["type"] == "invoke_tool"
    assert "call_model" == run.send(ok("call_2", "an animal"))["type"]
    run.say(final("An animal."))
    run.send({"type": "user_message", "content": "Thanks", "tool_choice": "none"})
    assert "tool_choice" == run.say(SUM)["cause"]
    replayed = json.loads(purestep.replay_log(run.log))
    assert altered(run.state["run"], "exchange", answer=None) == altered(replayed["state"], "exchange", answer=None)
    for words in ("required", '"required"'):
        begun_ = json.loads(purestep.create_agent_state("q", source, "r", words))
        assert "required" == begun_["run"]["exchange"]["tool_choice"]
    error = json.loads(purestep.create_agent_state("q", source, "r", '{"tool": "lookup"}'))["error"]
    assert ("invalid_input", "/tool_choice/tool") == (error["code"], error["path"])
    assert "invalid_input" in purestep.create_agent_state("q", source, "r", "maybe")


def test_an_edited_history_keeps_the_choice() -> None:
    """A host that changes the messages before the first step does not lift what was chosen."""
    run = WholeDriver.of(purestep.create_agent_state("q", json.dumps({"tools": TOOLS}), "r", "none"))
    state = run.state
    state["history"] += [{"role": "user", "content": "more"}]
    run = WholeDriver.of(state)
    assert "tool_choice" == run.say(SUM)["cause"]
    replayed = json.loads(purestep.replay_log(run.log))
    assert "none" == replayed["state"]["exchange"]["tool_choice"]
