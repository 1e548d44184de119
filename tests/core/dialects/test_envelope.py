"""The envelope dialect: one JSON object, read in three layers; what cannot be read is never an answer."""

import json
from typing import Any

import pytest

from tests.core.agents import ADD, agent, call, final, listed, ok, said, tool
from tests.core.driver import Driver

ADDED = call("add_numbers", a=1, b=2)
TRICKY = 'Use ```json\n{"kind":"final"}\n``` or `x` with } and ] and \\" and "quotes" {open'


def test_final_envelope_is_the_answer() -> None:
    """C13: a final envelope ends the run with its content."""
    assert {"type": "done", "answer": "Paris.", "acts": []} == Driver(agent()).send(said(final("Paris.")))


def test_tool_call_envelope_is_the_call() -> None:
    """C13: a tool_call envelope is handed out with its name and arguments."""
    decision = Driver(agent()).send(said(ADDED))
    assert ("invoke_tool", "add_numbers", {"a": 1, "b": 2}) == (decision["type"], decision["tool"], decision["params"])


AROUND = [
    "{}",
    " \n{}\n\n",
    "```json\n{}\n```",
    "```\n{}\n```",
    "```json\n{}",
    "```JSON\r\n{}\r\n```",
    "```json {}```",
    "Sure, here it is:\n```json\n{}\n```\nHope this helps!",
    "Sure: {}",
    "{} Hope this helps!",
    "I use `code` and {{braces}} [first], then: {}",
    'My quote " is open. {}',
    "It's 5 o'clock: {}",
    "{}}}",
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("inside", [final("Paris."), ADDED, final(TRICKY), call("shell", command=TRICKY)])
def test_fences_and_prose_are_tolerated(around: str, inside: str) -> None:
    """C15: a fence, an unclosed fence and prose are noted, and change nothing else; no string confuses."""
    plain = Driver(agent()).send(said(inside))
    text = around.replace("{}", "\0").replace("{{", "{").replace("}}", "}").replace("\0", inside)
    decision = Driver(agent()).send(said(text))
    assert {"repaired", "ignored_text"} >= {note["code"] for note in decision.pop("problems", ())}
    assert plain == decision


@pytest.mark.parametrize(
    "text",
    [
        "The answer is Paris.",
        "",
        "null",
        "42",
        '"Paris"',
        "[]",
        "{}",
        '{"kind":"answer","content":"Paris"}',
        '{"kind":"final"}',
        '{"kind":"final","content":null}',
        '{"content":"Paris"}',
        '{"kind":"tool_call"}',
        '{"kind":"tool_call","tool_name":"add_numbers","arguments":[1,2]}',
        '{"kind":"tool_call","tool_name":"add_numbers","arguments":7}',
        '{"kind":"tool_call","tool_name":7,"arguments":{}}',
        '{"kind":"tool_call","tool_name":"","arguments":{}}',
        '{"kind":7,"content":"Paris"}',
        '{"kind":"final","content":"cut of',
        '{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":1,"b":2',
        '{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":1,"b"',
        '{"kind":"final",content:"Paris"}',
        "{'kind':'final','content':'Paris'}",
        '{"kind":"final","content":"a"b"}',
        "[" * 100 + "]" * 100,
        '{"kind":"final","content":NaN}',
        "<script>alert(1)</script>",
        '[{"kind":"final","content":"a"},{"kind":"tool_call"}]',
        "\u200b",
    ],
)
def test_anything_else_is_a_correction_then_a_failure(text: str) -> None:
    """C15, C16: prose without an envelope is no success: one correction, then a failure with the cause as code."""
    driver = Driver(agent())
    decision = driver.send(said(text))
    assert ("call_model", "correction") == (decision["type"], decision["reason"])
    assert decision["cause"] in ("parse_error", "truncated", "inconclusive")
    assert ("failed", decision["cause"]) == (driver.send(said(text))["type"], driver.decision["code"])


def test_correction_is_fed_back_and_logged() -> None:
    """C16: recovery feedback is the last message of the prompt and is in the log with its cause."""
    driver = Driver(agent())
    driver.send(said("Paris"))
    (event,) = driver.events("correction")
    assert {"role": "user", "content": event["content"]} == driver.prompt()[-1]
    assert ("parse_error", 1) == (event["cause"], event["attempt"])
    assert '"kind" is "tool_call"' in event["content"]


def test_run_recovers_after_a_correction() -> None:
    """C15: the third layer: feedback, then the next turn is taken as usual, and the count starts anew."""
    driver = Driver(agent())
    for number in range(3):
        driver.send(said("prose"))
        assert "invoke_tool" == driver.send(said(call("add_numbers", a=number, b=2)))["type"]
        driver.give_all(f"{number + 2}")
    assert "call_model" == driver.send(said("prose"))["type"]


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ('{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":1,"b":"x"}', None),
        ('{"kind":"tool_call","tool_name":"shell","arguments":{"command":"ls"', {"command": "ls"}),
        ('{"kind":"tool_call","tool_name":"shell","arguments":{"command":"ls"}', {"command": "ls"}),
        ('```json\n{"kind":"tool_call","tool_name":"shell","arguments":{"command":"ls"}', {"command": "ls"}),
    ],
)
def test_truncated_call_is_recovered_only_where_that_is_safe(text: str, params: dict[str, Any] | None) -> None:
    """C18: missing closers after a complete value are added; the arguments are still held to the schema."""
    decision = Driver(agent()).send(said(text))
    if params is None:
        assert "invalid_arguments" == decision["cause"]
    else:
        assert ("request_approval", params) == (decision["type"], decision["calls"][0]["params"])


