"""A host that changes whatever it gave or was given changes nothing of the run."""

import copy
from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given

import purestep
from purestep import Agent, Step, UserMessage
from purestep.values.wire import Observation
from tests.core.agents import agent, approvals, call, failure, final, listed, ok, results, said

ANSWER_SCHEMA = {"type": "object", "properties": {"items": {"type": "array"}}, "required": ["items"]}
ANSWER = '{"items":[{"name":"a"},["b"]]}'
ADD = ("add_numbers", {"a": 1, "b": 2})
SHELL = ("shell", {"command": "ls", "env": {"PATH": ["/bin"]}})
EDITED = {"command": "ls -l", "env": {"PATH": ["/usr/bin", {}]}}

Keys = dict[str, str]
Made = Callable[[Keys], dict[str, Any]]
"""Makes an observation, given the keys of the pending calls."""


def tamper(value: Any) -> int:
    """Change every dict and list that can be reached from a value, at every depth; gives how many there were."""
    match value:
        case msgspec.Struct():
            for name in value.__struct_fields__:
                with pytest.raises(AttributeError):
                    setattr(value, name, "tampered")
            return sum(tamper(getattr(value, name)) for name in value.__struct_fields__)
        case tuple():
            return sum(map(tamper, value))
        case dict():
            changed = sum(map(tamper, list(value.values())))
            value.update(dict.fromkeys([*value, "tampered"], "tampered"))
            return changed + 1
        case list():
            changed = sum(map(tamper, value))
            value[:] = ["tampered", *value]
            return changed + 1
        case _:
            return 0


def calls(native: bool, *entries: tuple[str, dict[str, Any]]) -> Made:
    """Return a model output with calls; native ones have their arguments as objects, which some servers send."""
    functions = [{"function": {"name": name, "arguments": arguments}} for name, arguments in entries]
    output = said(None, tool_calls=functions)
    return lambda _: output if native else said(listed(*[call(name, **given) for name, given in entries]))


def answered(call_id: str, **members: Any) -> Made:
    """Return a person's consent to a call."""
    return lambda keys: approvals({"call_id": call_id, "key": keys[call_id], "approved": True, **members})


def script(native: bool) -> list[Made]:
    """Return the observations of a run that is asked for every kind of decision."""
    return [
        calls(native, ADD, SHELL, ("shell", {"command": "pwd"})),
        answered("call_2", params=EDITED),
        answered("call_3"),
        lambda _: results(failure("call_3", "no")),
        lambda _: ok("call_2", {"lines": [1, {"deep": [2]}]}),
        lambda _: ok("call_1", [3, [4]]),
        # The same call with the same result again, which the repeat guard has to see.
        calls(native, ADD),
        lambda _: ok("call_4", [3, [4]]),
        calls(native, ADD),
        lambda _: ok("call_5", [3, [4]]),
        lambda _: said(ANSWER if native else final(ANSWER)),
        lambda _: {"type": "user_message", "content": "More."},
        calls(native, ("add_numbers", {"a": "x", "b": {"c": []}})),
        calls(native, ("add_numbers", {"a": "x", "b": {"c": []}})),
    ]


def taken(native: bool, tampering: bool) -> list[tuple[bytes, ...]]:
    """Drive the script and give each step as bytes; a tampering host changes all that it holds before it goes on."""
    limits = {"max_corrections": 1, "max_repeats": 2}
    definition = agent(answer_schema=ANSWER_SCHEMA, limits=limits, dialect="native" if native else "envelope")
    definition = copy.deepcopy(definition)
    step = purestep.start(Agent.load(definition), UserMessage(content="q"), "run-1")
    steps, log, reached = [_bytes(step)], step.log, tamper(definition) if tampering else 0
    for make in script(native):
        observation = _observed(make({call.call_id: call.key for call in step.state.pending}))
        asked, replayed = purestep.current_decision(step.state), purestep.replay(log)
        if tampering:
            reached += sum(map(tamper, (step.decision, step.messages, asked, replayed.decision, replayed.messages)))
        before, step = step, purestep.step(step.state, observation)
        assert _bytes(step) == _bytes(purestep.step(replayed.state, observation))
        if tampering:
            # Both have been consumed: nothing of them may live on in the new state.
            reached += tamper(observation) + tamper(before.state) + tamper(replayed.state)
        steps.append(_bytes(step))
        log += step.log
    assert not tampering or reached > len(steps)
    assert purestep.verify(log, step.state.head).ok
    return [*steps, (log.encode(),)]


def _observed(observation: dict[str, Any]) -> Observation:
    """Return an observation with dicts and lists of its own."""
    value: Observation = msgspec.convert(copy.deepcopy(observation), Observation)
    return value


def _bytes(step: Step) -> tuple[bytes, ...]:
    encode = msgspec.json.encode
    return encode(step.state), encode(step.decision), encode(step.messages), step.log.encode()


@pytest.mark.parametrize("native", [False, True])
def test_tampering_changes_nothing_of_a_run(native: bool) -> None:
    """States, decisions, messages and log are those of a host that changes nothing, and the log verifies."""
    expected = taken(native, tampering=False)
    kinds = {msgspec.json.decode(decision)["type"] for _, decision, *_ in expected[:-1]}
    assert {"call_model", "request_approval", "invoke_tool", "done", "failed"} == kinds
    assert expected == taken(native, tampering=True)


@given(
    outputs=st.lists(
        st.sampled_from(
            [
                final(ANSWER),
                "prose",
                call(*ADD[:1], **ADD[1]),
                listed(call("banned"), call("shell", **SHELL[1])),
                call("add_numbers", a=[{"b": []}]),
            ]
        )
    )
)
def test_step_leaves_its_input_unchanged(outputs: list[str]) -> None:
    """Property: a step changes neither state nor observation, and gives the same again after its result was changed."""
    step = purestep.start(Agent.load(agent(answer_schema=ANSWER_SCHEMA)), UserMessage(content="q"), "run-1")
    for output in outputs:
        observation = _observed(said(output))
        if step.state.phase != "model":
            waits = step.state.phase in ("tools", "approval")
            observation = purestep.Cancel() if waits else UserMessage(content="go on")
        before = copy.deepcopy((step.state, observation))
        after = purestep.step(step.state, observation)
        expected = _bytes(after)
        tamper((after.state, after.decision, after.messages))
        assert before == (step.state, observation)
        step = purestep.step(step.state, observation)
        assert expected == _bytes(step)


def test_a_changed_definition_is_not_the_agents() -> None:
    """A definition given as a dict is read once; what becomes of the dict is no matter."""
    definition = copy.deepcopy(agent())
    loaded = Agent.load(definition)
    tamper(definition)
    assert Agent.load(agent()) is loaded
