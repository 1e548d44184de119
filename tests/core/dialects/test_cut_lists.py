"""Requirement 40: a list of calls that was cut in a later one offers its first, whole call in the correction."""

import pytest

from tests.core.agents import agent, said
from tests.core.driver import Driver, assert_replays

FIRST = '{"name":"add_numbers","arguments":{"a":1,"b":2}}'
TAGS = '{"name":"add_numbers","args":{"a":1,"b":2}}'
ENVELOPE = '{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":1,"b":2}}'
WRITTEN = {
    "envelope": ENVELOPE,
    "tool_tags": '[TOOL_CALL]{"args":{"a":1,"b":2},"name":"add_numbers"}[/TOOL_CALL]',
    "mistral": '[TOOL_CALLS]add_numbers[ARGS]{"a":1,"b":2}',
}


@pytest.mark.parametrize("finish_reason", ["stop", "length"])
@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("tool_tags", f'[TOOL_CALL][{TAGS},{{"name":"add_numbers","args":{{"a":3'),
        ("tool_tags", f'[TOOL_CALL]\n[ {TAGS} ,\n{{"na'),
        ("envelope", f'[{ENVELOPE},{{"kind":"tool_call","tool_na'),
        ("mistral", f'[TOOL_CALLS][{FIRST},{{"name":"add_numbers"'),
    ],
)
def test_the_first_call_is_shown_in_the_form_of_the_dialect(dialect: str, text: str, finish_reason: str) -> None:
    """It is not made: the model writes it again, and then it is checked as every call."""
    run = Driver(agent(dialect=dialect), "Add 1 and 2, and 3 and 4")
    decision = run.send(said(text, finish_reason=finish_reason))
    assert ("call_model", "truncated") == (decision["type"], decision["cause"])
    told = run.messages[-1]["content"]
    assert f"Its first call was whole; make that one alone first: {WRITTEN[dialect]}\n" in told
    again = run.send(said(WRITTEN[dialect]))
    assert ("invoke_tool", {"a": 1, "b": 2}) == (again["type"], again["params"])
    assert_replays(run)


@pytest.mark.parametrize(
    "text",
    [
        '[TOOL_CALL][{"name":"add_numbers","args":{"a":1,"b":2',
        '[TOOL_CALL][{"name":"add_numbers","args":{"a":1,"b":2}}',
        '[TOOL_CALL][{"name":"fly","args":{}},{"name":"add_n',
        f'[TOOL_CALL][{{"name":"shell","args":{{"command":"{"x" * 3000}"}}}},{{"name":"add_n',
        "[TOOL_CALL][[[[[{",
        "[TOOL_CALL]" + "[{" * 500,
    ],
)
def test_nothing_is_offered_that_is_no_whole_call_of_a_tool(text: str) -> None:
    """Of one cut call, an unknown tool, a call too long to repeat, and brackets alone."""
    run = Driver(agent(dialect="tool_tags"), "Go")
    run.send(said(text, finish_reason="length"))
    assert "was whole" not in run.messages[-1]["content"]


def test_a_draft_in_the_reasoning_is_not_offered() -> None:
    """A list in the reasoning is no reply."""
    run = Driver(agent(dialect="tool_tags"), "Go")
    run.send(said(f'<think>[{TAGS},{TAGS}]</think>[TOOL_CALL]{{"name":"add_nu', finish_reason="length"))
    assert "was whole" not in run.messages[-1]["content"]
