"""The families' dialects: what each writes it reads, in any split; drift, damage and prose follow one policy."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import purestep
from purestep.dialects import Dialect, Sample, dialect_named, read_output
from purestep.entry.standalone import StandaloneReading, read_text, specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values.reading import ReadCall, StreamCall, StreamEvent, StreamReasoning, StreamRetract, StreamStop
from purestep_formats.families.families import ALL_MARKERS, FAMILY_DIALECTS
from purestep_formats.families.family_forms import FAMILIES
from tools.growth import is_linear

WEATHER: dict[str, Any] = {
    "name": "get_weather",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "units": {"enum": ["celsius", "none"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "exact": {"type": "boolean"},
            "note": {"type": ["string", "null"]},
        },
        "required": ["city"],
    },
}
TIME: dict[str, Any] = {"name": "get_time", "parameters": {"type": "object", "properties": {}}}
TOOLS = [WEATHER, TIME]
SPECS = specs_of(TOOLS)
NAMES = [family.name for family in FAMILIES]


def _calls(text: str, dialect: str = "auto", tools: Any = TOOLS) -> list[tuple[str, dict[str, Any]]]:
    return [(call["tool"], call["params"]) for call in read_text(text, dialect, tools).calls]


def _codes(reading: StandaloneReading) -> list[str]:
    return [problem.code for problem in reading.problems]


def _events(text: str, chunks: list[str], dialect: str = "auto") -> list[Any]:
    stream, events = stream_of(dialect, SPECS), list[StreamEvent]()
    for chunk in chunks:
        stream, happened = feed(stream, chunk)
        events += happened
    merged: list[Any] = []
    for event in [*events, *close_stream(stream)]:
        last = merged[-1] if merged else None
        if event.text and isinstance(last, str):
            merged[-1] = last + event.text
        elif isinstance(event, StreamReasoning) and isinstance(last, StreamReasoning):
            merged[-1] = StreamReasoning(reasoning=last.reasoning + event.reasoning)
        else:
            merged.append(event.text or event)
    return merged


PLAIN = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00<>|`｜"), min_size=1, max_size=20
).filter(lambda text: text == text.strip(" \t\n"))


@given(city=PLAIN, days=st.integers(-9, 99), tags=st.lists(PLAIN, max_size=2), exact=st.booleans())
@pytest.mark.parametrize("dialect", FAMILY_DIALECTS, ids=NAMES)
def test_what_a_family_writes_it_reads(dialect: Dialect, city: str, days: int, tags: list[str], exact: bool) -> None:
    """A call written in a family's form is read as the same call, by its dialect and by auto."""
    first = ReadCall(tool="get_weather", params={"city": city, "days": days, "tags": tags, "exact": exact})
    calls = (first, ReadCall(tool="get_weather", params={"city": "Rome"}))
    text = dialect.write(Sample(calls=calls))
    for reader in (dialect, dialect_named("auto")):
        assert calls == read_output(reader, text, SPECS).calls


@pytest.mark.parametrize("dialect", FAMILY_DIALECTS, ids=NAMES)
def test_any_split_of_a_family_gives_the_same_events(dialect: Dialect) -> None:
    """Section 8: cut anywhere, the stream tells the same text and calls, and no byte of a marker is shown."""
    calls = (ReadCall(tool="get_weather", params={"city": "Rome"}), ReadCall(tool="get_time", params={}))
    written = dialect.write(Sample(calls=calls))
    text = written if written[0] in "{[" else f"I look. {written}"
    whole = _events(text, [text], dialect.name)
    assert ["get_weather", "get_time"] == [event.tool for event in whole if isinstance(event, StreamCall)]
    assert [] == [event for event in whole if isinstance(event, str) and event.strip(" ;\n") not in ("", "I look.")]
    assert whole == _events(text, list(text), dialect.name)
    for at in range(len(text)):
        assert whole == _events(text, [text[:at], text[at:]], dialect.name)


@pytest.mark.parametrize("dialect", FAMILY_DIALECTS, ids=NAMES)
def test_a_cut_output_never_runs_half_a_call(dialect: Dialect) -> None:
    """A truncated call is taken only with all that its tool requires; nothing of it is the answer or raises."""
    text = dialect.write(Sample(calls=(ReadCall(tool="get_weather", params={"city": "San Francisco"}),)))
    for at in range(len(text)):
        for tool, params in _calls(text[:at], dialect.name):
            assert ("get_weather", {"city": "San Francisco"}) == (tool, params)


