"""Runs in JavaScript as streams of events, and as snapshots: the events are those of the Python agent."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from tests.event_loops import run_in_loop

HERE = Path(__file__).parent
LOOK = {"name": "look", "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}}}
PLAYED: dict[str, dict[str, Any]] = {
    "an answer alone": {"definition": {"tools": []}, "outputs": [says("Good morning to you.")], "query": "Hello"},
    "text that is no answer": {
        "definition": {"tools": [LOOK], "checks": ["planning"]},
        "outputs": [says("Let me look, I will now look."), calls("look", number=1), says("It is 2.")],
        "results": {"look": [{"ok": True, "output": 2}]},
        "query": "Look",
    },
    "a tool that fails": {
        "definition": {"tools": [LOOK]},
        "outputs": [calls("look", number=1), says("It failed: it is dark.")],
        "results": {"look": [{"ok": False, "error": "it is dark"}]},
        "query": "Look",
    },
    "calls that a person answers": {
        "definition": {"tools": [{**LOOK, "approval": "ask"}]},
        "outputs": [calls("look", number=1), calls("look", number=2), says("It is 3.")],
        "results": {"look": [{"ok": True, "output": 3}]},
        "approve": {"call_1": False, "call_2": True},
        "query": "Look",
    },
    "calls that nobody answers": {
        "definition": {"tools": [{**LOOK, "approval": "ask"}]},
        "outputs": [calls("look", number=1)],
        "query": "Look",
    },
    "an end without an answer": {
        "definition": {"tools": [LOOK], "limits": {"max_turns": 1}},
        "outputs": [calls("look", number=1)],
        "results": {"look": [{"ok": True, "output": 2}]},
        "query": "Look",
    },
}


@pytest.fixture(scope="module")
def streams(node: str, package: Path) -> dict[str, Any]:
    """The outcome of each run."""
    command = [node, HERE / "agent_streams.mjs", package]
    given = json.dumps({"played": PLAYED})
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=300)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def in_python(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of the Python agent, as JSON."""
    results = {name: list(outcomes) for name, outcomes in case.get("results", {}).items()}

    @tool(approval=case["definition"].get("tools", [{}])[0].get("approval") if case["definition"]["tools"] else None)
    def look(number: int) -> int:
        outcome = results["look"].pop(0)
        if not outcome["ok"]:
            raise AssertionError
        return int(outcome["output"])

    answers = case.get("approve")
    options = {name: value for name, value in case["definition"].items() if name != "tools"}
    agent = Agent(
        ScriptedModel(case["outputs"]),
        tools=[look] if case["definition"]["tools"] else [],
        approve=None if answers is None else lambda call: answers[call.call_id],
        **options,
    )

    async def taken() -> list[dict[str, Any]]:
        return [msgspec.to_builtins(event) async for event in agent.stream(case["query"])]

    return run_in_loop(taken())