def test_inner_object_of_a_cut_call_is_never_the_call() -> None:
    """An argument called `name` is no tool name, also when the last bracket of the call is missing."""
    decision = Driver(agent()).send(
        said('{"kind":"tool_call","tool_name":"add_user","arguments":{"name":"add_numbers"}')
    )
    assert "unknown_tool" == decision.get("cause")
    assert "invoke_tool" != decision["type"]


def test_inner_envelope_of_a_cut_answer_is_never_a_call() -> None:
    """What is inside of an object that was cut is not read on its own."""
    inside = call("shell", command="ls")
    decision = Driver(agent()).send(said('{"kind":"final","about":' + inside + ',"content":"cut of'))
    assert ("call_model", "truncated") == (decision["type"], decision.get("cause"))


def test_number_at_the_very_end_may_be_cut_and_is_not_used() -> None:
    """C18: a call that ends in a number asks again, for 2 may have been 25."""
    decision = Driver(agent()).send(said('{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":1,"b":2'))
    assert "truncated" == decision["cause"]


def test_list_of_envelopes_is_a_turn_of_several_calls() -> None:
    """Section 6: parallel calls are handed out together, in the order written."""
    decision = Driver(agent()).send(said(listed(ADDED, call("add_numbers", a=3, b=4))))
    assert [{"a": 1, "b": 2}, {"a": 3, "b": 4}] == [entry["params"] for entry in decision["calls"]]
    assert ["call_1", "call_2"] == [entry["call_id"] for entry in decision["calls"]]


def test_one_wrong_call_sends_the_whole_turn_back() -> None:
    """No call of a turn runs when another is wrong: the model makes the turn again."""
    driver = Driver(agent())
    assert "unknown_tool" == driver.send(said(listed(ADDED, call("nothing"))))["cause"]
    assert [] == driver.events("tool_call")


def test_complete_envelope_counts_whatever_the_finish_reason() -> None:
    """An envelope that is closed is whole, also when the server stopped at its length limit."""
    assert {"type": "done", "answer": "x", "acts": []} == Driver(agent()).send(said(final("x"), finish_reason="length"))


def test_answer_cut_by_length_is_truncated() -> None:
    """Section 6: an answer that was cut is sent back with cause truncated."""
    decision = Driver(agent(dialect="tool_tags")).send(said("The capital of Fra", finish_reason="length"))
    assert ("correction", "truncated") == (decision["reason"], decision["cause"])


@pytest.mark.parametrize(
    ("content", "answer"),
    [({"b": 1, "a": [2]}, '{"a":[2],"b":1}'), ([1, 2], "[1,2]"), (42, "42"), (True, "true"), (1.0, "1")],
)
def test_content_that_is_no_text_is_the_answer_as_json(content: Any, answer: str) -> None:
    """C13: a final whose content is a JSON value gives that value's canonical text."""
    assert {"type": "done", "answer": answer, "acts": []} == Driver(agent()).send(said(final(content)))


@pytest.mark.parametrize(
    "text",
    [
        '{"name":"add_numbers","arguments":{"a":1,"b":2}}',
        '{"tool":"add_numbers","args":{"a":1,"b":2}}',
        '{"kind":"tool_call","name":"add_numbers","parameters":{"a":1,"b":2}}',
        '{"kind":"tool_call","tool_name":"add_numbers","arguments":"{\\"a\\":1,\\"b\\":2}"}',
        '{"kind":"function","tool_name":"add_numbers","arguments":{"a":1,"b":2}}',
    ],
)
def test_near_forms_of_a_call_are_understood(text: str) -> None:
    """C15: keys of other conventions are tolerated where they leave no doubt."""
    decision = Driver(agent()).send(said(text))
    assert ("invoke_tool", {"a": 1, "b": 2}) == (decision["type"], decision.get("params"))


def test_draft_in_reasoning_is_never_a_call() -> None:
    """A call inside a reasoning block is a draft: it is never handed out, and the answer after it counts."""
    draft = call("shell", command="rm -rf /")
    decision = Driver(agent()).send(said(f"<think>Maybe {draft}? No.</think>\n{final('No.')}"))
    assert {"type": "done", "answer": "No.", "acts": []} == decision


def test_unknown_tool_is_corrected_with_a_suggestion() -> None:
    """B9: an unknown name is data for the model, with the nearest name and the list."""
    driver = Driver(agent())
    assert "unknown_tool" == driver.send(said(call("add_number", a=1, b=2)))["cause"]
    text = driver.prompt()[-1]["content"]
    assert '"add_number"' in text
    assert 'Did you mean "add_numbers"?' in text
    assert "add_numbers, banned, shell" in text


