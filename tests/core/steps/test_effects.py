"""The same destructive effect is not had twice in an exchange unless a person says so (12.effects)."""

import json
from typing import Any

import pytest

import purestep
from purestep.bounds import MAX_EFFECTS
from tests.core.agents import approvals, call, failure, final, listed, ok, results, said, tool
from tests.core.driver import Driver, altered, stepped

DESTROYS = {"destructiveHint": True}
WIPE = call("wipe", disk="A")


def wiper(annotations: dict[str, Any] | None = DESTROYS, **members: Any) -> Driver:
    """Return a run with one tool that the policy lets run unasked."""
    members = {"approval": {"default": "auto", "tools": {"wipe": "auto"}}, **members}
    spec = tool("wipe", {"disk": {"type": "string"}}, annotations=annotations)
    return Driver({"tools": [spec], **members})


def wiped(run: Driver, output: Any = "gone") -> Driver:
    """Make the call once, with this output."""
    run.send(said(WIPE))
    run.send(ok("call_1", output))
    return run


def reason(run: Driver) -> Any:
    """Return why a person is asked about the first waiting call; None where nobody is."""
    return run.decision["calls"][0]["reason"] if run.decision["type"] == "request_approval" else None


@pytest.mark.parametrize(
    ("annotations", "expected"),
    [
        ({"destructiveHint": True}, "same_effect"),
        ({"readOnlyHint": False}, "same_effect"),
        ({"readOnlyHint": False, "destructiveHint": True}, "same_effect"),
        ({"readOnlyHint": False, "destructiveHint": False}, None),
        ({"destructiveHint": True, "idempotentHint": True}, None),
        ({"readOnlyHint": True}, None),
        ({"readOnlyHint": True, "destructiveHint": True}, None),
        ({}, None),
        (None, None),
    ],
)
def test_the_same_call_of_a_destructive_tool_asks_again(annotations: Any, expected: str | None) -> None:
    """By the annotations alone; a tool that reads, only adds or may be repeated runs as before."""
    run = wiped(wiper(annotations))
    run.send(said(WIPE))
    assert expected == reason(run)
    replayed = json.loads(purestep.replay_log(run.log))
    assert (run.state, run.decision) == (replayed["state"], replayed["decision"])
    assert [expected] * (expected is not None) == [each["reason"] for each in run.events("approval_request")]


@pytest.mark.parametrize("output", [None, "", "ok", "\U0001f44d", "\u597d\u7684", {"done": True}])
def test_any_output_of_the_first_call_is_an_effect(output: Any) -> None:
    """Nothing at all and a thumb are as done as a report."""
    run = wiped(wiper(), output)
    run.send(said(WIPE))
    assert "same_effect" == reason(run)


def test_the_order_of_arguments_does_not_tell_calls_apart() -> None:
    """Arguments are compared in their canonical form."""
    spec = tool("wipe", {"disk": {"type": "string"}, "part": {"type": "number"}}, annotations=DESTROYS)
    run = Driver({"tools": [{**spec, "approval": "auto"}]})
    run.send(said('{"kind":"tool_call","tool_name":"wipe","arguments":{"disk":"A","part":1}}'))
    run.send(ok("call_1", "gone"))
    run.send(said('{"kind":"tool_call","tool_name":"wipe","arguments":{"part":1.0,"disk":"A"}}'))
    assert "same_effect" == reason(run)
    run.answer_all(False)
    run.send(said('{"kind":"tool_call","tool_name":"wipe","arguments":{"part":2,"disk":"A"}}'))
    assert "invoke_tool" == run.decision["type"]


@pytest.mark.parametrize("kind", ["execution", "io", "interrupted"])
def test_a_call_that_failed_on_the_way_asks_again(kind: str) -> None:
    """It may have acted before it failed: a time limit, a lost connection, a result that cannot be used."""
    run = wiper()
    run.send(said(WIPE))
    run.send(results(failure("call_1", "the disk did not answer", kind)))
    run.send(said(WIPE))
    assert "same_effect" == reason(run)


