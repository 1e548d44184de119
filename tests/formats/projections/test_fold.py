"""Projections as folds: in parts as whole, values that nothing changes, ends that are told."""

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep_formats import Projection, close_projection, feed_projection, open_projection, project, stream_projection
from tests.formats.projections.logs import FORMS, LOGS, own_lines
from tests.formats.projections.runs import asked_log, run_log


def fed(form: str, parts: list[str]) -> list[dict[str, Any]]:
    """Feed a projection parts of a log, as text between any two, and close it."""
    projection, events = open_projection(form), list[dict[str, Any]]()
    for part in parts:
        projection, more = feed_projection(projection, part)
        projection = msgspec.json.decode(msgspec.json.encode(projection), type=Projection)
        events += more
    return events + close_projection(projection)[1]


@pytest.mark.parametrize("form", FORMS)
def test_line_by_line_gives_what_the_whole_log_gives(form: str) -> None:
    """Each line is fed alone, and the projection stored as text in between."""
    for name, log in LOGS.items():
        assert project(log, form) == fed(form, log.splitlines(keepends=True)), name


@given(data=st.data())
def test_any_split_gives_what_the_whole_log_gives(data: st.DataObject) -> None:
    """Wherever the lines are parted."""
    name, form = data.draw(st.sampled_from(sorted(LOGS))), data.draw(st.sampled_from(FORMS))
    lines = LOGS[name].splitlines(keepends=True)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=5)))
    bounds = zip([0, *cuts], [*cuts, len(lines)], strict=True)
    assert project(LOGS[name], form) == fed(form, ["".join(lines[begin:end]) for begin, end in bounds])


