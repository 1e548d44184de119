"""Linear time: no text of a model makes the core slow."""

import json
from collections.abc import Callable

import pytest

import purestep
from purestep.dialects import dialect_named
from purestep.entry.stream import feed, stream_of
from tests.core.agents import agent, call, said
from tests.core.driver import Driver
from tools.growth import is_linear

DIALECTS = ("bare", "envelope", "tool_tags", "auto", "native")
UNITS = (
    "[",
    "{",
    "[{",
    '"',
    '{"',
    "[]",
    "{},",
    "`",
    "```\n",
    '"tool":',
    '{"tool":',
    '```json\n"tool"\n',
    "\\",
    '\\"',
    "[TOOL_CALL]",
    "[TOOL_CALL]{",
    "[TOOL_CALL]{}",
    "[TOOL_CALL]x[/TOOL_CALL]",
    '[TOOL_CALL]{"a":"',
    "[/TOOL_CALL]",
    '{"kind":"final","content":"',
    '{"kind":"tool_call","tool_name":"x","arguments":{',
    "<think>",
    "</think>",
    "7",
    " ",
    "é",
)


def test_squared_work_is_not_linear() -> None:
    """The measure can fail: work that looks at all that went before, at every step, is found out."""
    assert is_linear(lambda text: text.count("y"), "x")
    assert not is_linear(lambda text: [text.count("y", 0, end) for end in range(0, len(text), 10)], "x", chars=15_000)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_repeated_marks_are_read_in_linear_time(dialect: str) -> None:
    """Property: reading is linear in the text, whatever mark it repeats."""
    read = dialect_named(dialect).read
    assert [] == [unit for unit in UNITS if not is_linear(lambda text: read(text, None), unit)]


@pytest.mark.parametrize("dialect", ["bare", "envelope", "tool_tags"])
def test_streams_are_filtered_in_linear_time(dialect: str) -> None:
    """Property: one huge chunk is filtered in linear time too."""
    stream = stream_of(dialect)
    assert [] == [unit for unit in UNITS if not is_linear(lambda text: feed(stream, text), unit)]


def test_stream_of_single_characters_is_filtered_in_linear_time() -> None:
    """Property: so is a long text that comes character by character, also when nothing of it is shown."""
    for dialect, begin in (("tool_tags", "[TOOL_CALL]"), ("envelope", '{"kind":"final","content":"'), ("bare", "")):

        def filter_text(text: str, dialect: str = dialect) -> None:
            stream = stream_of(dialect)
            for char in text:
                stream, _ = feed(stream, char)

        assert is_linear(filter_text, "x", lead=begin, chars=6_000)


@pytest.mark.parametrize(
    ("lead", "unit"),
    [("", "["), ("", '"'), ("", '{"a":'), ("", "[]"), ("", "9"), ('{"a":"', "[{"), ("", "\\")],
)
def test_huge_inputs_are_refused_in_linear_time(lead: str, unit: str) -> None:
    """Section 9: brackets, quotes and digits by the million end in an error."""
    for function in (purestep.run_agent_step, purestep.replay_log, purestep.load_agent, purestep.check_value):

        def refuse(text: str, function: Callable[[str], str] = function) -> None:
            assert '"code":' in function(text)

        assert is_linear(refuse, unit, lead=lead, chars=120_000)


def test_step_cost_does_not_grow_with_the_transcript() -> None:
    """Section 3: the state of the delta form does not grow with the number of turns."""
    driver = Driver(agent(limits={"max_turns": 1000}))
    sizes = []
    for number in range(60):
        driver.send(said(call("add_numbers", a=1000 + number, b=1)))
        driver.give_all(f"{5000 + number} sum")
        sizes.append(len(str(driver.state)))
    assert max(sizes[10:]) - min(sizes[10:]) < 40


def test_marks_that_are_shown_are_joined_in_linear_time() -> None:
    """A marker of another family is text: many of them in one chunk are one event, joined once."""
    stream = stream_of("minicpm5")
    assert is_linear(lambda text: feed(stream, text), "</longcat_arg_value>", chars=250_000)


def test_name_of_dashes_without_quotes_is_read_at_once() -> None:
    """A dash is a character of such a name in one way only: in two, 40 of them took hours."""
    arguments = '{"x": "b", a' + "-" * 5_000 + ' "c"}'
    text = f'<tool_call>{{"name": "a", "arguments": {arguments}}}</tool_call>'
    found = json.loads(purestep.read_model_output(json.dumps({"text": text, "dialect": "auto"})))
    assert ([], ["parse_error"]) == (found["calls"], [problem["code"] for problem in found["problems"]])