@pytest.mark.parametrize("family", FAMILIES, ids=NAMES)
def test_a_run_is_taught_and_given_results_in_the_family_form(family: Any) -> None:
    """The prompt holds an example in the family's own form, and a result comes back in it."""
    agent = purestep.Agent.load(
        {
            "dialect": family.name,
            "tools": [{**TIME, "annotations": {"readOnlyHint": True}}],
            "models": [{"name": "m", "carry": "ground"}],
        }
    )
    begun = purestep.start(agent, purestep.UserMessage(content="q"))
    call = agent.dialect.write(Sample(calls=(ReadCall(tool="get_time", params={}),)))
    assert call in [message.content for message in begun.messages]
    called = purestep.step(begun.state, purestep.ModelOutput(content=call))
    result = purestep.ToolResult(call_id="call_1", ok=True, output="noon it is")
    told = purestep.step(called.state, purestep.ToolResults(results=(result,)))
    assert agent.dialect.result("get_time", "noon it is", True) == told.messages[-1].content


ROME = [("get_weather", {"city": "Rome"})]
DRIFT = [
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}',
    '<tool_call>[{"name": "get_weather", "arguments": {"city": "Rome"}}]</tool_call>',
    '<tool_call>{"name": "get_weather", "arguments": "{\\"city\\": \\"Rome\\"}"}</tool_call>',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}</tool_call>',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}}.0000</tool_call>',
    "<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Rome',},}</tool_call>",
    '<tool_call>{"function": {"name": "get_weather", "arguments": {"city": "Rome"}}}</tool_call>',
    '<tool_call><function=get_weather>{"city": "Rome"}</function></tool_call>',
    "<function=get_weather><parameter=city>Rome</parameter></function></tool_call>",
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nRome\n</function>\n</tool_call>",
    '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Rome"}} {and} more',
    '{"type": "function", "name": "get_weather", "parameters": {"city": "Rome"}}',
    '```json\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n```',
    'I look.\n```\n[{"name": "get_weather", "arguments": {"city": "Rome"}}]\n```',
    '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Rome"}}]',
    '[TOOL_CALLS]get_weather{"city": "Rome"}',
    'get_weather[ARGS]{"city": "Rome"}',
    "[get_weather(city='Rome')",
    '<tool_call>get_weather\n{"city": "Rome"}</tool_call>',
    "<|python_tag|>get_weather.call(city='Rome')",
    "get_weather(city='Rome')",
    "<|tool_call>call:get_weather(city='Rome')<tool_call|>",
    '<|tool_call>call:get_weather{city=<|"|>Rome<|"|>}<tool_call|>',
    'call:get_weather{city:<|"|>Rome<|"|>}<tool_call|>',
    '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Rome"}<｜tool▁call▁end｜>',
    '<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Rome"}',
    '<|tool_call_begin|>functions.get_weather:12<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|>',
    "get_weather<arg_key>city</arg_key><arg_value>Rome</arg_value>",
    '<invoke name="get_weather"><parameter name="city">Rome</parameter></invoke>',
    '<think>perhaps get_time</think><function_calls>get_weather(city="Rome")</function_calls>',
]


@pytest.mark.parametrize("text", DRIFT)
def test_drift_is_read_as_it_is_meant(text: str) -> None:
    """What fine-tunes and small models make of a form is still the call."""
    assert ROME == _calls(text)


@pytest.mark.parametrize(
    "text",
    [
        "Plain text with {braces}, [brackets](x), <b>tags</b> and `code`.",
        'An object: {"name": "Rome", "size": 3}. Another: [{"id": 7}].',
        'Write `<tool_call>{"name": "f", "arguments": {}}</tool_call>` to call f.',
        '```xml\n<tool_call>{"name": "f", "arguments": {}}</tool_call>\n```\nis how it looks.',
        "In Python, [print(x=1)] is a list.",
        "Use f(a=1) or get_time.",
        "A `<tool_call>` tag begins a call, \"</tool_call> ends it\", and '<think>' is another.",
        "1 < 2 and a <| b, x[0], functools.partial",
    ],
)
def test_prose_and_examples_stay_text(text: str) -> None:
    """Nothing that names no tool is a call, and nothing of it is lost; streamed it is the same text."""
    reading = read_text(text, "auto", TOOLS)
    assert ((), text, []) == (reading.calls, reading.content, _codes(reading))
    assert [text] == _events(text, list(text))


def test_unknown_tool_is_a_problem_and_never_the_answer() -> None:
    """A call of a tool that does not exist asks for a correction."""
    for text in (
        '<tool_call>{"name": "get_wether", "arguments": {}}</tool_call>',
        "[TOOL_CALLS]get_wether[ARGS]{}",
        '{"name": "get_wether", "arguments": {}}',
    ):
        reading = read_text(text, "auto", TOOLS)
        assert (None, (), ["unknown_tool"]) == (reading.content, reading.calls, _codes(reading))


