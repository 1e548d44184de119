"""What drifted forms do besides a call: answers that only look like one, openers alone, tokens at the end."""

from itertools import pairwise
from typing import Any

import pytest

from purestep.dialects import dialect_named, read_output
from purestep.entry.standalone import read_text, specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values.reading import StreamCall
from tools.vectors.scenarios.dialects.forms import ADD, FORMS

SPECS = specs_of([ADD])
CALL = '{"name": "add", "arguments": {"a": 1, "b": "x"}}'
ATEM = '<atem:invoke name="add"><atem:parameter name="a">1</atem:parameter></atem:invoke>'
PARAMS = {"a": 1, "b": "x"}


def _told(text: str, places: list[int], dialect: str = "auto", specs: Any = SPECS) -> tuple[str, list[dict[str, Any]]]:
    """Return the text and the calls that a stream tells of a text cut at places."""
    stream, events = stream_of(dialect, specs), list[Any]()
    for begin, end in pairwise([0, *places, len(text)]):
        stream, happened = feed(stream, text[begin:end])
        events += happened
    events += close_stream(stream)
    return "".join(event.text for event in events).strip(), [e.params for e in events if isinstance(e, StreamCall)]


def _assert_read(text: str, content: str | None, calls: list[dict[str, Any]], dialect: str = "auto") -> list[str]:
    """Read a text whole, and streamed by characters; gives the codes of its problems."""
    reading = read_text(text, dialect, [ADD])
    assert (content, calls) == (reading.content, [call["params"] for call in reading.calls])
    assert (content or "", calls) == _told(text, list(range(1, len(text))), dialect)
    return [problem.code for problem in reading.problems]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_told_alike_at_every_split(form: str) -> None:
    """Cut in two at any place, a form tells the same call and shows nothing."""
    text = FORMS[form]
    for place in range(1, len(text)):
        assert ("", [{"a": 1, "b": "x y"}]) == _told(text, [place]), text[:place]


@pytest.mark.parametrize("family", ["deepseek_v3", "minimax", "harmony", "kimi_k2", "glm"])
@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_alike_by_every_family(form: str, family: str) -> None:
    """A family's dialect reads the forms of all others as `auto` does."""
    auto, own = (read_output(dialect_named(name), FORMS[form], SPECS) for name in ("auto", family))
    assert auto == own


