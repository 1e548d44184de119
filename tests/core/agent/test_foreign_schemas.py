"""Schemas as other libraries write them: pydantic's own, and the words of older drafts and of OpenAPI 3.0."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
import pytest

from purestep import Agent, PurestepError
from purestep.bounds import MAX_VALUE_DEPTH
from purestep.schema import compile_schema


class Node(pydantic.BaseModel):
    """A list; pydantic puts a model that contains itself behind a `$ref` at the root."""

    value: int
    next: Node | None = None


class Cat(pydantic.BaseModel):
    """A branch with keywords of its author's own."""

    kind: Literal["cat"]
    lives: Annotated[int, pydantic.Field(ge=1, le=9, json_schema_extra={"x-order": 1, "example": 7})]


class Dog(pydantic.BaseModel):
    """A branch with a tuple."""

    kind: Literal["dog"] = "dog"
    pair: tuple[int, str] | None = None


class Owner(pydantic.BaseModel):
    """A union that a member decides."""

    pet: Annotated[Cat | Dog, pydantic.Field(discriminator="kind")]


class Either(pydantic.RootModel[Cat | Dog]):
    """A model whose schema says no type at the root."""


def parameters_of(schema: Any) -> dict[str, Any]:
    """The parameters that a definition makes of a schema."""
    parameters: dict[str, Any] = Agent.load({"tools": [{"name": "t", "parameters": schema}]}).tools["t"].spec.parameters
    return parameters


def accepts(schema: Any, value: Any) -> bool:
    """Whether a value is taken as arguments of a tool with that schema."""
    return not compile_schema(parameters_of(schema)).check(value)


@pytest.mark.parametrize(
    ("model", "good", "bad"),
    [
        (Node, {"value": 1, "next": {"value": 2, "next": None}}, {"value": 1, "next": {"value": "x"}}),
        (Owner, {"pet": {"kind": "cat", "lives": 9}}, {"pet": {"kind": "cat", "lives": 10}}),
        (Owner, {"pet": {"kind": "dog", "pair": [1, "a"]}}, {"pet": {"kind": "dog", "pair": [1, "a", 2]}}),
        (Either, {"kind": "cat", "lives": 1}, {"kind": "cow"}),
        (Either, {"kind": "dog", "pair": None}, {"kind": "dog", "pair": ["a", 1]}),
    ],
)
def test_schema_of_pydantic_is_taken_as_it_is(model: type[pydantic.BaseModel], good: Any, bad: Any) -> None:
    """Section 10: what pydantic itself takes and refuses is taken and refused here."""
    schema = model.model_json_schema()
    model.model_validate(good)
    with pytest.raises(pydantic.ValidationError):
        model.model_validate(bad)
    assert accepts(schema, good)
    assert not accepts(schema, bad)
    assert parameters_of(schema)["type"] == "object"


def test_reference_at_the_root_is_put_in_place() -> None:
    """Whoever looks for the parameters by name finds them at the root; the model still contains itself."""
    parameters = parameters_of(Node.model_json_schema())
    assert {"value", "next"} == parameters["properties"].keys()
    assert "$ref" not in parameters
    assert "Node" in parameters["$defs"]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"items": [{"type": "null"}]}, {"prefixItems": [{"type": "null"}]}),
        ({"items": [True], "additionalItems": False}, {"prefixItems": [True], "items": False}),
        ({"items": [], "additionalItems": {"type": "null"}}, {"items": {"type": "null"}}),
        ({"items": {"type": "null"}, "additionalItems": False}, {"items": {"type": "null"}}),
        ({"dependencies": {"a": ["b"], "c": {"type": "null"}}},
         {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"type": "null"}}}),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"nullable": True}, {}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"minimum": 1, "exclusiveMinimum": False}, {"minimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": True}, {"exclusiveMaximum": 1}),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, {}),
        ({"$schema": "https://json-schema.org/draft/2019-09/schema"}, {}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("around", ["properties", "$defs", "anyOf", "not", "prefixItems", "answer"])
def test_words_of_older_drafts_are_read_in_ours(given: dict[str, Any], read: dict[str, Any], around: str) -> None:
    """Draft 4 to 2019-09 and OpenAPI 3.0 say the same in other words, at every place of a schema."""
    wrapped = {
        "properties": lambda schema: {"type": "object", "properties": {"a": schema}},
        "$defs": lambda schema: {"type": "object", "$defs": {"a": schema}},
        "anyOf": lambda schema: {"type": "object", "anyOf": [{"required": ["z"]}, schema]},
        "not": lambda schema: {"type": "object", "not": schema},
        "prefixItems": lambda schema: {"type": "object", "properties": {"a": {"prefixItems": [schema]}}},
        "answer": lambda schema: schema,
    }[around]
    if around == "answer":
        assert read == Agent.load({"answer_schema": given}).definition.answer_schema
    else:
        assert wrapped(read) == parameters_of(wrapped(given))


def test_values_are_not_read_as_schemas() -> None:
    """A default, an example or a constant may look like a schema; it is data."""
    data = {"nullable": True, "type": "string", "items": [1]}
    schema = {"type": "object", "properties": {"a": {"default": data, "examples": [data], "const": data}}}
    assert schema == parameters_of(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/none", "$defs": {}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"$ref": "https://example.org/schema"},
        {"$ref": 7},
        {"items": 7},
        {"$ref": "#/$defs/~2", "$defs": {"~2": {"type": "object"}}},
        {"type": "object", "dependencies": {"a": 7}},
        {"type": "object", "dependencies": {"a": ["b"]}, "dependentRequired": 5},
        {"type": "object", "dependencies": {"a": {}}, "dependentSchemas": []},
        {"type": "object", "nullable": "yes"},
        {"type": ["string", "null"]},
        {"type": "objekt"},
        {"type": "object", "exclusiveMinimum": None},
    ],
)
def test_what_is_no_schema_of_any_dialect_is_refused_in_words(schema: Any) -> None:
    """Section 4: refused with its path, whatever it is."""
    with pytest.raises(PurestepError) as caught:
        parameters_of(schema)
    assert caught.value.path.startswith("/tools/0/parameters")


def test_nesting_past_the_bound_is_refused() -> None:
    """Section 9: a schema nested too deep is an error, not the end of a stack."""
    schema: dict[str, Any] = {}
    for _ in range(MAX_VALUE_DEPTH + 5):
        schema = {"not": schema}
    with pytest.raises(PurestepError) as caught:
        parameters_of({"type": "object", "not": schema})
    assert caught.value.code == "too_deep"


def test_schemas_in_our_words_keep_their_bytes() -> None:
    """Definitions of logs that are there already keep their digest."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "definitions": {"a": {"type": "array", "items": {"type": "string"}}},
        "properties": {"a": {"$ref": "#/definitions/a"}, "n": {"exclusiveMinimum": 3, "x-source": "number"}},
        "dependentRequired": {"a": ["n"]},
    }
    assert schema == parameters_of(schema)
    assert accepts(schema, {"a": ["x"], "n": 4})
    assert not accepts(schema, {"a": ["x"]})
    assert not accepts(schema, {"a": [1], "n": 4})
    assert not accepts(schema, {"n": 3})
