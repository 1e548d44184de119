from typing import Any

import pytest
from hypothesis import given

from purestep.schema import compile_schema, subschema_at, with_pointers
from tests.core.schema.generators import any_schemas, values
from tests.core.schema.test_agreement import compiled
from tests.examples import examples


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"$ref": "#a", "$defs": {"x y": {"$anchor": "a", "type": "null"}}},
            {"$ref": "#/$defs/x%20y", "$defs": {"x y": {"type": "null"}}},
        ),
        (
            {"items": {"$ref": "b"}, "$defs": {"é": {"$id": "b", "items": {"$ref": "#"}}}},
            {"items": {"$ref": "#/$defs/%C3%A9"}, "$defs": {"é": {"items": {"$ref": "#/$defs/%C3%A9"}}}},
        ),
        (
            {"$dynamicAnchor": "n", "items": {"$dynamicRef": "#n", "title": "t"}},
            {"items": {"$ref": "#", "title": "t"}},
        ),
        (
            {"items": {"allOf": [True], "$ref": "#/$defs/a", "$dynamicRef": "#/$defs/b"}, "$defs": {"a": {}, "b": {}}},
            {"items": {"allOf": [True, {"$ref": "#/$defs/b"}], "$ref": "#/$defs/a"}, "$defs": {"a": {}, "b": {}}},
        ),
        ({"items": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}, {"items": {}}),
        ({"properties": {"$id": {"const": {"$id": "x"}}}}, {"properties": {"$id": {"const": {"$id": "x"}}}}),
        (True, True),
    ],
)
def test_references_become_pointers(schema: Any, expected: Any) -> None:
    """Every reference is a pointer from the root, and what only names a place is gone."""
    compile_schema(schema)
    assert expected == with_pointers(schema)


def test_schema_of_pointers_stays_as_it_is() -> None:
    """A schema that knows only pointers comes back with the same bytes."""
    schema = {
        "properties": {"a": {"description": "d", "$ref": "#/$defs/b%7E0"}},
        "x": 1,
        "$defs": {"b~": {"$ref": "#"}},
    }
    assert repr(schema) == repr(with_pointers(schema))


@examples(300)
@given(schema=any_schemas, value=values)
def test_pointers_take_what_the_schema_takes(schema: Any, value: Any) -> None:
    """Where no reference is dynamic, the schema of pointers has the same verdicts."""
    before = compiled(schema)
    if "$dynamicRef" not in repr(schema):
        assert before.check(value) == compile_schema(with_pointers(schema)).check(value)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("#", {"allOf": [{"title": "a"}], "$defs": {"x y": 1, "s/t~é": 2}}),
        ("#/allOf/0", {"title": "a"}),
        ("#/$defs/x%20y", 1),
        ("#/$defs/s~1t~0%C3%A9", 2),
        ("#/allOf/1", None),
        ("#/allOf/00", None),
        ("#/$defs/%FF", None),
        ("#name", None),
        ("other#/$defs/x%20y", None),
    ],
)
def test_a_pointer_leads_to_what_it_names(reference: str, expected: Any) -> None:
    """Escapes of pointers and of addresses are read, lists by place; what leads nowhere is None."""
    root = {"allOf": [{"title": "a"}], "$defs": {"x y": 1, "s/t~é": 2}}
    assert expected == subschema_at(root, reference)
