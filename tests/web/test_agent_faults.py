"""The loop in JavaScript with a host that misbehaves: odd tools, stops at odd moments, watchers that throw."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
GIVEN = "the tool gave no outcome; expected ok with an output, or not ok with an error's text"
NO_OUTCOME = f"t ran; its result cannot be used: {GIVEN}"
NO_WORDS = "it failed and does not say why (execution)"
ODD_TOOLS = {
    "gives nothing": NO_OUTCOME,
    "gives null": NO_OUTCOME,
    "gives text": NO_OUTCOME,
    "gives ok as text": NO_OUTCOME,
    "gives an error that is no text": NO_OUTCOME,
    "throws what has no text": NO_WORDS,
    "throws an error without words": "[object Object] (execution)",
    "throws what throws": NO_WORDS,
}


@pytest.fixture(scope="module")
def faults(node: str, package: Path) -> dict[str, Any]:
    """The outcome of each run."""
    command = [node, HERE / "agent_faults.mjs", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", ODD_TOOLS)
def test_odd_tool_is_an_error_that_the_model_reads(name: str, faults: dict[str, Any]) -> None:
    """Whatever a tool gives or throws, the run goes on with an error in its place."""
    expected = {"ended": "done", "told": f"Error of t: {ODD_TOOLS[name]}"}
    assert expected == faults["tools"][name]


REFUSED_PARTS = {
    "a core that is not awaited": "expected a core, as await loadCore() gives it; got a promise: await it",
    "no core": "expected a core, as await loadCore() gives it; got object",
    "no ports": "expected ports with a model, such as { model }; got null",
    "no model": "expected a model in ports, as openAiModel(...) gives it; got undefined",
    "a model's name": "expected a model in ports, as openAiModel(...) gives it; got string",
    "one tool": "expected tools to be an array; got object",
    "approve that is no function": "expected approve to be a function, as approveEach(...) gives it; got boolean",
    "a log that is no port": "expected log to have a function append; got string",
    "a member of the definition among the ports": "ports have no member instructions; expected model, tools, "
    "toolsRankedBy, approve, log, attachments, watch, clock, sleep; members of the definition go into the third "
    "argument",
    "an unknown option": "the options of an agent have no member toolChoice; did you mean tool_choice?",
    "an unknown option of ask": "the options of ask have no member signal; expected tool_choice, attachments, data, "
    "pinned",
    "an unknown option of stream": "the options of stream have no member abortSignal; expected tool_choice, "
    "attachments, data, pinned, approvals, results, log, signal",
    "another spelling of baseUrl": "the options of openAiModel have no member baseURL; did you mean baseUrl?",
    "a server without a model": "expected model: the name of a model of the server",
    "a tool without a function": "expected a tool with its function as execute",
    "no tool": "expected a tool with its function as execute",
}


@pytest.mark.parametrize("part", REFUSED_PARTS)
def test_part_that_cannot_be_used_is_refused_where_it_is_given(part: str, faults: dict[str, Any]) -> None:
    """Programs without types get the sentence, and nothing that was given is left unused."""
    assert ["invalid_input", REFUSED_PARTS[part]] == faults["refused_parts"][part]


def test_result_that_json_has_no_form_for_is_told(faults: dict[str, Any]) -> None:
    """JSON.stringify would write null or an empty object in its place; what it writes as it is, is taken."""
    told = dict(faults["formless_results"])
    plain = '{"a":{},"b":[],"c":null,"d":"1970-01-01T00:00:00.000Z","e":"","f":{}}'
    assert f"Result of t: {plain}" == told.pop("plain")
    ran = "Error of t: t ran; its result cannot be used: expected a value that JSON has; got"
    assert {name: f"{ran} {name}" for name in told} == told
    assert {"NaN", "Infinity", "Map", "Set", "Error", "Generator", "Response"} == told.keys()


def test_tool_cannot_answer_for_another_call(faults: dict[str, Any]) -> None:
    """A member call_id in a tool's outcome is not taken for the call's own."""
    assert {"ended": "done", "told": "Result of t: fine"} == faults["tools"]["names another call"]


def test_run_stopped_before_its_call_does_not_run_it(faults: dict[str, Any]) -> None:
    """A stop that comes while the log is written keeps the tool from having its effect."""
    assert {"ended": "cancelled", "ran": 0} == faults["stopped_before_the_call"]


def test_run_stopped_while_taken_up_is_stopped(faults: dict[str, Any]) -> None:
    """A stop that comes while the log is read is not lost."""
    assert "cancelled" == faults["stopped_while_taken_up"]


def test_run_under_way_is_not_replaced_by_one_taken_up(faults: dict[str, Any]) -> None:
    """An agent that is busy refuses a log and finishes its own run."""
    assert {"refused": "busy", "ended": "done", "run_id": "a"} == faults["taken_up_while_busy"]


def test_run_of_another_definition_is_refused_before_its_log_is_touched(faults: dict[str, Any]) -> None:
    """Nothing is appended and nothing taken over."""
    expected = {"refused": "agent_mismatch", "appended": 0, "is_untouched": True}
    assert expected == faults["taken_up_by_another"]


def test_watchers_that_throw_leave_the_run_as_it_is(faults: dict[str, Any]) -> None:
    """At once or later, in every method and in a listener of the snapshot: not a byte of the log differs."""
    found = faults["watchers_that_throw"]
    assert ("done", 1, "done") == (found["calm"]["ended"], found["calm"]["ran"], found["calm"]["shown"])
    assert found["calm"] == found["at_once"] == found["later"]


def test_what_they_throw_is_on_the_console_once(faults: dict[str, Any]) -> None:
    """Once for the watcher and once for the listener; none is left unhandled, which would end a process of Node."""
    errors = faults["watchers_that_throw"]["errors"]
    assert ["at once", "later"] == sorted({error for _, error in errors})
    assert (1, []) == (len({words for words, _ in errors}), faults["unhandled"])


def test_text_that_comes_after_a_stop_is_not_shown(faults: dict[str, Any]) -> None:
    """A model that does not let go cannot write into what is shown of the next run."""
    assert "Before." == faults["text_after_the_end"]


def test_long_run_leaves_no_listeners_behind(faults: dict[str, Any]) -> None:
    """Thirty turns draw no warning of a leak."""
    assert ("done", []) == (faults["many_turns"], faults["warnings"])


def test_definition_whose_tools_are_undefined_has_those_of_the_ports(faults: dict[str, Any]) -> None:
    """An optional member that is set to undefined is one left out."""
    assert "done" == faults["tools_left_open"]


def test_definition_that_the_core_let_go_is_handed_over_again(faults: dict[str, Any]) -> None:
    """Runs of more definitions than a core keeps can share it, also while their text is shown."""
    assert {"ended": "done", "shown": "Done."} == faults["definition_let_go"]


@pytest.mark.parametrize("name", ["rejects", "never settles", "settles late", "says that it was stopped"])
def test_model_that_is_ended_early_is_not_read_any_more(name: str, faults: dict[str, Any]) -> None:
    """Whatever an adapter makes of its end, the output is the text up to the stop, and no fault is seen."""
    expected = {"ended": "done", "said": '{"kind":"final","content":"Done."}', "aborted": 1}
    assert (expected, []) == (faults["ended_early"][name], faults["unhandled"])
