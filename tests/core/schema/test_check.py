import inspect
import subprocess
import sys
from typing import Any

import pytest

from purestep.bounds import MAX_CHECKED_DEPTH, MAX_ISSUES
from purestep.schema import ISSUE_CODES, Schema, compile_schema, render
from tests.core.schema.native_side import native_accepts
from tools.growth import LINEAR, costs_at_most

CITY = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
        "units": {"enum": ["celsius", "fahrenheit"]},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["city", "days"],
    "additionalProperties": False,
}


def sentences(schema: Any, value: Any) -> list[str]:
    """The issues of the value, as sentences."""
    issues = compile_schema(schema).check(value)
    assert {issue.code for issue in issues} <= set(ISSUE_CODES)
    return [render(issue) for issue in issues]


def test_valid_value_has_no_issues() -> None:
    """Nothing is said of a value that fits."""
    assert () == compile_schema(CITY).check({"city": "Rome", "days": 3})


def test_issues_come_in_the_order_of_the_schema() -> None:
    """Missing names come first, then named properties as the schema lists them, then unknown names as they came."""
    value = {"zzz": 1, "citty": 2, "note": 4, "units": "Celcius", "days": 1.5}
    expected = [
        '/: missing required property "city"',
        "/days: expected an integer, got number 1.5",
        '/units: expected "celsius" or "fahrenheit", got "Celcius"; did you mean "celsius"?',
        "/note: expected a string or null, got 4",
        "/zzz: unknown property",
        '/citty: unknown property; did you mean "city"?',
    ]
    assert expected == sentences(CITY, value)


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "string"}, 3, "/: expected a string, got number 3"),
        ({"type": "number"}, True, "/: expected a number, got true"),
        ({"type": ["string", "null"]}, {}, "/: expected a string or null, got object {}"),
        ({"type": "string"}, ["x" * 100], '/: expected a string, got array ["' + "x" * 57 + "…"),
        ({"type": "string"}, 10**400, "/: expected a string, got number of 1329 bits"),
        ({"properties": {"a": {"required": ["b"]}}}, {"a": {}}, '/a: missing required property "b"'),
        ({"properties": {"a": {"additionalProperties": False}}}, {"a": {"b": 1}}, "/a/b: unknown property"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, '/: missing required property "b" (needed beside "a")'),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "/ab: this name is not allowed"),
        ({"enum": [1, "a", None]}, True, '/: expected 1, "a" or null, got true'),
        ({"enum": []}, 1, "/: expected nothing at all, got 1"),
        ({"const": {"a": [1]}}, 2, '/: expected {"a": [1]}, got 2'),
        ({"minimum": 1.5}, 1, "/: expected at least 1.5, got 1"),
        ({"maximum": 1}, 2, "/: expected at most 1, got 2"),
        ({"exclusiveMinimum": 1}, 1.0, "/: expected more than 1, got 1.0"),
        ({"exclusiveMaximum": 1}, 1, "/: expected less than 1, got 1"),
        ({"multipleOf": 0.1}, 0.25, "/: expected a multiple of 0.1, got 0.25"),
        ({"minLength": 2}, "😀", "/: expected at least 2 characters, got 1"),
        ({"maxLength": 1}, "ab", "/: expected at most 1 character, got 2"),
        ({"pattern": "^a{1,2}$"}, "b", '/: expected a string matching ^a{1,2}$, got "b"'),
        ({"minItems": 1}, [], "/: expected at least 1 item, got 0"),
        ({"maxItems": 1}, [1, 2], "/: expected at most 1 item, got 2"),
        ({"uniqueItems": True}, [1, 2, 1.0], "/: expected no item twice, but items 0 and 2 are equal"),
        ({"contains": {"type": "null"}}, [1], "/: expected at least 1 fitting item, got 0"),
        ({"contains": {}, "maxContains": 1}, [1, 2], "/: expected at most 1 fitting item, got 2"),
        ({"minProperties": 1}, {}, "/: expected at least 1 name, got 0"),
        ({"maxProperties": 0}, {"a": 1}, "/: expected at most 0 names, got 1"),
        ({"oneOf": [{"minimum": 1}, {"minimum": 0}]}, 2, "/: expected to fit one form alone, but 2 fits several"),
        ({"not": {"type": "null"}}, None, "/: expected anything but this form, got null"),
        (False, 1, "/: expected no value here, got 1"),
        ({"items": {"type": "null"}}, [None, "\ud800"], '/1: expected null, got string "\\ud800"'),
        ({"properties": {"a/b~": {"type": "null"}}}, {"a/b~": 1}, "/a~1b~0: expected null, got number 1"),
    ],
)
def test_sentence_names_place_expectation_and_value(schema: Any, value: Any, expected: str) -> None:
    """Each issue reads as one sentence: where, what was expected, what came."""
    assert [expected] == sentences(schema, value)


