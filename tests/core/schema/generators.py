"""Random schemas over the whole keyword set, and values that are likely to touch their edges."""

from typing import Any

from hypothesis import strategies as st

NAMES = ("a", "b", "c", "x-y", "")
PATTERNS = ("^a", "b$", "^[a-c]+$", "^(?:ab|c){1,2}$", "^$", r"\d", r"^(?=.*b)\w+$", "^x-")
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")

numbers = (
    st.integers(-5, 12)
    | st.sampled_from([0.1, 0.3, 0.5, 1.0, 1.5, 2.0, -0.0, 2.5, 7.0, 1e16, 1e-3])
    | st.sampled_from([2**53, 2**53 + 1, -(2**53) - 1])
)
texts = st.sampled_from(["", "a", "b", "ab", "abc", "é", "😀", "x-y", "c1", "abab"]) | st.text("abc1", max_size=4)
scalars = st.none() | st.booleans() | numbers | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=8,
)
counts = st.integers(0, 3)


def _keywords(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    some = st.lists(inner, min_size=1, max_size=3)
    names = st.lists(st.sampled_from(NAMES), unique=True, max_size=3)
    by_name = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    return {
        "type": st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
        "enum": st.lists(values, min_size=1, max_size=4, unique_by=repr),
        "const": values,
        "minimum": numbers,
        "maximum": numbers,
        "exclusiveMinimum": numbers,
        "exclusiveMaximum": numbers,
        "multipleOf": st.sampled_from([1, 2, 3, 0.1, 0.5, 1.5, 2.0, 0.01]),
        "minLength": counts,
        "maxLength": counts,
        "pattern": st.sampled_from(PATTERNS),
        "items": inner,
        "prefixItems": some,
        "contains": inner,
        "minContains": counts,
        "maxContains": counts,
        "minItems": counts,
        "maxItems": counts,
        "uniqueItems": st.booleans(),
        "properties": by_name,
        "required": names,
        "additionalProperties": st.booleans() | inner,
        "patternProperties": st.dictionaries(st.sampled_from(PATTERNS), inner, max_size=2),
        "propertyNames": inner,
        "dependentRequired": st.dictionaries(st.sampled_from(NAMES), names, max_size=2),
        "dependentSchemas": by_name,
        "minProperties": counts,
        "maxProperties": counts,
        "anyOf": some,
        "oneOf": some,
        "allOf": some,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "unevaluatedItems": st.booleans() | inner,
        "unevaluatedProperties": st.booleans() | inner,
        # Not two#node: the oracle takes a $ref to a dynamic anchor for a $dynamicRef (see test_references.py).
        "$ref": st.sampled_from(["root#/$defs/one", "root#one", "root#/$defs/node", "two", "two#/$defs/three"]),
        "$dynamicRef": st.sampled_from(["root#node", "two#node", "root#one", "two"]),
    }


ALL_KEYWORDS = tuple(_keywords(st.just(True)))
PORTABLE_KEYWORDS = (
    "$ref",
    "$dynamicRef",
    "prefixItems",
    "contains",
    "patternProperties",
    "propertyNames",
    "dependentSchemas",
    "unevaluatedItems",
    "unevaluatedProperties",
)
NATIVE_KEYWORDS = tuple(name for name in ALL_KEYWORDS if name not in (*PORTABLE_KEYWORDS, "not", "if"))

# Keywords that mean something only beside one another, and would seldom meet by chance.
FAMILIES = (
    ("if", "then", "else"),
    ("contains", "minContains", "maxContains"),
    ("prefixItems", "items", "type"),
    ("properties", "patternProperties", "additionalProperties"),
    ("properties", "required", "additionalProperties"),
    ("type", "minimum", "exclusiveMaximum"),
    ("type", "maximum", "exclusiveMinimum"),
    ("type", "minLength", "pattern"),
    ("type", "enum"),
    ("type", "anyOf"),
    ("type", "oneOf"),
    ("prefixItems", "contains", "unevaluatedItems"),
    ("anyOf", "unevaluatedItems"),
    ("allOf", "oneOf", "unevaluatedProperties"),
    ("properties", "anyOf", "unevaluatedProperties"),
    ("if", "then", "unevaluatedProperties"),
    ("if", "else", "unevaluatedItems"),
    ("dependentSchemas", "patternProperties", "unevaluatedProperties"),
    ("not", "unevaluatedProperties"),
    ("$ref", "unevaluatedProperties"),
    ("$ref", "unevaluatedItems"),
    ("$dynamicRef", "unevaluatedProperties"),
    ("items", "$dynamicRef"),
)


def _schemas(allowed: tuple[str, ...], leaves: int) -> st.SearchStrategy[Any]:
    families = [family for family in FAMILIES if set(family) <= set(allowed)]
    names = st.lists(st.sampled_from(allowed), max_size=4, unique=True) | st.sampled_from(families)

    def extend(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        keywords = _keywords(inner)
        return names.flatmap(lambda chosen: st.fixed_dictionaries({name: keywords[name] for name in chosen}))

    leaf = st.booleans() | st.sampled_from([{"type": name} for name in TYPES]) | extend(st.just(True))
    return st.recursive(leaf, extend, max_leaves=leaves)


def _named(schema: Any, **names: str) -> dict[str, Any]:
    """The schema as an object, with names beside its keywords."""
    keywords = schema if isinstance(schema, dict) else {} if schema else {"not": {}}
    return names | keywords


def _with_definitions(parts: tuple[Any, Any, Any, Any, bool]) -> Any:
    """Two resources, which have a dynamic anchor of the same name, and definitions in both; or just the root."""
    root, one, two, three, is_outer = parts
    if not isinstance(root, dict):
        return root
    inner = _named(two, **{"$id": "two"}) | {"$defs": {"three": _named(three, **{"$dynamicAnchor": "node"})}}
    outer = {"one": _named(one, **{"$anchor": "one"}), "two": inner}
    outer |= {"node": {"$dynamicAnchor": "node", "$ref": "#one"}} if is_outer else {"node": {"$anchor": "node"}}
    return _named(root, **{"$id": "https://example.org/root"}) | {"$defs": outer}


any_schemas = st.tuples(
    _schemas(ALL_KEYWORDS, 6),
    _schemas(ALL_KEYWORDS, 3),
    _schemas(ALL_KEYWORDS, 3),
    _schemas(ALL_KEYWORDS, 2),
    st.booleans(),
).map(_with_definitions)
native_schemas = _schemas(NATIVE_KEYWORDS, 6)