ANSWERS = {
    "final": (f"<|channel|>final<|message|>{CALL}<|return|>", CALL),
    "final, in words": (f"<|channel|>final<|message|>Like {CALL} here.", f"Like {CALL} here."),
    "final, constrained": (f"<|start|>assistant<|channel|>final <|constrain|>json<|message|>{CALL}<|end|>", CALL),
    "final, tags": (
        f"<|channel|>final<|message|>Use <tool_call>{CALL}</tool_call>.",
        f"Use <tool_call>{CALL}</tool_call>.",
    ),
    "to the user": (f" to=user<|message|>Write {ATEM} so.<|eot|>", f"Write {ATEM} so."),
    "to the user, after thoughts": (
        f" to=self<|message|>hm {ATEM}<|eom|><|start|>assistant to=user<|message|>{ATEM}<|eot|>",
        ATEM,
    ),
    "bare header": ("<|message|>Hi.<|eot|>", "Hi."),
    "plan, then the answer": (
        "<|channel|>commentary<|message|>A.<|end|><|start|>assistant<|channel|>final<|message|>B.<|return|>",
        "A.\nB.",
    ),
    "react, no tool": ('Action: fly\nAction Input: {"to": 1}', 'Action: fly\nAction Input: {"to": 1}'),
    "react, prose": ("Action: go.\nAction Input: none", "Action: go.\nAction Input: none"),
    "observation": ("Observation: it rains.", "Observation: it rains."),
    "label in prose": ("Write <tool: x> there.", "Write <tool: x> there."),
    "to=": ("I go to=Rome, not to=functions; to=self.", "I go to=Rome, not to=functions; to=self."),
    "tool error": ("<|message_model|><|content_tool_error|>no<|end_message|>", "no"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_what_only_looks_like_a_call_is_the_answer(name: str) -> None:
    """In a message that is the answer nothing is a call; neither are lines that name no tool."""
    text, content = ANSWERS[name]
    assert [] == _assert_read(text, content, [])


def test_call_after_an_answer_in_another_message_is_read() -> None:
    """Only the message that is the answer is text; the next one is read as ever."""
    call = '<|start|>assistant<|channel|>commentary to=functions.add<|message|>{"a": 1, "b": "x"}<|call|>'
    assert [] == _assert_read(f"<|channel|>final<|message|>I {{do}} it.<|end|>{call}", "I {do} it.", [PARAMS])


def test_thoughts_end_where_the_header_of_a_call_begins() -> None:
    """Muse leaves the end of its thoughts out before a call, or before the answer."""
    header = "to=add.add<|message|>"
    text = f' to=self<|message|>hm {header}<atem:invoke name="add"><atem:parameter name="a">1</atem:parameter>'
    text += '<atem:parameter name="b">x</atem:parameter></atem:invoke><|eom|>'
    assert [] == _assert_read(text, None, [PARAMS])
    assert [] == _assert_read(" to=self<|message|>hm to=user<|message|>Hi.<|eot|>", "Hi.", [])


OPENERS = (
    *(
        "<tool_call>",
        "<|tool_calls_section_begin|>",
        "[TOOL_CALLS]",
        "<minimax:tool_call>",
        "<|tool_call>",
        "<tool_use>",
    ),
    *("<｜tool▁calls▁begin｜>", "<｜DSML｜function_calls>", "<|python_tag|>", "<|open|>tools<|sep|>", "<tool_call:x>"),
)


@pytest.mark.parametrize("opener", OPENERS)
def test_opener_alone_at_the_end_is_not_shown(opener: str) -> None:
    """A model that begins a call and stops did not answer: what it began is cut."""
    assert ["truncated"] == _assert_read(f"Hi.\n{opener}", "Hi.", [])
    assert ["truncated"] == _assert_read(opener, None, [])


def test_quoted_opener_at_the_end_is_text() -> None:
    """A marker in backticks or quotes is what the text speaks of."""
    for text in ("It is `<tool_call>`", 'It is "<tool_call>"', "It is `<|user|>`"):
        assert [] == _assert_read(text, text, [])


@pytest.mark.parametrize(
    "token", ["<|eot|>", "<|end_of_text|>", "[e~[", "<seed:eos>", "<|/tool_call|>", "<｜hy_end:x｜>"]
)
def test_token_that_ends_a_turn_is_never_shown(token: str) -> None:
    """The tokens that end a turn are no text, after an answer and after a call."""
    assert [] == _assert_read(f"Hi.{token}", "Hi.", [])
    assert [] == _assert_read(f"<tool_call>{CALL}</tool_call>{token}", None, [PARAMS])


@pytest.mark.parametrize("token", ["<|user|>", "<|observation|>", "<|im_start|>", "<|turn>", "]~b]"])
def test_token_that_begins_another_turn_is_not_shown(token: str) -> None:
    """The beginning of a turn that does not come is no text; one without bars is markup where words follow it."""
    assert [] == _assert_read(f"Hi.{token}\n", "Hi.", [])
    shown = "" if "|" in token else token
    problems = ["parse_error"] if shown else []
    assert problems == _assert_read(f"Hi.{token} is a token.", f"Hi.{shown} is a token.", [])
    assert ["ignored_text"] == _assert_read(f"<tool_call>{CALL}</tool_call>{token}\nand?", None, [PARAMS])


def test_interpreter_of_a_family_is_no_tool() -> None:
    """InternLM's own interpreter is nothing that a host has: a problem, never an answer."""
    assert ["parse_error"] == _assert_read("<|action_start|><|interpreter|>print(1)<|action_end|>", None, [])
    assert ["parse_error"] == _assert_read(
        "<|message_model|>add<|content_invoke_tool_text|>so<|end_message|>", None, []
    )


def test_wrapped_arguments_stay_where_the_tool_has_the_parameter() -> None:
    """The parameter that holds all arguments is one that models make up; a tool's own stays."""
    own = {"name": "add", "parameters": {"type": "object", "properties": {"properties": {"type": "object"}}}}
    text = '<function name="add"><param name="properties">{"a": 1}</param></function>'
    assert ({"tool": "add", "params": {"properties": {"a": 1}}},) == read_text(text, "auto", [own]).calls
    assert ({"tool": "add", "params": {"properties": {"a": 1}}},) == read_text(text, "auto", None).calls


def test_kimi_names_are_without_escapes() -> None:
    """Kimi K3's template escapes quotes and ampersands in names."""
    text = '<|open|>tools<|sep|><|open|>call tool="a&amp;b" index="1"<|sep|><|open|>argument key="c&quot;d" '
    text += 'type="string"<|sep|>e&amp;f<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>'
    assert ({"tool": "a&b", "params": {'c"d': "e&amp;f"}},) == read_text(text, "auto", None).calls


def test_gemma_keys_may_have_blanks() -> None:
    """Gemma writes keys without quotes, also those with blanks in them; a string is left as it is."""
    text = '<|tool_call>call:add{a : 1,b:<|"|>x, no key: y<|"|>,opts:{my own key:<|"|>v<|"|>}}<tool_call|>'
    calls = read_text(text, "auto", None).calls
    assert ({"tool": "add", "params": {"a": 1, "b": "x, no key: y", "opts": {"my own key": "v"}}},) == calls


def test_object_without_a_name_is_no_call() -> None:
    """Without a list of tools, an object of parameters alone is an answer; a blank name is no name."""
    for text in ('{"parameters": {"type": "object"}}', '{"arguments": {"a": 1}}'):
        assert (text, ()) == ((reading := read_text(text, "auto", None)).content, reading.calls)
    assert ["parse_error"] == [problem.code for problem in read_text('{"tool": " "}', "bare", None).problems]


BARE = {
    "fence": ('I do:\n```json\n{"tool": "add", "a": 1}\n```', "I do:", [{"a": 1}]),
    "fence in a string": ('So ```{"tool": "add", "a": "x ``` y"}```', "So", [{"a": "x ``` y"}]),
    "two fences": ('A ```\nx\n```\nso:\n```json\n{"tool": "add"}\n```', "A ```\nx\n```\nso:", [{}]),
    "no call": ('x ```json\n{"a": 1}\n``` y', 'x ```json\n{"a": 1}\n``` y', []),
    "in words": ('Use {"tool": "add"} so.', 'Use {"tool": "add"} so.', []),
}


@pytest.mark.parametrize("name", BARE)
def test_bare_call_in_a_fence_is_read_and_streamed_alike(name: str) -> None:
    """Prose, then a call in a fence: the prose is shown, the call is one, whole and streamed."""
    text, content, calls = BARE[name]
    _assert_read(text, content, calls, "bare")


def test_bracket_alone_is_no_answer_of_the_envelope() -> None:
    """What may begin reasoning is held back; at the end it is not shown, as the reader has no content."""
    for text in ("[", "<think>hm</think>["):
        assert ["truncated"] == _assert_read(text, None, [], "envelope")