@pytest.mark.parametrize(("value", "expected"), [(1, True), (-1, False), (-12, True), ("x", True)])
def test_condition_chooses_its_branch(value: object, expected: bool) -> None:
    """What fits `if` must fit `then`, and anything else must fit `else`."""
    schema = {"if": {"minimum": 0}, "then": {"maximum": 9}, "else": {"maximum": -10}}
    assert expected is (compile_schema(schema).check(value) == ())


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ({"prefixItems": [TEXT], "items": {"type": "null"}}, ["a", None, None], ["a", "b"]),
        ({"prefixItems": [TEXT, TEXT], "items": False}, ["a"], ["a", "b", "c"]),
        ({"contains": TEXT, "minContains": 0}, [], None),
        ({"contains": TEXT, "maxContains": 1}, ["a", 1], ["a", "b"]),
        ({"patternProperties": {"^x-": TEXT}, "additionalProperties": False}, {"x-a": "b"}, {"a": "b"}),
        ({"patternProperties": {"a": TEXT, "b": {"minLength": 2}}}, {"ab": "cd"}, {"ab": "c"}),
        ({"properties": {"a": True}, "additionalProperties": TEXT}, {"a": 1, "b": "c"}, {"b": 1}),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"b": 1}, {"a": 1}),
        ({"propertyNames": {"enum": ["a"]}}, {"a": 1}, {"b": 1}),
        ({"minContains": 5, "then": False, "else": False}, [1], None),
        ({"properties": {"a": False}}, {}, {"a": 1}),
    ],
)
def test_keywords_that_work_together(schema: Any, valid: Any, invalid: Any) -> None:
    """Keywords that refer to one another divide the parts of a value between them; alone some mean nothing."""
    assert () == compile_schema(schema).check(valid)
    if invalid is not None:
        assert () != compile_schema(schema).check(invalid)


CIRCLE = {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["r"]}
SQUARE = {"type": "object", "properties": {"kind": {"const": "square"}, "a": {"type": "number"}}, "required": ["a"]}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (
            {"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]},
            "a",
            ["/: expected at least 2 characters, got 1"],
        ),
        (
            {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "string"}]},
            [1, "b"],
            ['/1: expected an integer, got string "b"'],
        ),
        ({"anyOf": [{"const": "a"}, {"type": "object"}]}, 1, ['/: expected "a" or an object, got 1']),
        ({"oneOf": [{"type": "string"}, {"type": "number"}]}, None, ["/: expected a string or a number, got null"]),
        ({"anyOf": [CIRCLE, SQUARE]}, {"kind": "square", "r": 1}, ['/: missing required property "a"']),
        ({"anyOf": [CIRCLE, SQUARE]}, {"r": "1"}, ['/r: expected a number, got string "1"']),
        (
            {"anyOf": [CIRCLE, SQUARE]},
            {"kind": "line"},
            ['/: expected an object with "r" or an object with "a", got {"kind": "line"}'],
        ),
        (
            {"anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "string"}]},
            1,
            ["/: expected a string or null, got 1"],
        ),
        (
            {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}]},
            "c",
            ['/: expected a string matching ^a or a string matching ^b, got "c"'],
        ),
    ],
)
def test_union_explains_the_branch_that_was_meant(schema: Any, value: Any, expected: list[str]) -> None:
    """Where one branch has the value's type or tags its issues are reported; else one issue says what is expected."""
    assert expected == sentences(schema, value)


@pytest.mark.parametrize(("value", "expected"), [(3.0, True), (-0.0, True), (1e300, True), (3.5, False)])
def test_float_of_integral_value_is_an_integer(value: float, expected: bool) -> None:
    """So the specification has it, in which 3.0 and 3 are one number."""
    assert expected is (() == compile_schema({"type": "integer"}).check(value))


@pytest.mark.parametrize(
    ("factor", "value", "expected"),
    [
        (0.1, 0.3, True),
        (0.01, 19.99, True),
        (0.1, 1e300, True),
        (1e-300, 1e300, True),
        (3, 10**400, False),
        (5, 10**400, True),
        (0.5, 10**400, True),
        (1e300, 1e299, False),
        (2, float("inf"), False),
        (0.1, 0.30000000000000004, False),
    ],
)
def test_multiple_is_decimal(factor: float, value: float, expected: bool) -> None:
    """A multiple is one of the decimals as written; nothing is rounded and nothing overflows."""
    assert expected is (compile_schema({"multipleOf": factor}).check(value) == ())


