"""Calls in the markers of any family: what stands between them is read, whoever's markers they are."""

from typing import Any

import pytest

from purestep.entry.standalone import specs_of
from tests.drift.readings import codes, read_both

ADD: dict[str, Any] = {
    "name": "add",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["a", "b"],
    },
}
TOOLS = specs_of([ADD])
MARKERS = ("tool_call", "function_calls", "minimax:tool_call", "dots_function_call", "tool_calls", "tool_use")
FORMS = {
    "JSON": '{"name": "add", "arguments": {"a": 1, "b": "x y"}}',
    "a list of JSON": '[{"name": "add", "arguments": {"a": 1, "b": "x y"}}]',
    "tags": "<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\nx y\n</parameter>\n</function>",
    "tags with attributes": '<invoke name="add"><parameter name="a">1</parameter><parameter name="b">x y</parameter>'
    "</invoke>",
    "keys": "add<arg_key>a</arg_key><arg_value>1</arg_value><arg_key>b</arg_key><arg_value>x y</arg_value>",
    "a name and tags": 'add<parameter name="a">1</parameter><parameter name="b">x y</parameter>',
    "a name and JSON": 'add{"a": 1, "b": "x y"}',
    "a name and JSON in parentheses": 'add({"a": 1, "b": "x y"})',
    "a name and JSON in a fence": 'add\n```json\n{"a": 1, "b": "x y"}\n```',
    "a name and elements": "add\n<a>1</a>\n<b>x y</b>",
    "elements": "<name>add</name><arguments><a>1</a><b>x y</b></arguments>",
    "an element and JSON": '<tool_name>add</tool_name><parameters>{"a": 1, "b": "x y"}</parameters>',
    "Python": 'add(a=1, b="x y")',
    "a list of Python": '[add(a=1, b="x y")]',
}
"""A call of `add`, as one family or another writes it between its markers."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("marker", MARKERS)
def test_form_of_any_family_is_read_in_the_markers_of_any(marker: str, form: str) -> None:
    """The call is the same whole and streamed, and nothing else is shown."""
    reading = read_both(f"I add.\n<{marker}>{FORMS[form]}</{marker}>", "auto", specs=TOOLS)
    assert [("add", {"a": 1, "b": "x y"})] == [(call.tool, call.params) for call in reading.calls]
    assert ("I add.", []) == (reading.content, codes(reading))


@pytest.mark.parametrize(
    "inner",
    [
        "add<arg_key></b>a</arg_key><arg_value>1</arg_value>",
        'add<arg_key>a></arg_key><arg_value>{"name": "add", "arguments": {}}</arg_value>',
        "<name>add</name>b<a>1</a><b>x y</b>",
    ],
)
def test_damaged_form_is_sent_back(inner: str) -> None:
    """A call never runs with other arguments than were written, and nothing in a value is a call."""
    reading = read_both(f"<tool_call>{inner}</tool_call>", "auto", specs=TOOLS)
    assert ((), ["parse_error"]) == (reading.calls, codes(reading))


def test_attributes_of_a_token_may_come_in_any_order() -> None:
    """Kimi K3's template writes the tool's name first, and a model does not always."""
    inner = '<|open|>argument type="string" key="b"<|sep|>x y<|close|>argument<|sep|>'
    text = (
        f'<|open|>tools<|sep|><|open|>call index="1" tool="add"<|sep|>{inner}<|close|>call<|sep|><|close|>tools<|sep|>'
    )
    assert [("add", {"b": "x y"})] == [(call.tool, call.params) for call in read_both(text, "auto", specs=TOOLS).calls]


@pytest.mark.parametrize("marker", ["tool_call", "tool_calls"])
@pytest.mark.parametrize(
    "markup", ["<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>", "<|x|>", "<junk>"]
)
def test_arguments_after_foreign_markup_are_no_call_of_what_they_name(marker: str, markup: str) -> None:
    """An argument called name is no tool to call: only an object with named arguments is a call there."""
    text = f'<{marker}>{markup}{{"name": "wipe", "path": "/"}}</{marker}>'
    reading = read_both(text, "auto", specs=specs_of([ADD, {"name": "wipe"}]))
    assert ((), ["parse_error"]) == (reading.calls, codes(reading))
