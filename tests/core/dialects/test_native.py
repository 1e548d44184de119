"""The native dialect: calls beside the text, results as tool messages in call order."""

import json
from typing import Any

import pytest

from tests.core.agents import agent, call, final, listed, native_call, ok, result, results, said
from tests.core.driver import Driver

ADD = native_call("add_numbers", {"a": 1, "b": 2}, id="abc")
ADD_TOO = native_call("add_numbers", {"a": 3, "b": 4}, id="def")


def _driver(**members: Any) -> Driver:
    return Driver(agent(dialect="native", **members))


def _calls(*entries: dict[str, Any], **members: Any) -> dict[str, Any]:
    return said(None, tool_calls=list(entries), finish_reason="tool_calls", **members)


def test_tools_are_offered_in_openai_shape() -> None:
    """Section 4: the model call carries the tools by name, description and parameters, sorted by name."""
    tools = _driver().decision["tools"]
    assert ["add_numbers", "banned", "shell"] == [entry["function"]["name"] for entry in tools]
    assert {"function"} == {entry["type"] for entry in tools}
    assert "Add two numbers." == tools[0]["function"]["description"]
    assert ["a", "b"] == tools[0]["function"]["parameters"]["required"]


def test_calls_are_handed_out_with_ids_of_the_run() -> None:
    """Section 6: every call has an id of ours, for a server's may be missing or repeat."""
    decision = _driver().send(_calls(ADD, {**ADD_TOO, "id": "abc"}))
    assert ["call_1", "call_2"] == [entry["call_id"] for entry in decision["calls"]]


def test_results_stand_in_call_order_whatever_order_they_come_in() -> None:
    """C17: results are tool messages after their calls, in call order, one for each id."""
    driver = _driver()
    driver.send(_calls(ADD, ADD_TOO, native_call("add_numbers", {"a": 5, "b": 6})))
    driver.send(ok("call_3", "third"))
    driver.send(results(result("call_2", "second"), result("call_1", "first")))
    assistant, *after = driver.messages[-4:]
    assert ["call_1", "call_2", "call_3"] == [entry["id"] for entry in assistant["tool_calls"]]
    expected = [("tool", f"call_{n}", text) for n, text in enumerate(("first", "second", "third"), 1)]
    assert expected == [(m["role"], m["tool_call_id"], m["content"]) for m in after]


def test_text_beside_calls_is_kept() -> None:
    """The assistant message holds the text that came with the calls, and the arguments as they were written."""
    driver = _driver()
    driver.send({**_calls(ADD), "content": "I will add."})
    message = driver.messages[-1]
    assert ("I will add.", ADD["function"]) == (message["content"], message["tool_calls"][0]["function"])


def test_text_alone_is_the_answer() -> None:
    """Section 4: without calls the text is the answer, also when it looks like an envelope."""
    assert {"type": "done", "answer": "Three.", "acts": []} == _driver().send(said("Three.", tool_calls=[]))
    text = final("x")
    assert {"type": "done", "answer": text, "acts": []} == _driver().send(said(text))


@pytest.mark.parametrize("arguments", ["{", '{"a":1,"b":}', "[1]", '"x"', "7", "{'a':1}", '{"a":1}{"b":2}', "NaN"])
def test_damaged_arguments_are_corrected_in_the_place_of_the_result(arguments: str) -> None:
    """C16: servers expect a tool message for each call, so the correction is one."""
    driver = _driver()
    assert "parse_error" == driver.send(_calls(native_call("add_numbers", arguments), ADD))["cause"]
    expected = [("tool", "call_1"), ("tool", "call_2")]
    assert expected == [(m["role"], m.get("tool_call_id")) for m in driver.messages[-2:]]
    assert "add_numbers" in driver.messages[-2]["content"]


def test_arguments_cut_by_length_are_truncated() -> None:
    """Section 6: arguments that were cut by the length limit have the cause truncated."""
    observation = {**_calls(native_call("add_numbers", '{"a":1,"b":2')), "finish_reason": "length"}
    assert "truncated" == _driver().send(observation)["cause"]


@pytest.mark.parametrize("arguments", ["", "null", "{}", "  "])
def test_call_without_arguments_is_a_call(arguments: str) -> None:
    """Servers write no arguments in several ways."""
    driver = Driver({"dialect": "native", "tools": [{"name": "now"}]})
    decision = driver.send(_calls(native_call("now", arguments)))
    assert ("invoke_tool", {}) == (decision["type"], decision.get("params"))


def test_arguments_may_come_as_an_object() -> None:
    """Some servers give the arguments decoded."""
    entry = {"type": "function", "function": {"name": "add_numbers", "arguments": {"a": 1, "b": 2}}}
    assert {"a": 1, "b": 2} == _driver().send(_calls(entry))["params"]


def test_unknown_tool_and_wrong_arguments_are_corrected_as_tool_messages() -> None:
    """C16: each correction of a native turn answers every call of it."""
    for entry, cause in ((native_call("nope", {}), "unknown_tool"), (native_call("shell", {}), "invalid_arguments")):
        driver = _driver()
        assert cause == driver.send(_calls(ADD, entry))["cause"]
        assert ["call_1", "call_2"] == [message["tool_call_id"] for message in driver.messages[-2:]]