@pytest.mark.parametrize(
    ("literal", "value", "expected"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1], [True], False),
        ({"a": [1, {}]}, {"a": [1.0, {}]}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([[]], [{}], False),
        ("1", 1, False),
        (None, False, False),
        (2**53 + 1, float(2**53), False),
        (["boolean", True], True, False),
    ],
)
def test_equality_is_that_of_json_schema(literal: Any, value: Any, expected: bool) -> None:
    """Numbers are equal by value, objects without regard to order, and a boolean is never a number."""
    for schema in ({"const": literal}, {"enum": ["other", literal]}):
        assert expected is (compile_schema(schema).check(value) == ())
    twice = compile_schema({"uniqueItems": True}).check([literal, value])
    assert expected is (twice != ())


@pytest.mark.parametrize(
    ("schema", "low", "high"),
    [
        ({"type": "integer", "minimum": 0.5}, 0, 1),
        ({"type": "integer", "exclusiveMinimum": 0.5}, 0, 1),
        ({"type": "integer", "exclusiveMinimum": 1}, 1, 2),
        ({"type": "number", "minimum": 2**53 - 1}, 2**53 - 2, 2**53 - 1),
        ({"type": "number", "minimum": 2**53 + 1}, 2**53, 2**53 + 1),
        ({"type": "integer", "minimum": 10**40 + 1}, 10**40, 10**40 + 1),
        ({"type": "number", "exclusiveMinimum": -0.5}, -0.5, -0.25),
    ],
)
def test_bounds_are_exact_on_both_sides(schema: dict[str, Any], low: float, high: float) -> None:
    """A bound parts the numbers at the same place natively and portably, however large it is; so does its mirror."""
    for sign, compiled in ((1, compile_schema(schema)), (-1, compile_schema(mirrored(schema)))):
        for value, expected in ((low, False), (high, True)):
            assert expected is (compiled.portable_check(sign * value) == ())
            assert native_accepts(compiled, sign * value) in (expected, None)


