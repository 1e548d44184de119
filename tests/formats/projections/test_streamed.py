"""Outputs that are shown while they come, before the log has them."""

import json
from typing import Any

import pytest

import purestep
from purestep_formats import feed_projection, open_projection, project, stream_projection
from tests.formats.projections.runs import answer_log, run_log


def shown(form: str, lines: list[str], texts: list[purestep.StreamEvent]) -> list[dict[str, Any]]:
    """Show texts before the log's line 2, the model's output, is there."""
    projection, events = open_projection(form), list[dict[str, Any]]()
    for number, line in enumerate(lines):
        if number == 2:
            projection, more = stream_projection(projection, texts)
            events += more
        projection, more = feed_projection(projection, line)
        events += more
    return events


def test_a_streamed_answer_is_said_once() -> None:
    """The rest of the answer follows what was streamed, under the ids that it has without a stream."""
    log = answer_log("It is 42.")
    events = shown("ai-sdk", log, [purestep.StreamText(text="It "), purestep.StreamText(text="is")])
    deltas = [event["delta"] for event in events if event["type"] == "text-delta"]
    assert ["It ", "is", " 42."] == deltas
    whole = project("".join(log), "ai-sdk")
    rest = [event for event in events if event["type"] != "text-delta"]
    assert [event for event in whole if event["type"] != "text-delta"] == rest


@pytest.mark.parametrize(
    ("form", "retracted"),
    [
        (
            "ai-sdk",
            {"type": "text-end", "providerMetadata": {"purestep": {"retracted": True}}},
        ),
        ("ag-ui", {"type": "TEXT_MESSAGE_END", "metadata": {"purestep": {"retracted": True}}}),
    ],
)
@pytest.mark.parametrize("streamed", ["Something else", "It is 42. And more"])
def test_streamed_text_that_is_no_answer_is_marked(form: str, retracted: dict[str, Any], streamed: str) -> None:
    """Where the log's answer is another, the text that was shown is taken back and the answer said."""
    events = shown(form, answer_log("It is 42."), [purestep.StreamText(text=streamed)])
    ends = [event for event in events if event["type"] == retracted["type"]]
    assert [True, False] == [retracted.items() <= end.items() for end in ends]
    assert "It is 42." == [event["delta"] for event in events if "delta" in event][-1]


@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk"])
def test_text_that_the_filter_takes_back_is_marked_at_once(form: str) -> None:
    """What was reasoning all along is closed before the log says anything."""
    projection = feed_projection(open_projection(form), "".join(answer_log("It is 42.")[:2]))[0]
    texts: list[purestep.StreamEvent] = [purestep.StreamText(text="Hm"), purestep.StreamRetract()]
    events = stream_projection(projection, texts)[1]
    assert '"retracted": true' in json.dumps(events)


@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk"])
def test_text_of_an_output_that_broke_off_is_marked(form: str) -> None:
    """The next try begins a text of its own."""
    error = {"type": "model_error", "code": "unavailable", "retryable": True}
    lines = run_log({"type": "user_message", "content": "What?"}, error).splitlines(keepends=True)
    projection = feed_projection(open_projection(form), "".join(lines[:2]))[0]
    projection, first = stream_projection(projection, [purestep.StreamText(text="It is")])
    projection, told = feed_projection(projection, "".join(lines[2:]))
    second = stream_projection(projection, [purestep.StreamText(text="It is 42.")])[1]
    assert '"retracted": true' in json.dumps(told)
    began, again = (event.get("messageId") or event.get("id") for event in (first[-1], second[-1]))
    assert began != again
