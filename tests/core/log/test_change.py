"""Another definition for a run that waits: the verdict is what happens, for every state and every change."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import msgspec
import pytest

import purestep
from purestep import Agent
from tests.core.agents import call, final, listed, tool
from tests.examples import ARE_ALL_WANTED

NUMBER: Final = {"number": {"type": "integer"}}
LOOK: Final = tool("look", NUMBER, annotations={"readOnlyHint": True})
SEND: Final = tool("send", NUMBER, annotations={"destructiveHint": True}, approval="auto")
PAY: Final = tool("pay", NUMBER, approval="ask")
ORDER: Final = tool("order", NUMBER, annotations={"readOnlyHint": True})
TOOLS: Final = [LOOK, SEND, PAY, ORDER]
DESK: Final = {"name": "desk", "instructions": "You refund.", "tools": [LOOK, PAY]}
BEFORE: Final = {"instructions": "You help.", "tools": TOOLS, "agents": {"desk": DESK}, "policies": []}


def changes() -> Iterator[dict[str, Any]]:
    """Yield fifty other definitions."""
    yield {**BEFORE, "instructions": "You help a lot."}
    yield {**BEFORE, "agents": {}}
    yield {**BEFORE, "agents": {"desk": {"agent": DESK, "hand_off": True}}}
    yield {**BEFORE, "agents": {"desk": {**DESK, "instructions": "You refund at once."}}}
    yield {**BEFORE, "agents": {"desk": {**DESK, "tools": [LOOK]}}}
    yield {**BEFORE, "agents": {"desk": {**DESK, "tools": [LOOK, {**PAY, "approval": "auto"}]}}}
    yield {**BEFORE, "agents": {"desk": {**DESK, "tools": [{**LOOK, "approval": "ask"}, PAY]}}}
    yield {**BEFORE, "policies": [{"use": "flow"}]}
    yield {**BEFORE, "policies": [{"use": "confidence", "below": -0.3, "then": "ask"}]}
    yield {**BEFORE, "dialect": "native"}
    yield {**BEFORE, "dialect": "hermes_json"}
    yield {**BEFORE, "models": [{"name": "m", "window_tokens": 4000}]}
    yield {**BEFORE, "models": [{"name": "m", "carry": "ground"}]}
    yield {**BEFORE, "models": [{"name": "m"}, {"name": "n"}]}
    yield {**BEFORE, "limits": {"max_turns": 1}}
    yield {**BEFORE, "limits": {"max_parallel": 1}}
    yield {**BEFORE, "limits": {"deadline_ms": 1}}
    yield {**BEFORE, "approval": {"default": "ask"}}
    yield {**BEFORE, "approval": {"default": "deny"}}
    yield {**BEFORE, "approval": {"unknown_outcome": "fail"}}
    yield {**BEFORE, "answer_schema": {"type": "object"}}
    yield {**BEFORE, "tool_choice": "none"}
    yield {"instructions": "You help."}
    for at, each in enumerate(TOOLS):
        others = [*TOOLS[:at], *TOOLS[at + 1 :]]
        yield {**BEFORE, "tools": others}
        for approval in ("auto", "ask", "deny"):
            yield {**BEFORE, "tools": [{**each, "approval": approval}, *others]}
        narrow = {"type": "object", "properties": {"number": {"type": "integer", "maximum": 2}}}
        yield {**BEFORE, "tools": [{**each, "parameters": narrow}, *others]}
        yield {**BEFORE, "tools": [{**each, "name": f"{each['name']}_now"}, *others]}
        yield {**BEFORE, "tools": [{**each, "description": "Do otherwise."}, *others]}


def states(seed: int, definition: dict[str, Any] = BEFORE) -> Iterator[purestep.Step]:
    """Yield every step of a random run, until it has ended twice."""
    chance = random.Random(seed)
    step = purestep.start(Agent.load(definition), purestep.UserMessage(content="Go"), f"run-{seed}")
    for _ in range(30):
        yield step
        decision = chance.choice([step.decision, *step.also])
        run_id = getattr(decision, "run_id", None) or None
        step = purestep.step(step.state, observed(chance, decision, run_id, step.state))


def observed(
    chance: random.Random, decision: purestep.Decision, run_id: str | None, state: purestep.RunState
) -> purestep.Observation:
    """Return what comes of a decision."""
    match decision:
        case purestep.CallModel():
            names = ["look", "pay"] if run_id else ["look", "send", "pay", "order", "desk"]
            chosen = [chance.choice(names) for _ in range(chance.randint(1, 3))]
            calls = [
                call(each, question="Go") if each == "desk" else call(each, number=chance.randint(1, 3))
                for each in chosen
            ]
            output = final("So it is.") if chance.random() < 0.15 else listed(*calls) if len(calls) > 1 else calls[0]
            return purestep.ModelOutput(content=output, run_id=run_id)
        case purestep.InvokeTool(calls=calls):
            each = chance.choice(calls)
            if each.tool == "order" and not each.handle and chance.random() < 0.5:
                return purestep.ToolPending(call_id=each.call_id, handle="job-1", run_id=run_id)
            if chance.random() < 0.1 and "resumed" in purestep.accepted_observations(state):
                return purestep.Resumed()
            result = purestep.ToolResult(call_id=each.call_id, ok=True, output="done")
            return purestep.ToolResults(results=(result,), run_id=run_id)
        case purestep.RequestApproval(calls=calls):
            said = [(each.call_id, each.key, chance.random() < 0.7) for each in calls]
            answers = [purestep.Approval(call_id=call_id, key=key, approved=yes) for call_id, key, yes in said]
            return purestep.Approvals(approvals=tuple(answers), run_id=run_id)
    return purestep.UserMessage(content="And?")


def open_calls(step: purestep.Step | None, state: purestep.RunState) -> dict[str, Any]:
    """Return what is asked or ordered now, by the keys of the calls."""
    decisions = purestep.current_decisions(state) if step is None else (step.decision, *step.also)
    return {
        each.key: (type(decision).__name__, msgspec.to_builtins(each))
        for decision in decisions
        if isinstance(decision, purestep.RequestApproval | purestep.InvokeTool)
        for each in decision.calls
    }


def wrong(before: purestep.Step, new: dict[str, Any]) -> str:
    """Return where the verdict is not what happens; "" where it is."""
    agent = Agent.load(new)
    change = purestep.check_change(before.state, Agent.load(BEFORE), agent)
    observation = purestep.AgentChanged(agent=msgspec.Raw(agent.source))
    try:
        after = purestep.step(before.state, observation)
    except purestep.PurestepError as error:
        return "" if (change.verdict, change.code) == ("refused", error.code) else f"{change} and refused"
    if change.verdict == "refused":
        return f"{change} and taken"
    has_failed = isinstance(after.decision, purestep.Failed) and not isinstance(before.decision, purestep.Failed)
    if (change.verdict == "ends") != has_failed:
        return f"{change} and {after.decision}"
    was, now = open_calls(before, before.state), open_calls(after, after.state)
    gone = {each.key for each in change.calls if each.becomes == "answered"}
    again = {each.key for each in change.calls if each.becomes == "asked_again"}
    if gone & now.keys() or (was.keys() - now.keys()) - gone - _behind(after):
        return f"{change}, {was.keys()} and then {now.keys()}"
    if any(was[key] != now[key] for key in (was.keys() & now.keys()) - again):
        return f"{change} and {now}"
    told = json.dumps([msgspec.to_builtins([*after.messages, after.state.pending, after.children]), after.log])
    return next((f"{each} is not told" for each in change.calls if json.dumps(each.said)[1:-1] not in told), "")


def _behind(step: purestep.Step) -> set[str]:
    """Return the keys of calls that wait behind others now."""
    states = [step.state, *[call.child for call in step.state.pending if call.child is not None]]
    return {call.key for state in states for call in state.pending if call.status != "done"}


def test_the_verdict_is_what_happens() -> None:
    """A thousand states by fifty changes, where all examples are wanted; else fewer of both."""
    most = 1_000 if ARE_ALL_WANTED else 60
    every = [step for seed in range(100) for step in islice(states(seed), 1, None, 2)][:most]
    others = list(changes())
    assert (len(every), len(others)) == (most, 51)
    chosen = others if ARE_ALL_WANTED else others[::2]
    verdicts = set()
    for step in every:
        for new in chosen:
            assert wrong(step, new) == "", (new, step.decision)
            verdicts.add(purestep.check_change(step.state, Agent.load(BEFORE), Agent.load(new)).verdict)
    assert {"goes_on", "answered", "refused"} <= verdicts, verdicts


def waiting(definition: dict[str, Any] = BEFORE) -> purestep.Step:
    """Return a run that waits for a person."""
    step = purestep.start(Agent.load(definition), purestep.UserMessage(content="Go"), "run-1")
    return purestep.step(step.state, purestep.ModelOutput(content=call("pay", number=5)))


def test_a_tool_that_is_gone() -> None:
    """The verdict names the call and what the model will read of it; the run stays as it is."""
    step = waiting()
    before = msgspec.json.encode(step.state)
    change = purestep.check_change(step.state, Agent.load(BEFORE), Agent.load({**BEFORE, "tools": [LOOK]}))
    (pay,) = change.calls
    assert ("answered", "call_1", "pay", "answered") == (change.verdict, pay.call_id, pay.tool, pay.becomes)
    assert "pay was not run" in pay.said
    assert before == msgspec.json.encode(step.state)


def test_a_question_that_is_asked_otherwise() -> None:
    """Of a policy that is gone, a person is not told any more why it asked."""
    asking = {**BEFORE, "policies": [{"use": "confidence", "below": -0.3, "then": "ask"}]}
    step = purestep.start(Agent.load(asking), purestep.UserMessage(content="Go"), "run-1")
    sure = purestep.Confidence(branch=-2.0, name=-2.0, args=-2.0)
    step = purestep.step(step.state, purestep.ModelOutput(content=call("pay", number=5), confidence=sure))
    change = purestep.check_change(step.state, Agent.load(asking), Agent.load(BEFORE))
    assert ("asked_again", ["asked_again"]) == (change.verdict, [each.becomes for each in change.calls]), change


def test_a_call_of_an_agent_below() -> None:
    """It is named with its path, and so is the agent's own."""
    step = purestep.start(Agent.load(BEFORE), purestep.UserMessage(content="Go"), "run-1")
    step = purestep.step(step.state, purestep.ModelOutput(content=call("desk", question="Pay")))
    run_id = step.decision.run_id if isinstance(step.decision, purestep.CallModel) else None
    step = purestep.step(step.state, purestep.ModelOutput(content=call("pay", number=5), run_id=run_id))
    gone = purestep.check_change(step.state, Agent.load(BEFORE), Agent.load({**BEFORE, "agents": {}}))
    assert [("desk", ()), ("pay", ("desk",))] == [(each.tool, each.path or ()) for each in gone.calls], gone
    same = purestep.check_change(step.state, Agent.load(BEFORE), Agent.load({**BEFORE, "instructions": "Else."}))
    assert ("goes_on", ()) == (same.verdict, same.calls)