def mirrored(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema that takes the negatives of what this one takes."""
    names = {"minimum": "maximum", "exclusiveMinimum": "exclusiveMaximum"}
    return {names.get(name, name): -value if name in names else value for name, value in schema.items()}


def nested(levels: int, inner: Any = 1) -> Any:
    """The value inside of so many arrays."""
    for _ in range(levels):
        inner = [inner]
    return inner


ANY_JSON = {
    "anyOf": [
        {"type": ["null", "boolean", "number", "string"]},
        {"type": "array", "items": {"$ref": "#"}},
        {"type": "object", "additionalProperties": {"$ref": "#"}},
    ]
}


def test_depth_is_bounded() -> None:
    """A value of 64 levels is checked to its end; one level more is an issue of its own."""
    for schema in (ANY_JSON, {"items": {"$ref": "#"}}, {"uniqueItems": True, "items": {"$ref": "#"}}):
        compiled = compile_schema(schema)
        assert () == compiled.check(nested(MAX_CHECKED_DEPTH))
        assert ["too_deep"] == [issue.code for issue in compiled.check(nested(MAX_CHECKED_DEPTH + 1))]
    assert ["type"] == [issue.code for issue in compile_schema({"type": "string"}).check(nested(5_000))]


CHAIN = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}], "minItems": 0} for n in range(150)} | {"d150": {}}


@pytest.mark.parametrize(
    "schema",
    [
        ANY_JSON,
        {"allOf": [{"allOf": [{"anyOf": [{"items": {"$ref": "#"}}]}]}], "minItems": 1},
        {"oneOf": [{"anyOf": [{"type": "array", "items": {"$ref": "#"}, "not": {"const": 1}}]}, {"const": 2}]},
        {"unevaluatedItems": {"$ref": "#"}, "unevaluatedProperties": False},
        {"allOf": [{"allOf": [{"anyOf": [{"items": {"$ref": "#"}}]}]}], "unevaluatedItems": False},
        {"$dynamicAnchor": "x", "anyOf": [{"anyOf": [{"contains": {"$dynamicRef": "#x"}}]}], "unevaluatedItems": False},
        {"$ref": "#/$defs/d0", "unevaluatedItems": False, "$defs": CHAIN},
    ],
)
def test_stack_is_bounded(schema: Any) -> None:
    """Even the deepest check stays within half of the default recursion limit and some."""
    compiled = compile_schema(schema)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 700)
    try:
        for levels in (30, MAX_CHECKED_DEPTH, MAX_CHECKED_DEPTH + 10):
            assert isinstance(compiled.check(nested(levels, "x")), tuple)
            assert isinstance(compiled.check(nested(levels, {"a": float("nan")})), tuple)
    finally:
        sys.setrecursionlimit(limit)


def test_work_is_bounded_where_branches_repeat() -> None:
    """A recursive union of look-alikes, or a conjunction that doubles at each step, costs no exponential time."""
    branches = [
        {"type": "object", "properties": {"l": {"$ref": "#"}, "r": {"$ref": "#"}, "op": {"const": name}}}
        for name in ("add", "sub", "mul", "div")
    ]
    expression = compile_schema({"anyOf": [*branches, {"type": "number"}]})
    value: Any = 1
    for _ in range(40):
        value = {"l": value, "r": 1, "op": "div"}
    assert () == expression.check(value)
    doubling: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(60)}
    for schema in (
        {"$ref": "#/$defs/d0", "$defs": doubling | {"d60": {"type": "null"}}},
        {"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}], "not": {"type": "string"}},
    ):
        assert len(compile_schema(schema).check(nested(60, "x"))) >= 1


def test_issues_are_bounded() -> None:
    """A value that is wrong everywhere gives twenty issues."""
    issues = compile_schema({"items": {"type": "string"}}).check(list(range(1_000)))
    assert MAX_ISSUES == len(issues)


@pytest.mark.parametrize(
    "schema",
    [
        {"additionalProperties": False},
        {"unevaluatedProperties": False},
        {"required": [f"r{n}" for n in range(30)], "unevaluatedProperties": False},
        {"anyOf": [{"required": [f"r{n}" for n in range(4_000)]}, {"properties": {"a": False}, "required": ["b"]}]},
        {"propertyNames": False},
    ],
)
def test_work_on_a_large_wrong_object_is_in_proportion(schema: Any) -> None:
    """Four times as many wrong names cost about four times as much to look at."""
    check = compile_schema(schema).check
    small, large = ({f"n{number}": number for number in range(size)} for size in (25_000, 100_000))
    assert 1 <= len(check(large)) <= MAX_ISSUES
    assert costs_at_most(LINEAR, lambda: check(large), lambda: check(small))


def test_value_that_json_cannot_say_is_refused_by_type() -> None:
    """Values that no JSON text decodes to have no type."""
    for value in ((1,), b"x", {1}, float("nan"), float("inf")):
        compiled: Schema = compile_schema({"type": ["array", "string", "object", "number"]})
        assert ["type"] == [issue.code for issue in compiled.check(value)]


def test_core_works_without_the_native_library() -> None:
    """Where pydantic-core cannot be imported, the portable validator gives the same answers."""
    program = (
        "import sys; sys.modules['pydantic_core'] = None\n"
        "from purestep.schema import compile_schema\n"
        "schema = compile_schema({'type': 'integer'})\n"
        "print(schema.native, schema.check(3.0), schema.check('x')[0].code)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "None () type" == done.stdout.strip()


EXTENDED = {
    "allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]}],
    "anyOf": [{"properties": {"colour": {"type": "string"}}}, {"properties": {"b": {"type": "null"}}}],
    "unevaluatedProperties": False,
}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (EXTENDED, {"a": 1, "color": "red"}, ['/color: unknown property; did you mean "colour"?']),
        (EXTENDED, {"a": "x", "zz": 1}, ['/a: expected an integer, got string "x"', "/zz: unknown property"]),
        (EXTENDED, {"a": 1, "b": 1}, ["/b: unknown property"]),
        (EXTENDED, {"a": "x", "b": 1}, ['/a: expected an integer, got string "x"']),
        (
            {"allOf": [EXTENDED], "properties": {"d": True}, "unevaluatedProperties": {"type": "null"}},
            {"a": 1, "d": 2},
            ["/d: unknown property"],
        ),
        ({"prefixItems": [True], "unevaluatedItems": False}, [1, 2], ["/1: expected no value here, got 2"]),
        (
            {"prefixItems": [{"type": "null"}], "unevaluatedItems": {"type": "null"}},
            [1, None, 2],
            ["/0: expected null, got number 1", "/2: expected null, got number 2"],
        ),
        (
            {"contains": {"const": 1}, "minItems": 3, "unevaluatedItems": False},
            [1, 2],
            ["/: expected at least 3 items, got 2"],
        ),
        ({"unevaluatedItems": {"type": "integer"}}, [1.0, "x"], ['/1: expected an integer, got string "x"']),
    ],
)
def test_unevaluated_parts_are_named(schema: Any, value: Any, expected: list[str]) -> None:
    """What nothing has looked at is an issue; beside other issues only what nothing could look at."""
    assert expected == sentences(schema, value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"c": "1"}, ['/c: expected an integer, got string "1"']),
        ({"a": "x"}, ['/: missing required property "b"']),
        ({"c": "1", "a": 1, "b": 1}, ["/a: expected a string, got number 1"]),
        ({}, ['/: missing required property "c"']),
        ({"a": 1, "c": "x"}, ['/c: expected an integer, got string "x"']),
    ],
)
def test_union_of_objects_explains_the_nearest_branch(value: Any, expected: list[str]) -> None:
    """Without tags the branch is explained that knows most of the names, and of several the one with fewest faults."""
    first = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "b"]}
    second = {"type": "object", "properties": {"c": {"type": "integer"}}, "required": ["c"]}
    assert expected == sentences({"anyOf": [first, second]}, value)