def test_a_call_that_was_refused_for_its_arguments_did_nothing() -> None:
    """The host says so before it runs the tool, or the tool itself."""
    run = wiper()
    run.send(said(WIPE))
    run.send(results(failure("call_1", "no disk A", "invalid_arguments")))
    assert "invoke_tool" == run.send(said(WIPE))["type"]


STOPS = {
    "cancel": [{"type": "cancel"}],
    "interrupted": [results(failure("call_1", "", "interrupted")), said(final("It may have run."))],
    "resumed, which fails": [{"type": "resumed"}],
}


@pytest.mark.parametrize("hints", [DESTROYS, {"readOnlyHint": False, "destructiveHint": False}])
@pytest.mark.parametrize("stop", STOPS)
def test_an_unknown_outcome_is_remembered_over_the_run(stop: str, hints: dict[str, Any]) -> None:
    """Nobody knows whether the call has acted, in the next exchange as little as in this one."""
    run = wiper(hints, approval={"tools": {"wipe": "auto"}, "unknown_outcome": "fail"})
    run.send(said(WIPE))
    for observation in STOPS[stop]:
        run.send(observation)
    run.send({"type": "user_message", "content": "Once more."})
    run.send(said(call("wipe", disk="B")))
    run.give_all("gone")
    run.send(said(WIPE))
    assert "same_effect" == reason(run)
    run.answer_all(True)
    run.give_all("gone")
    run.send(said(final("Done.")))
    run.send({"type": "user_message", "content": "And again."})
    assert "invoke_tool" == run.send(said(WIPE))["type"]
    replayed = json.loads(purestep.replay_log(run.log))
    assert (run.state, run.decision) == (replayed["state"], replayed["decision"])


def test_a_refused_rerun_is_not_forgotten_with_the_exchange() -> None:
    """A person said that it ran; in the next exchange a person is asked as well."""
    run = wiper()
    run.send(said(WIPE))
    run.send({"type": "resumed"})
    run.answer_all(False)
    run.send(said(final("It may have run.")))
    run.send({"type": "user_message", "content": "And B?"})
    run.send(said(WIPE))
    assert "same_effect" == reason(run)


@pytest.mark.parametrize("more", [{"part": None}, {"mode": "fast"}, {"part": None, "mode": "fast"}])
def test_arguments_that_say_nothing_do_not_tell_effects_apart(more: dict[str, Any]) -> None:
    """An argument that is null, or has the default of its schema, may as well be left out."""
    properties = {"disk": {"type": "string"}, "part": {"type": ["string", "null"]}, "mode": {"default": "fast"}}
    spec = {"name": "wipe", "parameters": {"type": "object", "properties": properties}}
    run = wiped(Driver({"tools": [{**spec, "annotations": DESTROYS, "approval": "auto"}]}))
    run.send(said(call("wipe", disk="A", **more)))
    assert "same_effect" == reason(run)
    run.answer_all(False)
    assert "invoke_tool" == run.send(said(call("wipe", disk="A", mode="slow")))["type"]


def test_an_output_that_a_check_rejected_is_an_effect() -> None:
    """The call has run, whatever its check says of it."""
    spec = tool("wipe", {"disk": {"type": "string"}}, annotations=DESTROYS, approval="auto")
    run = Driver({"tools": [{**spec, "checks": [{"not": {"pattern": "lost"}}]}]})
    wiped(run, "it was lost")
    run.send(said(WIPE))
    assert "same_effect" == reason(run)


def test_the_same_call_twice_in_one_turn_asks_about_the_second() -> None:
    """Nothing of the turn runs before the answer; refused, the first one runs alone."""
    run = wiper()
    run.send(said(listed(WIPE, call("wipe", disk="B"), WIPE)))
    assert (["call_3"], "same_effect") == ([entry["call_id"] for entry in run.decision["calls"]], reason(run))
    run.answer_all(False)
    assert ["call_1", "call_2"] == list(run.calls())