def test_values_are_typed_by_the_schema() -> None:
    """Raw text in tags is what the schema says: strings stay, the rest is JSON."""
    text = (
        "<function=get_weather><parameter=city>123_456</parameter><parameter=days>\n3\n</parameter>"
        "<parameter=units>none</parameter><parameter=tags>['a', 'b']</parameter>"
        "<parameter=exact>True</parameter><parameter=note>null</parameter></function>"
    )
    expected = {"city": "123_456", "days": 3, "units": "none", "tags": ["a", "b"], "exact": True, "note": None}
    assert [("get_weather", expected)] == _calls(text)


def test_marker_inside_of_a_string_belongs_to_it() -> None:
    """A closing marker that an argument holds does not end the call."""
    text = '<tool_call>{"name": "get_weather", "arguments": {"city": "a</tool_call>b"}}</tool_call>'
    assert [("get_weather", {"city": "a</tool_call>b"})] == _calls(text)


def test_an_argument_called_name_is_no_tool() -> None:
    """Only the outer object names the tool."""
    text = '<tool_call>{"name": "f", "arguments": {"name": "get_time", "arguments": {}}}</tool_call>'
    assert [] == _calls(text)


def test_mending_is_recorded() -> None:
    """What was repaired to read a call is in the problems."""
    reading = read_text("<tool_call>{'name': 'get_time', arguments: {},}</tool_call>", "auto", TOOLS)
    assert ["get_time"] == [call["tool"] for call in reading.calls]
    assert {"repaired"} == set(_codes(reading))


def test_text_begun_inside_of_reasoning_is_taken_back() -> None:
    """A stream says at the closing tag that all before was reasoning; a draft there is no call."""
    text = f"Hm. {DRIFT[1]} No.</think>It is noon."
    events = _events(text, list(text))
    assert "It is noon." == events[-1]
    assert isinstance(events[-2], StreamRetract)
    reading = read_text(text, "auto", TOOLS)
    assert ("It is noon.", ()) == (reading.content, reading.calls)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("envelope", '{"kind":"final","content":"x"}'),
        ("envelope", '{"kind":"tool_call","tool_name":"get_time","arguments":{}}'),
        ("bare", '{"tool":"get_time"}'),
        ("tool_tags", '[TOOL_CALL]{"name":"get_time","args":{}}[/TOOL_CALL]\nResult of get_time: '),
        ("hermes_json", '<tool_call>{"name":"get_time","arguments":{}}</tool_call>\n<tool_response>'),
        ("cohere", '<|START_ACTION|>[{"tool_name":"get_time","parameters":{}}]<|END_ACTION|>'),
        ("auto", '{"kind":"final","content":"x"}'),
    ],
)  # fmt: skip
def test_stream_says_when_the_decision_is_certain(dialect: str, text: str) -> None:
    """The stop says how many characters matter, and comes once: with the last, or when nothing like it follows."""
    stream, seen = stream_of(dialect, SPECS), list[tuple[int, int]]()
    for fed, char in enumerate(text + " and more", 1):
        stream, events = feed(stream, char)
        seen += [(fed, event.at) for event in events if isinstance(event, StreamStop)]
    # Envelopes may follow one another, and after a comma the bracket of a bare call came too early.
    may_go_on = '"tool_call"' in text or dialect == "bare"
    assert [(len(text) + 2 * may_go_on, len(text))] == seen


@pytest.mark.parametrize("mark", ["<tool_response>", "[TOOL_RESULTS]", "<|im_start|>", "Result of get_time: "])
def test_what_a_model_makes_up_after_its_calls_does_not_count(mark: str) -> None:
    """A result, and what follows, is left out and recorded; before any call it is text, but a token is nothing."""
    call = '<tool_call>{"name":"get_time","arguments":{}}</tool_call>'
    reading = read_text(f"I look.{call}{mark}12:30.{call} It is half past twelve.", "auto", TOOLS)
    assert ("I look.", 1, ["ignored_text"]) == (
        reading.content,
        len(reading.calls),
        [problem.code for problem in reading.problems],
    )
    begin = "" if "|" in mark else mark
    assert f"{begin}12:30" == read_text(f"{mark}12:30", "auto", TOOLS).content


