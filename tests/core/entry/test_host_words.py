"""What only the host knows of an output: the chat template opened its reasoning, or the output was cut."""

import json
from typing import Any, Literal

import pytest

import purestep
from purestep.dialects import Sample, dialect_named
from purestep.entry.standalone import StandaloneReading, read_text, specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.scanner import REASONING
from purestep.values import ReadCall
from purestep_formats.families.families import FAMILY_DIALECTS
from tests.core.driver import Driver

TOOL: dict[str, Any] = {
    "name": "gw",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
}
CALL = ReadCall(tool="gw", params={"city": "Bern", "days": 2})
ENDS = sorted({end for _, end in REASONING if not end.startswith("Here")})
NAMES = sorted(dialect.name for dialect in FAMILY_DIALECTS)


def streamed(
    text: str, size: int, reasoning: Literal["opened"] | None = None, truncated: bool = False
) -> tuple[str | None, list[tuple[str, Any]]]:
    """Return the text and the calls that a stream ends with, fed in pieces of one size."""
    stream = stream_of("auto", specs_of([TOOL]), reasoning=reasoning)
    events: list[Any] = []
    for at in range(0, len(text), size):
        stream, more = feed(stream, text[at : at + size])
        events += more
    events += close_stream(stream, truncated=truncated)
    retracted = max(
        (number for number, event in enumerate(events) if isinstance(event, purestep.StreamRetract)), default=-1
    )
    events = events[retracted + 1 :]
    shown = "".join(event.text for event in events).strip(" \t\r\n")
    return shown or None, [(event.tool, event.params) for event in events if isinstance(event, purestep.StreamCall)]


def read(text: str, **words: Any) -> StandaloneReading:
    """Return the reading of a text, which its stream has to equal at every size of the pieces."""
    reading = read_text(text, "auto", [TOOL], **words)
    calls = [(call["tool"], call["params"]) for call in reading.calls]
    for size in (1, 2, 5, 1000):
        assert (reading.content, calls) == streamed(text, size, **words)
    return reading


@pytest.mark.parametrize("end", ENDS)
def test_nothing_is_content_before_the_end_of_opened_reasoning(end: str) -> None:
    """Where the template opened the reasoning, all up to the family's closing tag is hidden, also when none comes."""
    cut = read("First I add, then", reasoning="opened")
    assert (None, "First I add, then", ["truncated"]) == (cut.content, cut.reasoning, [p.code for p in cut.problems])
    whole = read(f"First I add.{end}It is 4.", reasoning="opened")
    assert ("It is 4.", "First I add.", ()) == (whole.content, whole.reasoning, whole.problems)


@pytest.mark.parametrize(("begin", "end"), [pair for pair in REASONING if not pair[1].startswith("Here")])
def test_reasoning_that_is_opened_twice_has_no_tag_in_it(begin: str, end: str) -> None:
    """A model may write the tag that the template wrote too."""
    reading = read(f"\n{begin}I add.{end}It is 4.", reasoning="opened")
    assert ("It is 4.", "I add.") == (reading.content, reading.reasoning)


def test_sentence_that_begins_reasoning_ends_none_that_is_opened() -> None:
    """Where the host said that the reasoning is opened, Granite's sentences are thoughts like all others."""
    text = "Here is my thought process: I add. Here is my response: no"
    assert (None, text) == ((reading := read(text, reasoning="opened")).content, reading.reasoning)
    assert "4" == read(f"{text}</think>4", reasoning="opened").content


@pytest.mark.parametrize("name", NAMES)
def test_call_after_opened_reasoning_is_read(name: str) -> None:
    """After the closing tag an output is read as always, in every family's form."""
    text = dialect_named(name).write(Sample(calls=(CALL,)))
    reading = read(f"I look.</think>\n\n{text}", reasoning="opened")
    assert (None, "I look.") == (reading.content, reading.reasoning)
    assert ({"tool": "gw", "params": CALL.params},) == reading.calls


@pytest.mark.parametrize("name", NAMES)
def test_cut_call_is_truncated_unless_its_own_end_came(name: str) -> None:
    """Every beginning of a call that the host says was cut gives no call, or the whole one whose end is there."""
    text = dialect_named(name).write(Sample(calls=(CALL,)))
    given = 0
    for size in range(1, len(text)):
        reading = read_text(text[:size], "auto", [TOOL], truncated=True)
        calls = [(call["tool"], call["params"]) for call in reading.calls]
        assert calls in ([], [("gw", CALL.params)])
        assert (reading.content, calls) == streamed(text[:size], 3, truncated=True)
        given += bool(calls)
    # What may still be missing is a section's end, never a character of the call.
    assert given <= len("<｜tool▁calls▁end｜>") + 12


