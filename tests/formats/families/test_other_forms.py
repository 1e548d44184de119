"""Calls in the forms of families without a dialect of their own: each is read by its markers, whole and streamed."""

from typing import Any

import pytest

from purestep.entry.standalone import read_text, specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values.reading import StreamCall
from tools.vectors.scenarios.dialects.forms import ADD, FORMS

NOTES = ("other quotes were used", "the call stood in a code fence")


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_read_whole_and_streamed(form: str) -> None:
    """The call is read, nothing else is shown, and the stream tells the same call."""
    text, tools = FORMS[form], specs_of([ADD])
    reading = read_text(text, "auto", [ADD])
    assert (({"tool": "add", "params": {"a": 1, "b": "x y"}},), None) == (reading.calls, reading.content)
    assert all(p.code == "ignored_text" or p.message in NOTES for p in reading.problems)
    stream, events = stream_of("auto", tools), list[Any]()
    for char in text:
        stream, happened = feed(stream, char)
        events += happened
    events += close_stream(stream)
    assert "" == "".join(event.text for event in events).strip()
    assert [reading.calls[0]["params"]] == [event.params for event in events if isinstance(event, StreamCall)]


def test_an_answer_in_channels_is_shown_without_them() -> None:
    """Kimi K3's response channel and its thoughts, which the template has opened, are told apart."""
    text = "Let me see.<|close|>think<|sep|><|open|>response<|sep|>Rome.<|close|>response<|sep|><|close|>message<|sep|>"
    reading = read_text(text, "auto", [ADD])
    assert ("Rome.", "Let me see.") == (reading.content, reading.reasoning)


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>[]</tool_call>",
        "<tool_call>\n[]\n</tool_call><|im_end|>",
        "[TOOL_CALLS] []",
        "functools[]",
        "[TOOL_CALL][][/TOOL_CALL]",
        "<|tool_call_start|>[]<|tool_call_end|>",
    ],
)
def test_an_empty_list_asks_for_no_call(text: str) -> None:
    """Needle writes one where no tool fits: it is noted, and nothing is wrong with it."""
    for before, content in (("", None), ("It is fine. ", "It is fine.")):
        reading = read_text(before + text, "auto", [ADD])
        assert ((), content) == (reading.calls, reading.content)
        assert [("ignored_text", "the list of calls is empty")] == [(p.code, p.message) for p in reading.problems]
