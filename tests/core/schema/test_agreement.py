"""The validators agree: native with portable, and portable with an independent implementation."""

from typing import Any

import jsonschema_rs
from hypothesis import assume, example, given

from purestep.schema import Schema, SchemaError, compile_schema, render
from tests.core.schema.generators import any_schemas, native_schemas, values
from tests.core.schema.native_side import native_accepts
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
    assert expected == (portable.portable_check(value) == ())


@examples(600)
@given(schema=native_schemas | any_schemas, value=values)
@example(schema={"type": "number", "minimum": 2**53 + 1}, value=2**53)
@example(schema={"type": "number", "multipleOf": 2}, value=2**53 + 1)
@example(schema={"anyOf": [{"type": "integer"}, {"type": "number"}]}, value=1.0)
def test_native_never_accepts_what_portable_refuses(schema: Any, value: Any) -> None:
    """The native validator is only a quicker way to a yes."""
    both = compiled(schema)
    if native_accepts(both, value):
        assert () == both.portable_check(value)


@examples(300)
@given(schema=native_schemas | any_schemas, value=values)
def test_check_is_portable_check(schema: Any, value: Any) -> None:
    """The native validator does not change the issues, and nothing changes the value."""
    both = compiled(schema)
    before = repr(value)
    assert repr(both.portable_check(value)) == repr(both.check(value))
    assert before == repr(value)


@examples(300)
@given(schema=any_schemas, value=values)
def test_every_issue_has_a_sentence(schema: Any, value: Any) -> None:
    """An invalid value has 1 to 20 issues, each with one line that begins with its place."""
    issues = compiled(schema).check(value)
    assert len(issues) <= 20
    for issue in issues:
        assert render(issue).startswith(f"{issue.path or '/'}: ")
        assert "\n" not in render(issue)
