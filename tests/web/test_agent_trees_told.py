"""Agents below agents in JavaScript: what is told of them, whose models and tools serve them, and what is refused."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def told(node: str, package: Path) -> dict[str, Any]:
    """What came of each run."""
    command = [node, HERE / "agent_trees_told.mjs", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def place(event: dict[str, Any]) -> str:
    """Return whose an event is."""
    return ".".join(event.get("path", []))


def test_agents_run_side_by_side(told: dict[str, Any]) -> None:
    """The tools of two agents wait for each other, so both run at once."""
    found = told["side_by_side"]["events"]
    assert ("done", "Both have met.") == (found[-1]["status"], found[-1]["answer"])


def test_events_say_whose_they_are(told: dict[str, Any]) -> None:
    """Text of two agents comes in turns and is taken back with its place; what they answer is the result of a call."""
    events = told["side_by_side"]["events"]
    texts = [(place(event), event["text"]) for event in events if event["type"] == "text"]
    assert [("a", "a"), ("b", "b"), ("a", " has"), ("b", " has"), ("a", " met."), ("b", " met.")] == texts[:6]
    others = [(event["type"], place(event), event.get("tool")) for event in events if event["type"] != "text"]
    assert [
        *[("call", "", "a"), ("call", "", "b"), ("call", "a", "wait"), ("call", "b", "wait")],
        *[("result", "a", "wait"), ("result", "b", "wait"), ("retract", "a", None), ("retract", "b", None)],
        *[("result", "", "a"), ("result", "", "b"), ("done", "", None)],
    ] == others
    assert 3 == len({event.get("run_id") for event in events})


def test_the_snapshot_has_each_call_once(told: dict[str, Any]) -> None:
    """Calls of two agents with one id stay apart, and no text of an agent is an answer."""
    items = told["side_by_side"]["items"]
    calls = [(place(item), item["tool"], item["status"]) for item in items if item["type"] == "call"]
    assert [("", "a", "done"), ("", "b", "done"), ("a", "wait", "done"), ("b", "wait", "done")] == calls
    assert ["Both have met."] == [item["text"] for item in items if item["type"] == "answer"]
    assert ["Both", "Both have", "Both have met."] == told["side_by_side"]["shown"]


def test_a_watcher_that_knows_no_agents_sees_the_answer_alone(told: dict[str, Any]) -> None:
    """What an agent says is for those who ask for it."""
    found = told["watched"]
    assert [[["pay", ["desk"]]], "Done."] == found["plain"]
    assert [["desk", "5"], ["desk", " paid."]] == found["below"]


def test_each_agent_has_its_own_model(told: dict[str, Any]) -> None:
    """It is sent its own instructions and question, and its window stands in its own definition."""
    found = told["own_models"]
    (small,) = found["small"]
    assert (True, True, False) == ("You pay." in small, "Pay 5" in small, "You lead." in small)
    assert "You pay." not in "".join(found["large"])
    below = found["definition"]["agents"]["desk"]
    assert ([{"name": "small", "window_tokens": 4096}], "Pays.") == (below["agent"]["models"], below["description"])
    assert "models" not in found["definition"]


def test_an_agent_that_is_lent_stays_as_it_is(told: dict[str, Any]) -> None:
    """The run below is the caller's."""
    assert [None, "idle"] == told["own_models"]["stands"]


def test_an_agent_of_the_definition_alone_has_its_callers_model_and_tools(told: dict[str, Any]) -> None:
    """A definition from a file runs as it is."""
    assert {"end": "Done.", "paid": [5], "acts": [["desk"]]} == told["from_the_definition_alone"]


def test_each_agent_has_its_own_dialect(told: dict[str, Any]) -> None:
    """What may be shown of its outputs is read by its own definition, also where the core has to be given it again."""
    assert [["desk", "5"], ["desk", " paid."], ["Done."]] == told["another_dialect"]


def test_wrong_agents_are_told(told: dict[str, Any]) -> None:
    """Two of one name, one without, the bare form, one named as a tool, and too many below one another."""
    found = told["wrong"]
    assert "expected tools and agents in tools" in found["text"]["message"]
    assert 'two agents are named "desk"' in found["two"]["message"]
    assert "call asTool({ name })" in found["nameless"]["message"]
    assert "bare form" in found["bare"]["message"]
    assert ["invalid_agent"] * 3 == [found[name]["code"] for name in ("two", "nameless", "bare")]
    assert ("duplicate_tool", "too_deep") == (found["taken"]["code"], found["deep"]["code"])


def test_approvals_of_two_agents_are_answered_by_key(told: dict[str, Any]) -> None:
    """From a stored checkpoint one is answered, then the other; an answer that was given is refused."""
    found = told["by_checkpoint"]
    assert ([["a"], ["b"]], "waiting", [[["b"], 2]]) == (found["asked"], found["half"], found["left"])
    assert ("stale_approval", [1]) == (found["stale"], found["paid"])
    acts = [(act["path"], act["params"]["amount"], act["status"]) for act in found["end"]["acts"]]
    assert [(["a"], 1, "succeeded"), (["b"], 2, "refused")] == acts


def test_a_checkpoint_without_the_agents_transcripts_is_refused(told: dict[str, Any]) -> None:
    """Their models would be asked with half of what was said."""
    found = told["by_checkpoint"]["lost"]
    assert ("invalid_input", "/from/children") == (found["code"], found["path"])


def test_leaving_ends_the_whole_tree(told: dict[str, Any]) -> None:
    """The model two levels down is let go, no call stays open, and the log verifies."""
    assert {"code": "cancelled", "phase": "failed", "pending": [], "ok": True} == told["left_early"]


def test_what_was_lost_with_a_broken_program_is_asked_about(told: dict[str, Any]) -> None:
    """One agent paid when the model of another threw: going on, a person is asked before it is paid again."""
    found = told["broken"]
    assert ("no model", "Done.", [1]) == (found["message"], found["end"], found["paid"])
    assert [["a", "outcome_unknown"]] == found["reasons"]


def test_a_call_whose_result_was_not_written_is_asked_about(told: dict[str, Any]) -> None:
    """The log took the result of one agent and not that of the other: only this one may not be made again unasked."""
    found = told["failing_log"]
    assert ("the disk is full", "Done.", [1, 2]) == (found["message"], found["end"], found["paid"])
    assert [["b", "outcome_unknown"]] == found["reasons"]


def test_a_person_is_asked_about_one_agent_after_the_other(told: dict[str, Any]) -> None:
    """Two questions at once would need two people."""
    found = told["asked_in_turn"]
    assert [["begins", ["a"]], ["ends", ["a"]], ["begins", ["b"]], ["ends", ["b"]]] == found["order"]
    assert "Done." == found["end"]


def test_a_chat_answers_what_an_agent_asks(told: dict[str, Any]) -> None:
    """The part's id has that of the caller's call before it, and the answer goes to the agent that asked."""
    assert {"toolCallId": "call_1/call_1", "texts": "Done."} == told["in_a_chat"]["agent"]
    assert told["in_a_chat"]["agent"] == told["in_a_chat"]["log"]
