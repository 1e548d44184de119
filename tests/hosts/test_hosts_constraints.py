"""Every constraint that llama.cpp takes, with the real model: accepted as it is, and what comes under it is read."""

import json
from typing import Any

import pytest

import purestep
from purestep.dialects import dialect_named, read_output
from purestep_formats.families.families import FAMILY_DIALECTS
from purestep_formats.grammars.expressions import Seq
from purestep_formats.grammars.grammars import Grammar, gbnf, grammar_of_form
from purestep_hosts.models.llamacpp import LlamaCppModel
from purestep_hosts.models.model import ModelRequest
from tests.hosts.asking import observed

SWITCH: dict[str, Any] = {
    "name": "switch",
    "description": "Switch a light.",
    "parameters": {
        "type": "object",
        "properties": {
            "room": {"enum": ["kitchen", "hall"]},
            "on": {"type": "boolean"},
            "scene": {
                "type": "object",
                "properties": {"level": {"type": "integer"}, "fades": {"type": "boolean"}},
                "required": ["level"],
                "additionalProperties": False,
            },
        },
        "required": ["room", "on"],
        "additionalProperties": False,
    },
}
FIND: dict[str, Any] = {
    "name": "find records",
    "parameters": {
        "type": "object",
        "properties": {
            "größe": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
            "where": {"$ref": "#/$defs/place"},
            "day": {"type": "string", "format": "date"},
            "any": {},
        },
        "required": ["tags"],
        "$defs": {"place": {"type": "object", "properties": {"in": {"$ref": "#/$defs/place"}, "x": {"const": 'a"b'}}}},
    },
}
ANSWER = {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]}
FAMILIES = [dialect.name for dialect in FAMILY_DIALECTS]


def asked(dialect: str, supports: str, **members: Any) -> dict[str, Any]:
    """What the core gives for a first message: state, messages, and the decision with its constraint."""
    definition = {
        "dialect": dialect,
        "tools": [SWITCH, FIND],
        "models": [{"name": "m", "supports": [supports]}],
        "sampling": {"temperature": 0, "seed": 1, "max_tokens": 96},
        **members,
    }
    observation = {"type": "user_message", "content": "Switch on the light in the kitchen."}
    output: dict[str, Any] = json.loads(
        purestep.run_agent_step(json.dumps({"agent": definition, "observation": observation}))
    )
    return output


def constrained(decision: dict[str, Any], messages: list[dict[str, Any]], max_tokens: int = 96) -> ModelRequest:
    """The request that carries a decision's constraint."""
    sampling = {**decision["sampling"], "max_tokens": max_tokens}
    constraint = {name: decision[name] for name in ("grammar", "response_format") if name in decision}
    assert constraint, "the decision has no constraint"
    return ModelRequest(messages=messages, sampling=sampling, **constraint)


@pytest.mark.parametrize(
    ("dialect", "supports"),
    [
        *((name, "grammar") for name in ("envelope", "auto", *FAMILIES)),
        ("envelope", "json_schema"),
        ("auto", "json_schema"),
    ],
)
@pytest.mark.parametrize("members", [{}, {"answer_schema": ANSWER}], ids=["text", "data"])
def test_constraint_is_accepted(local_model: LlamaCppModel, dialect: str, supports: str, members: Any) -> None:
    """llama.cpp takes the constraint of every dialect, whatever the schemas hold."""
    decision = asked(dialect, supports, **members)["decision"]
    output = observed(local_model, constrained(decision, [{"role": "user", "content": "Hi"}], max_tokens=1))
    assert "model_output" == output["type"], output


FORMS = ["hermes_json", "mistral", "harmony", "kimi_k2", "apertus", "glm", "minimax", "lfm2", "gemma4"]
"""One of each kind: JSON between markers, behind a name, numbered, under the name; tags; Python; pairs."""


@pytest.mark.parametrize("name", FORMS)
def test_call_written_under_the_grammar_is_read_whole(local_model: LlamaCppModel, name: str) -> None:
    """The model has no choice but a call, and what it writes is read as one that fits, without any problem."""
    agent = purestep.Agent.load({"dialect": name, "tools": [SWITCH]})
    request = ModelRequest(
        messages=[{"role": "user", "content": "Switch on the light in the kitchen."}],
        sampling={"temperature": 0, "seed": 1, "max_tokens": 200},
        grammar=one_call(agent),
    )
    output = observed(local_model, request)
    reading = read_output(dialect_named(name), output["content"], agent.specs())
    assert ("stop", (), ["switch"]) == (
        output["finish_reason"],
        reading.problems,
        [call.tool for call in reading.calls],
    )
    assert () == agent.tools["switch"].parameters.check(reading.calls[0].params)


def one_call(agent: purestep.Agent) -> str:
    """The grammar of the agent's form without its other choices: an answer, or more calls behind the first."""
    assert agent.dialect.form is not None
    grammar = grammar_of_form(agent.dialect.form, agent.specs())
    calls, _answer = grammar.root.parts  # type: ignore[union-attr]
    first, _more, closing = calls.parts
    return gbnf(Grammar(root=Seq((first, closing)), rules=grammar.rules))


@pytest.mark.parametrize("supports", ["grammar", "json_schema"])
@pytest.mark.parametrize("dialect", ["envelope", "auto"])
def test_envelope_written_under_a_constraint_needs_no_correction(
    local_model: LlamaCppModel, dialect: str, supports: str
) -> None:
    """Whatever the model chooses, a call or an answer, the step goes on with it."""
    begun = asked(dialect, supports, tools=[SWITCH])
    output = observed(local_model, constrained(begun["decision"], begun["messages"]))
    stepped = json.loads(purestep.run_agent_step(json.dumps({"state": begun["state"], "observation": output})))
    assert stepped["decision"]["type"] in ("invoke_tool", "done"), (output, stepped)
