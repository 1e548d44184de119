"""How a model was asked and when parts came: kept in the log, replayed and verified, and decided by nothing."""

import json
from typing import Any

import pytest

import purestep
from tests.core.driver import Driver
from tools.vectors.modules import agents, step_scenarios
from tools.vectors.runs import with_keys

REQUEST = {"model": "big", "temperature": 0.5, "stop": ["a"], "logprobs": True, "constraint": "json_schema"}
ASKED = {"request": REQUEST, "response_id": "chatcmpl-1", "asked_at": 3, "first_token_at": 4}
USED = {"usage": {"prompt_tokens": 2**40, "completion_tokens": 2**40}}
"""More than any limit of the scenarios; only that of an output counts."""

NAMES = ("request", "response_id", "asked_at", "first_token_at", "ended_at")


def with_facts(observation: dict[str, Any]) -> dict[str, Any]:
    """Return an observation with every fact that it can have."""
    match observation["type"]:
        case "model_output":
            return {**observation, **ASKED}
        case "model_error" | "cancel":
            return {**observation, **ASKED, **USED}
        case "tool_results":
            results = [{**each, "ended_at": 5} if isinstance(each, dict) else each for each in observation["results"]]
            return {**observation, "results": results}
        case _:
            return observation


def without_facts(observation: dict[str, Any]) -> dict[str, Any]:
    """Return an observation without them."""
    kept = {name: value for name, value in observation.items() if name not in NAMES}
    if observation["type"] in ("model_error", "cancel"):
        kept.pop("usage", None)
    if observation["type"] == "tool_results":
        kept["results"] = [
            {name: value for name, value in each.items() if name not in NAMES} if isinstance(each, dict) else each
            for each in observation["results"]
        ]
    return kept


def driven(name: str, change: Any) -> tuple[list[Any], Any]:
    """Return the decisions and messages of a scenario, and its run."""
    agent, (first, *observations) = agents()[step_scenarios()[name][0]], step_scenarios()[name][1]
    output = json.loads(purestep.run_agent_step(json.dumps({"agent": agent, "run_id": name, "observation": first})))
    told, log = [told_of(output)], output.get("log", "")
    for observation in observations:
        given = {"state": output["state"], "observation": change(with_keys(observation, output["state"]))}
        if agent is not None:
            given["agent"] = agent
        following = json.loads(purestep.run_agent_step(json.dumps(given)))
        told.append(told_of(following))
        if "error" not in following:
            output, log = following, log + following["log"]
            agent = observation["agent"] if observation["type"] == "agent_changed" else agent
    return told, (output["state"], log)


def told_of(output: dict[str, Any]) -> Any:
    """Return what a step decided; how long to wait is spread by the log's own bytes."""
    decision = {name: value for name, value in output.get("decision", {}).items() if name != "wait_ms"}
    return output.get("error") or [
        decision,
        output["messages"],
        output["state"]["phase"],
        output["state"]["run"]["seq"],
    ]


PLAIN = [
    name
    for name, (_, given) in step_scenarios().items()
    if given[0]["type"] == "user_message" and "wrongly" not in name
]


@pytest.mark.parametrize("name", PLAIN)
def test_facts_change_no_decision(name: str) -> None:
    """Every scenario goes the same way with and without them, and its log verifies to its head."""
    without, _ = driven(name, without_facts)
    told, (state, log) = driven(name, with_facts)
    assert without == told
    verified = json.loads(purestep.verify_log(log, state["head"]))
    assert verified["ok"], verified
    replayed = json.loads(purestep.replay_log(log))
    assert state == replayed["state"]


def test_a_log_holds_each_fact_as_it_was_told() -> None:
    """The lines have the members of the observations, and no others."""
    run = Driver({"tools": [{"name": "add"}], "dialect": "native"})
    calls = [{"function": {"name": "add", "arguments": "{}"}}]
    run.send(with_facts({"type": "model_output", "tool_calls": calls}))
    run.send(with_facts({"type": "tool_results", "results": [{"call_id": "call_1", "ok": True}]}))
    run.send(with_facts({"type": "model_error", "code": "unavailable", "retryable": True}))
    run.send(with_facts({"type": "cancel"}))
    [said], [result] = run.events("model_response"), run.events("tool_result")
    [error], [cancelled] = run.events("model_error"), run.events("cancelled")
    assert ASKED.items() <= said.items()
    assert 5 == result["ended_at"]
    assert {**ASKED, **USED}.items() <= error.items()
    assert {**ASKED, **USED}.items() <= cancelled.items()
    assert run.state is not None
    assert not {"input_tokens", "output_tokens", "cost"} & run.state.keys()


@pytest.mark.parametrize("fact", ["request", "response_id", "asked_at", "first_token_at"])
def test_a_changed_fact_does_not_verify(fact: str) -> None:
    """They are part of the chain like any fact."""
    run = Driver()
    run.send({"type": "model_output", "content": "It is done.", **ASKED})
    changed = {"request": {**REQUEST, "model": "small"}, "response_id": "other"}.get(fact, 9)
    lines = [json.loads(line) for line in run.log.splitlines()]
    lines = [{**line, fact: changed} if fact in line else line for line in lines]
    log = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    assert run.state is not None
    assert not json.loads(purestep.verify_log(log, run.state["head"]))["ok"]
