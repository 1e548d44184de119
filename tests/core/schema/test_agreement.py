"""The validators agree: native with portable, and portable with an independent implementation."""

from typing import Any

import jsonschema_rs
from hypothesis import assume, example, given

from purestep.schema import Schema, SchemaError, compile_schema, render
from tests.core.schema.generators import any_schemas, native_schemas, values
from tests.examples import examples


def compiled(schema: Any) -> Schema:
    """The schema, unless it refers to itself for the same value, which only we refuse."""
    try:
        return compile_schema(schema)
    except SchemaError as error:
        assume(error.code != "unresolvable_ref")
        raise


@examples(600)
@given(schema=any_schemas, value=values)
def test_portable_verdict_is_that_of_an_independent_validator(schema: Any, value: Any) -> None:
    """What we call valid is what another implementation of JSON Schema 2020-12 calls valid."""
    portable = compiled(schema)
    expected = jsonschema_rs.Draft202012Validator(schema).is_valid(value)
    assert expected == (portable.portable_check(value)[1] == ())


@examples(600)
@given(schema=native_schemas | any_schemas, value=values)
@example(schema={"type": "number", "minimum": 2**53 + 1}, value=2**53)
@example(schema={"type": "number", "multipleOf": 2}, value=2**53 + 1)
@example(schema={"anyOf": [{"type": "integer"}, {"type": "number"}]}, value=1.0)
def test_native_never_accepts_what_portable_refuses(schema: Any, value: Any) -> None:
    """The native validator is only a quicker way to a yes, which gives the same value back."""
    both = compiled(schema)
    if both.native_accepts(value):
        returned, issues = both.portable_check(value)
        assert () == issues
        assert repr(value) == repr(returned)


@examples(300)
@given(schema=native_schemas | any_schemas, value=values)
def test_check_is_portable_check(schema: Any, value: Any) -> None:
    """The native validator changes neither the issues nor the value that comes back, and nothing changes the input."""
    both = compiled(schema)
    before = repr(value)
    assert repr(both.portable_check(value)) == repr(both.check(value))
    assert before == repr(value)


@examples(300)
@given(schema=any_schemas, value=values)
def test_what_comes_back_is_valid_and_settled(schema: Any, value: Any) -> None:
    """Integers made of floats leave the value valid, and checking it again changes nothing."""
    both = compiled(schema)
    returned, issues = both.check(value)
    if not issues:
        assert (repr(returned), ()) == (repr(both.check(returned)[0]), both.check(returned)[1])
        assert value == returned


@examples(300)
@given(schema=any_schemas, value=values)
def test_every_issue_has_a_sentence(schema: Any, value: Any) -> None:
    """An invalid value has 1 to 20 issues, each with one line that begins with its place."""
    issues = compiled(schema).check(value)[1]
    assert len(issues) <= 20
    for issue in issues:
        assert render(issue).startswith(f"{issue.path or '/'}: ")
        assert "\n" not in render(issue)
