"""The bare form: the two old functions, without any definition."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import failure, ok, result, results
from tests.core.driver import WholeDriver, stepped

CALL = '{"tool":"shell","command":"ls"}'
SEED_STATE: dict[str, Any] = {
    "history": [{"role": "user", "content": "List the files."}],
    "is_complete": False,
    "final_answer": None,
}


def test_state_of_a_query_has_the_seed_members() -> None:
    """A2: the state of a query holds its one user message and is not complete."""
    state = json.loads(purestep.create_agent_state("List the files."))
    assert SEED_STATE == {key: state[key] for key in SEED_STATE}
    assert 3 == state["schema_version"]


def test_object_with_a_tool_key_is_a_call() -> None:
    """A4, A6: the tool is the "tool" key, the parameters are the other keys."""
    decision = WholeDriver().say('{"tool":"shell","command":"ls","depth":2}')
    expected = ("invoke_tool", "shell", {"command": "ls", "depth": 2})
    assert expected == (decision["type"], decision["tool"], decision["params"])


def test_call_without_parameters_has_an_empty_object() -> None:
    """A6: a call of the tool's name alone has no parameters."""
    assert {} == WholeDriver().say('{"tool":"now"}')["params"]


def test_calls_mirror_the_first_call() -> None:
    """A4: `calls` holds the same call that `tool` and `params` show."""
    decision = WholeDriver().say(CALL)
    mirrored = {key: decision[key] for key in ("call_id", "tool", "params", "key")}
    assert [mirrored] == decision["calls"]


@pytest.mark.parametrize("text", ["Paris.", "42", "[1, 2]", '{"answer": 1}', "null", "ünï ✓", "a {brace} and `tick`"])
def test_any_other_text_is_the_answer(text: str) -> None:
    """A6: text that is no call is the final answer, exactly; the state says so in the seed's members."""
    driver = WholeDriver()
    assert {"type": "done", "answer": text} == driver.say(text)
    assert (True, text) == (driver.state["is_complete"], driver.state["final_answer"])
    assert {"role": "assistant", "content": text} == driver.state["history"][-1]


def test_hand_made_seed_state_is_taken_as_it_is() -> None:
    """A3: a state with the seed's three members alone gives the seed's decisions."""
    assert {"type": "done", "answer": "Paris"} == WholeDriver.of(SEED_STATE).say("Paris")
    assert "invoke_tool" == WholeDriver.of(SEED_STATE).say(CALL)["type"]


def test_output_has_the_seed_members() -> None:
    """A3: the output holds the state as text and the decision."""
    output = stepped(state_json=json.dumps(SEED_STATE), model_output="Paris")
    assert {"state_json", "decision", "log"} == set(output)
    assert isinstance(output["state_json"], str)


def test_tool_result_is_fed_back() -> None:
    """A7: a result goes into the history and the model is asked again."""
    driver = WholeDriver()
    driver.say(CALL)
    decision = driver.send(ok("call_1", "a.txt b.txt"))
    assert ("call_model", "tool_results") == (decision["type"], decision["reason"])
    assert ["user", "assistant", "user"] == [message["role"] for message in driver.state["history"]]
    assert "a.txt b.txt" in driver.state["history"][-1]["content"]


def test_failed_tool_result_is_fed_back_as_an_error() -> None:
    """B9: what a tool failed with reaches the model, which may go on."""
    driver = WholeDriver()
    driver.say(CALL)
    assert "call_model" == driver.send(results(failure("call_1", "no such directory")))["type"]
    assert "no such directory" in driver.state["history"][-1]["content"]


def test_program_that_never_reports_results_goes_on() -> None:
    """A7: a program written for the two functions sends the next output while a call is pending."""
    driver = WholeDriver()
    driver.say(CALL)
    assert "invoke_tool" == driver.say('{"tool":"shell","command":"pwd"}')["type"]
    decision = driver.say("Two files.")
    assert ("done", "Two files.") == (decision["type"], decision["answer"])


def test_program_that_edits_the_history_goes_on() -> None:
    """A7: a program that appends results to the history itself is understood, and its messages are counted."""
    driver = WholeDriver()
    driver.say(CALL)
    state = driver.state
    state["history"].append({"role": "user", "content": "Tool result: a.txt"})
    driver.state_json = json.dumps(state)
    decision = driver.say("a.txt")
    assert ("done", "a.txt") == (decision["type"], decision["answer"])
    assert ["user", "assistant", "user", "assistant"] == [message["role"] for message in driver.state["history"]]


def test_program_that_trims_the_history_goes_on() -> None:
    """A7: a program that drops old messages to fit its window can still go on."""
    driver = WholeDriver()
    for number in range(3):
        driver.say(json.dumps({"tool": "shell", "command": str(number)}))
        driver.send(ok(f"call_{number + 1}", f"output number {number}"))
    state = driver.state
    state["history"] = state["history"][-2:]
    driver.state_json = json.dumps(state)
    decision = driver.say("Done.")
    assert ("done", "Done.") == (decision["type"], decision["answer"])