def test_an_approved_repeat_runs_and_a_refused_one_is_not_asked_about_again() -> None:
    """A person's word holds; after a no the same call is barred, as any refused one."""
    run = wiped(wiper())
    run.send(said(WIPE))
    assert "invoke_tool" == run.answer_all(True)["type"]
    run = wiped(wiper())
    run.send(said(WIPE))
    run.answer_all(False)
    assert "refused before" in json.dumps([run.send(said(WIPE)), run.messages[-1]])
    assert 1 == len(run.events("approval_request"))


def test_the_repeat_guard_bars_what_a_person_has_let_run_again() -> None:
    """The second equal result is corrected, and the third call is not even asked about."""
    run = wiped(wiper())
    run.send(said(WIPE))
    run.answer_all(True)
    assert "repeated_call" == run.send(ok("call_2", "gone"))["cause"]
    run.send(said(WIPE))
    assert (1, "call_model") == (len(run.events("approval_request")), run.decision["type"])


def test_a_new_exchange_begins_without_effects() -> None:
    """The user asks anew; what they asked for before does not count."""
    run = wiped(wiper())
    run.send(said(final("Wiped.")))
    run.send({"type": "user_message", "content": "Once more"})
    assert "invoke_tool" == run.send(said(WIPE))["type"]
    assert run.state is not None
    assert "effects" not in run.state["exchange"]


def test_a_policy_of_ask_says_which_of_the_two_reasons_it_is() -> None:
    """A repeat is named as one also where every call asks."""
    run = wiper(approval={"tools": {"wipe": "ask"}})
    run.send(said(WIPE))
    assert "same_effect" != reason(run)
    run.answer_all(True)
    run.send(ok("call_1", "gone"))
    run.send(said(WIPE))
    assert "same_effect" == reason(run)


@pytest.mark.parametrize(
    "changed",
    [
        {"status": "run"},
        {"status": "run", "again": False},
    ],
)
def test_a_changed_state_does_not_run_a_repeat(changed: dict[str, Any]) -> None:
    """The call is compared with the effects again; only a recorded approval lets it run."""
    run = wiped(wiper())
    run.send(said(WIPE))
    assert run.state is not None
    state = {**run.state, "phase": "tools", "pending": [{**run.state["pending"][0], **changed}]}
    assert "/state/pending/0/status" == stepped(state=state)["error"]["path"]


def test_a_changed_state_of_two_equal_calls_does_not_run_the_second() -> None:
    """Also where neither has run yet."""
    run = wiper()
    run.send(said(listed(WIPE, WIPE)))
    assert run.state is not None
    first, second = run.state["pending"]
    second = {**second, "status": "run"}
    second.pop("again")
    error = stepped(state={**run.state, "phase": "tools", "pending": [first, second]})["error"]
    assert "/state/pending/1/status" == error["path"]


def test_a_person_may_edit_a_repeat_into_a_call_of_the_same_turn() -> None:
    """What a person wrote is their word; the run goes on."""
    run = wiped(wiper())
    run.send(said(listed(WIPE, call("wipe", disk="B"))))
    (entry,) = run.decision["calls"]
    edited = {"call_id": entry["call_id"], "key": entry["key"], "approved": True, "params": {"disk": "B"}}
    assert "invoke_tool" == run.send(approvals(edited))["type"]
    assert "call_model" == run.give_all("gone")["type"]


def test_more_effects_than_are_remembered_all_ask() -> None:
    """The state stays small, and no effect is forgotten into running twice."""
    run = wiped(wiper())
    assert run.state is not None
    size = len(run.state["exchange"]["effects"][0])
    full = altered(run.state, "exchange", effects=[f"{number:0{size}x}" for number in range(MAX_EFFECTS)])
    asked = stepped(state=full, observation=said(call("wipe", disk="new")))["decision"]
    assert "same_effect" == asked["calls"][0]["reason"]
