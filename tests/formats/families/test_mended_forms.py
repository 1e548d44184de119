"""Forms and openers that were refused, shown or lost: whole and streamed they are what the family means."""

from typing import Any

import pytest

from purestep.dialects import Sample, dialect_named
from purestep.entry.standalone import read_text, specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values import fatal_problem
from purestep.values.reading import ReadCall, StreamCall, StreamText
from purestep_formats.families.family_forms import FAMILIES, Family
from tools.vectors.scenarios.dialects.certain import CERTAIN, SENT_BACK, SHOWN, UNSURE
from tools.vectors.scenarios.dialects.certain import TOOLS as MORE_TOOLS
from tools.vectors.scenarios.dialects.neighbors import TOOLS

_STEP = (
    '<\uff5ctool_call_begin\uff5c>function<\uff5ctool_sep\uff5c><steptml:invoke name="find"><steptml:parameter '
    'name="query">{}</steptml:parameter></steptml:invoke><\uff5ctool_call_end\uff5c>\n'
)
_SECTION = ("<\uff5ctool_calls_begin\uff5c>\n", "<\uff5ctool_calls_end\uff5c>")
_PLUGIN = '<|action_start|><|plugin|>\n{{"name": "find", "parameters": {{"query": "{}"}}}}<|action_end|>'
CASES: dict[str, tuple[str, list[str], str | None]] = {
    "step, two calls": (_STEP.format("x") + _STEP.format("y"), ["x", "y"], None),
    "step, words after": (_STEP.format("x"), ["x"], "I wait."),
    "internlm, a block each": (_PLUGIN.format("x") + _PLUGIN.format("y"), ["x", "y"], None),
    "gemma 3, two prints": ('```tool_code\nprint(find(query="x"))\nprint(find(query="y"))\n```', ["x", "y"], None),
    "gemma 4, its namespace": ('<|tool_call>call:default_api:find{query:<|"|>x<|"|>}<tool_call|>', ["x"], None),
    "react, CRLF": ('Action: find\r\nAction Input: {"query": "x"}\r\n', ["x"], None),
    "laguna, the end of a turn": ("It is 4.</assistant>", [], "It is 4."),
}


@pytest.mark.parametrize("case", CASES)
def test_a_form_is_read_whole_and_streamed(case: str) -> None:
    """All calls are read, and nothing else is shown."""
    text, queries, content = CASES[case]
    if case.startswith("step"):
        text = text.join(_SECTION) + ("\nI wait." if content else "")
    reading = read_text(text, "auto", TOOLS)
    assert (queries, content) == ([call["params"]["query"] for call in reading.calls], reading.content)
    assert () == reading.problems
    stream, events = stream_of("auto", specs_of(TOOLS)), list[Any]()
    for char in text:
        stream, happened = feed(stream, char)
        events += happened
    events += close_stream(stream)
    assert queries == [event.params["query"] for event in events if isinstance(event, StreamCall)]


def test_an_opener_of_the_answer_ends_what_the_template_opened() -> None:
    """The host says that reasoning is open, and the text begins with another channel."""
    text = "<|open|>response<|sep|>It is 4.<|close|>response<|sep|><|close|>message<|sep|>"
    reading = read_text(text, "auto", TOOLS, reasoning="opened")
    assert ("It is 4.", ()) == (reading.content, reading.problems)


@pytest.mark.parametrize("name", SENT_BACK)
def test_what_is_no_answer_is_sent_back(name: str) -> None:
    """Markup that nobody can read, and calls as prompts of other programs teach them, run nothing."""
    reading = read_text(SENT_BACK[name], "auto", MORE_TOOLS)
    assert ((), ["parse_error"]) == (reading.calls, [problem.code for problem in reading.problems])


@pytest.mark.parametrize("name", UNSURE)
def test_a_call_is_sent_back_for_what_follows_it(name: str) -> None:
    """A quote, or the end of a value in one, may belong to the call before it."""
    reading = read_text(UNSURE[name], "auto", MORE_TOOLS)
    assert "parse_error" in [problem.code for problem in reading.problems]