@pytest.mark.parametrize("form", FORMS)
def test_a_projection_is_a_value(form: str) -> None:
    """Feeding, showing and closing one leaves it as it was."""
    for log in LOGS.values():
        lines = log.splitlines(keepends=True)
        projection = feed_projection(open_projection(form), "".join(lines[: len(lines) // 2]))[0]
        before = msgspec.json.encode(projection)
        close_projection(projection)
        stream_projection(projection, [purestep.StreamText(text="Hm.")])
        first = feed_projection(projection, "".join(lines[len(lines) // 2 :]))
        assert before == msgspec.json.encode(projection)
        assert first == feed_projection(projection, "".join(lines[len(lines) // 2 :]))


@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk"])
def test_a_stream_that_is_ended_at_a_request_goes_on_as_the_whole(form: str) -> None:
    """A host closes the stream where a person is asked: the answer begins the next one, and nothing is told twice."""
    log, paused = asked_log(), 0
    projection, events = open_projection(form), list[dict[str, Any]]()
    for line in log.splitlines(keepends=True):
        if '"kind":"approval"' in line and not paused:
            projection, ending = close_projection(projection)
            assert ending
            events, paused = events + ending, paused + 1
        projection, more = feed_projection(projection, line)
        events += more
    assert paused == 1
    assert project(log, form) == events + close_projection(projection)[1]


def test_ids_come_from_the_log_alone() -> None:
    """The same log has the same ids, and another run with the same words has others."""

    def ids(log: str) -> set[str]:
        return {chunk["messageId"] for chunk in project(log, "ai-sdk") if "messageId" in chunk}

    first, other = ids(run_log({"type": "user_message", "content": "Go"})), ids(asked_log())
    assert first == other
    assert first.isdisjoint(ids(run_log({"type": "user_message", "content": "Stop"})))


def test_what_a_person_changed_is_what_every_form_says_ran() -> None:
    """The arguments of the call that ran are those of the approval."""
    log = asked_log()
    chunks = [chunk for chunk in project(log, "ai-sdk") if chunk["type"] == "tool-input-available"]
    assert [{}, {}, {"to": "b"}] == [chunk["input"] for chunk in chunks]
    assert '(A person changed the arguments to {"to":"b"}.) 1' in [m["content"] for m in project(log, "openai")]
    answers = [event["value"] for event in project(log, "ag-ui") if event.get("name") == "purestep.approval"]
    assert [{"call_id": "call_2", "approved": True, "arguments": {"to": "b"}}] == answers
    parts = project(log, "ai-sdk-messages")[-1]["parts"]
    assert {"to": "b"} == next(part["input"] for part in parts if part.get("toolCallId") == "call_2")


def test_nothing_of_a_turn_ran_before_a_person_had_answered() -> None:
    """The spans of both calls begin with the answer, not with the request."""
    begun = [s["start_time_ms"] for s in project(asked_log(), "otel") if s["name"].startswith("execute_tool")]
    assert [3, 3] == begun


# --- failures ------------------------------------------------------------------------------------------------


def rejected(lines: list[dict[str, Any]]) -> list[str]:
    """Return what the model said and the core sent back, and what a tool gave and a check rejected."""
    accepted = {line.get("content") for line in lines if line["kind"] == "final_answer"}
    outputs = {line["call_id"]: line.get("output") for line in lines if line["kind"] == "tool_result" and line["ok"]}
    texts = [
        said["content"]
        for said, line in pairwise(lines)
        if line["kind"] == "correction" and said["kind"] == "model_response" and said.get("content")
    ]
    judged = [line.get("call_id", "") for line in lines if line["kind"] == "verdict" and line["verdict"] == "reject"]
    texts += [outputs[call_id] for call_id in judged if isinstance(outputs.get(call_id), str)]
    return [text for text in texts if len(text) > MIN_CHARS and text not in accepted]


MIN_CHARS = 12
"""Shorter texts, such as "ok", stand in others."""


@pytest.mark.parametrize("form", FORMS)
def test_what_was_rejected_is_in_no_form(form: str) -> None:
    """Neither outputs of the model nor those of tools."""
    found = 0
    for name, log in LOGS.items():
        shown = json.dumps(project(log, form), ensure_ascii=False)
        for text in rejected([json.loads(line) for line in log.splitlines()]):
            found += 1
            assert json.dumps(text, ensure_ascii=False)[1:-1] not in shown, name
    assert found > 20


@pytest.mark.parametrize("form", FORMS)
def test_a_failed_run_says_so_and_gives_no_answer(form: str) -> None:
    """Whatever the log holds after the failure, the form ends with it."""
    logs = [(log, own_lines(log)) for log in LOGS.values()]
    failed = [(log, own) for log, own in logs if '"kind":"run_failed"' in own and '"kind":"final_answer"' not in own]
    assert failed
    for log, own in failed:
        text = json.dumps(project(log, form))
        code = json.loads(next(line for line in own.splitlines() if '"kind":"run_failed"' in line))["code"]
        assert code in text
        for answer in ('"finishReason": "stop"', '"type": "success"', '"text-start"', "TEXT_MESSAGE_START"):
            assert answer not in text


# --- the JSON function ---------------------------------------------------------------------------------------


def called(given: dict[str, Any]) -> dict[str, Any]:
    """Call the JSON function."""
    output: dict[str, Any] = json.loads(purestep.project_log(json.dumps(given)))
    return output


@pytest.mark.parametrize("form", FORMS)
def test_the_json_function_gives_the_same(form: str) -> None:
    """Whole and in parts."""
    log = asked_log()
    assert {"events": project(log, form)} == called({"form": form, "log": log})
    opened = called({"form": form})
    half = called({"projection": opened["projection"], "log": log})
    closed = called({"projection": half["projection"]})
    assert project(log, form) == opened["events"] + half["events"] + closed["events"]


def test_the_json_function_says_how_long_a_torn_line_is() -> None:
    """So that a host can cut it off."""
    line = asked_log().splitlines()[-1]
    assert len(line[:-20]) == called({"form": "otel", "log": asked_log()[:-21]})["torn_bytes"]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({}, ""),
        ({"form": "otel", "projection": {}}, "/projection"),
        ({"form": "otel", "stream": []}, "/stream"),
        ({"form": "otel", "events": []}, "/events"),
    ],
)
def test_what_does_not_belong_together_is_refused(given: dict[str, Any], path: str) -> None:
    """The error names the member."""
    error = called(given)["error"]
    assert ("invalid_input", path) == (error["code"], error["path"][: len(path) or None])
