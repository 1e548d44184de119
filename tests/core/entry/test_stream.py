"""Streaming: any split of the same text shows the same, and no markup ever reaches the reader."""

import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import purestep
from purestep.bounds import MAX_BLOCK_START_CHARS
from purestep.entry.stream import Stream, close_stream, feed, open_stream, stream_of
from purestep.values.reading import StreamStop
from tests.core.agents import agent, call, final, said
from tests.core.driver import Driver

OPEN, CLOSE = "[TOOL_CALL]", "[/TOOL_CALL]"


def _shown(dialect: str, chunks: list[str]) -> str:
    stream, shown = stream_of(dialect), []
    for chunk in chunks:
        stream, events = feed(stream, chunk)
        shown += [event.text for event in events]
    return "".join([*shown, *(event.text for event in close_stream(stream))])


PIECES = st.sampled_from(
    [
        "text ",
        "[",
        "]",
        "[TOOL",
        "_CALL]",
        OPEN,
        CLOSE,
        '{"name":"x","args":{"a":"]"}}',
        "[/TOOL",
        "{",
        '"',
        "\\",
        "🎉",
        "a[0]",
        '{"kind":"final","content":"',
        '"}',
        "\\n",
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\ud83d",
        "<think>",
        "</think>",
        " ",
        "\n",
        "to=add<|message|>",
        "<|channel|>final<|message|>",
        "<|end|>",
        "<tool_call:x>add",
        "</tool_call:x>",
        "\u273fFUNCTION\u273f: add",
        "Action: add\nAction Input: ",
        "<|user|>",
        "<｜tool calls begin｜>",
        "<tool_use>",
        "```json\n",
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=40), st.text(max_size=30).map(final))


@given(
    text=TEXTS,
    cuts=st.lists(st.integers(0, 200), max_size=10),
    dialect=st.sampled_from(["bare", "envelope", "tool_tags", "native", "auto"]),
)
@example(text=OPEN, cuts=[1], dialect="tool_tags")
def test_any_split_shows_the_same(text: str, cuts: list[int], dialect: str) -> None:
    """Section 8: any split of the same text gives the same events' concatenation."""
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    chunks = [text[begin:end] for begin, end in pairwise(places)]
    whole = _shown(dialect, [text])
    assert whole == _shown(dialect, chunks) == _shown(dialect, list(text))


def _thought(dialect: str, chunks: list[str]) -> str:
    stream, thought = stream_of(dialect), []
    for chunk in chunks:
        stream, events = feed(stream, chunk)
        thought += events
    thought += close_stream(stream)
    return "".join(event.reasoning for event in thought if isinstance(event, purestep.StreamReasoning))


