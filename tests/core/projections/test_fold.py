"""Projections as folds: in parts as whole, values that nothing changes, ends that are told, damage that is named."""

import json
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep import (
    Projection,
    PurestepError,
    close_projection,
    feed_projection,
    open_projection,
    project,
    stream_projection,
)
from tests.core.projections.logs import FORMS, LOGS

AGENT = {
    "name": "clerk",
    "dialect": "native",
    "tools": [
        {"name": "add", "description": "Add.", "parameters": {"type": "object"}},
        {"name": "send", "description": "Send.", "parameters": {"type": "object"}, "approval": "ask"},
    ],
}


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


def run_log(*observations: dict[str, Any]) -> str:
    """Give the log of a run; keys of calls that wait are filled in."""
    output: dict[str, Any] = {}
    log = ""
    for at, observation in enumerate(observations, 1):
        for pending in output.get("state", {}).get("pending", ()):
            if observation.get("approvals"):
                observation["approvals"][0]["key"] = pending["key"]
        given = {"state": output["state"]} if output else {"agent": AGENT, "run_id": "r"}
        output = json.loads(purestep.run_agent_step(json.dumps({**given, "observation": {**observation, "at": at}})))
        log += output["log"]
    return log


def asked_log() -> str:
    """Give the log of a run with a call that a person allowed, with other arguments, beside one that failed."""
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in ("add", "send")]
    results = [{"call_id": "call_2", "ok": True, "output": 1}, {"call_id": "call_1", "ok": False}]
    return run_log(
        {"type": "user_message", "content": "Go"},
        {"type": "model_output", "tool_calls": calls},
        {"type": "approvals", "approvals": [{"call_id": "call_2", "approved": True, "params": {"to": "b"}}]},
        {"type": "tool_results", "results": results},
        {"type": "model_output", "content": "It went to b."},
    )


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
    answers = [event["value"] for event in project(log, "ag-ui") if event["type"] == "CUSTOM"]
    assert [{"call_id": "call_2", "approved": True, "arguments": {"to": "b"}}] == answers
    parts = project(log, "ai-sdk-messages")[-1]["parts"]
    assert {"to": "b"} == next(part["input"] for part in parts if part.get("toolCallId") == "call_2")


def test_nothing_of_a_turn_ran_before_a_person_had_answered() -> None:
    """The spans of both calls begin with the answer, not with the request."""
    begun = [s["start_time_ms"] for s in project(asked_log(), "otel") if s["name"].startswith("execute_tool")]
    assert [3, 3] == begun


# --- outputs that are shown while they come ------------------------------------------------------------------


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


def answer_log(content: str) -> list[str]:
    """Give the lines of a run whose first output this is."""
    asked = {"type": "user_message", "content": "What?"}
    return run_log(asked, {"type": "model_output", "content": content}).splitlines(keepends=True)


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


# --- failures ------------------------------------------------------------------------------------------------


def rejected(lines: list[dict[str, Any]]) -> list[str]:
    """Give what the model said and the core sent back, and what a tool gave and a check rejected."""
    accepted = {line.get("content") for line in lines if line["kind"] == "final_answer"}
    outputs = {line["call_id"]: line["output"] for line in lines if line["kind"] == "tool_result" and line["ok"]}
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
    failed = [log for log in LOGS.values() if '"kind":"run_failed"' in log and '"kind":"final_answer"' not in log]
    assert failed
    for log in failed:
        text = json.dumps(project(log, form))
        code = json.loads(next(line for line in log.splitlines() if '"kind":"run_failed"' in line))["code"]
        assert code in text
        for answer in ('"finishReason": "stop"', '"type": "success"', '"text-start"', "TEXT_MESSAGE_START"):
            assert answer not in text


# --- damage --------------------------------------------------------------------------------------------------


def found(log: str, form: str = "openai") -> tuple[str, str, str]:
    """Give the error's code, path and message."""
    with pytest.raises(PurestepError) as raised:
        project(log, form)
    return raised.value.code, raised.value.path, raised.value.message


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_fact_is_found_at_the_next_derived_line(form: str) -> None:
    """The chain does not fit any more."""
    log = asked_log().replace('"content":"Go"', '"content":"Stop"')
    message = "line 4: a line before it was changed: the hash chain is broken"
    assert ("log_mismatch", "/4", message) == found(log, form)


def test_missing_and_doubled_lines_are_named() -> None:
    """Each line is the next one."""
    lines = asked_log().splitlines(keepends=True)
    for others, message in (
        (lines[:2] + lines[3:], "expected the line 2 of the run; got 3"),
        (lines[:2] + lines[1:], "expected the line 2 of the run; got 1"),
    ):
        assert ("log_mismatch", "/3", f"line 3: {message}") == found("".join(others))
    beginning = ("invalid_log", "/1", "line 1: a log begins with run_started, and has no other")
    assert beginning == found(lines[1].replace('"seq":1', '"seq":0'))


def test_a_line_that_cannot_be_read_is_named() -> None:
    """As replay and verify say it."""
    lines = asked_log().splitlines(keepends=True)
    code, path, message = found("".join([*lines[:2], '{"kind":"nonsense"}\n', *lines[2:]]))
    assert ("invalid_log", "/3") == (code, path)
    assert "expected an event; got kind 'nonsense'" in message


def test_a_result_for_no_call_is_refused() -> None:
    """A log that somebody made does not pass for a run."""
    lines = asked_log().splitlines(keepends=True)[:2]
    forged = '{"seq":2,"kind":"tool_result","tool_name":"rm","call_id":"call_1","ok":true,"output":1}\n'
    assert ("invalid_log", "/3", 'line 3: expected a call that is open; got "call_1"') == found("".join(lines) + forged)


def test_a_torn_last_line_is_left_out_of_a_whole_log_and_refused_in_a_part() -> None:
    """A crash leaves one; a part of a log that is fed has none."""
    log = asked_log()
    assert project(log[:-20], "otel") == project("".join(log.splitlines(keepends=True)[:-1]), "otel")
    with pytest.raises(PurestepError) as raised:
        feed_projection(open_projection("otel"), log[:-20])
    assert "invalid_log" == raised.value.code
    assert raised.value.message.startswith("expected whole lines")


def test_an_unknown_form_is_refused() -> None:
    """The message lists the forms."""
    assert ("invalid_input", "/form", f"expected one of {', '.join(FORMS)}") == found("", "a2a")


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