@pytest.mark.parametrize("family", [family for family in FAMILIES if family.result], ids=lambda family: family.name)
def test_a_result_in_a_familys_own_form_is_made_up(family: Any) -> None:
    """Behind its call a family's model writes no result: what begins as one ends the turn."""
    dialect = dialect_named(family.name)
    text = dialect.write(Sample(calls=(ReadCall(tool="get_time", params={}),)))
    reading = read_text(f"{text}\n{dialect.result('get_time', '12:30', True)}It is noon.", family.name, TOOLS)
    assert (1, None, ["ignored_text"]) == (len(reading.calls), reading.content, _codes(reading))


def test_a_draft_with_its_result_made_up_may_be_reasoning() -> None:
    """Behind words that may be reasoning no stop is said, for a draft there is no call."""
    call = '<tool_call>{"name":"get_time","arguments":{}}</tool_call>'
    draft = f"I could look. {call}\n<tool_response>12:30</tool_response> So it is noon. "
    assert not any(isinstance(event, StreamStop) for event in _events(draft, list(draft)))
    assert 1 == len(read_text(draft, "auto", TOOLS).calls)
    reading = read_text(f"{draft}</think>It is late.", "auto", TOOLS)
    assert ("It is late.", ()) == (reading.content, reading.calls)
    assert isinstance(_events(f"<think>Hm.</think>{draft}", [f"<think>Hm.</think>{draft}"])[-1], StreamStop)


def test_calls_after_a_certain_end_do_not_count() -> None:
    """A host that stopped there has the same decision as one that read on."""
    section = '<|START_ACTION|>[{"tool_name":"get_time","parameters":{}}]<|END_ACTION|>'
    stopped, read_on = read_text(section, "auto", TOOLS), read_text(f"{section} And {section}", "auto", TOOLS)
    assert (stopped.calls, ["ignored_text"]) == (read_on.calls, [problem.code for problem in read_on.problems])


def test_no_marker_is_the_beginning_of_another() -> None:
    """A marker is certain once it is there, whatever follows."""
    marks = [*ALL_MARKERS.by_mark, *ALL_MARKERS.reasoning, *ALL_MARKERS.reasoning_ends]
    assert [] == [(one, other) for one in marks for other in marks if one != other and other.startswith(one)]


PIECES = st.sampled_from(
    [
        *sorted(ALL_MARKERS.by_mark),
        *(
            "<think>",
            "</think>",
            "[THINK]",
            "{",
            "}",
            "[",
            "]",
            '"',
            "'",
            "\\",
            "`",
            "```",
            "```json\n",
            "\n",
            " ",
            "a",
        ),
        *('{"name": "get_time", "arguments": {}}', '{"name":', "get_time", "get_time(", ")", "[get_time()]", "=", ","),
        *("</parameter>", "<parameter=city>", "<arg_key>", "</arg_value>", "<|message|>", "[ARGS]", "call:get_time{"),
    ]
)


@given(pieces=st.lists(PIECES, max_size=12), at=st.integers(0, 200))
@example(pieces=["<think>", "a", "</think>", "<think>", "a", "</think>"], at=10)
def test_any_text_splits_anywhere(pieces: list[str], at: int) -> None:
    """Markers in any order: nothing raises, and whole, cut once and by characters the events are the same."""
    text = "".join(pieces)
    whole = _events(text, [text])
    assert whole == _events(text, list(text)) == _events(text, [text[:at], text[at:]])
    reading = read_output(dialect_named("auto"), text, SPECS)
    retracted = [number for number, event in enumerate(whole) if isinstance(event, StreamRetract)]
    told = whole[retracted[-1] + 1 :] if retracted else whole
    known = [call.tool for call in reading.calls if call.tool in ("get_time", "get_weather")]
    assert known == [event.tool for event in told if isinstance(event, StreamCall)]


HOSTILE = [
    "[",
    "{",
    '[{"name":',
    "<tool_call>",
    '<tool_call>{"',
    "```json\n{",
    "[f(",
    "[get_weather(",
    "[TOOL_CALLS]",
    "</think>",
    "<function=a>",
    "<parameter=b>",
    "<|channel|>",
    '{"name":"get_weather","arguments":{',
    "functools",
    "<|tool_call>call:a{",
    "<|tool_call_begin|>a<|tool_call_argument_begin|>{",
    "]<]minimax[>[<a>",
    "`",
    "<",
    "\\",
    '"',
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("lead", ["", "<tool_call>", "<function=a>", "<tool_calls>", "]<]minimax[>[<tool_call>"])
def test_hostile_text_is_read_in_linear_time(lead: str, piece: str) -> None:
    """Reading is linear in the text, whatever is repeated in it."""
    assert is_linear(lambda text: read_text(text, "auto", TOOLS), piece, lead=lead)