def test_trimmed_history_of_a_later_exchange_goes_on() -> None:
    """A7: the place where an exchange began may be among the messages that the program dropped."""
    driver = WholeDriver()
    driver.say("First.")
    driver.send({"type": "user_message", "content": "And now?"})
    state = driver.state
    state["history"] = state["history"][-1:]
    driver.state_json = json.dumps(state)
    assert {"type": "done", "answer": "Second."} == driver.say("Second.")


def test_fifth_turn_may_still_answer() -> None:
    """A5: an answer in the last turn counts."""
    driver = _driver_after_calls(4)
    decision = driver.say("Five.")
    assert ("done", "Five.") == (decision["type"], decision["answer"])


def test_turn_limit_ends_in_its_own_error() -> None:
    """A5, C16: after five turns without an answer the run fails with a code of its own."""
    driver = _driver_after_calls(4)
    driver.say(json.dumps({"tool": "shell", "command": "last"}))
    decision = driver.send(ok("call_5", "the fifth output"))
    assert ("failed", "max_turns") == (decision["type"], decision["code"])
    assert (False, None) == (driver.state["is_complete"], driver.state["final_answer"])


def test_turn_limit_holds_for_programs_that_never_report() -> None:
    """A5: outputs without results count as turns too."""
    driver = WholeDriver()
    kinds = [driver.say(json.dumps({"tool": "shell", "command": str(n)}))["type"] for n in range(6)]
    assert ["invoke_tool"] * 5 + ["failed"] == kinds


def _driver_after_calls(number: int) -> WholeDriver:
    driver = WholeDriver()
    for index in range(number):
        driver.say(json.dumps({"tool": "shell", "command": str(index)}))
        driver.send(ok(f"call_{index + 1}", f"output number {index}"))
    return driver


FENCED = [
    f"```json\n{CALL}\n```",
    f"```\n{CALL}\n```",
    f"```json\r\n{CALL}\r\n```",
    f"I will look.\n```json\n{CALL}\n```\nThen I answer.",
    f"```json\n{CALL}",
    f"```json {CALL}```",
    f"```{CALL}```",
    f"Like `this`:\n```bash\nls\n```\nor so:\n```json\n{CALL}\n```",
    f"{CALL}\nI ran it.",
    CALL + "}",
]


@pytest.mark.parametrize("text", FENCED)
def test_fenced_call_is_a_call(text: str) -> None:
    """A7: a call in a code fence, or with text after it, is a call and never the final answer."""
    decision = WholeDriver().say(text)
    assert ("invoke_tool", {"command": "ls"}) == (decision["type"], decision.get("params"))


DAMAGED = [
    '{"tool":"shell","command":"l',
    '{"tool":"shell","command":',
    '{"tool":"shell",command:"ls"}',
    '{"tool":"shell" "command":"ls"}',
    '{"tool":"shell","command":"ls",}',
    '{"tool":"shell","n":01}',
    '{"tool":7}',
    '{"tool":""}',
    '{"tool":null}',
    '```json\n{"tool":"shell","command":"l',
    '{"command":"ls","tool":"shell"',
    '{"command":ls,"tool":"shell"}',
    "{'tool': 'shell', 'command': 'ls'}",
    '{tool: "shell", command: "ls"}',
]


@pytest.mark.parametrize("text", DAMAGED)
def test_damaged_call_is_never_an_answer(text: str) -> None:
    """A7: damaged tool JSON is never taken as the final answer: it is mended, or it asks for a correction."""
    decision = WholeDriver().say(text)
    assert decision["type"] in ("inconclusive", "invoke_tool")
    if decision["type"] == "inconclusive":
        assert decision["cause"] in ("parse_error", "truncated")


SKILL = '{"skill":"extract","text":"a"}'


@pytest.mark.parametrize("text", [SKILL, f"```json\n{SKILL}\n```", f"Sure:\n```\n{SKILL}\n```", f"{SKILL} now"])
def test_skill_is_called_in_the_same_forms_as_a_tool(text: str) -> None:
    """Fenced, or with text around it."""
    decision = WholeDriver().say(text)
    assert ("invoke_skill", "extract", {"text": "a"}) == (decision["type"], decision["skill"], decision["params"])


@pytest.mark.parametrize(
    "text", [SKILL[:-1], '{"skill":"extract","text":"a', '{"skill":"extract",text:01}', '```\n{"skill":"extract",']
)
def test_damaged_skill_is_never_an_answer(text: str) -> None:
    """It is sent back, as a damaged tool call is."""
    decision = WholeDriver().say(text)
    assert "inconclusive" == decision["type"]
    assert decision["cause"] in ("parse_error", "truncated")