@pytest.mark.parametrize(
    "text",
    [
        "Action: buy milk.",
        "Action: find the file.",
        "Write `<find>` and then `<query>`.",
        "It holds `<|tool_invocation|>`.",
        "In F#, x <| f |> y is not what it seems, and a <b> is bold.",
        "<table><tr><td>4</td></tr></table>",
        "Press <enter>, not <tool>.",
    ],
)
def test_a_text_that_only_resembles_a_call_is_an_answer(text: str) -> None:
    """Prose, HTML and what is quoted stay as they are."""
    reading = read_text(text, "auto", MORE_TOOLS)
    assert (text, ()) == (reading.content, reading.problems)


@pytest.mark.parametrize("name", SHOWN)
def test_markers_are_no_part_of_an_answer(name: str) -> None:
    """What is shown and what was thought hold the words alone, whole and streamed."""
    text, content, reasoning, problems = SHOWN[name]
    reading = read_text(text, "auto", MORE_TOOLS)
    assert (content, reasoning) == (reading.content, reading.reasoning)
    assert problems == [problem.code for problem in reading.problems]
    stream, events = stream_of("auto", specs_of(MORE_TOOLS)), list[Any]()
    for char in text:
        stream, happened = feed(stream, char)
        events += happened
    events += close_stream(stream)
    assert (content or "") == "".join(event.text for event in events if isinstance(event, StreamText)).strip()


@pytest.mark.parametrize(
    "family", [family.name for family in FAMILIES if not family.begin.startswith(("{", "[", "```"))]
)
@pytest.mark.parametrize("lead", ["> The page says ", 'It says "please ', "It says `", '{"kin": "final", "content": "'])
def test_call_of_any_family_in_an_open_quotation_is_sent_back(family: str, lead: str) -> None:
    """A quoted line, open quotes, code or an object before it: what is quoted runs nothing, however canonical it is."""
    call = dialect_named(family).write(Sample(calls=(ReadCall(tool="find", params={"query": "x"}),)))
    reading = read_text(f"{lead}{call}", family, TOOLS)
    assert () == reading.calls or fatal_problem(reading) is not None


@pytest.mark.parametrize("name", CERTAIN)
def test_what_is_certain_runs(name: str) -> None:
    """The calls are read whole and streamed, and what was mended or left out is a problem."""
    text, calls, problems = CERTAIN[name]
    reading = read_text(text, "auto", MORE_TOOLS)
    assert (calls, problems) == (
        [(call["tool"], call["params"]) for call in reading.calls],
        [problem.code for problem in reading.problems],
    )
    stream, events = stream_of("auto", specs_of(MORE_TOOLS)), list[Any]()
    for char in text:
        stream, happened = feed(stream, char)
        events += happened
    events += close_stream(stream)
    assert calls == [(event.tool, event.params) for event in events if isinstance(event, StreamCall)]


_BREAKS = ("", "\n", "a", "\na", "a\n", "\na\n", "\n\na\n\n", "\r\na\r\n", "\n\n", " \na\n ", "\n a \n")


@pytest.mark.parametrize("family", FAMILIES, ids=[family.name for family in FAMILIES])
def test_line_breaks_of_values_are_read_as_they_are_written(family: Family) -> None:
    """Each pair of values with line breaks at their ends comes back, or as a problem."""
    dialect = dialect_named(family.name)
    pairs = [{"file": file, "body": body} for file in _BREAKS for body in _BREAKS]
    for params in (*pairs, *({"file": file} for file in _BREAKS)):
        text = dialect.write(Sample(calls=(ReadCall(tool="save", params=params),)))
        reading = read_text(text, family.name, TOOLS)
        read = [call["params"] for call in reading.calls]
        assert [params] == read or (not read and reading.problems)