def test_wrong_argument_is_corrected_with_path_expected_and_got() -> None:
    """B9, C16: the correction names where, what was expected and what came."""
    driver = Driver(agent())
    assert "invalid_arguments" == driver.send(said(call("add_numbers", a="one", b=2)))["cause"]
    text = driver.prompt()[-1]["content"]
    assert all(part in text for part in ("add_numbers", "/a", "number", "string", '"one"'))


def test_missing_and_misspelt_arguments_are_corrected_by_name() -> None:
    """B9, C16: a missing argument is named, an unknown one gets the nearest name."""
    spec = tool("weather", {"location": {"type": "string"}})
    spec["parameters"]["additionalProperties"] = False
    driver = Driver({"tools": [spec]})
    driver.send(said(call("weather", loction="Oslo")))
    text = driver.prompt()[-1]["content"]
    assert '"location"' in text
    assert "loction" in text
    assert 'did you mean "location"' in text


def test_enum_argument_is_corrected_with_the_choices() -> None:
    """C16: the correction lists what would have been right."""
    driver = Driver({"tools": [tool("t", {"unit": {"enum": ["celsius", "fahrenheit"]}})]})
    driver.send(said(call("t", unit="Celsius")))
    text = driver.prompt()[-1]["content"]
    assert '"celsius"' in text
    assert '"fahrenheit"' in text


def test_correction_stays_short_for_many_faults() -> None:
    """A correction of a hundred faults does not flood a small window."""
    names = [f"argument_{number}" for number in range(100)]
    driver = Driver({"tools": [tool("t", {name: {"type": "string"} for name in names})]})
    driver.send(said(call("t", **dict.fromkeys(names, 1))))
    assert len(driver.prompt()[-1]["content"]) < 2000


def test_correction_quotes_only_the_beginning_of_a_long_name() -> None:
    """A correction does not echo a flood."""
    driver = Driver(agent())
    driver.send(said(call("x" * 100_000)))
    assert len(driver.prompt()[-1]["content"]) < 2000


def test_too_many_calls_at_once_are_corrected() -> None:
    """Section 9: the number of calls in one output is bounded by a correction, not by a crash."""
    driver = Driver(agent())
    decision = driver.send(said(listed(*[call("add_numbers", a=n, b=1) for n in range(65)])))
    assert "parse_error" == decision["cause"]
    driver = Driver(agent(limits={"max_parallel": 64}))
    assert 64 == len(driver.send(said(listed(*[call("add_numbers", a=n, b=1) for n in range(64)])))["calls"])


def test_calls_one_after_another_all_count() -> None:
    """A call after another is not dropped in silence: both run."""
    driver = Driver(agent())
    decision = driver.send(said(f"{ADDED}\n{call('add_numbers', a=3, b=4)}"))
    assert "invoke_tool" == decision["type"]
    assert [{"a": 1, "b": 2}, {"a": 3, "b": 4}] == [entry["params"] for entry in decision["calls"]]


def test_invented_result_after_a_call_is_no_answer() -> None:
    """A model that goes on after its call with an answer of its own has made a call, not answered."""
    decision = Driver(agent()).send(said(f"{ADDED}\n{final('It is 7.')}"))
    assert "done" != decision["type"]


def test_control_characters_of_another_language_stay() -> None:
    """Text of every language reaches the answer unchanged."""
    text = "日本語 العربية עברית 🎉 \u2028 \u0000"
    assert text == Driver(agent()).send(said(final(text)))["answer"]


def test_numbers_of_arguments_are_canonical() -> None:
    """Section 9: 2.0 and 2e0 stand for the integer 2, as a JavaScript host would see them."""
    decision = Driver(agent()).send(
        said('{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":2.0,"b":2e0}}')
    )
    assert '{"a": 2, "b": 2}' == json.dumps(decision["params"])


def test_result_goes_back_as_a_user_message() -> None:
    """C17: for servers without a tool role results go as user messages, all of a turn in one."""
    driver = Driver(agent())
    driver.send(said(listed(ADDED, call("add_numbers", a=3, b=4))))
    driver.send(ok("call_2", "second output"))
    driver.send(ok("call_1", "first output"))
    last = driver.messages[-1]
    assert "user" == last["role"]
    assert last["content"].index("first output") < last["content"].index("second output")
    assert ["assistant", "user"] == [message["role"] for message in driver.messages[-2:]]


def test_raw_output_is_in_the_transcript_as_it_came() -> None:
    """The model sees its own words again, not our reading of them."""
    driver = Driver(agent())
    driver.send(said(f"Well. {ADDED}"))
    assert {"role": "assistant", "content": f"Well. {ADDED}"} == driver.messages[-1]


def test_tool_named_like_a_python_method_is_no_tool() -> None:
    """Names are looked up in the registry alone."""
    for name in ("__class__", "constructor", "toString", "__proto__"):
        assert "unknown_tool" == Driver({"tools": [ADD]}).send(said(call(name)))["cause"]
