"""What no reader took for a call is no answer either: calls of unknown tools in every form, and markup that is left."""

from typing import Any

import pytest

from purestep.entry.standalone import read_text
from tests.core.driver import Driver

TOOLS: list[dict[str, Any]] = [
    {
        "name": "gw",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]


def _cause(text: str, dialect: str = "auto") -> str:
    driver = Driver({"dialect": dialect, "tools": TOOLS})
    driver.send({"type": "model_output", "content": text})
    return str(driver.decision.get("cause", driver.decision["type"]))


UNKNOWN = (
    '[other(q="x")]',
    "[other()]",
    '[other(q="x"), another(n=1)]',
    '{"name": "other", "arguments": {"q": 1}}',
    '{"type": "function", "name": "other", "parameters": {"q": 1}}',
    '{"id": "c1", "name": "other", "arguments": {}}',
    '{"type": "function", "function": {"name": "other", "arguments": "{\\"q\\": 1}"}}',
    '{"tool_calls": [{"id": "c", "type": "function", "function": {"name": "other", "arguments": "{}"}}]}',
    '[{"type": "function", "name": "other", "arguments": {}}]',
    '```json\n{"name": "other", "arguments": {}}\n```',
    '<tool_call>{"name": "other", "arguments": {}}</tool_call>',
    "<function=other><parameter=q>x</parameter></function>",
    '<invoke name="other"><parameter name="q">x</parameter></invoke>',
    "<tool_call>other<arg_key>q</arg_key><arg_value>x</arg_value></tool_call>",
    '<|tool_call>call:other{q:<|"|>x<|"|>}<tool_call|>',
    '<|channel|>commentary to=functions.other<|message|>{"q": 1}<|call|>',
)


@pytest.mark.parametrize("text", UNKNOWN)
def test_call_of_an_unknown_tool_is_never_the_answer(text: str) -> None:
    """A text that is nothing but a call of a tool that does not exist asks for another, whatever its form."""
    assert "unknown_tool" == _cause(text)
    assert "unknown_tool" == read_text(text, "auto", TOOLS).problems[-1].code


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "gw", "arguments": "cats"}',
        '{"name": "gw", "parameters": ["cats"]}',
        '{"type": "function", "name": "gw", "arguments": 3}',
        "gw(New York)",
        "<function=gw>New York</function>",
        '<invoke name="gw">New York</invoke>',
        "<tool_call><function=gw>New York</function></tool_call>",
    ],
)
def test_known_tool_without_an_object_of_arguments_is_never_the_answer(text: str) -> None:
    """A known tool whose arguments cannot be read: nothing runs, and nothing is shown as the answer."""
    assert "parse_error" == _cause(text)


OPEN: list[dict[str, Any]] = [
    {"name": "gw", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
    {"name": "note", "parameters": {"type": "object", "properties": {"tags": {"type": "array"}}}},
]
"""Tools that require nothing, so that a call without arguments would run."""

_M3 = "]<]minimax[>[<"


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "gw", "argments": {"city": "Rome"}}</tool_call>',
        '<tool_call>{"name": "gw", "ARGuments": {"city": "Rome"}}</tool_call>',
        '<tool_call>{"name": "gw", "argumen\nts": {"city": "Rome"}}</tool_call>',
        '<tool_call>{"name": "gw", "argments": "{\\"city\\": \\"Rome\\"}"}</tool_call>',
        '<tool_call>{"name": "gw", "ctiy": "Rome"}</tool_call>',
        '{"name": "gw", "argments": {"city": "Rome"}}',
        '[{"name": "gw", "arguments": {}, "argments": {"city": "Rome"}}]',
        '<TOOLCALL>[{"name": "gw", "a": {"city": "Rome"}}]</TOOLCALL>',
        '{"kind": "tool_call", "tool_name": "gw", "argments": {"city": "Rome"}}',
    ],
)
def test_arguments_under_a_misspelled_name_are_not_left_out(text: str) -> None:
    """A call whose arguments stand under a name of their own does not run without them."""
    found = read_text(text, "auto", OPEN)
    assert ((), ["parse_error"]) == (found.calls, [each.code for each in found.problems])


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "gw"}</tool_call>',
        '<tool_call>{"name": "gw", "thought": "I look it up."}</tool_call>',
        '<tool_call>{"id": "1", "type": "function", "name": "gw", "index": 0}</tool_call>',
    ],
)
def test_a_call_without_arguments_is_one(text: str) -> None:
    """What beside its name holds no arguments takes nothing from it."""
    assert [{"tool": "gw", "params": {}}] == [
        {"tool": call["tool"], "params": call["params"]} for call in read_text(text, "auto", OPEN).calls
    ]


