"""What goes back to a server of the calls of a run: a history that a strict server takes, whatever the model wrote."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.agents import ADD, final, said
from tests.core.driver import Driver
from tools.breaking.attacks.pieces import refusal


def called(name: str, arguments: Any, **members: Any) -> dict[str, Any]:
    """Return an output with one call beside the text."""
    call = {"id": "x", "type": "function", "function": {"name": name, "arguments": arguments}}
    return {"type": "model_output", "tool_calls": [call], **members}


ODD = [
    ("add_numbers", '{"a": 1, "b'),
    ("add_numbers", "[1, 2]"),
    ("add_numbers", '"a"'),
    ("add_numbers", ""),
    ("add_numbers", "null"),
    ("add_numbers", "{'a': 1, 'b': 2}"),
    ("add_numbers", '{"a": 1, "b": 2}}'),
    ("add_numbers", {"a": 1, "b": 2}),
    ("add_numbers", None),
    ("add_numbers<|channel|>commentary", '{"a": 1, "b": 2}'),
    ("functions.add_numbers", '{"a": 1, "b": 2}'),
    ("addiere Zahlen", "{}"),
    ("\u6570\u3092\u52a0\u3048\u308b", "{}"),
    ("a" * 300, "{}"),
    ("", "{}"),
    ("add_numbers\n", "{}"),
]


@pytest.mark.parametrize(("name", "arguments"), ODD)
def test_what_the_model_got_wrong_goes_back_in_a_form_that_servers_take(name: str, arguments: Any) -> None:
    """The log has it as it was written."""
    driver = Driver({"tools": [ADD], "dialect": "native"})
    driver.send(called(name, arguments))
    assert refusal(driver.messages) is None
    assert arguments == driver.events("model_response")[0]["tool_calls"][0]["function"]["arguments"]


def test_correction_quotes_what_the_model_wrote() -> None:
    """It reads there what its history has no more."""
    driver = Driver({"tools": [ADD], "dialect": "native"})
    driver.send(called("add_numbers", '{"a": 1, "b'))
    call, result = driver.prompt()[-2:]
    assert "{}" == call["tool_calls"][0]["function"]["arguments"]
    assert '"add_numbers" are not one JSON object: {"a": 1, "b' in result["content"]


def test_call_that_fits_goes_back_as_it_was_written() -> None:
    """Byte for byte: a server's cache has it so."""
    driver = Driver({"tools": [ADD], "dialect": "native"})
    driver.send(called("add_numbers", '{"a" :1,\n "b":2.50}'))
    assert '{"a" :1,\n "b":2.50}' == driver.messages[-1]["tool_calls"][0]["function"]["arguments"]


@pytest.mark.parametrize("dialect", ["native", "envelope", "tool_tags"])
@pytest.mark.parametrize("written", ["", " \n", None, "\x85", "\xa0\u3000", "\u2028", "\ufeff"])
def test_output_without_anything_stands_as_a_word(dialect: str, written: str | None) -> None:
    """Servers refuse an assistant message that is empty."""
    driver = Driver({"tools": [ADD], "dialect": dialect})
    driver.send({"type": "model_output", "content": written})
    assert "(nothing)" == driver.prompt()[-2]["content"]
    assert refusal(driver.prompt()) is None


@pytest.mark.parametrize("dialect", ["native", "envelope", "tool_tags", "hermes_json"])
@pytest.mark.parametrize("ending", [{"type": "cancel"}, {"type": "model_error", "code": "refused"}])
def test_message_after_one_without_an_answer_is_no_second_in_a_row(dialect: str, ending: dict[str, Any]) -> None:
    """Chat templates of Mistral and Gemma demand that roles alternate."""
    driver = Driver({"tools": [ADD], "dialect": dialect}, "What is 1 plus 2?")
    driver.send(ending)
    driver.send({"type": "user_message", "content": "And 3 plus 4?"})
    assert ["user", "assistant", "user"] == [message["role"] for message in driver.prompt()[-3:]]
    driver.send(said(final("7") if dialect == "envelope" else "7"))
    assert "done" == driver.decision["type"]


def test_answer_that_a_check_refused_for_good_is_followed_by_the_next_message() -> None:
    """The model's words stand before it already."""
    driver = Driver({"tools": [ADD], "dialect": "native", "limits": {"max_corrections": 0}})
    driver.send({"type": "model_output", "content": ""})
    assert "failed" == driver.decision["type"]
    driver.send({"type": "user_message", "content": "Again."})
    assert ["(nothing)", "Again."] == [message["content"] for message in driver.prompt()[-2:]]


_TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
_OUTPUTS = st.one_of(
    st.builds(called, st.one_of(_TEXTS, st.just("add_numbers")), st.one_of(_TEXTS, st.just('{"a":1,"b":2}'))),
    st.builds(said, _TEXTS),
    st.just({"type": "model_error", "code": "refused"}),
    st.just({"type": "cancel"}),
)


@given(st.lists(_OUTPUTS, min_size=1, max_size=8))
def test_no_prompt_of_a_native_run_is_refused(outputs: list[dict[str, Any]]) -> None:
    """Whatever comes in whatever order, messages of the user between."""
    driver = Driver({"tools": [ADD], "dialect": "native"})
    for output in outputs:
        while driver.decision["type"] == "invoke_tool":
            calls = driver.decision["calls"]
            driver.send(
                {"type": "tool_results", "results": [{"call_id": c["call_id"], "ok": True, "output": 3} for c in calls]}
            )
        if driver.decision["type"] in ("done", "failed"):
            driver.send({"type": "user_message", "content": "Again."})
        assert refusal(driver.prompt()) is None
        driver.send(output)