THOUGHTS = st.lists(
    st.one_of(
        PIECES,
        st.sampled_from(
            ["I wonder", "<|channel>", "thought\n", "<channel|>", "[THINK]", "[/THINK]", "<think>\n", "hm",
             "<|channel|>analysis<|message|>", "Here is my thought process:", "Here is my response:"]
        ),
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(
    text=THOUGHTS,
    cuts=st.lists(st.integers(0, 200), max_size=10),
    dialect=st.sampled_from(["bare", "envelope", "tool_tags", "native", "auto", "gemma4", "harmony"]),
)
@example(text="<|channel>thought\nI wonder", cuts=[], dialect="gemma4")
@example(text="<|channel>thought", cuts=[], dialect="gemma4")
@example(text="It is. <think>I wonder", cuts=[9], dialect="auto")
def test_any_split_gives_the_same_reasoning(text: str, cuts: list[int], dialect: str) -> None:
    """Section 8: reasoning comes while it is written, and in total it is the same however the text is cut."""
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    chunks = [text[begin:end] for begin, end in pairwise(places)]
    whole = _thought(dialect, [text])
    assert whole == _thought(dialect, chunks) == _thought(dialect, list(text))


@pytest.mark.parametrize(
    "dialect", ["bare", "envelope", "tool_tags", "native", "auto", "hermes_json", "gemma4", "harmony"]
)
@pytest.mark.parametrize(
    ("text", "reasoning", "shown"),
    [
        ("<think>I wonder.</think>It is 42.", "I wonder.", "It is 42."),
        ("<think>a</think><think>b</think>It is 42.", "a\nb", "It is 42."),
        ("[THINK]I wonder.[/THINK]It is 42.", "I wonder.", "It is 42."),
        ("<|channel>thought\nI wonder.<channel|>It is 42.", "I wonder.", "It is 42."),
        ("<think>I wonder", "I wonder", ""),
        ("Here is my thought process: none needed.", "", "Here is my thought process: none needed."),
    ],
)
def test_reasoning_is_an_event_of_its_own(dialect: str, text: str, reasoning: str, shown: str) -> None:
    """Reasoning that a model writes into its text is told apart from the text, in every dialect."""
    answered = "" if dialect == "envelope" else shown  # prose is no envelope
    assert (reasoning, answered) == (_thought(dialect, list(text)), _shown(dialect, list(text)).strip())


def test_reasoning_comes_while_it_is_written() -> None:
    """A reader sees a model think: what is certainly reasoning is not held back until its end."""
    stream, first = feed(stream_of("auto"), "<think>I wonder")
    stream, second = feed(stream, " why.</thi")
    stream, third = feed(stream, "nk>It is so.")
    assert [purestep.StreamReasoning(reasoning="I wonder")] == list(first)
    assert [purestep.StreamReasoning(reasoning=" why.")] == list(second)
    assert [purestep.StreamText(text="It is so.")] == list(third)


STOPPING = {
    "envelope": ('{"kind":"final","content":"\u00e9 \U0001f600"}', call("x", a=1)),
    "tool_tags": ('[TOOL_CALL]{"name":"x","args":{"a":"[/TOOL_CALL]"}}[/TOOL_CALL]\nResult of x: ',),
    "bare": ('<think>hm</think> {"tool":"x"}',),
    "auto": (
        '\n[TOOL_CALL]{"name":"x","args":{}}[/TOOL_CALL] <tool_response>',
        '<|START_ACTION|>[{"tool_name":"x"}]<|END_ACTION|>',
    ),
}
BEHIND = st.sampled_from(["", "\n", " and more", "\u00e9\U0001f600 ```", " so it is.\n\nThat is all"])


def _stops(dialect: str, chunks: list[str]) -> list[int]:
    stream, found = stream_of(dialect), list[int]()
    for chunk in chunks:
        stream, events = feed(stream, chunk)
        found += [event.at for event in events if isinstance(event, StreamStop)]
    return [*found, *(event.at for event in close_stream(stream) if isinstance(event, StreamStop))]


@given(data=st.data(), dialect=st.sampled_from(sorted(STOPPING)), behind=BEHIND)
def test_stop_is_at_the_same_place_however_the_text_is_cut(data: st.DataObject, dialect: str, behind: str) -> None:
    """Section 8: where an output ends that a host cuts off does not hang on the pieces that it came in."""
    begins = data.draw(st.sampled_from(STOPPING[dialect]))
    text = begins + behind
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    places = sorted({0, len(text), *cuts})
    assert [len(begins)] == _stops(dialect, [text[a:b] for a, b in pairwise(places)]) == _stops(dialect, list(text))


@given(data=st.data(), dialect=st.sampled_from(sorted(STOPPING)), behind=BEHIND)
def test_prose_behind_the_stop_changes_no_decision(data: st.DataObject, dialect: str, behind: str) -> None:
    """Section 8: a host that hears the whole output decides as one that ended it at the stop, but for the notes."""
    begins = data.draw(st.sampled_from(STOPPING[dialect]))
    tool = {"name": "x", "parameters": {"type": "object"}}
    cut, whole = (Driver(agent(dialect=dialect, tools=[tool])) for _ in range(2))
    decisions = [driver.send(said(text)) for driver, text in ((cut, begins), (whole, begins + behind))]
    for decision in decisions:
        assert {"repaired", "ignored_text"} >= {note["code"] for note in decision.pop("problems", ())}
    assert decisions[0] == decisions[1]


def test_stop_is_not_said_where_tokens_are_limited() -> None:
    """Section 8: what a limit on tokens leads to hangs on their number, which comes behind the text."""
    limited = ({"max_input_tokens": 9}, {"max_output_tokens": 9})
    for limits, expected in (({}, 1), ({"max_turns": 3}, 1), *((limit, 0) for limit in limited)):
        step = purestep.start(purestep.Agent.load({"limits": limits}), purestep.UserMessage(content="q"))
        _, events = feed(open_stream(step.state), final("x"))
        assert expected == sum(isinstance(event, StreamStop) for event in events)


@given(text=TEXTS)
def test_little_is_held_back(text: str) -> None:
    """Section 8: what is held back is never longer than the longest marker."""
    for dialect in ("bare", "tool_tags", "native"):
        stream = stream_of(dialect)
        for char in text:
            stream, _ = feed(stream, char)
            assert len(stream.held) <= MAX_BLOCK_START_CHARS


@given(content=st.text(max_size=60))
@example(content='a "quoted" \\ back\\slash \n\t é 🎉 \x00 }')
def test_streamed_answer_equals_the_answer(content: str) -> None:
    """Section 8: what the reader saw of a final is the answer that the run ends with."""
    text = final(content)
    decision = Driver({}).send(said(text))
    if decision["type"] == "done":
        assert decision["answer"] == _shown("envelope", list(text))


@given(content=st.text(st.characters(exclude_characters="[]{}`<", exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_streamed_plain_answer_equals_the_answer(content: str) -> None:
    """Section 8: in the text dialects the reader sees the answer as it comes."""
    for dialect in ("bare", "tool_tags", "native"):
        decision = Driver(agent(dialect=dialect)).send(said(content))
        if decision["type"] == "done":
            assert decision["answer"] == _shown(dialect, list(content)).strip(" \t\r\n")


@pytest.mark.parametrize("text", ["see a[", "see a[TOOL", "x [TOOL_CAL"])
def test_text_that_ends_like_a_marker_is_shown_at_the_end(text: str) -> None:
    """Section 8: what was held back is text after all once the output is over."""
    stream, events = feed(stream_of("tool_tags"), text)
    shown = "".join(event.text for event in events)
    assert text == shown + "".join(event.text for event in close_stream(stream))


@pytest.mark.parametrize(
    "call_text",
    [
        '{"name":"x","args":{}}',
        '{"name":"x","args":{"a":"[/TOOL_CALL] inside"}}',
        '{"name":"x","args":{"a":"\\"[/TOOL_CALL]"}}',
        '```json\n{"name":"x","args":{}}\n```',
    ],
)
def test_no_byte_of_a_call_is_shown(call_text: str) -> None:
    """M20, section 8: tags and calls never reach the reader, also when a string holds the closing tag."""
    text = f"Before. {OPEN}{call_text}{CLOSE} After."
    for chunks in ([text], list(text)):
        assert "Before.  After." == _shown("tool_tags", chunks)


def test_unclosed_call_is_never_shown() -> None:
    """M20: a call that is cut stays hidden."""
    assert "Before." == _shown("tool_tags", list(f'Before. {OPEN}{{"name":"x"'))


def test_calls_of_the_envelope_are_never_shown() -> None:
    """Section 8: no byte of an envelope reaches the reader, whatever its form."""
    for text in (call("shell", command="ls"), f"```json\n{final('x')}\n```", '{"kind":"final","content":7}', "{", "[]"):
        for chunks in ([text], list(text)):
            assert not set(_shown("envelope", chunks)) & set('{}[]":`')


def test_reasoning_is_never_shown() -> None:
    """Thinking does not leak into the stream."""
    for dialect in ("tool_tags", "auto"):
        assert "secret" not in _shown(dialect, list("<think>the secret plan</think>Paris."))


def test_pass_through_dialects_show_everything() -> None:
    """M20: a pass-through formatter exists."""
    text = f"a {OPEN} b {{}} ``` \n é"
    for dialect in ("bare", "native"):
        assert text == _shown(dialect, list(text))


def test_filter_of_a_run_is_that_of_its_dialect() -> None:
    """Section 8: a run's state is all that is needed to open its stream."""
    step = purestep.start(purestep.Agent.load(agent(dialect="tool_tags")), purestep.UserMessage(content="q"), "run-1")
    opened = open_stream(step.state)
    assert ("tool_tags", step.state.agent) == (opened.dialect, opened.agent)


def test_feeding_changes_no_filter() -> None:
    """A filter is a value: feeding the same one twice gives the same twice."""
    stream: Stream = stream_of("tool_tags")
    first, again = feed(stream, "a [TOOL"), feed(stream, "a [TOOL")
    assert first == again
    assert stream_of("tool_tags") == stream


def test_stream_functions_are_part_of_the_package() -> None:
    """Section 8: open_stream and feed are public."""
    assert {"open_stream", "feed", "close_stream"} <= set(purestep.__all__)


def test_the_json_filter_shows_what_the_typed_one_does() -> None:
    """Fed the same chunks, the JSON function gives the events of the typed functions."""
    chunks = ["so [TO", 'OL_CALL]{"a":"[/TOOL_CALL]"}', "[/TOOL_CALL]the ", "end [TO"]
    stream, typed = stream_of("tool_tags"), ""
    given = json.loads(purestep.stream_model_output('{"dialect":"tool_tags"}'))
    shown = ""
    for chunk in chunks:
        stream, events = feed(stream, chunk)
        typed += "".join(event.text for event in events)
        given = json.loads(purestep.stream_model_output(json.dumps({"stream": given["stream"], "chunk": chunk})))
        shown += "".join(event["text"] for event in given["events"] if event["type"] == "text")
    closed = json.loads(purestep.stream_model_output(json.dumps({"stream": given["stream"]})))
    assert None is closed["stream"]
    assert typed + " [TO" == shown + closed["events"][0]["text"] == "so the end [TO"