def compared(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return events with the text of an output in one piece, and without what differs by design or by the run's id."""
    found: list[dict[str, Any]] = []
    for event in events:
        if event["type"] == "text" and found and found[-1]["type"] == "text":
            found[-1] = {"type": "text", "text": found[-1]["text"] + event["text"]}
            continue
        # JavaScript has the arguments as text too, and what a failed tool says is the host's own.
        left_out = {"params_json", "error_kind", "key"} | ({"error"} if event["type"] == "result" else set())
        kept = {name: value for name, value in event.items() if name not in left_out and value is not None}
        if "acts" in kept:
            kept["acts"] = list(kept["acts"])
        if "calls" in kept:
            kept["calls"] = [{name: call[name] for name in ("call_id", "tool", "params")} for call in kept["calls"]]
        found.append(kept)
    return found


@pytest.mark.parametrize("name", PLAYED)
def test_events_are_those_of_the_python_agent(name: str, streams: dict[str, Any]) -> None:
    """The same script gives the same events, in the same order, under the same names."""
    assert compared(in_python(PLAYED[name])) == compared(streams["played"][name])


def test_text_that_is_no_answer_is_taken_back(streams: dict[str, Any]) -> None:
    """An output that was sent back is retracted before the call that follows it."""
    kinds = [event["type"] for event in streams["played"]["text that is no answer"] if event["type"] != "text"]
    assert ["retract", "call", "result", "done"] == kinds


@pytest.mark.parametrize("by", ["checkpoint", "log"])
def test_a_run_that_waits_goes_on_elsewhere(by: str, streams: dict[str, Any]) -> None:
    """Another agent asks the same question again, takes edited arguments, and runs the call once."""
    found = streams["answered_later"][by]
    assert found["before"] == found["asked"]
    assert {"type": "done", "status": "waiting"} == found["before"][-1]
    assert [8] == found["ran"]
    act = {"call_id": "call_1", "tool": "refund", "params": {"number": 8}, "status": "succeeded"}
    assert {"type": "done", "status": "done", "answer": "It is refunded.", "acts": [act]} == found["after"][-1]
    assert [act] == found["items"][-1]["acts"]
    assert [("call", "done"), ("answer", None)] == [(item["type"], item.get("status")) for item in found["items"]]


def test_answers_that_the_core_refuses_leave_the_run_waiting(streams: dict[str, Any]) -> None:
    """A forged key and unfit arguments run nothing, the person is still asked, and a refusal is taken."""
    found = streams["refused_answers"]
    assert ("stale_approval", "invalid_arguments") == (found["forged"], found["misfit"])
    assert ["waiting", 1, "stale_approval"] == found["stood"]
    assert ("done", []) == (found["end"]["status"], found["ran"])
    assert ["refused"] == [item["status"] for item in found["items"] if item["type"] == "call"]


def test_what_is_no_answer_is_never_a_yes(streams: dict[str, Any]) -> None:
    """Whatever else `approve` gives ends the stream with an error that says what was expected, and runs nothing."""
    assert 5 == len(streams["odd_answers"])
    for told, ran in streams["odd_answers"].values():
        assert 0 == ran
        assert told.startswith("expected true or false")


def test_a_reader_that_leaves_cancels_the_run(streams: dict[str, Any]) -> None:
    """The log is whole and ends with the cancellation when the loop is left."""
    found = streams["left_early"]
    assert ["run_started", "user_message", "cancelled", "run_failed"] == found["kinds"]
    assert (True, "failed") == (found["verified"], found["status"])


def test_every_way_to_leave_gives_a_result_and_a_whole_log(streams: dict[str, Any]) -> None:
    """The result says that the run was cancelled, its log verifies, and no event comes any more."""
    found = streams["left_anyhow"]
    assert {name: ["failed", "cancelled", "run_failed", True, True] for name in found["found"]} == found["found"]
    assert (5, ["done", "done"]) == (len(found["found"]), found["a late signal"])


def test_a_stream_that_is_left_before_its_first_event_begins_nothing(streams: dict[str, Any]) -> None:
    """Its result and its next event, asked for later, ask no model; another run of the agent begins as ever."""
    codes = ["not_begun", "not_begun"]
    assert {"codes": codes, "next": True, "asked": 1, "free": "done"} == streams["left_before"]


def test_a_reader_that_leaves_at_the_question_cancels_nothing(streams: dict[str, Any]) -> None:
    """The run waits for the person and goes on with the answer."""
    assert "done" == streams["left_at_the_question"]


def test_streams_at_once(streams: dict[str, Any]) -> None:
    """A second run is refused, two readers share the events, and a stream that nobody reads begins nothing."""
    assert {"second": "busy", "read": 2, "begun": "text", "third": "done"} == streams["at_once"]


def test_misuse_is_told(streams: dict[str, Any]) -> None:
    """What is wrong with the program rejects with the core's code and path, and the snapshot shows it."""
    found = streams["misused"]
    assert "invalid_input" == found["not_begun"]
    assert [True, "unsupported_keyword", "/tools/0/parameters/propertys"] == found["wrong"]
    assert ["user", "unsupported_keyword"] == found["shown"]


def test_a_question_is_no_answer(streams: dict[str, Any]) -> None:
    """The end of a run and its snapshot say that the user is asked for something."""
    question = {"type": "answer", "text": "Which number?", "isOpen": False, "question": True, "acts": []}
    assert {"question": True, "last": question} == streams["asked"]


def test_a_stopped_run_ends_its_stream(streams: dict[str, Any]) -> None:
    """`cancel` ends a stream whose model never answers."""
    message = "the run was cancelled: enough"
    assert [{"type": "done", "status": "failed", "code": "cancelled", "message": message}] == streams["stopped"]


def test_a_snapshot_is_the_same_until_something_changes(streams: dict[str, Any]) -> None:
    """Listeners see a new value each time, text that only grows, and at last the answer; removed ones see nothing."""
    found = streams["snapshots"]
    assert {"same": True, "distinct": True, "silent": True, "grows": True} == {
        name: found[name] for name in ("same", "distinct", "silent", "grows")
    }
    assert ("idle", []) == (found["idle"]["status"], found["idle"]["items"])
    assert [*[True] * (len(found["open"]) - 1), False] == found["open"]
    answer = {"type": "answer", "text": "Good morning to you.", "isOpen": False}
    assert [{"type": "user", "text": "Hello"}, answer] == found["last"]
    assert ["running", "done"] == found["statuses"]


def test_no_rejection_is_left_unhandled(streams: dict[str, Any]) -> None:
    """What nobody awaits is no unhandled rejection."""
    assert [] == streams["unhandled"]