CUT_BEFORE_THE_END = (
    '<tool_call>{"name":"gw","arguments":{"city":"Bern"}}',
    "<tool_call>gw<arg_key>city</arg_key><arg_value>Bern</arg_value>",
    "<tool_call>\n<function=gw>\n<parameter=city>\nBern\n</parameter>\n",
    '<minimax:tool_call>\n<invoke name="gw">\n<parameter name="city">Bern</parameter>\n',
    '<|tool_call>call:gw{city:<|"|>Bern<|"|>}',
    '<|channel|>commentary to=functions.gw<|message|>{"city":"Bern"}',
    '<|START_ACTION|>[{"tool_name":"gw","parameters":{"city":"Bern"}}]',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.gw:0<|tool_call_argument_begin|>{"city":"Bern"}',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>gw<｜tool▁sep｜>{"city":"Bern"}',
    '[gw(city="Bern")',
    '{"kind":"tool_call","tool_name":"gw","arguments":{"city":"Bern"}',
)


@pytest.mark.parametrize("text", CUT_BEFORE_THE_END)
def test_call_without_its_end_counts_only_where_nothing_was_cut(text: str) -> None:
    """The same text is a call when the model ended it, and `truncated` when the token limit did."""
    reading = read(text, truncated=True)
    assert ((), ["truncated"]) == (reading.calls, [problem.code for problem in reading.problems])


def test_whole_call_before_a_cut_one_is_given_with_the_problem() -> None:
    """Read alone, the call whose end came is given; the problem says that the output is not whole."""
    begin = '<|tool_call_begin|>functions.gw:0<|tool_call_argument_begin|>{"city":"Bern"}<|tool_call_end|>'
    reading = read(
        f"<|tool_calls_section_begin|>{begin}<|tool_call_begin|>functions.gw:1<|tool_call_arg", truncated=True
    )
    assert ({"tool": "gw", "params": {"city": "Bern"}},) == reading.calls
    assert ["truncated"] == [problem.code for problem in reading.problems]


@pytest.mark.parametrize("text", CUT_BEFORE_THE_END)
def test_run_sends_a_cut_call_back(text: str) -> None:
    """Finish reason `length` in a run: no call without its own end is handed out."""
    driver = Driver({"dialect": "auto", "tools": [TOOL]})
    driver.send({"type": "model_output", "content": text, "finish_reason": "length"})
    assert ("call_model", "truncated") == (driver.decision["type"], driver.decision["cause"])


def test_run_with_opened_reasoning_takes_no_thought_for_an_answer() -> None:
    """`models[].reasoning: "opened"` in the definition: an output without the closing tag is no answer."""
    definition = {"dialect": "hermes_json", "models": [{"name": "m", "reasoning": "opened"}], "tools": [TOOL]}
    driver = Driver(definition)
    driver.send({"type": "model_output", "content": "The user wants 4, or does"})
    assert ("call_model", "truncated") == (driver.decision["type"], driver.decision["cause"])
    driver.send({"type": "model_output", "content": "I add.</think>It is 4."})
    assert {"type": "done", "answer": "It is 4.", "acts": []} == driver.decision


def test_stream_of_a_run_knows_its_model() -> None:
    """The stream of a run tells reasoning from text where the definition's model says that it is opened."""
    definition = {"dialect": "hermes_json", "models": [{"name": "m", "reasoning": "opened"}]}
    driver = Driver(definition)
    opened = json.loads(purestep.stream_model_output(json.dumps({"state": driver.state})))
    fed = json.loads(purestep.stream_model_output(json.dumps({"stream": opened["stream"], "chunk": "I add."})))
    assert [{"type": "reasoning", "reasoning": "I add."}] == fed["events"]
    closed = json.loads(purestep.stream_model_output(json.dumps({"stream": fed["stream"], "truncated": True})))
    assert {"stream": None, "events": []} == closed


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"reasoning": "closed"}, "/reasoning"),
        ({"truncated": "yes"}, "/truncated"),
        ({"reasoning": True}, "/reasoning"),
    ],
)
def test_other_words_are_refused(members: dict[str, Any], path: str) -> None:
    """A misspelled word is an error with its path, never ignored."""
    read_alone = json.loads(purestep.read_model_output(json.dumps({"text": "x", **members})))
    assert ("invalid_input", path) == (read_alone["error"]["code"], read_alone["error"]["path"])
    opened = json.loads(purestep.stream_model_output(json.dumps({"dialect": "auto", **members})))
    assert ("invalid_input", path) == (opened["error"]["code"], opened["error"]["path"])
