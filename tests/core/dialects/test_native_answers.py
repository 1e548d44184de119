"""The native dialect: when an answer is held to its schema, and which names of tools servers take."""

import re
from typing import Any

import pytest

from tests.core.agents import ADD, agent, native_call, said
from tests.core.driver import Driver

SUM = {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]}
HELD = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SUM}}


def first(supports: list[str] | None = None, **members: Any) -> dict[str, Any]:
    """The first decision of a run whose answer has a schema."""
    models = {} if supports is None else {"models": [{"name": "m", "supports": supports}]}
    return Driver({"dialect": "native", "answer_schema": SUM, **models, **members}).decision


@pytest.mark.parametrize(
    ("supports", "held"),
    [(None, HELD), (["json_schema"], HELD), (["tools_with_json_schema", "json_schema"], HELD), ([], None)],
)
def test_answer_without_tools_is_held_to_its_schema(supports: list[str] | None, held: Any) -> None:
    """Nothing but an answer can come, so the server may hold the whole output to it."""
    assert held == first(supports).get("response_format")


def test_server_that_takes_grammars_alone_gets_one() -> None:
    """The constraint has the form that the server takes, as in the other dialects."""
    asked = first(["grammar"])
    assert (None, True) == (asked.get("response_format"), '"sum' in asked["grammar"] or "sum" in asked["grammar"])


@pytest.mark.parametrize(
    ("supports", "held"),
    [(None, None), (["tools", "json_schema"], None), (["tools", "grammar"], None),
     (["tools", "tools_with_json_schema"], HELD)],
)  # fmt: skip
def test_schema_beside_tools_needs_a_server_that_leaves_calls_free(supports: list[str] | None, held: Any) -> None:
    """llama.cpp and vLLM hold the whole output to a schema: the model could never call a tool."""
    asked = first(supports, tools=[ADD])
    assert (True, held) == ("tools" in asked, asked.get("response_format"))


@pytest.mark.parametrize("choice", ["required", {"tool": "add_numbers"}])
def test_due_tool_is_not_held_to_the_answer(choice: Any) -> None:
    """Where a call has to come, no answer may."""
    assert "response_format" not in first(["tools", "tools_with_json_schema"], tools=[ADD], tool_choice=choice)


def test_choice_of_no_tool_holds_the_answer() -> None:
    """No call is allowed then, so none is lost."""
    assert HELD == first(["tools", "json_schema"], tools=[ADD], tool_choice="none")["response_format"]


def test_answer_of_a_wrong_form_is_asked_for_again_with_its_schema() -> None:
    """The model has chosen to answer; the correction holds it to the form, and what follows is free again."""
    driver = Driver(agent(dialect="native", answer_schema=SUM, limits={"max_corrections": 2}))
    again = driver.send(said("Three."))
    assert ("answer_schema", HELD) == (again["cause"], again["response_format"])
    called = driver.send(said(None, tool_calls=[native_call("add_numbers", {"a": 1, "b": 2}, id="c")]))
    assert "invoke_tool" == called["type"]
    driver.send({"type": "tool_results", "results": [{"call_id": called["call_id"], "ok": True, "output": 3}]})
    assert "response_format" not in driver.decision
    assert {"type": "done", "answer": '{"sum": 3}', "data": {"sum": 3}, "acts": []} == driver.send(said('{"sum": 3}'))


@pytest.mark.parametrize("schema", [{"type": "array"}, {"enum": [1, 2]}, True])
def test_schema_that_is_no_object_goes_to_known_servers_alone(schema: Any) -> None:
    """OpenAI's servers refuse a request with one."""
    assert "response_format" not in first(answer_schema=schema)
    assert (schema is not True) == ("response_format" in first(["json_schema"], answer_schema=schema))


@pytest.mark.parametrize("name", ["get_weather", "A-1_b", "x" * 64])
def test_names_that_servers_take(name: str) -> None:
    """Letters, digits, _ and -, up to 64."""
    assert (
        name == Driver({"dialect": "native", "tools": [{**ADD, "name": name}]}).decision["tools"][0]["function"]["name"]
    )


@pytest.mark.parametrize("name", ["weather.get", "v\u00e4der", "a b", "x" * 65, "get/weather", "a:b", "3d", "\u5929"])
def test_name_that_servers_refuse_is_sent_as_another(name: str) -> None:
    """The call comes back under it, or under its own name, and is a call of the tool."""
    run = Driver({"dialect": "native", "tools": [ADD, {**ADD, "name": name}]})
    sent = next(tool["function"]["name"] for tool in run.decision["tools"] if tool["function"]["name"] != ADD["name"])
    assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_-]{0,63}", sent)
    for called in (sent, name):
        run = Driver({"dialect": "native", "tools": [ADD, {**ADD, "name": name}]})
        function = {"name": called, "arguments": '{"a": 1, "b": 2}'}
        run.send({"type": "model_output", "tool_calls": [{"id": "c", "type": "function", "function": function}]})
        assert name == run.decision["tool"]
