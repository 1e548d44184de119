from typing import Any

import pytest

from purestep.bounds import MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES
from purestep.errors import CATALOGUE
from purestep.schema import SchemaError, compile_schema
from tests.core.schema.native_side import native_accepts


def refusal(schema: Any, path: str = "") -> tuple[str, str]:
    """The code and path with which a schema is refused."""
    with pytest.raises(SchemaError) as caught:
        compile_schema(schema, path)
    assert caught.value.code in CATALOGUE
    return caught.value.code, caught.value.path


@pytest.mark.parametrize(
    "keyword",
    [
        "$recursiveRef",
        "$anchors",
        "dependencies",
        "additionalItems",
        "nullable",
        "minLenght",
        "x",
        "X-order",
        "Type",
        "",
    ],
)
def test_unknown_keyword_is_refused_by_path(keyword: str) -> None:
    """A keyword that is not supported is an error at its place, never ignored."""
    schema = {"properties": {"a/b": {"anyOf": [{"type": "string", keyword: True}]}}}
    expected = ("unsupported_keyword", f"/tools/0/parameters/properties/a~1b/anyOf/0/{keyword}")
    assert expected == refusal(schema, "/tools/0/parameters")


@pytest.mark.parametrize(
    ("keyword", "words"),
    [
        ("propertes", 'did you mean "properties"?'),
        ("minlength", 'did you mean "minLength"?'),
        ("sensitive", 'leave it out, or begin its name with "x-" if it judges no value'),
    ],
)
def test_unknown_keyword_is_told_what_to_do(keyword: str, words: str) -> None:
    """A misspelt keyword is told its right name, any other how to keep it."""
    with pytest.raises(SchemaError) as caught:
        compile_schema({keyword: {}})
    assert f'the keyword "{keyword}" is not supported; {words}' == caught.value.message


@pytest.mark.parametrize("keyword", ["x-order", "x-", "discriminator", "example", "xml", "externalDocs", "_meta"])
@pytest.mark.parametrize("value", [None, 1, "a", {"minimum": 3}, [{"type": "nothing"}]])
def test_annotation_of_others_is_no_error_and_judges_nothing(keyword: str, value: Any) -> None:
    """OpenAPI, pydantic and editors describe values by keywords of their own."""
    schema = compile_schema({"properties": {"a": {"type": "string", keyword: value}}, keyword: value})
    assert schema.check({"a": "b"}) == ()
    assert [issue.code for issue in schema.check({"a": 1})] == ["type"]


def test_unknown_keyword_in_unused_definition_is_refused() -> None:
    """Definitions that nothing refers to are checked as well."""
    assert ("unsupported_keyword", "/$defs/a/nope") == refusal({"$defs": {"a": {"nope": 1}}})


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        (None, ""),
        ([], ""),
        ({"type": "int"}, "/type"),
        ({"type": []}, "/type"),
        ({"type": ["string", "string"]}, "/type"),
        ({"type": ["string", 1]}, "/type"),
        ({"properties": []}, "/properties"),
        ({"properties": {"a": 1}}, "/properties/a"),
        ({"required": "a"}, "/required"),
        ({"required": ["a", "a"]}, "/required"),
        ({"items": [{}]}, "/items"),
        ({"anyOf": []}, "/anyOf"),
        ({"prefixItems": {}}, "/prefixItems"),
        ({"enum": "a"}, "/enum"),
        ({"minimum": "1"}, "/minimum"),
        ({"minimum": True}, "/minimum"),
        ({"minimum": float("nan")}, "/minimum"),
        ({"maximum": float("inf")}, "/maximum"),
        ({"minLength": -1}, "/minLength"),
        ({"minLength": 1.5}, "/minLength"),
        ({"multipleOf": 0}, "/multipleOf"),
        ({"pattern": 1}, "/pattern"),
        ({"uniqueItems": 1}, "/uniqueItems"),
        ({"title": 1}, "/title"),
        ({"examples": {}}, "/examples"),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, "/$schema"),
        ({"dependentRequired": {"a": "b"}}, "/dependentRequired/a"),
        ({"$ref": 1}, "/$ref"),
        ({"$ref": "#", "description": 1}, "/description"),
        ({"$dynamicRef": 1}, "/$dynamicRef"),
        ({"$id": 1}, "/$id"),
        ({"$id": "a#b"}, "/$id"),
        ({"$defs": {"a": {"$id": "x"}, "b": {"$id": "./y/../x"}}}, "/$defs/b/$id"),
        ({"$anchor": "1a"}, "/$anchor"),
        ({"$dynamicAnchor": "a:b"}, "/$dynamicAnchor"),
        ({"$anchor": "a", "items": {"$dynamicAnchor": "a"}}, "/items/$dynamicAnchor"),
        ({"$vocabulary": ["x"]}, "/$vocabulary"),
        ({"$vocabulary": {"x:y": 1}}, "/$vocabulary/x:y"),
        ({"contentSchema": 1}, "/contentSchema"),
        ({"unevaluatedItems": 1}, "/unevaluatedItems"),
        ({"unevaluatedProperties": {"type": 1}}, "/unevaluatedProperties/type"),
    ],
)
def test_malformed_keyword_is_refused_by_path(schema: Any, path: str) -> None:
    """A keyword whose value has the wrong form is an error at its place."""
    assert ("invalid_schema", path) == refusal(schema)


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"$ref": "other.json"}, "/$ref"),
        ({"$ref": "https://example.org/schema#/a"}, "/$ref"),
        ({"$ref": "#anchor"}, "/$ref"),
        ({"$ref": "#/$defs/none"}, "/$ref"),
        ({"$ref": "#/type", "type": "string"}, "/$ref"),
        ({"$ref": "#/$defs/a~2"}, "/$ref"),
        ({"$ref": "#/%ff"}, "/$ref"),
        ({"$ref": "#/allOf/01", "allOf": [True, True]}, "/$ref"),
        ({"items": {"$ref": "#/items"}}, "/items/$ref"),
        ({"$ref": "#"}, "/$ref"),
        ({"type": "object", "$ref": "#"}, ""),
        ({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, ""),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}, ""),
        ({"$dynamicRef": "#a"}, "/$dynamicRef"),
        ({"$dynamicRef": "#a", "$dynamicAnchor": "a"}, ""),
        ({"if": {"$ref": "#"}}, ""),
        ({"$id": "http://x/a", "$ref": "b"}, "/$ref"),
        ({"$ref": "#a", "enum": [{"$anchor": "a"}]}, "/$ref"),
        ({"$ref": "urn:x:y#%C3", "$defs": {"a": {"$id": "urn:x:y"}}}, "/$ref"),
    ],
)
def test_unresolvable_reference_is_refused(schema: Any, path: str) -> None:
    """A reference to another document, to nothing, or to the schema that is already being asked is an error."""
    assert ("unresolvable_ref", path) == refusal(schema)


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/a~1b", "#/$defs/a%7E1b", "#/%24defs/a~1b", "#/definitions/x%25", "#/$defs/list/prefixItems/0"],
)
def test_reference_is_decoded(reference: str) -> None:
    """A reference may be percent-encoded, escaped as a JSON pointer, and lead into arrays."""
    schema = {
        "$ref": reference,
        "$defs": {"a/b": {"type": "string"}, "list": {"prefixItems": [{"type": "string"}]}},
        "definitions": {"x%": {"type": "string"}},
    }
    assert () == compile_schema(schema).check("text")
    assert "type" == compile_schema(schema).check(1)[0].code


