"""Reading a text and checking a value alone, without a run."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import ADD, call, final

PARAMETERS = ADD["parameters"]
OURS = [{"name": "add_numbers", "parameters": PARAMETERS}]
OPENAI = [
    {
        "type": "function",
        "function": {"name": "add_numbers", "description": "d", "parameters": PARAMETERS, "strict": True},
    }
]
MCP = [
    {"name": "add_numbers", "title": "t", "inputSchema": PARAMETERS, "annotations": {"readOnlyHint": True}, "_meta": {}}
]


def _read(text: str, **members: Any) -> dict[str, Any]:
    output: dict[str, Any] = json.loads(purestep.read_model_output(json.dumps({"text": text, **members})))
    return output


@pytest.mark.parametrize("tools", [OURS, OPENAI, MCP, None, []])
def test_tools_come_in_any_of_three_shapes(tools: Any) -> None:
    """Section 8b: tools in OpenAI's, MCP's or our shape, or none."""
    expected = {
        "content": None,
        "reasoning": None,
        "calls": [{"tool": "add_numbers", "params": {"a": 1, "b": 2}}],
        "problems": [],
    }
    assert expected == _read(call("add_numbers", a=1, b=2), tools=tools)


def test_answer_alone() -> None:
    """Section 8b: text is content, with no calls and no problems."""
    expected = {"content": "Paris.", "reasoning": None, "calls": [], "problems": []}
    assert expected == _read("Paris.")
    assert expected == _read(final("Paris."), dialect="envelope")


def test_content_is_null_when_there_is_none() -> None:
    """Section 8b: no text is null, not an empty string."""
    for dialect in ("auto", "bare", "tool_tags", "native"):
        assert None is _read("  ", dialect=dialect)["content"]


def test_unknown_tool_is_a_problem_with_a_suggestion() -> None:
    """An unknown name is a structured problem, never a silent drop."""
    reading = _read(call("add_number", a=1, b=2), tools=OURS)
    assert ["unknown_tool"] == [problem["code"] for problem in reading["problems"]]
    assert "add_numbers" in reading["problems"][0]["message"]


def test_wrong_arguments_are_a_problem() -> None:
    """Section 8b: arguments are checked where a schema is known."""
    reading = _read(call("add_numbers", a="x", b=2), tools=OPENAI)
    assert ["invalid_arguments"] == [problem["code"] for problem in reading["problems"]]


def test_damaged_text_is_a_problem() -> None:
    """Section 8b: what cannot be read is a problem with a code and words."""
    for text, dialect in (("prose", "envelope"), ("[TOOL_CALL]{[/TOOL_CALL]", "tool_tags"), ('{"tool":"x",', "bare")):
        reading = _read(text, dialect=dialect)
        assert reading["problems"][0]["code"] in ("parse_error", "truncated")
        assert ([], None) == (reading["calls"], reading["content"])


def test_reasoning_is_split_off() -> None:
    """Section 8b: reasoning has a place of its own, and a draft in it is no call."""
    draft = call("add_numbers", a=1, b=2)
    reading = _read(f"<think>Maybe {draft}</think>Paris.", dialect="auto")
    assert ("Paris.", []) == (reading["content"], reading["calls"])
    assert draft in (reading["reasoning"] or "")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "invalid_input"),
        ({"text": 7}, "invalid_input"),
        ({"text": None}, "invalid_input"),
        ({"text": "x", "tols": []}, "invalid_input"),
        ({"text": "x", "tools": {"a": 1}}, "invalid_input"),
        ({"text": "x", "tools": [7]}, "invalid_input"),
        ({"text": "x", "tools": [{"function": {"nme": "x"}}]}, "invalid_input"),
        ({"text": "x", "dialect": "klingon"}, "unknown_dialect"),
        ({"text": "x", "dialect": 7}, "invalid_input"),
    ],
)
def test_wrong_input_is_an_error(given: dict[str, Any], code: str) -> None:
    """Section 8b: errors are data as everywhere."""
    assert code == json.loads(purestep.read_model_output(json.dumps(given)))["error"]["code"]


def test_schema_of_somebody_else_is_checked_as_far_as_it_is_known() -> None:
    """Section 8b: keywords that we do not know are ignored in the schemas of others, not the ones beside them."""
    tools = [{"name": "t", "inputSchema": {"vendor": 1, "properties": {"a": {"type": "string", "order": 1}}}}]
    assert ["invalid_arguments"] == [problem["code"] for problem in _read(call("t", a=1), tools=tools)["problems"]]
    assert [] == _read(call("t", a="x"), tools=tools)["problems"]


def test_schema_of_somebody_else_does_not_stop_the_reading() -> None:
    """Section 8b: a tool whose schema is none is read without its check."""
    tools = [{"name": "t", "inputSchema": {"type": "objekt"}}, {"name": "u"}]
    for name in ("t", "u"):
        assert [{"tool": name, "params": {"a": 1}}] == _read(call(name, a=1), tools=tools)["calls"]


def _checked(schema: Any, value: Any) -> dict[str, Any]:
    output: dict[str, Any] = json.loads(purestep.check_value(json.dumps({"schema": schema, "value": value})))
    return output


def test_value_that_fits() -> None:
    """Section 8b: ok without errors."""
    assert {"ok": True, "errors": []} == _checked(PARAMETERS, {"a": 1, "b": 2.5})
    assert {"ok": True, "errors": []} == _checked(True, None)


def test_value_that_does_not_fit() -> None:
    """Section 8b: each error has path, code and message."""
    output = _checked(PARAMETERS, {"a": "x", "c": 1})
    assert output["ok"] is False
    assert {("/a", "type"), ("/b", "required"), ("/c", "additional")} >= {
        (error["path"], error["code"]) for error in output["errors"] if error["code"] != "required"
    }
    assert {"type", "required", "additional"} == {error["code"] for error in output["errors"]}
    assert all({"path", "code", "message"} == set(error) and error["message"] for error in output["errors"])


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, "unsupported_keyword"),
        ({"unknown": "ignore"}, []),
        ({"unknown": "ignore", "formats": "assert"}, ["format"]),
        ({"unknown": "ignore", "documents": {"https://example.org/n": {"type": "null"}}}, []),
    ],
)
def test_the_caller_chooses_how_a_schema_is_read(choices: dict[str, Any], expected: Any) -> None:
    """Unknown keywords are refused and formats only describe, unless the caller says otherwise."""
    given = {"schema": {"format": "date", "colour": 1}, "value": "tomorrow", **choices}
    output = json.loads(purestep.check_value(json.dumps(given)))
    assert expected == (output["error"]["code"] if "error" in output else [error["code"] for error in output["errors"]])


@pytest.mark.parametrize(
    ("given", "code", "path"),
    [
        ({"value": 1}, "invalid_input", "/schema"),
        ({"schema": {}}, "invalid_input", "/value"),
        ({"schema": {}, "value": 1, "x": 1}, "invalid_input", "/x"),
        ({"schema": {"type": "objekt"}, "value": 1}, "invalid_schema", "/schema/type"),
        ({"schema": {"nope": 1}, "value": 1}, "unsupported_keyword", "/schema/nope"),
        ({"schema": 7, "value": 1}, "invalid_schema", "/schema"),
        ({"schema": {}, "value": 1, "unknown": "allow"}, "invalid_input", "/unknown"),
        ({"schema": {}, "value": 1, "formats": ["assert"]}, "invalid_input", "/formats"),
        ({"schema": {}, "value": 1, "documents": []}, "invalid_input", "/documents"),
        ({"schema": {}, "value": 1, "documents": None}, "invalid_input", "/documents"),
    ],
)
def test_wrong_check_is_an_error(given: dict[str, Any], code: str, path: str) -> None:
    """Section 8b: a schema that cannot be used is the host's error, with its path."""
    error = json.loads(purestep.check_value(json.dumps(given)))["error"]
    assert (code, path) == (error["code"], error["path"])


def test_value_from_javascript_is_the_same_value() -> None:
    """Section 9: 3.0 is an integer."""
    assert json.loads(purestep.check_value('{"schema":{"type":"integer"},"value":3.0}'))["ok"]
    assert not json.loads(purestep.check_value('{"schema":{"type":"integer"},"value":3.5}'))["ok"]
    assert not json.loads(purestep.check_value('{"schema":{"type":"integer"},"value":true}'))["ok"]
