"""Schemas that are wrong in any way: a definition with one is refused in words, and nothing else happens."""

from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from purestep import Agent, PurestepError
from purestep.schema.keywords import READERS
from tests.examples import examples

# Pointers with escapes and indices that RFC 6901 does not have, and addresses that are none.
REFERENCES: Final = (
    "#", "#/", "#/$defs/a", "#/$defs/~2", "#/$defs/~", "#/$defs/a~1b", "#/$defs/%", "#/$defs/%7e2", "#/type", "#a", "a",
    "#/anyOf/0", "#/anyOf/-1", "#/anyOf/\u0663", "#/anyOf/1e0", "#/properties/a", "//[", "http://[::1", "..", "?",
)  # fmt: skip
WORDS: Final = (
    "", "a", "~2", "a/b", "object", "array", "string", "date", "\0", "(", "[b-a]", "a{2,1}", "\\p{L}", "^(a+)+$",
)  # fmt: skip
NAMES: Final = ("a", "b", "~2", "a/b", "", "(", "type", "$ref")
BESIDE: Final = (
    "dependencies dependentRequired dependentSchemas",
    "items additionalItems prefixItems",
    "nullable type",
    "minimum exclusiveMinimum maximum exclusiveMaximum",
    "$ref $defs definitions $schema",
)
"""Keywords that are read together where they stand together: those of older drafts, and those at the root."""

DRAFTS: Final = ("http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema", "x:")

texts = st.sampled_from(WORDS)
numbers = st.sampled_from([0, 1, -1, 3.0, 1.5, 1e308, -0.0, 5e-324, 2**53, 2**63])
leaves = st.none() | st.booleans() | numbers | texts | st.sampled_from(REFERENCES)
names = st.sampled_from(NAMES)
anything = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3))


def _forms(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """What a keyword's value should be, for those that an arbitrary text or number is not enough for."""
    schema = st.booleans() | inner
    several, named = st.lists(schema, min_size=1, max_size=3), st.dictionaries(names, schema, max_size=3)
    some = st.lists(names, max_size=3, unique=True)
    one_of = {
        schema: ("additionalItems additionalProperties contains contentSchema else if items not propertyNames then "
                 "unevaluatedItems unevaluatedProperties"),
        several: "allOf anyOf items oneOf prefixItems",
        named: "$defs definitions dependencies dependentSchemas patternProperties properties",
        st.dictionaries(names, some, max_size=3): "dependencies dependentRequired",
        some: "required",
        st.sampled_from(REFERENCES): "$ref $dynamicRef",
        st.sampled_from(DRAFTS): "$schema $id",
        st.booleans(): "deprecated exclusiveMaximum exclusiveMinimum nullable readOnly uniqueItems writeOnly",
        numbers: ("exclusiveMaximum exclusiveMinimum maxContains maxItems maxLength maxProperties maximum minContains "
                  "minItems minLength minProperties minimum multipleOf"),
        st.lists(anything, max_size=3): "enum examples",
        texts: "$anchor $comment $dynamicAnchor contentEncoding contentMediaType description format id pattern title",
        st.sampled_from(["object", "array", "string", "integer", ["object", "null"]]): "type",
    }  # fmt: skip
    forms: dict[str, st.SearchStrategy[Any]] = dict.fromkeys(READERS, anything)
    for form, keywords in one_of.items():
        for keyword in keywords.split():
            known = forms.get(keyword, anything)
            forms[keyword] = form if known is anything else known | form
    return forms


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas of a few keywords, most with a value of the right form, and at most one with any other."""
    forms = _forms(inner)
    right = st.lists(st.sampled_from(sorted(forms)), max_size=4, unique=True).flatmap(
        lambda keywords: st.fixed_dictionaries({keyword: forms[keyword] for keyword in keywords})
    )
    beside = st.sampled_from(BESIDE).flatmap(
        lambda keywords: st.fixed_dictionaries(
            {}, optional={keyword: forms[keyword] | anything for keyword in keywords.split()}
        )
    )
    wrong = st.dictionaries(st.sampled_from(sorted(forms)), anything | inner, max_size=1)
    return right | st.builds(lambda some, others: {**some, **others}, right, wrong | beside)


odd_schemas = st.recursive(_schemas(st.just({})), _schemas, max_leaves=4)
places = st.sampled_from(["parameters", "output_schema", "inputSchema", "outputSchema", "function", "answer"])


def definition_with(schema: Any, place: str) -> dict[str, Any]:
    """A definition that has the schema at one of the places where one may stand."""
    if place == "answer":
        return {"answer_schema": schema}
    if place == "function":
        return {"tools": [{"type": "function", "function": {"name": "t", "parameters": schema}}]}
    return {"tools": [{"name": "t", place: schema}]}


def refusal(definition: dict[str, Any]) -> str | None:
    """What is said of a definition that is refused; None for one that is loaded."""
    try:
        Agent.load(definition)
    except PurestepError as error:
        return error.message
    return None


@examples(400)
@given(odd_schemas | anything, places)
def test_schema_of_any_shape_is_taken_or_refused_in_words(schema: Any, place: str) -> None:
    """Section 4: whatever a keyword holds, at any depth, a definition is loaded or refused with a PurestepError."""
    assert refusal(definition_with(schema, place)) != ""