@pytest.mark.parametrize("text", ['{"skill":""}', '{"skill":3}', '{"skills":["a"]}', 'The key "skill": it names one.'])
def test_what_names_no_skill_is_an_answer(text: str) -> None:
    """JSON without the key of a call, or with another value there, stays what it was."""
    assert {"type": "done", "answer": text} == WholeDriver().say(text)


def test_call_that_misses_only_closers_is_mended() -> None:
    """A7: a call that ends in a complete value is read with its closing bracket added."""
    decision = WholeDriver().say('{"tool":"shell","command":"ls"')
    assert ("invoke_tool", {"command": "ls"}) == (decision["type"], decision["params"])


@pytest.mark.parametrize("text", ["", " \n\t", "\r\n"])
def test_empty_output_is_no_answer(text: str) -> None:
    """Nothing falls through to success: an empty output asks again, and a second one fails."""
    driver = WholeDriver()
    assert ("inconclusive", "inconclusive") == (driver.say(text)["type"], driver.decision["cause"])
    assert ("failed", "inconclusive") == (driver.say(text)["type"], driver.decision["code"])


def test_state_alone_asks_for_the_decision_again() -> None:
    """Section 2: a state without anything else gives its current decision, and the state byte for byte."""
    driver = WholeDriver()
    for text in (CALL, "done now"):
        driver.say(text)
        assert {"state_json": driver.state_json, "decision": driver.decision, "log": ""} == stepped(
            state_json=driver.state_json
        )


@pytest.mark.parametrize(
    "observation",
    [
        {"type": "model_output", "content": "again"},
        ok("call_1", "late"),
        {"type": "cancel"},
        {"type": "model_error", "code": "timeout"},
        {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "k", "approved": True}]},
    ],
)
def test_no_step_but_a_user_message_is_taken_after_completion(observation: dict[str, Any]) -> None:
    """A7: after completion only a new user message is accepted; a refused step changes nothing."""
    driver = WholeDriver()
    driver.say("Finished.")
    before = driver.state_json
    assert "wrong_phase" == driver.send(observation)["code"]
    assert before == driver.state_json


def test_hand_made_complete_state_takes_no_output() -> None:
    """A7: a complete seed state refuses another model output."""
    complete = {**SEED_STATE, "is_complete": True, "final_answer": "Paris"}
    assert "wrong_phase" == WholeDriver.of(complete).say("again")["code"]
    assert {"type": "done", "answer": "Paris"} == stepped(state_json=json.dumps(complete))["decision"]


def test_user_message_after_completion_begins_an_exchange() -> None:
    """Section 6: after an answer a new user message goes on with the same history."""
    driver = WholeDriver()
    driver.say("Finished.")
    assert "user_message" == driver.send({"type": "user_message", "content": "And then?"})["reason"]
    assert (False, None) == (driver.state["is_complete"], driver.state["final_answer"])
    assert 3 == len(driver.state["history"])
    assert {"type": "done", "answer": "Nothing."} == driver.say("Nothing.")


@pytest.mark.parametrize("version", [2, -1, 99])
def test_unknown_schema_version_is_refused(version: int) -> None:
    """A7: a state of another schema version is refused by its version, whatever else it holds."""
    for state in ({**SEED_STATE, "schema_version": version}, {"schema_version": version, "new_member": 1}):
        assert "unsupported_version" == WholeDriver.of(state).say("x")["code"]


def test_calls_are_numbered_through_the_run() -> None:
    """A7: every call has an id and a key of its own."""
    driver = WholeDriver()
    first = driver.say(CALL)
    driver.send(ok("call_1", "listing of files"))
    second = driver.say(CALL)
    assert ["call_1", "call_2"] == [first["call_id"], second["call_id"]]
    assert first["key"] != second["key"]


def test_two_outputs_at_once_are_refused() -> None:
    """Section 2: model_output and observation exclude each other."""
    output = stepped(state_json=json.dumps(SEED_STATE), model_output="x", observation={"type": "cancel"})
    assert "invalid_input" == output["error"]["code"]


def test_output_without_state_is_refused() -> None:
    """Section 2: model_output needs state_json."""
    assert ("invalid_input", "/state_json") == _error(stepped(model_output="x"))


def _error(output: dict[str, Any]) -> tuple[str, str]:
    return output["error"]["code"], output["error"]["path"]


def test_inner_object_of_a_cut_call_is_never_the_call() -> None:
    """A7: a parameter that holds an object with a "tool" key is not the call when the last bracket is missing."""
    decision = WholeDriver().say('{"tool":"plan","first":{"tool":"shell","command":"ls"}')
    assert "shell" != decision.get("tool")


def test_empty_tool_output_is_rejected_in_the_bare_form() -> None:
    """D21: checks hold in the core, for the bare form too."""
    driver = WholeDriver()
    driver.say(CALL)
    assert ("correction", "guardrail") == (
        driver.send(results(result("call_1", "")))["reason"],
        driver.decision["cause"],
    )
