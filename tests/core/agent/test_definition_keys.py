"""The keys of a definition: few, described by a JSON Schema, and each that is gone says what to write instead."""

import json
import typing
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

import purestep
from purestep.values import AgentDefinition, Profile
from tools.types.definition_schema import FILES, schema_text
from tools.vectors.modules import agents

MOST = 83
DOCS = Path(__file__).resolve().parents[3] / "docs"
SCHEMA = jsonschema_rs.Draft202012Validator(json.loads(FILES[0].read_text("utf-8")))
DEFINITIONS = [(name, definition) for name, definition in agents().items() if definition is not None]


def keys_of(shape: Any, seen: dict[type, tuple[str, ...]]) -> dict[type, tuple[str, ...]]:
    """Return the keys of each struct that a type holds."""
    if isinstance(shape, type) and issubclass(shape, msgspec.Struct) and shape not in seen:
        fields = msgspec.structs.fields(shape)
        seen[shape] = tuple(field.encode_name for field in fields)
        for field in fields:
            keys_of(field.type, seen)
    for part in typing.get_args(shape):
        keys_of(part, seen)
    return seen


def error_of(definition: Any) -> tuple[str, str, str]:
    """Return the code, the path and the message with which a definition is refused."""
    with pytest.raises(purestep.PurestepError) as caught:
        purestep.Agent.load(definition)
    return caught.value.code, caught.value.path, caught.value.message


def own_keys() -> dict[type, tuple[str, ...]]:
    """Return the keys of a definition, without those of the table of profiles, which are seldom written."""
    return {shape: keys for shape, keys in keys_of(AgentDefinition, {}).items() if shape is not Profile}


def test_a_definition_has_at_most_83_keys() -> None:
    """All objects together, so that one can hold it in mind; the options of policies and profiles are theirs."""
    assert sum(len(keys) for keys in own_keys().values()) <= MOST


def test_files_of_the_schema_are_fresh() -> None:
    """./build.sh types writes them again."""
    assert [schema_text()] * len(FILES) == [file.read_text("utf-8") for file in FILES]


@pytest.mark.parametrize(("name", "definition"), DEFINITIONS, ids=[name for name, _ in DEFINITIONS])
def test_schema_takes_what_the_core_takes(name: str, definition: dict[str, Any]) -> None:
    """An editor marks nothing in a definition that is right."""
    taken = not purestep.load_agent(json.dumps(definition)).startswith("{")
    assert not taken or SCHEMA.is_valid(definition), name


@pytest.mark.parametrize(
    "definition",
    [
        {"guardrails": []},
        {"tools": [{"name": "t", "titel": "x"}]},
        {"checks": ["plausibility"]},
        {"tools": [{"name": "t", "checks": ["planning"]}]},
        {"checks": [{"use": "planning", "uses": 1}]},
        {"limits": {"max_turns": 0}},
        {"policies": [{"rules": []}]},
        {"approval": {"default": "yes"}},
    ],
)
def test_schema_marks_what_is_wrong(definition: dict[str, Any]) -> None:
    """An unknown key, a name in the wrong place, a value out of its range."""
    assert not SCHEMA.is_valid(definition)
    assert purestep.load_agent(json.dumps(definition)).startswith("{")


def test_key_for_editors_changes_nothing() -> None:
    """The digest is that of the definition without it."""
    plain = {"name": "clerk"}
    assert purestep.Agent.load(plain).digest == purestep.Agent.load({"$schema": "./x.json", **plain}).digest
    assert SCHEMA.is_valid({"$schema": "./x.json", **plain})


@pytest.mark.parametrize(
    ("definition", "path", "instead"),
    [
        ({"guardrails": ["planning"]}, "/guardrails", '"checks"'),
        ({"answer_postconditions": []}, "/answer_postconditions", '"checks"'),
        ({"citations": "required"}, "/citations", '{"checks": ["citations"]}'),
        ({"formats": "assert"}, "/formats", '"assert_formats"'),
        ({"coerce": True}, "/coerce", '"coerce"'),
        ({"read_output": True}, "/read_output", '"read_output"'),
        ({"summary": True}, "/summary", '"summary"'),
        ({"redaction": {}}, "/redaction", '"redaction"'),
        ({"negotiation": True}, "/negotiation", '"negotiation"'),
        ({"flow": []}, "/flow", '"flow"'),
        ({"limits": {"warn_at_percent": 80}}, "/limits/warn_at_percent", "final_answer"),
        ({"models": [{"name": "a"}, {"name": "b", "spans": True}]}, "/models/1/spans", "supports"),
        ({"models": [{"name": "m", "carry": "route"}]}, "/models/0/carry", "ground"),
        ({"tools": [{"name": "t", "title": "T"}]}, "/tools/0/title", "annotations"),
        ({"tools": [{"name": "t", "guardrails": []}]}, "/tools/0/guardrails", '"checks"'),
        ({"tools": [{"name": "t"}, {"name": "u", "postconditions": []}]}, "/tools/1/postconditions", '"checks"'),
        ({"checks": [{"excludes": "x"}]}, "/checks/0/excludes", '{"not": {"pattern": ...}}'),
        ({"checks": ["planning", {"occurs": {}}]}, "/checks/1/occurs", "values"),
        ({"tools": [{"name": "t", "checks": [{"compare": {}}]}]}, "/tools/0/checks/0/compare", "tool"),
        ({"checks": [{"check": "t"}]}, "/checks/0/check", '{"tool": ...}'),
        ({"checks": [{"name": "planning"}]}, "/checks/0/name", '{"use": ...}'),
    ],
)
def test_key_that_is_gone_says_what_to_write(definition: dict[str, Any], path: str, instead: str) -> None:
    """With the place of the first of them."""
    code, at, message = error_of(definition)
    assert ("invalid_agent", path) == (code, at)
    assert "gone" in message
    assert instead in message


def test_title_of_a_tool_of_mcp_is_no_key_that_is_gone() -> None:
    """Servers give one beside the schemas; it is left out."""
    tool = {"name": "t", "inputSchema": {"type": "object"}}
    assert (
        purestep.Agent.load({"tools": [tool]}).digest == purestep.Agent.load({"tools": [{**tool, "title": "T"}]}).digest
    )


def test_page_of_the_definition_says_how_many_keys_there_are() -> None:
    """And names each at the root."""
    page = (DOCS / "agent-definition.md").read_text("utf-8")
    keys = own_keys()
    assert f"{sum(map(len, keys.values()))} in all" in page
    assert [] == [key for key in keys[AgentDefinition] if f"`{key}`" not in page]
