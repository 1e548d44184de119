"""What stands beside a call's arguments or values: never left out, never swallowed, however the damage is made."""

import pytest

from purestep.entry.standalone import read_text
from tools.vectors.scenarios.dialects.neighbors import APART, ARGUMENTS, QUOTED, SPLIT, TOOLS, VALUES


@pytest.mark.parametrize("form", APART)
@pytest.mark.parametrize("damage", ARGUMENTS)
def test_what_follows_the_arguments_is_never_left_out(form: str, damage: str) -> None:
    """Where more follows the bracket of the arguments than their end, the output is sent back."""
    before, after = APART[form]
    reading = read_text(f"{before}{ARGUMENTS[damage]}{after}", "auto", TOOLS)
    assert "parse_error" in {problem.code for problem in reading.problems}, reading


@pytest.mark.parametrize("form", APART)
def test_whole_arguments_are_read_in_each_form(form: str) -> None:
    """Brackets, quotes and markers that are escaped do no harm."""
    before, after = APART[form]
    reading = read_text(f'{before}{{"file": "a.js", "body": "log(\\"}}\\")", "n": 3}}{after}', "auto", TOOLS)
    assert [{"tool": "save", "params": {"file": "a.js", "body": 'log("}")', "n": 3}}] == list(reading.calls)


@pytest.mark.parametrize("case", VALUES)
def test_a_value_never_swallows_its_neighbor(case: str) -> None:
    """A value without its end, or before a damaged tag, is sent back."""
    reading = read_text(VALUES[case], "auto", TOOLS)
    assert ((), ["parse_error"]) == (reading.calls, [problem.code for problem in reading.problems])


@pytest.mark.parametrize(
    "value", ["see </parameter> there", "use the <parameter> tag", "<c><parameter>a</parameter></c>", "f(a) > b < c"]
)
def test_a_value_that_only_speaks_of_tags_is_read(value: str) -> None:
    """Words about tags, and other markup with tags of the same name, are text."""
    text = f"<tool_call>\n<function=save>\n<parameter=file>\na\n</parameter>\n<parameter=body>\n{value}\n</parameter>\n"
    reading = read_text(f"{text}</function>\n</tool_call>", "auto", TOOLS)
    assert [{"tool": "save", "params": {"file": "a", "body": value}}] == list(reading.calls)


@pytest.mark.parametrize("form", SPLIT)
def test_a_line_that_begins_a_required_argument_ends_the_value_before(form: str) -> None:
    """Without it the call would lack what its tool requires."""
    reading = read_text(SPLIT[form], "auto", TOOLS)
    assert [{"tool": "trip", "params": {"a": "Oslo", "b": "Bergen"}}] == list(reading.calls)
    assert ["repaired"] == [problem.code for problem in reading.problems]


@pytest.mark.parametrize("case", QUOTED)
@pytest.mark.parametrize("dialect", ["auto", "gemma4", "mistral"])
def test_a_quoted_call_is_sent_back(case: str, dialect: str) -> None:
    """A model that reports a call does not make it."""
    reading = read_text(QUOTED[case], dialect, TOOLS)
    assert {"parse_error", "truncated"} & {problem.code for problem in reading.problems}, reading


@pytest.mark.parametrize(
    "before", ["It's 5 o'clock.\n", "I look.\n\n", 'He said "no".\n', "Use `ls` here: ", '{"a": 1}\n']
)
def test_a_call_after_quotes_is_made(before: str) -> None:
    """Quotes that are closed, and apostrophes, quote nothing that follows."""
    text = f"{before}<tool_call>\n<function=save>\n<parameter=file>\na\n</parameter>\n</function>\n</tool_call>"
    reading = read_text(text, "auto", TOOLS)
    assert ([{"tool": "save", "params": {"file": "a"}}], ()) == (list(reading.calls), reading.problems)
