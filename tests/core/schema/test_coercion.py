from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep.schema import Coercion, coerce, compile_schema, render_coercion
from tests.core.schema.generators import any_schemas, values
from tests.core.schema.test_agreement import compiled
from tests.examples import examples

PERSON = {
    "type": "object",
    "properties": {
        "age": {"type": "integer", "minimum": 0},
        "zip": {"type": "string", "maxLength": 5},
        "member": {"type": "boolean"},
        "score": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "sizes": {"type": "array", "items": {"type": "integer"}},
    },
    "additionalProperties": False,
}


def coerced(schema: Any, value: Any) -> str:
    """The value that comes back, as Python writes it, and how many coercions were made."""
    taken, coercions = coerce(compile_schema(schema), value)
    return f"{taken!r}, {len(coercions)}"


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "integer"}, "42", "42, 1"),
        ({"type": "integer"}, "-7", "-7, 1"),
        ({"type": "integer"}, "3.0", "3, 1"),
        ({"type": "number"}, "4.5", "4.5, 1"),
        ({"type": "number"}, "1e3", "1000, 1"),
        ({"type": "boolean"}, "true", "True, 1"),
        ({"type": "boolean"}, "False", "False, 1"),
        ({"type": ["integer", "null"]}, "null", "None, 1"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "42", "42, 1"),
        ({"oneOf": [{"type": "boolean"}, {"type": "object"}]}, "true", "True, 1"),
        ({"type": "string"}, 42, "'42', 1"),
        ({"enum": ["1", "2"]}, 2, "'2', 1"),
        ({"const": 5}, "5", "5, 1"),
        (PERSON, {"age": "30", "zip": 12345, "member": "true", "score": "null"}, None),
        (PERSON, {"sizes": ["1", 2, "3"]}, "{'sizes': [1, 2, 3]}, 2"),
        ({"items": {"type": "integer"}}, ["1"] * 100, f"{[1] * 100}, 100"),
        ({"properties": {"a/b~": {"type": "null"}}}, {"a/b~": "null"}, "{'a/b~': None}, 1"),
    ],
)
def test_scalar_is_read_as_what_is_asked_for(schema: Any, value: Any, expected: str | None) -> None:
    """A text that says a number, a truth value or null is taken for it, an integer for its digits."""
    expected = expected or "{'age': 30, 'zip': '12345', 'member': True, 'score': None}, 4"
    assert expected == coerced(schema, value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "42"),
        ({"type": ["string", "integer"]}, "42"),
        ({"type": "string"}, 4.5),
        ({"type": "string"}, True),
        ({"type": "string"}, None),
        ({"type": "boolean"}, 1),
        ({"type": "boolean"}, "yes"),
        ({"type": "integer"}, ""),
        ({"type": "integer"}, " 42"),
        ({"type": "integer"}, "042"),
        ({"type": "integer"}, "+42"),
        ({"type": "integer"}, "0x2a"),
        ({"type": "integer"}, "4_2"),
        ({"type": "integer"}, "٤٢"),
        ({"type": "integer"}, "4.5"),
        ({"type": "integer"}, "1" * 641),
        ({"type": "string"}, 10**640),
        ({"type": "number"}, "1e400"),
        ({"type": "number"}, "NaN"),
        ({"type": "integer", "minimum": 50}, "42"),
        ({"type": "string", "maxLength": 1}, 42),
        ({"type": "string", "pattern": "^a"}, "42"),
        ({"type": "array"}, "[1]"),
        ({"type": "array", "items": {"type": "integer"}}, "1"),
        ({"enum": ["on", "off"]}, "true"),
        ({"oneOf": [{"minLength": 1}, {"minLength": 2}]}, "42"),
        (PERSON, {"age": "30", "unknown": 1}),
        (PERSON, {"age": "thirty", "member": "true"}),
        ({"type": "integer"}, 3.0),
        ({"items": {"type": "integer"}}, ["1"] * 161),
    ],
)
def test_what_is_valid_or_stays_wrong_comes_back_itself(schema: Any, value: Any) -> None:
    """Nothing is guessed: a valid value, an unclear text and a value with any other fault come back as they are."""
    taken, coercions = coerce(compile_schema(schema), value)
    assert taken is value
    assert () == coercions


def test_changes_name_place_and_both_values() -> None:
    """Each change says where, what came and what it was taken for, in the order of the schema."""
    value = {"score": "1.5", "age": "30"}
    _, coercions = coerce(compile_schema(PERSON), value)
    expected = (Coercion(path="/age", given="30", taken=30), Coercion(path="/score", given="1.5", taken=1.5))
    assert expected == coercions
    assert ['/age: took "30" for 30', '/score: took "1.5" for 1.5'] == [render_coercion(each) for each in coercions]
    assert {"score": "1.5", "age": "30"} == value


@examples(300)
@given(schema=any_schemas, value=values | st.dictionaries(st.sampled_from("abc"), st.sampled_from(["1", "true", 2])))
def test_coerced_value_is_valid(schema: Any, value: Any) -> None:
    """Whatever is changed is valid afterwards, and nothing that was valid is changed."""
    both, before = compiled(schema), repr(value)
    taken, coercions = coerce(both, value)
    assert before == repr(value)
    if coercions:
        assert () != both.check(value)
        assert () == both.check(taken)
    else:
        assert taken is value