def _unanswered(messages: list[dict[str, Any]]) -> list[str]:
    open_ids: list[str] = []
    for message in messages:
        open_ids += [entry["id"] for entry in message.get("tool_calls", ())]
        if message["role"] == "tool":
            open_ids.remove(message["tool_call_id"])
    return open_ids


@pytest.mark.parametrize(
    "observations",
    [
        [_calls(ADD, ADD_TOO), {"type": "cancel"}],
        [_calls(ADD, ADD_TOO), ok("call_1", "first"), {"type": "cancel"}],
        [_calls(native_call("shell", {"command": "ls"})), {"type": "cancel"}],
        [_calls(native_call("nope", {})), _calls(native_call("nope", {}))],
        [{**_calls(native_call("add_numbers", "{")), "finish_reason": "content_filter"}],
        [{**_calls(ADD), "finish_reason": "content_filter"}, {"type": "cancel"}],
        [_calls(native_call("add_numbers", "{")), _calls(native_call("add_numbers", "{"))],
        [_calls(*[ADD] * 65), _calls(*[ADD] * 65)],
    ],
)
def test_every_call_has_its_result_when_the_run_ends(observations: list[dict[str, Any]]) -> None:
    """C17: a call without a result would make every later request of the conversation fail."""
    driver = _driver()
    for observation in observations:
        driver.send(observation)
    assert "failed" == driver.decision["type"]
    assert [] == _unanswered(driver.messages)
    assert "call_model" == driver.send({"type": "user_message", "content": "again"})["type"]


def test_content_filter_is_a_failure_not_an_answer() -> None:
    """A text that the server withheld is never shown as the answer."""
    decision = _driver().send(said("I can", finish_reason="content_filter"))
    assert ("failed", "model_error") == (decision["type"], decision["code"])


def test_empty_output_is_corrected() -> None:
    """Nothing falls through to success."""
    for content in (None, "", "\n"):
        assert ("correction", "inconclusive") == (
            (decision := _driver().send(said(content)))["reason"],
            decision["cause"],
        )


def test_native_calls_are_taken_in_every_dialect() -> None:
    """A server that returns calls beside the text is understood whatever the dialect; its transcript stays text."""
    for dialect in ("envelope", "tool_tags", "bare", "auto"):
        driver = Driver(agent(dialect=dialect))
        decision = driver.send(_calls(ADD, ADD_TOO))
        assert ["call_1", "call_2"] == [entry["call_id"] for entry in decision["calls"]]
        driver.give_all("the sum")
        assert not any(m.get("tool_calls") or m["role"] == "tool" for m in driver.messages)
        assert "add_numbers" in driver.messages[-2]["content"]


def test_raw_calls_are_recorded() -> None:
    """E29: the raw output, its ids and argument text included, is recorded before it is read."""
    driver = _driver()
    entry = native_call("add_numbers", '{ "a": 1.0 ,"b":2}', id="weird id")
    driver.send(_calls(entry))
    (event,) = driver.events("model_response")
    assert [entry] == event["tool_calls"]


def test_members_that_servers_add_are_ignored() -> None:
    """Index, refusal and other members of a server's tool calls and usage do no harm."""
    entry = {**ADD, "index": 0, "extra": {"x": 1}}
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7, "prompt_tokens_details": {"cached": 1}}
    driver = _driver()
    assert "invoke_tool" == driver.send(_calls(entry, usage=usage, model="m-1"))["type"]
    assert (3, 4) == (
        driver.state["exchange"]["used"]["input_tokens"],
        driver.state["exchange"]["used"]["output_tokens"],
    )


def test_prompt_ranges_name_messages_exactly() -> None:
    """Section 3: `prompt` names all messages of a short run, each once, with the newest last."""
    driver = _driver()
    driver.send(_calls(ADD))
    driver.send(ok("call_1", 3))
    assert driver.messages == driver.prompt()
    assert [[0, len(driver.messages)]] == driver.decision["prompt"]


def test_envelope_and_native_calls_of_the_same_place_share_their_keys() -> None:
    """Section 6: a key is made of run, ordinal, tool and arguments, not of the form they came in."""
    native = _driver().send(_calls(ADD, ADD_TOO))
    text = listed(call("add_numbers", b=2, a=1), call("add_numbers", a=3, b=4))
    enveloped = Driver(agent()).send(said(text))
    assert [entry["key"] for entry in native["calls"]] == [entry["key"] for entry in enveloped["calls"]]


def test_response_format_is_not_sent_with_native_tools() -> None:
    """A constraint on the whole text would forbid the server's own calls."""
    assert "response_format" not in json.loads(json.dumps(_driver().decision))


@pytest.mark.parametrize("arguments", ['{"a":1.0,"b":2e0}', {"a": 1.0, "b": 2.0}])
def test_numbers_of_arguments_have_one_form(arguments: Any) -> None:
    """Arguments as an object are the same call, with the same key, as in text."""
    entry = {"id": "abc", "type": "function", "function": {"name": "add_numbers", "arguments": arguments}}
    found, expected = (_driver().send(_calls(each))["calls"] for each in (entry, ADD))
    assert json.dumps(expected) == json.dumps(found)
