"""Hostile input of every kind: one JSON value comes back, never an exception, never an internal error."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import purestep
from purestep.dialects import dialect_named, dialect_names
from tests.core.log.runs import rich_run
from tests.examples import examples

from .agents import agent, call, final, listed, ok, said
from .driver import Driver, WholeDriver, altered, stepped

CORPUS = Path(os.environ.get("PURESTEP_CORPUS", "corpus/model_outputs.jsonl"))
JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=8)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=12,
)
ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    64,
    2**53 - 1,
    2**53,
    -(2**70),
    1.5,
    1e300,
    "",
    "x",
    "call_1",
    "model",
    "done",
    "failed",
    "tools",
    "approval",
    "run",
    "\ud800",
    '"\n',
    "a" * 64,
    "0" * 64,
    [],
    [[]],
    {},
    {"": ""},
    {"type": "cancel"},
    [None],
    [0, 1],
]


def _answers(function: Callable[[Any], str], given_input: Any) -> dict[str, Any]:
    text = function(given_input)
    text.encode("utf-8", "strict")
    value = json.loads(text)
    assert isinstance(value, dict)
    code = value["error"]["code"] if "error" in value else value.get("code")
    assert code is None or (code in purestep.CATALOGUE and code != "internal_error")
    return value


def _start_input() -> dict[str, Any]:
    return {"agent": agent(), "run_id": "r", "observation": {"type": "user_message", "content": "q", "at": 5}}


def _states() -> list[tuple[Any, dict[str, Any], dict[str, Any]]]:
    """Return definition, state and a fitting observation for each phase."""
    found = []
    texts = [
        None,
        listed(call("add_numbers", a=1, b=2), call("add_numbers", a=2, b=2)),
        call("shell", command="ls"),
        final("x"),
        "prose",
    ]
    for definition in (agent(limits={"deadline_ms": 9}, models=[{"name": "m"}]), agent(dialect="native"), None):
        for text in texts:
            driver = Driver(definition, at=3)
            if text is not None:
                driver.send(said(text))
            entries = driver.decision.get("calls", [{"call_id": "call_1", "key": "k"}])
            fitting: dict[str, dict[str, Any]] = {
                "call_model": said(call("add_numbers", a=1, b=2), usage={"prompt_tokens": 1}),
                "invoke_tool": ok("call_1", "some output"),
                "request_approval": {
                    "type": "approvals",
                    "approvals": [{"call_id": "call_1", "key": entries[0]["key"], "approved": True}],
                },
                "done": {"type": "user_message", "content": "more"},
                "failed": {"type": "user_message", "content": "more"},
            }
            found.append((definition, driver.state or {}, fitting[driver.decision["type"]]))
    return found


STATES = _states()
OBSERVATIONS: list[dict[str, Any]] = [
    said("x"),
    said(call("add_numbers", a=1, b=1)),
    ok("call_1", 3),
    {"type": "cancel"},
    {"type": "user_message", "content": "x"},
    {"type": "model_error", "code": "overflow"},
    {"type": "model_error", "code": "timeout", "retryable": True},
]


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in items for place in _places(item, (*path, key)))]


def _changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _changed(value[path[0]], path[1:], new)
    return copy


def _removed(value: Any, path: tuple[Any, ...]) -> Any:
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return copy


def _is_taken(definition: Any, state: Any, observation: dict[str, Any]) -> bool:
    """Return a state to a step, which takes or refuses it; what it takes leaves a state that the next step takes."""
    given_input: dict[str, Any] = {"state": state, "observation": observation}
    if definition is not None:
        given_input["agent"] = definition
    output = _answers(purestep.run_agent_step, json.dumps(given_input))
    if "error" in output:
        return False
    assert output["decision"]["type"] in ("call_model", "invoke_tool", "request_approval", "done", "failed")
    assert all(json.loads(line)["seq"] >= 0 for line in output["log"].split("\n") if line)
    again = _answers(
        purestep.run_agent_step,
        json.dumps({**given_input, "state": output["state"], "observation": {"type": "cancel"}}),
    )
    assert "error" not in again or again["error"]["code"] != "invalid_state"
    return True


@pytest.mark.parametrize("number", range(len(STATES)))
def test_state_with_any_member_changed_is_answered(number: int) -> None:
    """A state may come from a client: whatever is changed in it, the step answers with an error or a decision."""
    definition, state, fitting = STATES[number]
    assert _is_taken(definition, state, fitting)
    chosen = random.Random(number)
    taken = []
    for path in _places(state)[1:]:
        for new in [*chosen.sample(ODD, 3), 10**6, '"\n' * 32]:
            taken.append(_is_taken(definition, _changed(state, path, new), fitting))
        taken.append(_is_taken(definition, _removed(state, path), fitting))
    assert {True, False} == set(taken)


@given(data=st.data())
@examples(300)
def test_state_with_several_members_changed_is_answered(data: st.DataObject) -> None:
    """Several changes at once may fit each other and still not make sense."""
    definition, state, fitting = data.draw(st.sampled_from(STATES))
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(_places(state)[1:] or [("phase",)]))
        state = _changed(state, path, data.draw(st.one_of(st.sampled_from(ODD), JSON)))
        if not isinstance(state, dict):
            break
    _is_taken(definition, state, data.draw(st.sampled_from([fitting, *OBSERVATIONS])))


@pytest.mark.parametrize("head", ['"' * 64, "\n" * 64, "é" * 64, "G" * 64, "A" * 64, "0" * 63 + "\\"], ids=repr)
def test_head_that_is_no_digest_is_refused(head: str) -> None:
    """A head that is no digest makes a log that no hash function can check."""
    definition, state, fitting = STATES[0]
    output = stepped(agent=definition, state={**state, "head": head}, observation=fitting)
    assert output.get("error", {}).get("code") in ("invalid_state", "invalid_input")


def test_decision_never_names_messages_that_are_not_there() -> None:
    """A state whose ranges leave the transcript is refused."""
    definition, state, _ = STATES[0]
    for changes in (
        {"user_at": state["messages"], "level": 2, "turn_at": state["messages"]},
        {"user_at": 10, "level": 2, "turn_at": 3, "kept_from": state["window"]["preamble"]},
        {"kept_from": 0},
    ):
        output = stepped(agent=definition, state=altered(state, "window", **changes))
        assert "invalid_state" == output["error"]["code"]


STEPS = [_start_input(), {"agent": STATES[1][0], "state": STATES[1][1], "observation": STATES[1][2]}]


def test_what_is_damaged_here_is_whole_to_begin_with() -> None:
    """Every input that the tests below change is taken as it stands: damage is all that can make them fail."""
    for given_input in STEPS:
        assert "error" not in _answers(purestep.run_agent_step, json.dumps(given_input))
    for function, text in VALID:
        assert "error" not in _answers(function, text)
    assert 64 == len(purestep.load_agent(json.dumps(FULL)))


@given(data=st.data())
@examples(300)
def test_input_with_any_member_changed_is_answered(data: st.DataObject) -> None:
    """Observations, definitions and whole inputs with members of any kind."""
    base: Any = data.draw(st.sampled_from(STEPS))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(_places(base)))
        base = _changed(base, path, data.draw(st.one_of(st.sampled_from(ODD), JSON)))
    _answers(purestep.run_agent_step, json.dumps(base))


FULL = agent(
    name="n",
    instructions="i",
    dialect="envelope",
    models=[{"name": "m", "supports": ["tools"]}],
    limits={"max_turns": 3},
    checks=["planning", {"use": "obligation", "tools": ["shell"]}],
    approval={"default": "ask", "tools": {"shell": "auto"}},
    answer_schema={
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/y"}},
        "$defs": {"y": {"type": ["string", "null"]}},
    },
    sampling={"temperature": 0.5},
)


@given(data=st.data())
@examples(200)
def test_definition_with_any_member_changed_is_answered(data: st.DataObject) -> None:
    """A definition of any kind is compiled or refused."""
    full: Any = FULL
    for _ in range(data.draw(st.integers(1, 3))):
        full = _changed(
            full, data.draw(st.sampled_from(_places(full))), data.draw(st.one_of(st.sampled_from(ODD), JSON))
        )
    text = purestep.load_agent(json.dumps(full))
    if len(text) != 64:
        _answers(lambda _: text, None)
    else:
        _answers(purestep.run_agent_step, json.dumps({**_start_input(), "agent": full}))


VALID = [
    (purestep.run_agent_step, json.dumps(_start_input())),
    (purestep.run_agent_step, json.dumps({"state_json": WholeDriver(agent()).state_json, "model_output": final("x")})),
    (purestep.replay_log, rich_run().log),
    (purestep.verify_log, rich_run().log),
    (purestep.explain_log, rich_run().log),
    (purestep.redrive_log, rich_run().log),
    (lambda log: purestep.diff_logs(log, rich_run().log), rich_run().log),
    (
        purestep.redact_observation,
        json.dumps(
            {
                "agent": agent(policies=[{"use": "redaction", "kinds": ["secrets"], "patterns": ["a+b"]}]),
                "observation": {"type": "user_message", "content": "aab password=abc123"},
                "hidden": {"x": "abcdefg"},
            }
        ),
    ),
    (purestep.read_model_output, json.dumps({"text": call("a", b=1), "tools": [{"name": "a"}], "dialect": "auto"})),
    (purestep.check_value, json.dumps({"schema": agent()["tools"][0]["parameters"], "value": {"a": 1, "b": [2]}})),
]


@given(data=st.data())
@examples(300)
def test_damaged_text_of_an_input_is_answered(data: st.DataObject) -> None:
    """Bytes dropped, doubled, changed and cut anywhere in valid inputs of every function."""
    function, text = data.draw(st.sampled_from(VALID))
    raw = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(len(raw) - 1, 0)))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    _answers(function, bytes(raw))


@given(history=JSON, complete=JSON, answer=JSON, output=st.text(max_size=20))
def test_hand_made_whole_state_is_answered(history: Any, complete: Any, answer: Any, output: str) -> None:
    """A2: a state that somebody wrote by hand, well or badly."""
    state = {"history": history, "is_complete": complete, "final_answer": answer}
    _answers(purestep.run_agent_step, json.dumps({"state_json": json.dumps(state), "model_output": output}))


@given(
    roles=st.lists(st.sampled_from(["user", "assistant", "system", "tool", ""]), max_size=4),
    content=st.one_of(st.text(max_size=5), st.none()),
    complete=st.booleans(),
    outputs=st.lists(st.sampled_from(['{"tool":"x"}', '{"tool":', "Done.", ""]), min_size=1, max_size=4),
)
def test_imported_run_replays_whatever_it_began_with(
    roles: list[str], content: Any, complete: bool, outputs: list[str]
) -> None:
    """E29: the log of an imported run is never one that its own core cannot fold."""
    history = [{"role": role, "content": content} for role in roles]
    driver = WholeDriver.of({"history": history, "is_complete": complete, "final_answer": "a" if complete else None})
    if complete:
        driver.send({"type": "user_message", "content": "more"})
    for output in outputs:
        driver.say(output)
    assert bool(roles or complete) == bool(driver.log)  # nothing was asked where there was no message
    if driver.log:
        folded = json.loads(purestep.replay_log(driver.log))
        assert driver.state["history"] == folded["messages"]
        if driver.decision["type"] == "inconclusive":  # the same correction, as programs without a definition get it
            told = folded["decision"]
            assert ("call_model", "correction") == (told["type"], told["reason"])
            assert (driver.decision["cause"], driver.decision["prompt"]) == (told["cause"], told["prompt"])
        else:
            assert driver.decision == folded["decision"]


@given(schema=JSON, value=JSON)
def test_any_schema_and_value_are_answered(schema: Any, value: Any) -> None:
    """Section 8b: any JSON may be given as a schema."""
    _answers(purestep.check_value, json.dumps({"schema": schema, "value": value}))


@given(
    text=st.text(max_size=50),
    tools=JSON,
    dialect=st.one_of(st.sampled_from(["auto", "envelope", "tool_tags", "bare", "native"]), JSON),
)
def test_any_reading_is_answered(text: str, tools: Any, dialect: Any) -> None:
    """Section 8b: any text, tools and dialect may be given."""
    _answers(purestep.read_model_output, json.dumps({"text": text, "tools": tools, "dialect": dialect}))


FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            '"',
            ":",
            ",",
            "\\",
            "`",
            "```json\n",
            "\n```",
            '"kind"',
            '"tool_call"',
            '"final"',
            '"content"',
            '"tool"',
            '"tool_name"',
            '"arguments"',
            '"name"',
            '"args"',
            "[TOOL_CALL]",
            "[/TOOL_CALL]",
            "<think>",
            "</think>",
            "<tool_call>",
            "</tool_call>",
            "null",
            "1",
            "1e5",
            "-",
            "\\ud800",
            "\ud800",
            "\ufeff",
            "\u2028",
            "é",
            " ",
            "\n",
            "x",
            "<|channel|>",
            "[TOOL_CALLS]",
        ]
    ),
    max_size=25,
).map("".join)


@given(text=st.one_of(FRAGMENTS, st.text()), dialect=st.sampled_from(dialect_names()))
@examples(400)
@example(text="\ud800", dialect="envelope")
def test_reading_never_raises(text: str, dialect: str) -> None:
    """Property: parsing never raises, for any text in each dialect; and nothing falls through to nothing."""
    if dialect == "shouted":  # a test's own
        return
    reading = dialect_named(dialect).read(text, None)
    said = reading.content is not None or reading.reasoning is not None
    assert reading.calls or reading.problems or said or not text.strip(" \t\r\n")


@given(text=FRAGMENTS)
def test_any_output_leaves_a_run_that_can_go_on(text: str) -> None:
    """Property: whatever a model says, the run has a decision, and its state is one that the next step takes."""
    for definition in (None, agent(), agent(dialect="tool_tags")):
        driver = Driver(definition)
        assert "code" not in driver.send(said(text)) or driver.decision["type"] == "failed"
        if driver.decision["type"] not in ("done", "failed"):
            assert "failed" == driver.send({"type": "cancel"})["type"]


def _corpus() -> list[dict[str, Any]]:
    lines = CORPUS.read_text().split("\n") if CORPUS.exists() else []
    return [json.loads(line) for line in lines if line] or [{"text": "own text", "tools": None, "dialect": "auto"}]


def test_recorded_outputs_never_raise() -> None:
    """Recorded outputs of many model families are read by every dialect without an error."""
    for entry in _corpus():
        for dialect in ("auto", "envelope", "tool_tags", "bare", "native"):
            given_input = {"text": entry["text"], "tools": entry.get("tools"), "dialect": dialect}
            assert "error" not in _answers(purestep.read_model_output, json.dumps(given_input))
