"""Definitions and states that lie or go past a bound are refused, on every host; digits are kept."""

import json
from typing import Any

import pytest

import purestep
from tests.edge.drivers import Answer, Service
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import ASK, approval, run, standing
from tests.edge.sealing import sealed


def test_digits_past_two_to_the_53_survive(service: Service) -> None:
    """A state goes through as text: numbers that JavaScript cannot hold stay what they are."""
    agent = {"tools": [{"name": "pay", "parameters": {"type": "object"}, "approval": "ask"}]}
    message = {"type": "user_message", "content": "a"}
    first = json.loads(purestep.run_agent_step(json.dumps({"agent": agent, "run_id": "r", "observation": message})))
    said = '{"kind":"tool_call","tool_name":"pay","arguments":{"cents":9007199254740993}}'
    observation = {"type": "model_output", "content": said}
    step = json.loads(
        purestep.run_agent_step(json.dumps({"agent": agent, "state": first["state"], "observation": observation}))
    )

    answer = run(service, agent=agent, **sealed(step["state"], first["messages"] + step["messages"]))

    assert 200 == answer.status
    assert b'"cents":9007199254740993' in answer.body.split(b'"state":')[0]
    assert step["state"] == answer.json()["state"]


def test_definition_is_the_one_that_was_sent(service: Service) -> None:
    """Numbers of a definition that JavaScript cannot hold keep their digits, so a run of another host goes on here."""
    agent = {"tools": [], "answer_schema": {"type": "object", "properties": {"n": {"maximum": 2**60 + 1}}}}
    message = {"type": "user_message", "content": "a"}
    began = json.loads(purestep.run_agent_step(json.dumps({"agent": agent, "observation": message})))
    done = json.loads(
        purestep.run_agent_step(
            json.dumps({"agent": agent, "state": began["state"], "observation": {"type": "cancel"}})
        )
    )

    answer = run(service, agent=agent, **sealed(done["state"], began["messages"] + done["messages"]))

    assert "cancelled" == answer.json()["decision"]["code"]
    assert done["state"] == answer.json()["state"]


def test_number_of_a_definition_past_every_double_is_refused(service: Service) -> None:
    """It is not read as no limit at all."""
    body = b'{"query":"[hello]","agent":{"limits":{"max_turns":1e999}}}'
    answer = service.send("POST", "/run", body)
    assert (400, "invalid_json") == (answer.status, answer.json()["error"]["code"])


def nested(depth: int) -> str:
    """Return a value that is nested this deep."""
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", [65, 3000, 60_000])
@pytest.mark.parametrize(
    "body",
    [
        '{"query":"a","agent":{"answer_schema":%s}}',
        '{"query":"a","state":{"messages":1},"messages":[{"role":"user","content":%s}]}',
        '{"state":{"messages":0,"run":%s},"messages":[]}',
        '{"state":{"messages":0},"messages":[],"approvals":%s}',
    ],
)
def test_deep_nesting_is_the_callers_mistake(service: Service, body: str, depth: int) -> None:
    """No stack ends before the bound that all hosts share, and the next request is served."""
    answer = service.send("POST", "/run", (body % nested(depth)).encode())
    assert (400, "too_deep") == (answer.status, answer.json()["error"]["code"])
    assert 200 == run(service, query="[hello]").status


@pytest.mark.parametrize("depth", [65, 3000, 60_000])
def test_deep_output_in_a_step_is_the_callers_mistake(service: Service, depth: int) -> None:
    """Where the core takes any value, its decoder does not run out of stack."""
    results = f'[{{"call_id":"call_1","ok":true,"output":{nested(depth)}}}]'
    body = f'{{"observation":{{"type":"tool_results","results":{results}}}}}'
    answer = service.send("POST", "/step", body.encode())
    assert (400, "too_deep") == (answer.status, answer.json()["error"]["code"])
    assert 200 == service.post("/step", {"observation": {"type": "user_message", "content": "a"}}).status


def forged(asked: Answer) -> dict[str, dict[str, Any]]:
    """Return requests that lie, by what they lie about; their seals are in order, as if a key had been stolen."""
    honest = {"agent": ASK, **standing(asked)}
    state, messages = honest["state"], honest["messages"]
    return {
        "invalid_state": {**honest, **sealed({**state, "phase": "tools"}, messages)},
        "unsupported_version": {**honest, **sealed({**state, "schema_version": 2}, messages)},
        "agent_mismatch": {**honest, "agent": {}},
        "stale_approval": {**honest, "approvals": [{**approval(asked)[0], "key": "0" * 64}]},
        "unknown_call": {**honest, "approvals": [{**approval(asked)[0], "call_id": "call_9"}]},
        "invalid_input": {**honest, "messages": honest["messages"][:-1]},
        "head_mismatch": {**honest, "state": {**state, "head": "0" * 64}, "log": asked.json()["log"]},
        "log_mismatch": {"agent": ASK, "log": asked.json()["log"].replace("fetch_url", "fetch_uri")},
        "invalid_log": {"agent": ASK, "log": asked.json()["log"][:-9]},
    }


def test_tampered_requests_are_refused(service: Service, llm: ModelServer) -> None:
    """Every lie about a run brings its own code, and neither a model nor a tool is asked because of it."""
    asked = run(service, query="[page]", agent=ASK)
    before = (len(llm.asked), len(llm.fetched))
    answers = {code: run(service, **request) for code, request in forged(asked).items()}

    assert {code: (400, code) for code in answers} == {
        code: (answer.status, answer.json()["error"]["code"]) for code, answer in answers.items()
    }
    assert before == (len(llm.asked), len(llm.fetched))


def test_state_of_another_definition_is_refused_before_a_model_is_asked(service: Service, llm: ModelServer) -> None:
    """Also where the service happens to hold the definition that the run began with."""
    began = service.post(
        "/step", {"agent": {"name": "a"}, "observation": {"type": "user_message", "content": "[hello]"}}
    )
    asked = len(llm.asked)
    answer = run(service, agent={"name": "b"}, **sealed(began.json()["state"], began.json()["messages"]))
    assert (400, "agent_mismatch") == (answer.status, answer.json()["error"]["code"])
    assert asked == len(llm.asked)
