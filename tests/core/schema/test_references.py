from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep.bounds import MAX_DYNAMIC_ANCHORS
from purestep.schema import SchemaError, compile_schema
from purestep.schema.addresses import percent_decode, resolve
from purestep.schema.metaschema import METASCHEMA, METASCHEMA_ADDRESS
from tests.core.schema.generators import any_schemas, values
from tests.examples import examples


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("g:h", "g:h"),
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"),
        (";x", "http://a/b/c/;x"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../..", "http://a/"),
        ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"),
        ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"),
        ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"),
        ("g/../h", "http://a/b/c/h"),
        ("g;x=1/../y", "http://a/b/c/y"),
    ],
)
def test_address_is_resolved_as_in_the_rfc(reference: str, expected: str) -> None:
    """RFC 3986, section 5.4: the examples for the base http://a/b/c/d;p?q."""
    assert expected == resolve("http://a/b/c/d;p?q", reference)


@pytest.mark.parametrize(
    ("base", "reference", "expected"),
    [
        ("http://a", "b", "http://a/b"),
        ("urn:x:y", "urn:x:z", "urn:x:z"),
        ("urn:x:y", "z", "urn:z"),
        ("http://a/b", "c\n?d", "http://a/c\n?d"),
    ],
)
def test_odd_base_resolves(base: str, reference: str, expected: str) -> None:
    """A base without a path, or without folders, is one too."""
    assert expected == resolve(base, reference)


@pytest.mark.parametrize(
    ("fragment", "expected"), [("a%20b", "a b"), ("%C3%A9", "é"), ("%", "%"), ("%ff", None), ("\ud800", None)]
)
def test_fragment_is_percent_decoded(fragment: str, expected: str | None) -> None:
    """Escapes are bytes of UTF-8, and a lone percent sign is itself."""
    assert expected == percent_decode(fragment)


def test_reference_names_an_anchor_or_an_address() -> None:
    """A schema can be named by its anchor, its address, both, or a pointer from its address."""
    schema: dict[str, Any] = {
        "$id": "https://example.org/shop/order",
        "$defs": {
            "sum": {"$anchor": "sum", "type": "integer"},
            "item": {"$id": "item", "$anchor": "all", "$defs": {"name": {"$anchor": "name", "type": "string"}}},
        },
    }
    for reference, value, code in (
        ("#sum", "x", "type"),
        ("order#sum", "x", "type"),
        ("/shop/item#name", 1, "type"),
        ("https://example.org/shop/item#/$defs/name", 1, "type"),
        ("#/$defs/item/$defs/name", 1, "type"),
    ):
        compiled = compile_schema(schema | {"properties": {"a": {"$ref": reference}}})
        assert [("/a", code)] == [(issue.path, issue.code) for issue in compiled.check({"a": value})]


def test_names_in_plain_data_name_nothing() -> None:
    """In enum, const, default and examples `$id` and `$anchor` are members like any other."""
    data = {"$id": "x", "$anchor": "a", "$ref": "#nowhere"}
    compiled = compile_schema({"enum": [data], "const": data, "default": data, "examples": [data]})
    assert () == compiled.check(data)