def test_recursive_schema_checks_values_of_any_shape() -> None:
    """A schema may refer to itself for the parts of a value."""
    tree = compile_schema(
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
            "required": ["name"],
        }
    )
    assert () == tree.check({"name": "a", "children": [{"name": "b", "children": []}]})
    issues = tree.check({"name": "a", "children": [{"name": "b"}, {"children": [{"name": 1}]}]})
    expected = [("/children/1", "required"), ("/children/1/children/0/name", "type")]
    assert expected == [(issue.path, issue.code) for issue in issues]


def nested(levels: int, inner: Any) -> Any:
    """The schema inside of so many others."""
    for _ in range(levels):
        inner = {"items": inner}
    return inner


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {f"p{number}": True for number in range(MAX_SCHEMA_NODES)}},
        nested(2 * MAX_SCHEMA_DEPTH + 1, {}),
        {"pattern": "a" * 5_000},
        {"const": nested(100, 1)},
    ],
    ids=["nodes", "depth", "pattern", "literal"],
)
def test_excess_is_refused(schema: Any) -> None:
    """A schema past one of the bounds is refused before it costs anything."""
    assert "schema_too_large" == refusal(schema)[0]


def test_long_chain_of_references_compiles() -> None:
    """References that lead to references are followed, up to a bound."""
    definitions: dict[str, Any] = {f"d{number}": {"$ref": f"#/$defs/d{number + 1}"} for number in range(100)}
    definitions["d100"] = {"type": "null"}
    schema = compile_schema({"$ref": "#/$defs/d40", "$defs": dict(list(definitions.items())[40:])})
    assert () == schema.check(None)
    assert ("schema_too_large", "/$defs/d64/$ref") == refusal({"$ref": "#/$defs/d0", "$defs": definitions})


def test_bounds_of_the_native_library_are_not_ours() -> None:
    """What the native validator cannot hold, the portable one checks."""
    for schema, value in (
        ({"maxLength": 10**30}, "a"),
        ({"maxItems": 1e300}, [1]),
        ({"required": ["\ud800"]}, {"\ud800": 1}),
        ({"enum": ["\ud800"]}, "\ud800"),
    ):
        compiled = compile_schema(schema)
        assert None is native_accepts(compiled, value)
        assert () == compiled.check(value)


def test_deep_chain_of_conjunctions_is_too_deep_for_a_value() -> None:
    """Subschemas that follow one another beyond the bound for the same value end in an issue, not in an overflow."""
    definitions: dict[str, Any] = {
        f"d{number}": {"minimum": 0, "$ref": f"#/$defs/d{number + 1}"} for number in range(999)
    }
    schema = compile_schema({"$ref": "#/$defs/d0", "$defs": definitions | {"d999": True}})
    assert None is native_accepts(schema, 1)
    assert "too_deep" == schema.check(1)[0].code
