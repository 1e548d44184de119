"""What another definition does at each point of recorded runs: each change is shown, and nothing else is."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import msgspec
import pytest

import purestep
from tests.core.agents import call, final, results, said
from tests.core.agents import result as given
from tests.core.check_runs import PAY as PAY_CHECKED
from tests.core.check_runs import checked, paid_run
from tests.core.driver import Driver
from tests.core.log.test_change import BEFORE, DESK, LOOK, PAY, SEND, TOOLS, states
from tests.core.log.test_change import changes as other_definitions
from tests.examples import ARE_ALL_WANTED


@cache
def logs() -> tuple[str, ...]:
    """Return the logs of random runs."""
    return tuple(["".join(step.log for step in states(seed)) for seed in range(200 if ARE_ALL_WANTED else 25)])


def changes(new: dict[str, Any]) -> Counter[tuple[str, str, str]]:
    """Return how often which move of a tool becomes which other one, in all logs."""
    found = Counter[tuple[str, str, str]]()
    for log in logs():
        for each in purestep.policy_diff(log, json.dumps(new)).changes:
            found[each.becomes.tool or each.was.tool, each.was.does, each.becomes.does] += 1
    return found


def recorded(tool: str, *, asked: bool, below: bool = False) -> int:
    """Return how many calls of a tool the logs hold that a person was asked about at once, or was not."""
    count = 0
    for log in logs():
        lines = [json.loads(line) for line in log.splitlines()]
        events = [
            line["line"] if line["kind"] == "child" else line for line in lines if (line["kind"] == "child") == below
        ]
        questions = {event["key"] for event in events if event["kind"] == "approval_request"}
        first = [event for event in events if event["kind"] == "tool_call" and event["tool_name"] == tool]
        count += sum((event["key"] in questions_at_once(events, questions)) == asked for event in first)
    return count


def questions_at_once(events: list[dict[str, Any]], questions: set[str]) -> set[str]:
    """Return the keys of the calls that a person was asked about before anything else came."""
    found, open_keys = set[str](), set[str]()
    for event in events:
        if event["kind"] == "tool_call":
            open_keys.add(event["key"])
        elif event["kind"] == "approval_request" and event["key"] in open_keys & questions:
            found.add(event["key"])
        elif event["kind"] in ("tool_result", "approval", "resumed", "model_response"):
            open_keys.clear()
    return found


def with_tool(changed: dict[str, Any]) -> dict[str, Any]:
    """Return the definition with another tool of that name."""
    return {**BEFORE, "tools": [changed if each["name"] == changed["name"] else each for each in TOOLS]}


@pytest.mark.parametrize("tool", [each for each in TOOLS if each != PAY], ids=lambda each: each["name"])
def test_allowed_calls_become_asked_and_refused(tool: dict[str, Any]) -> None:
    """As often as the logs have such calls, and nothing else changes."""
    name = tool["name"]
    allowed = recorded(name, asked=False)
    assert {(name, "allowed", "asked"): allowed} == changes(with_tool({**tool, "approval": "ask"})), allowed
    refused = changes(with_tool({**tool, "approval": "deny"}))
    assert allowed == refused.pop((name, "allowed", "refused"))
    assert {"asked", "correction", "nothing"} >= {was for _, was, _ in refused}, refused


def test_asked_calls_become_allowed() -> None:
    """A tool that a person was asked about runs by itself."""
    asked = recorded("pay", asked=True)
    assert {("pay", "asked", "allowed"): asked} == changes(with_tool({**PAY, "approval": "auto"}))


def test_agents_below_are_compared_too() -> None:
    """By the definition that stands in the other one."""
    below = {**BEFORE, "agents": {"desk": {**DESK, "tools": [LOOK, {**PAY, "approval": "auto"}]}}}
    assert {("pay", "asked", "allowed"): recorded("pay", asked=True, below=True)} == changes(below)
    paths = [each.was.path for log in logs() for each in purestep.policy_diff(log, json.dumps(below)).changes]
    assert {("desk",)} == set(paths)


@pytest.mark.parametrize(
    "same",
    [
        BEFORE,
        {**BEFORE, "instructions": "Else."},
        with_tool({**SEND, "description": "Else."}),
        {**BEFORE, "dialect": "hermes_json"},
        {**BEFORE, "limits": {"max_turns": 99}},
        {**BEFORE, "models": [{"name": "m"}]},
    ],
    ids=["same", "words", "description", "dialect", "limit", "models"],
)
def test_what_changes_no_decision_shows_nothing(same: dict[str, Any]) -> None:
    """Words, a wide limit and the names of models decide nothing here."""
    assert {} == changes(same)


def test_an_answer_becomes_a_correction() -> None:
    """By a check that it did not have to pass; the line is that of the output."""
    checked = {**BEFORE, "checks": [{"pattern": "never"}]}
    answers = sum(json.loads(line)["kind"] == "final_answer" for log in logs() for line in log.splitlines())
    assert {("", "answer", "correction"): answers} == changes(checked)
    log = next(log for log in logs() if purestep.policy_diff(log, json.dumps(checked)).changes)
    (first, *_) = purestep.policy_diff(log, json.dumps(checked)).changes
    assert "model_response" == json.loads(log.splitlines()[first.line - 1])["kind"]


def test_who_took_over_is_compared_with_who_would_have() -> None:
    """After a hand-off the other definition's agent of that name decides; without one, nobody can say."""

    def handing(desk: dict[str, Any], **members: Any) -> dict[str, Any]:
        return {**members, "agents": {"desk": {"agent": desk, "hand_off": True}}, "policies": []}

    step = purestep.start(purestep.Agent.load(handing(DESK)), purestep.UserMessage(content="Refund me"), "run-1")
    log = step.log
    for output in (call("desk"), call("pay", number=5)):
        step = purestep.step(step.state, purestep.ModelOutput(content=output))
        log += step.log
    assert '"handed_to":"desk"' in log
    assert () == purestep.policy_diff(log, json.dumps(handing(DESK, instructions="Else."))).changes
    other = handing({**DESK, "tools": [LOOK, {**PAY, "approval": "auto"}]})
    (change,) = purestep.policy_diff(log, json.dumps(other)).changes
    assert ("pay", "asked", "allowed") == (change.becomes.tool, change.was.does, change.becomes.does)
    gone = purestep.policy_diff(log, json.dumps({"tools": [LOOK], "policies": []}))
    assert (1, "refused") == (gone.left_out, gone.changes[0].becomes.does), gone