def test_an_agent_whose_call_does_not_stand_is_cancelled() -> None:
    """Its run does not go on beside a result that says it was not run, and nobody is asked about its calls."""
    step = purestep.start(Agent.load(BEFORE), purestep.UserMessage(content="Go"), "run-1")
    both = listed(call("desk", question="Pay"), call("look", number=1))
    step = purestep.step(step.state, purestep.ModelOutput(content=both))
    run_id = next(each.run_id for each in step.also if isinstance(each, purestep.CallModel)) or None
    step = purestep.step(step.state, purestep.ModelOutput(content=call("pay", number=5), run_id=run_id))
    stricter = Agent.load({**BEFORE, "approval": {"default": "ask"}})
    after = purestep.step(step.state, purestep.AgentChanged(agent=msgspec.Raw(stricter.source)))
    assert not any(isinstance(each, purestep.RequestApproval) for each in (after.decision, *after.also)), after
    assert all(each.child is None for each in after.state.pending)
    assert '"kind":"child_ended"' in after.log


def test_json() -> None:
    """The JSON function says the same; what cannot be used comes back as data."""
    step = waiting()
    texts = [json.dumps(msgspec.to_builtins(step.state)), json.dumps(BEFORE), json.dumps({**BEFORE, "tools": [LOOK]})]
    typed = purestep.check_change(step.state, Agent.load(BEFORE), Agent.load({**BEFORE, "tools": [LOOK]}))
    assert json.loads(msgspec.json.encode(typed)) == json.loads(purestep.check_change(*texts))
    for at, bad, code in (
        (0, "{}", "invalid_input"),
        (0, "[", "invalid_json"),
        (0, texts[0].replace('"pay"', '"send"', 1), "invalid_state"),
        (1, '{"instructions":"Other."}', "agent_mismatch"),
        (1, "null", "agent_mismatch"),
        (2, '{"tools":5}', "invalid_agent"),
        (2, "null", "invalid_agent"),
    ):
        given = [bad if place == at else text for place, text in enumerate(texts)]
        assert code == json.loads(purestep.check_change(*given))["error"]["code"], bad


