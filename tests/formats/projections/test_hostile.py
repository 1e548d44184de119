"""Projections of what nobody has written so: damaged logs, and values that a client has changed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep.bounds import MAX_DEPTH
from tests.examples import examples
from tests.formats.projections.logs import FORMS, LOGS
from tests.formats.projections.runs import run_log

RUNS = ["parallel-after-approval", "skill-and-tools", "check-rejects", "interrupted", "adopted", "agents-of-agents"]
ODD: list[Any] = [None, True, 0, -1, 2**70, 1.5, "", "call_1", [], [[]], {}, {"a": 1}, {"call_1": "x"}]


def answered(given: dict[str, Any]) -> dict[str, Any]:
    """Return what the JSON function answers, which is never a defect."""
    output: dict[str, Any] = json.loads(purestep.project_log(json.dumps(given)))
    assert output.get("error", {}).get("code") != "internal_error", output["error"]["message"]
    return output


def test_facts_of_an_ending_between_lines_are_refused() -> None:
    """A projection that a client keeps has none: they are told together with an ending."""
    opened = answered({"form": "otel"})["projection"]
    forged = answered({"projection": changed(opened, ("walk", "acts"), {})})
    assert ("invalid_input", "/projection/walk/acts") == (forged["error"]["code"], forged["error"]["path"])
    forged = answered({"projection": changed(opened, ("walk", "question"), True)})
    assert ("invalid_input", "/projection/walk/question") == (forged["error"]["code"], forged["error"]["path"])


def places(value: Any, before: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all members."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in items for found in ((*before, key), *places(item, (*before, key)))]


def changed(value: Any, path: tuple[Any, ...], to: Any) -> Any:
    """Return a copy with another value at the path."""
    if not path:
        return to
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], to)
    return copy


@given(data=st.data())
@examples(150)
def test_a_changed_projection_is_answered(data: st.DataObject) -> None:
    """Whatever a client makes of one: it goes on with it or is refused."""
    lines = LOGS[data.draw(st.sampled_from(RUNS))].splitlines(keepends=True)
    cut = data.draw(st.integers(0, len(lines)))
    opened = answered({"form": data.draw(st.sampled_from(FORMS))})["projection"]
    projection = answered({"projection": opened, "log": "".join(lines[:cut])})["projection"]
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(places(projection)))
        projection = changed(projection, path, data.draw(st.sampled_from(ODD)))
    for more in ({"log": "".join(lines[cut:])}, {"stream": [{"type": "text", "text": "x"}, {"type": "retract"}]}, {}):
        answered({"projection": projection, **more})


def test_a_message_of_parts_that_are_none_is_given_as_it_is() -> None:
    """A part without a type is no step."""
    projection = answered({"form": "ai-sdk-messages"})["projection"]
    projection["fold"]["parts"] = [{}]
    assert [{}] == answered({"projection": projection})["events"][0]["parts"]


@given(data=st.data())
@examples(150)
def test_a_damaged_log_is_answered(data: st.DataObject) -> None:
    """Bytes dropped, doubled, changed and cut anywhere."""
    raw = bytearray(LOGS[data.draw(st.sampled_from(sorted(LOGS)))].encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw)))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    answered({"form": data.draw(st.sampled_from(FORMS)), "log": raw.decode("utf-8", "replace")})


@pytest.mark.parametrize("form", FORMS)
def test_an_output_as_deep_as_a_step_takes_is_held(form: str) -> None:
    """Between its line and the verdict on it a projection is handed back with the output inside."""
    deepest = MAX_DEPTH - len(("observation", "results", "result", "output"))
    output = json.loads("[" * deepest + "]" * deepest)
    results = [{"call_id": "call_1", "ok": True, "output": output}]
    calls = [{"function": {"name": "add", "arguments": "{}"}}]
    asked = {"type": "user_message", "content": "Go"}
    log = run_log(asked, {"type": "model_output", "tool_calls": calls}, {"type": "tool_results", "results": results})
    projection = answered({"form": form})["projection"]
    for line in log.splitlines(keepends=True):
        projection = answered({"projection": projection, "log": line})["projection"]
    assert "error" not in answered({"projection": projection})


def test_every_log_that_verifies_is_projected() -> None:
    """Each form takes what the core wrote."""
    for name, log in LOGS.items():
        if json.loads(purestep.verify_log(log))["ok"]:
            for form in FORMS:
                assert "error" not in answered({"form": form, "log": log}), name


def test_a_projection_does_not_grow_with_the_log() -> None:
    """After sixty exchanges it is as large as after three, but for the length of numbers."""
    agent = {"dialect": "native", "tools": [{"name": "add", "parameters": {"type": "object"}}]}
    calls = [{"function": {"name": "add", "arguments": "{}"}}]
    state: dict[str, Any] = {}
    sizes: dict[str, list[int]] = {form: [] for form in FORMS}
    projections = {form: answered({"form": form})["projection"] for form in FORMS}
    for number in range(60):
        for observation in (
            {"type": "user_message", "content": "Add."},
            {"type": "model_output", "tool_calls": calls, "model": "m", "usage": {"prompt_tokens": 3}},
            {"type": "tool_results", "results": [{"call_id": f"call_{number + 1}", "ok": True, "output": 42}]},
            {"type": "model_output", "content": "The sum is 42.", "model": "m"},
        ):
            given = {"state": state} if state else {"agent": agent, "run_id": "r"}
            output = json.loads(purestep.run_agent_step(json.dumps({**given, "observation": observation})))
            state = output["state"]
            for form in FORMS:
                fed = answered({"projection": projections[form], "log": output["log"]})
                projections[form] = fed["projection"]
        for form in FORMS:
            sizes[form].append(len(json.dumps(projections[form])))
    assert state["phase"] == "done"
    for form in FORMS:
        assert max(sizes[form]) - sizes[form][2] <= 8, form