def test_points_after_a_call_that_would_stand_otherwise() -> None:
    """They are counted apart: what would have come of the call nobody knows."""
    found = purestep.policy_diff(logs()[0], json.dumps({**BEFORE, "approval": {"default": "ask"}}))
    assert found.left_out > 0
    assert found.points + found.left_out == purestep.policy_diff(logs()[0], json.dumps({**BEFORE, "name": "x"})).points


def test_what_the_core_calls_is_no_call_of_the_model() -> None:
    """A check by a tool has a number too, and so has a search of tools; neither was refused."""
    bare = {name: member for name, member in PAY_CHECKED.items() if name != "checks"}
    driver = Driver(checked(bare), query="Pay Ann 5")
    driver.send(said(call("pay", to="Ann")))
    driver.send(results(given("call_1", {"paid": 5})))
    driver.send(said(final("It is paid.")))
    assert () == purestep.policy_diff(driver.log, json.dumps(checked(PAY_CHECKED))).changes
    with_checks = paid_run().log
    assert () == purestep.policy_diff(with_checks, json.dumps(checked(bare))).changes
    many = {"tools": TOOLS, "tools_offered": 1}
    driver = Driver(many, query="Pay")
    driver.send(said(call("find_tools", query="pay")))
    driver.send(said(call("pay", number=1)))
    (change,) = purestep.policy_diff(driver.log, json.dumps({**many, "approval": {"tools": {"pay": "auto"}}})).changes
    assert ("pay", "asked", "allowed") == (change.becomes.tool, change.was.does, change.becomes.does)


def test_the_first_difference_is_that_of_redrive() -> None:
    """Fifty changed definitions: what differs first is what differs where the whole run is driven again."""
    for new in other_definitions():
        if new.get("limits") == {"max_parallel": 1}:
            continue  # results come in an order that it would not have had, so that redrive ends there
        text = json.dumps(new)
        for log in logs()[: None if ARE_ALL_WANTED else 4]:
            first = min([each.line for each in purestep.policy_diff(log, text).changes], default=None)
            assert first == purestep.redrive(log, text).line, new


