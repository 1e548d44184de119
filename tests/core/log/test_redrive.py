"""Recorded runs driven again: the same, or the first decision that is another one (purestep.log.redrive)."""

import json
from typing import Any

import pytest

import purestep
from purestep import PurestepError, redrive
from tests.core.agents import ADD, answer, approvals, call, final, ok, said, tool
from tests.core.driver import Driver

PATH = {"path": {"type": "string"}}
WRITE = tool("write", PATH, annotations={"destructiveHint": True}, approval="auto")
DEFINITION: dict[str, Any] = {"tools": [ADD, WRITE]}


BEGUN = '{"seq":0,"kind":"run_started","schema_version":3,"run_id":"r","agent":{}}\n'


def user(content: str) -> dict[str, Any]:
    """Return a user message."""
    return {"type": "user_message", "content": content}


def recorded() -> Driver:
    """Return a run with two calls, a correction and two answers."""
    run = Driver(DEFINITION, "Write it to a.txt")
    run.send(said("nonsense"))
    run.send(said(call("add_numbers", a=1, b=2)))
    run.send(ok("call_1", 3))
    run.send(said(call("write", path="a.txt")))
    run.send(ok("call_2", "ok"))
    run.send(said(final("Written.")))
    run.send(user("Thanks"))
    run.send(said(final("You are welcome.")))
    return run


def under(run: Driver, **members: Any) -> purestep.Redriven:
    """Drive a run again under its definition with other members."""
    return redrive(run.log, json.dumps({**DEFINITION, **members}))


def asks(spec: dict[str, Any]) -> dict[str, Any]:
    """Return a tool with approval."""
    return {**spec, "approval": "ask"}


def test_a_run_is_the_same_under_its_own_definition() -> None:
    """Driven again, it is the same run byte for byte."""
    run = recorded()
    found = redrive(run.log)
    assert (True, 9, run.log) == (found.same, found.steps, found.log)
    assert run.state is not None
    assert run.state["head"] == found.state.head


@pytest.mark.parametrize("members", [{"instructions": "Be brief."}, {"limits": {"max_turns": 9}}, {"name": "other"}])
def test_what_decides_alike_is_the_same(members: dict[str, Any]) -> None:
    """Other words in the prompt make another digest and other keys, and no other decision."""
    run = recorded()
    found = under(run, **members)
    assert (True, None) == (found.same, found.line)
    assert run.log != found.log
    assert purestep.verify(found.log, found.state.head).ok


def test_first_decision_that_differs_is_told() -> None:
    """A call that is asked about now: the line of the model's output, what it led to, and what it leads to."""
    run = recorded()
    found = under(run, tools=[ADD, asks(WRITE)])
    made = {"kind": "tool_call", "call_id": "call_2", "tool_name": "write", "arguments": {"path": "a.txt"}}
    asked = {"kind": "approval_request", "call_id": "call_2", "tool_name": "write"}
    assert ((made,), (made, asked)) == (found.recorded, found.redriven)
    line = run.lines()[(found.line or 0) - 1]
    assert ("model_response", call("write", path="a.txt")) == (line["kind"], line["content"])
    assert purestep.verify(found.log, found.state.head).ok


def test_a_tool_that_is_gone_differs_where_it_was_called() -> None:
    """The call is corrected now."""
    found = under(recorded(), tools=[ADD])
    assert ("tool_call", "correction") == (found.recorded[0]["kind"], found.redriven[0]["kind"])


def test_a_fact_that_nothing_waits_for_is_told_as_such() -> None:
    """A run that has failed earlier takes no result."""
    found = under(recorded(), limits={"max_turns": 1})
    assert not found.same
    assert "run_failed" == found.redriven[0]["kind"]


def test_approvals_answer_the_calls_driven_again() -> None:
    """Keys differ under another definition; the person's answer holds for the call all the same."""
    run = Driver({"tools": [asks(WRITE)]}, "Write a.txt")
    run.send(said(call("write", path="a.txt")))
    run.send(approvals(answer(run.decision["calls"][0], True, by="ann")))
    run.send(ok("call_1", "ok"))
    run.send(said(final("Written.")))
    found = redrive(run.log, json.dumps({"tools": [asks(WRITE)], "instructions": "Other."}))
    assert (True, "done") == (found.same, found.state.phase)


def test_a_new_id_makes_new_keys() -> None:
    """A copy of a run acts under keys of its own."""
    run = recorded()
    copy = redrive(run.log, run_id="copy")
    keys = [{each["key"] for each in map(json.loads, log.splitlines()) if "key" in each} for log in (run.log, copy.log)]
    assert (True, "copy", 2) == (copy.same, copy.state.run_id, len(keys[0]))
    assert keys[0].isdisjoint(keys[1])


def test_a_changed_definition_of_the_log_gives_way_to_the_given_one() -> None:
    """A run that went on under another definition is driven under the given one from the beginning."""
    run = recorded()
    run.send({"type": "agent_changed", "agent": {"tools": [ADD]}})
    run.send(user("Add 1 and 2"))
    run.send(said(call("add_numbers", a=1, b=2)))
    assert (True, True) == (redrive(run.log).same, under(run, instructions="Be brief.").same)
    assert ("agent_changed" in run.log, "agent_changed" in under(run).log) == (True, False)


def test_a_log_cut_off_within_a_step_is_the_same() -> None:
    """What a crash has cut off is no difference; a line that was changed is one."""
    run = recorded()
    lines = run.log.splitlines(keepends=True)
    assert all(redrive("".join(lines[:end])).same for end in range(2, len(lines) + 1))
    careful = json.dumps({"tools": [ADD, asks(WRITE)]})
    call_line = next(at for at, line in enumerate(lines, 1) if '"tool_name":"write"' in line and '"tool_call"' in line)
    told = [redrive("".join(lines[:end]), careful).same for end in (call_line - 2, call_line - 1, call_line)]
    assert [True, False, False] == told
    changed = run.log.replace('"tool_name":"write","arguments":{"path":"a.txt"}', '"tool_name":"write","arguments":{}')
    assert not redrive(changed).same


def test_a_run_that_only_began_is_the_same() -> None:
    """Nothing has been decided yet."""
    found = redrive(BEGUN)
    assert (True, 0, "") == (found.same, found.steps, found.log)


@pytest.mark.parametrize(
    ("log", "code"),
    [
        ("", "invalid_log"),
        ("nothing\n", "invalid_log"),
        ('{"seq":0,"kind":"user_message","content":"x"}\n', "invalid_log"),
        (f'{BEGUN}{{"seq":1,"kind":"final_answer","content":"x"}}\n', "invalid_log"),
        ('{"seq":0,"kind":"run_started","schema_version":9,"run_id":"r","agent":{}}\n', "unsupported_version"),
    ],
)
def test_what_is_no_log_of_this_version_is_refused(log: str, code: str) -> None:
    """With the code and the line."""
    with pytest.raises(PurestepError) as caught:
        redrive(log)
    assert code == caught.value.code
    assert code == json.loads(purestep.redrive_log(log))["error"]["code"]


def test_a_definition_without_models_has_those_of_the_log() -> None:
    """They say how the recorded outputs were asked for; one that names its own keeps them."""
    models = [{"name": "m", "window_tokens": 4000}]
    run = Driver({**DEFINITION, "models": models}, "Write it")
    begins = [json.loads(redrive(run.log, json.dumps(given)).log.splitlines()[0])["agent"] for given in (
        {"name": "other"}, {"models": [{"name": "n"}]},
    )]  # fmt: skip
    assert [models, [{"name": "n"}]] == [agent["models"] for agent in begins]