@pytest.mark.parametrize(
    "text",
    [
        't", "arguments": {"city": "Rome"}}</tool_call>',
        '"gw": {"city": "Rome"}}]<|tools_suffix|>',
        "her(city='Bern'), gw(city='Rome')]",
        'gw\n{""city": "Rome"}',
        'gw\n{"city": "Ro',
        'gw(city="Rome", day',
        'gw(city="Rome")\ngw(ci',
        'gww(city="Rome")',
        'gww\n{"city": "Rome"}',
        '<tool_call>{"name": "gw", "arguments": {}}</tool_call>\nw", "arguments": {"city": "Rome"}}\n</tool_call>',
        '<|TOOL_CALL>CAll:gw{city:<|"|>Rome<|"|>}<tool_call|><|tool_call>call:gw{city:<|"|>Bern<|"|>}<tool_call|>',
        '<|tool_all_start|>[gw(city="Rome")]<|tool_call_end|><|tool_call_start|>[gw(city="Bern")]<|tool_call_end|>',
        f'{_M3}tool_call>\n{_M3}invoke name="note">{_M3}tags>{_M3}item>a{_M3}/item>{_M3[:-1]}<eta{_M3}/item>{_M3}/tags>'
        f"{_M3}/invoke>\n{_M3}/tool_call>",
    ],
)
def test_a_call_that_lost_a_part_is_never_the_answer_nor_lost(text: str) -> None:
    """Its beginning, its end or its name: the model is told, and nothing runs beside it."""
    driver = Driver({"dialect": "auto", "tools": OPEN})
    driver.send({"type": "model_output", "content": text})
    assert driver.decision.get("cause") in ("parse_error", "truncated", "unknown_tool")


READ = ("auto", "hermes_json")
"""The dialects that read tags of arguments as what is left of a call."""


@pytest.mark.parametrize(
    "text",
    [
        "Use the <tool_call> tag.",
        "It is 4.</function>",
        "Sunny. <arg_key>city",
        "The plan: <think> first",
        "One</think>Two</think>Three",
        "Sunny [/TOOL_CALL] today",
        "Sunny `today` [ARGS]",
        "Unclosed ` tick <tool_call> here",
    ],
)
@pytest.mark.parametrize("dialect", ["auto", "hermes_json", "native", "tool_tags"])
def test_markup_left_in_a_text_is_no_answer(text: str, dialect: str) -> None:
    """Markup of any family outside of code and quotes asks for another output."""
    assert _cause(text, dialect) == ("truncated" if "<arg_key>" in text and dialect in READ else "parse_error")


ANSWERS = (
    "Use the `<tool_call>` tag.",
    'Use the "<tool_call>" tag.',
    "Use the '<tool_call>' tag.",
    "Use the “<tool_call>” tag, «</think>» ends thoughts.",
    'He wrote "begin with <tool_call> and end", I think.',
    "```xml\n<tool_call>\n<think>\n```\nis how it looks.",
    "~~~\n<arg_key>k</arg_key>\n~~~",
    "Write ``<function=f>`` once.",
    "It's <b>4</b>, <code>x</code>, a < b | c > d.",
    '{"name": "Bern", "type": "city"}',
    '{"name": "Bern", "arguments": "against and for"}',
    '{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}',
    '[other(q="x")] is how it is called.',
    'So:\n```json\n{"name": "other", "arguments": {}}\n```',
    "[see(page)]",
    "[link](page)",
    "sorted(x, key=len)",
    "[1, 2, 3]",
    'Use "arguments": {"city": "Rome"} in the call.',
    "Call gw(city='Rome') :)",
    "gw\nis the tool for it.",
    "now(city='Rome')",
)


@pytest.mark.parametrize("text", ANSWERS)
def test_text_about_markup_and_data_stay_answers(text: str) -> None:
    """In code and in quotes markup is an example; data with a name is no call, nor is the description of a tool."""
    driver = Driver({"dialect": "auto", "tools": TOOLS})
    driver.send({"type": "model_output", "content": text})
    assert {"type": "done", "answer": text, "acts": []} == driver.decision


@pytest.mark.parametrize("text", ["Use the <tool_call> tag.", "One</think>Two</think>Three", "It is 4.</function>"])
def test_without_tools_text_stays_text(text: str) -> None:
    """Where no tools are offered there is nothing to correct."""
    assert () == read_text(text, "auto", None).problems
    driver = Driver({"dialect": "auto"})
    driver.send({"type": "model_output", "content": text})
    assert "done" == driver.decision["type"]


def test_problem_of_an_endless_name_is_short() -> None:
    """A damaged call names its tool in the problem; of a name without end it shows the beginning."""
    reading = read_text('<tool_call>{"name":"' + "a" * 100_000, "auto", [])
    damaged = read_text('<tool_call>{"name":"' + "a" * 100_000 + '","arguments":{"x": "y}}</tool_call>', "auto", [])
    assert all(len(problem.message) < 1_000 for problem in (*reading.problems, *damaged.problems))