def test_json() -> None:
    """The JSON function says the same; what cannot be used comes back as data."""
    new = json.dumps(with_tool({**SEND, "approval": "ask"}))
    typed = purestep.policy_diff(logs()[0], new)
    assert json.loads(msgspec.json.encode(typed)) == json.loads(purestep.policy_diff_log(logs()[0], new))
    damaged = logs()[0].replace('"call_1"', '"call_9"')
    for log, agent, code in (
        ("", new, "invalid_log"),
        ("{}", new, "invalid_log"),
        (damaged, new, "invalid_log"),
        (logs()[0], "[]", "invalid_agent"),
        (logs()[0].replace('"schema_version":3', '"schema_version":2'), new, "unsupported_version"),
    ):
        assert code == json.loads(purestep.policy_diff_log(log, agent))["error"]["code"], (log[:80], code)


def test_a_call_whose_output_is_sent_back_is_told_once_and_why() -> None:
    """It is refused by the cause of the correction, which is no difference of its own."""
    narrow = {**PAY, "parameters": {"type": "object", "properties": {"number": {"type": "integer", "maximum": 1}}}}
    step = purestep.start(purestep.Agent.load({"tools": [PAY]}), purestep.UserMessage(content="Pay 5"), "run-1")
    log = step.log + purestep.step(step.state, purestep.ModelOutput(content=call("pay", number=5))).log
    (change,) = purestep.policy_diff(log, json.dumps({"tools": [narrow]})).changes
    assert ("asked", "refused", "invalid_arguments") == (change.was.does, change.becomes.does, change.becomes.why)


def test_a_correction_that_stays_is_no_difference() -> None:
    """What no definition can read is sent back under both."""
    step = purestep.start(purestep.Agent.load({"tools": [PAY]}), purestep.UserMessage(content="Pay 5"), "run-1")
    log = step.log + purestep.step(step.state, purestep.ModelOutput(content="nonsense")).log
    assert () == purestep.policy_diff(log, json.dumps({"tools": [PAY], "instructions": "Pay."})).changes


def driven(definition: dict[str, Any], *outputs: str) -> str:
    """Return the log of a run in which a model says this."""
    driver = Driver(definition, query="Go")
    for output in outputs:
        driver.send(said(output))
    return driver.log


def moves(log: str, new: dict[str, Any]) -> list[tuple[purestep.Move, purestep.Move]]:
    """Return what differs."""
    return [(each.was, each.becomes) for each in purestep.policy_diff(log, json.dumps(new)).changes]


def test_a_call_is_one_difference() -> None:
    """One that hands over is refused, or run, and one that a policy denies is rejected by that: told once, by name."""
    before = {"agents": {"desk": {"agent": DESK, "hand_off": True}}, "policies": []}
    log = driven(before, call("desk"))
    ((was, becomes),) = moves(log, {"tools": [LOOK], "policies": []})
    assert ("hand-off", "refused", "unknown_tool") == (was.does, becomes.does, becomes.why)
    assert ("desk", "desk") == (was.tool, becomes.tool)
    secret = {**LOOK, "labels": ["secret"]}
    rules = {"use": "flow", "rules": [{"from": "secret", "to": "send", "then": "deny"}]}
    driver = Driver({"tools": [secret, SEND], "policies": []}, query="Go")
    for observation in (said(call("look", number=1)), results(given("call_1", 7)), said(call("send", number=7))):
        driver.send(observation)
    ((was, becomes),) = moves(driver.log, {"tools": [secret, SEND], "policies": [rules]})
    assert ("allowed", "refused", "flow", "send") == (was.does, becomes.does, becomes.why, becomes.tool)


def test_an_agent_that_fails_at_once_is_named() -> None:
    """It has begun and ended in one step, so that no state has the call."""
    ((was, becomes),) = [
        each
        for each in moves(driven(BEFORE, call("desk", question="Go")), {**BEFORE, "limits": {"max_turns": 1}})
        if each[1].path
    ]
    assert ("nothing", "failed", ("desk",)) == (was.does, becomes.does, becomes.path)


def test_a_rejected_output_has_the_name_of_its_tool() -> None:
    """Also where the run fails in the recorded one, which is another difference."""
    driver = Driver({"tools": [LOOK], "limits": {"max_turns": 1}, "policies": []}, query="Go")
    driver.send(said(call("look", number=1)))
    driver.send(results(given("call_1", "seven")))
    strict = {**LOOK, "checks": [{"pattern": "[0-9]"}]}
    found = moves(driver.log, {"tools": [strict], "policies": []})
    assert [("nothing", "rejected", "look"), ("failed", "correction", "")] == [
        (was.does, becomes.does, becomes.tool) for was, becomes in found
    ]