STRICT = {
    "$id": "https://example.org/strict",
    "$dynamicAnchor": "node",
    "$ref": "tree",
    "unevaluatedProperties": False,
    "$defs": {
        "tree": {
            "$id": "tree",
            "$dynamicAnchor": "node",
            "type": "object",
            "properties": {"data": True, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
        }
    },
}


def test_dynamic_reference_means_the_outermost_anchor() -> None:
    """An extended schema is meant by the references inside of the one that it extends; alone that means itself."""
    value = {"children": [{"daat": 1, "children": [{"daat": 2}]}]}
    found = [(issue.path, issue.code) for issue in compile_schema(STRICT).check(value)]
    assert [("/children/0/children/0/daat", "additional"), ("/children/0/daat", "additional")] == found
    assert () == compile_schema(STRICT["$defs"]["tree"]).check(value)


def test_static_reference_to_a_dynamic_anchor_stays_static() -> None:
    """Only `$dynamicRef` looks for an outermost anchor; `$ref` means the one it names (2020-12, core, 8.2.3.1)."""
    node = {"$dynamicAnchor": "node"}
    inner = {"$id": "inner", "$defs": {"node": node | {"type": "null"}}}
    outer = {"$id": "https://example.org/outer", "$defs": {"inner": inner, "node": node}}
    assert () != compile_schema(outer | {"items": {"$ref": "inner#node"}}).check([1])
    assert () == compile_schema(outer | {"items": {"$dynamicRef": "inner#node"}}).check([1])


def test_documents_are_found_by_address_alone() -> None:
    """A reference leads into the documents given, by their own references too, and nowhere else."""
    documents = {
        "https://example.org/a": {"$ref": "b#/$defs/n"},
        "https://example.org/b": {
            "$id": "https://example.org/moved/c",
            "$defs": {"n": {"$ref": "#n", "x": 1}, "m": {"$anchor": "n"}},
        },
    }
    schema = {"$ref": "https://example.org/a"}
    assert () == compile_schema(schema, unknown="ignore", documents=documents).check(1)
    with pytest.raises(SchemaError) as caught:
        compile_schema(schema, "/parameters", documents=documents)
    assert ("unsupported_keyword", "https://example.org/b#/$defs/n/x") == (caught.value.code, caught.value.path)
    with pytest.raises(SchemaError) as caught:
        compile_schema(schema, "/parameters")
    assert ("unresolvable_ref", "/parameters/$ref") == (caught.value.code, caught.value.path)


def test_dynamic_anchors_are_bounded() -> None:
    """Past a bound dynamic anchors are refused, since each may double what there is to compile."""
    anchors = {f"a{n}": {"$dynamicAnchor": f"a{n}"} for n in range(MAX_DYNAMIC_ANCHORS + 1)}
    with pytest.raises(SchemaError) as caught:
        compile_schema({"$defs": anchors})
    assert ("schema_too_large", f"/$defs/a{MAX_DYNAMIC_ANCHORS}/$dynamicAnchor") == (
        caught.value.code,
        caught.value.path,
    )


def test_scopes_that_multiply_are_bounded() -> None:
    """Resources that lead to one another in every order end in an error, not in a compiler without end."""
    resources = {
        f"r{n}": {
            "$id": f"r{n}",
            "$dynamicAnchor": "x",
            "$defs": {"own": {"$dynamicAnchor": f"x{n}"}},
            "items": {"anyOf": [{"$ref": f"r{m}"} for m in range(12)]},
        }
        for n in range(12)
    }
    with pytest.raises(SchemaError) as caught:
        compile_schema({"$ref": "r0", "$defs": resources})
    assert "schema_too_large" == caught.value.code


ORACLE = jsonschema_rs.Draft202012Validator({"$ref": METASCHEMA_ADDRESS})
METASCHEMA_CHECK = compile_schema({"$ref": METASCHEMA_ADDRESS})


@examples(400)
@given(value=any_schemas | values)
def test_metaschema_agrees_with_the_published_one(value: Any) -> None:
    """Our writing of the metaschema takes the schemas that the published one takes."""
    assert ORACLE.is_valid(value) == (METASCHEMA_CHECK.check(value) == ())


FORMS = [True, None, 0, -1, 1.5, "", "a", "#", "a#b", "string", "1a", [], ["a"], ["a", "a"], ["string"], [True], [1]]


@pytest.mark.parametrize("keyword", METASCHEMA["properties"])
@given(value=st.sampled_from([*FORMS, *({"a": form} for form in FORMS), {"$id": 1}, {"(": {}}, {"a": {"type": 1}}]))
def test_metaschema_has_the_form_of_every_keyword(keyword: str, value: Any) -> None:
    """Each keyword's value has the form that the published metaschema asks for."""
    assert ORACLE.is_valid({keyword: value}) == (METASCHEMA_CHECK.check({keyword: value}) == ())


@examples(300)
@given(schema=any_schemas)
def test_what_compiles_fits_the_metaschema(schema: Any) -> None:
    """No schema that compiles has a keyword of the wrong form."""
    try:
        compile_schema(schema)
    except SchemaError:
        return
    assert () == METASCHEMA_CHECK.check(schema)