def test_values_of_two_kinds() -> None:
    """A state that is a value goes with definitions that are."""
    with pytest.raises(TypeError, match=r"Agent\.load"):
        purestep.check_change(waiting().state, json.dumps(BEFORE), "{}")  # type: ignore[call-overload]


@pytest.mark.parametrize("limit", ["max_turns", "max_output_tokens"])
def test_a_limit_that_is_used_up_already(limit: str) -> None:
    """The change itself ends nothing, but the run fails by it after its call, whatever comes of that."""
    step = purestep.start(Agent.load(BEFORE), purestep.UserMessage(content="Go"), "run-1")
    usage = purestep.Usage(prompt_tokens=9, completion_tokens=9)
    step = purestep.step(step.state, purestep.ModelOutput(content=call("pay", number=5), usage=usage))
    lowered = Agent.load({**BEFORE, "limits": {limit: 1}})
    change = purestep.check_change(step.state, Agent.load(BEFORE), lowered)
    assert ("goes_on", True) == (change.verdict, limit in str(change.message)), change
    changed = purestep.step(step.state, purestep.AgentChanged(agent=msgspec.Raw(lowered.source)))
    assert isinstance(changed.decision, purestep.RequestApproval)
    asked = changed.decision.calls[0]
    refused = purestep.Approval(call_id=asked.call_id, key=asked.key, approved=False)
    ended = purestep.step(changed.state, purestep.Approvals(approvals=(refused,))).decision
    assert isinstance(ended, purestep.Failed)
    assert (change.code, change.message) == (ended.code, ended.message)
    assert (
        purestep.check_change(changed.state, lowered, Agent.load({**BEFORE, "limits": {limit: 1}, "name": "x"})).code
        is None
    )


def test_a_limit_that_is_told_is_what_ends_the_run() -> None:
    """In random runs, whatever people and tools answer: its own model is not asked once more."""
    chance, told = random.Random(1), 0
    for state in [step.state for seed in range(200 if ARE_ALL_WANTED else 40) for step in states(seed)]:
        agent = Agent.load({**BEFORE, "limits": {"max_turns": chance.randint(1, 3)}})
        change = purestep.check_change(state, Agent.load(BEFORE), agent)
        if change.code is None or change.verdict in ("ends", "refused"):
            continue
        told += 1
        step = purestep.step(state, purestep.AgentChanged(agent=msgspec.Raw(agent.source)))
        while not isinstance(step.decision, purestep.Failed | purestep.Done):
            decision = chance.choice([step.decision, *step.also])
            run_id = getattr(decision, "run_id", None) or None
            assert run_id or not isinstance(decision, purestep.CallModel), (change, decision)
            step = purestep.step(step.state, observed(chance, decision, run_id, step.state))
        assert isinstance(step.decision, purestep.Failed)
        assert change.code == step.decision.code
    assert told > 50
