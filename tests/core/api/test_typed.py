"""The typed form: the same step on values, byte for byte the same run; pure in the strict sense."""

import json
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Agent, PurestepError, UserMessage
from purestep.values.state import RunState
from purestep.values.wire import Observation
from tests.core.agents import agent, call, final, listed, ok, said
from tests.core.driver import Driver, stepped
from tests.core.log.runs import rich_run


def _typed(observation: dict[str, Any]) -> Observation:
    value: Observation = msgspec.convert(observation, Observation)
    return value


SCRIPT: list[dict[str, Any]] = [
    said("prose", at=7),
    said(listed(call("add_numbers", a=1.0, b=2), call("shell", command="ls \ud800"))),
    {"type": "cancel", "reason": "x"},
    {"type": "user_message", "content": "Grüße \u2028", "at": 9},
    said(call("add_numbers", a=1, b=2), usage={"prompt_tokens": 3, "completion_tokens": 1}),
    ok("call_3", {"b": 1.0, "a": [None, True, 1e300]}),
    said(final("x")),
]


@pytest.mark.parametrize("definition", [None, agent(), agent(dialect="native"), agent(dialect="tool_tags")])
def test_typed_form_equals_the_json_form(definition: dict[str, Any] | None) -> None:
    """Section 1: both forms give the same bytes of state, messages, log and decision; errors have the same code."""
    loaded = None if definition is None else Agent.load(definition)
    step = purestep.start(loaded, UserMessage(content="q"), "run-1")
    driver = Driver(definition, query="q")
    for observation in SCRIPT:
        named = {} if definition is None else {"agent": definition}
        text = purestep.run_agent_step(json.dumps({**named, "state": driver.state, "observation": observation}))
        try:
            step = purestep.step(step.state, _typed(observation))
        except PurestepError as error:
            refused = error.as_data()
            assert refused == json.loads(text)
            continue
        assert text == msgspec.json.encode(step).decode()
        driver.send(observation)


@pytest.mark.parametrize("dialect", ["envelope", "native"])
def test_state_survives_its_encoding(dialect: str) -> None:
    """Property: encode then decode is identity, for every state of a run with everything in it."""
    whole = rich_run(dialect)
    lines = whole.log.split("\n")
    for end in range(2, len(lines)):
        folded = json.loads(purestep.replay_log("\n".join(lines[:end]) + "\n"))["state"]
        state = msgspec.convert(folded, RunState)
        assert state == msgspec.json.decode(msgspec.json.encode(state), type=RunState)
        assert folded == json.loads(msgspec.json.encode(state))


@pytest.mark.parametrize(
    ("observation", "code"),
    [(ok("call_9", 1), "wrong_phase"), ({"type": "resumed"}, "wrong_phase")],
)
def test_misuse_raises_one_error_class_with_the_same_code(observation: dict[str, Any], code: str) -> None:
    """Section 1: the typed form raises what the JSON form gives as data."""
    step = purestep.start(None, UserMessage(content="q"))
    with pytest.raises(PurestepError) as caught:
        purestep.step(step.state, _typed(observation))
    assert code == caught.value.code
    assert caught.value.as_data() == stepped(state=json.loads(msgspec.json.encode(step.state)), observation=observation)


@pytest.mark.parametrize("output", [object(), {1, 2}, float("nan"), {("a",): 1}, [b"bytes"]])
def test_output_that_is_no_json_is_refused_or_made_json(output: Any) -> None:
    """Section 9: a host's own objects never come into a state as they are."""
    step = purestep.start(None, UserMessage(content="q"))
    step = purestep.step(step.state, _typed(said('{"tool":"x"}')))
    results = purestep.ToolResults(results=(purestep.ToolResult(call_id="call_1", ok=True, output=output),))
    try:
        after = purestep.step(step.state, results)
    except PurestepError as error:
        code = error.code
        assert "invalid_input" == code
    else:
        json.loads(after.log.split("\n")[0])


def test_nested_output_over_the_bound_is_refused() -> None:
    """Section 9: the nesting bound holds in the typed form too."""
    output: Any = []
    for _ in range(5000):
        output = [output]
    step = purestep.start(None, UserMessage(content="q"))
    step = purestep.step(step.state, _typed(said('{"tool":"x"}')))
    with pytest.raises(PurestepError) as caught:
        purestep.step(
            step.state, purestep.ToolResults(results=(purestep.ToolResult(call_id="call_1", ok=True, output=output),))
        )
    assert caught.value.code in ("too_deep", "invalid_input")


def test_current_decision_is_the_steps_decision() -> None:
    """Section 2: asking again gives the same decision."""
    step = purestep.start(Agent.load(agent()), UserMessage(content="q"), "run-1")
    step = purestep.step(step.state, _typed(said(call("shell", command="ls"))))
    assert step.decision == purestep.current_decision(step.state)


def test_values_are_frozen() -> None:
    """Style rule 3: a state cannot be changed in place."""
    step = purestep.start(None, UserMessage(content="q"))
    with pytest.raises(AttributeError):
        step.state.turns = 7  # type: ignore[misc]


def test_lone_surrogates_of_python_text_become_replacement_characters() -> None:
    """Section 9: what Python can hold and JSON cannot is decided the same in both forms."""
    message = purestep.UserMessage(content="a\ud800\ud83d\ude00")
    assert "a\ufffd\U0001f600" == purestep.start(None, message).messages[-1].content


def test_surrogates_inside_of_a_result_are_decided_too() -> None:
    """Section 9: also in the keys and lists of a tool's output."""
    step = purestep.start(None, purestep.UserMessage(content="q"))
    step = purestep.step(step.state, purestep.ModelOutput(content='{"tool":"x"}'))
    output = {"k\udc00": ["v\udc00", 1, None]}
    result = purestep.ToolResult(call_id="call_1", ok=True, output=output)
    step = purestep.step(step.state, purestep.ToolResults(results=(result,)))
    assert 'Result of x: {"k\ufffd":["v\ufffd",1,null]}' == step.messages[-1].content


def test_output_that_is_no_json_is_refused() -> None:
    """Section 1: an object that JSON cannot say is the host's mistake, raised as such."""
    step = purestep.start(None, purestep.UserMessage(content="q"))
    step = purestep.step(step.state, purestep.ModelOutput(content='{"tool":"x"}'))
    result = purestep.ToolResult(call_id="call_1", ok=True, output=object())
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.step(step.state, purestep.ToolResults(results=(result,)))
    assert ("invalid_input", "/observation") == (caught.value.code, caught.value.path)


def test_something_that_is_no_observation_is_refused() -> None:
    """Section 1: so is a value that is no observation at all."""
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.start(None, {"type": "user_message"})  # type: ignore[arg-type]
    assert ("invalid_input", "/observation") == (caught.value.code, caught.value.path)


def test_typed_reading_and_checking_give_what_the_json_functions_do() -> None:
    """Section 8b: reading and checking alone are there in the typed form."""
    reading = purestep.read_text('{"kind":"final","content":"x"}', "envelope")
    checked = purestep.check_json({"type": "integer"}, "x")
    assert ("x", (), False, "type") == (reading.content, reading.calls, checked.ok, checked.errors[0].code)


def test_run_id_out_of_bounds_is_refused() -> None:
    """Section 9: an empty or endless run id is the host's mistake."""
    for run_id in ("", "x" * 257):
        with pytest.raises(purestep.PurestepError) as caught:
            purestep.start(None, purestep.UserMessage(content="q"), run_id=run_id)
        assert "/run_id" == caught.value.path
