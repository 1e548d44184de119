"""JSON Patch does what RFC 6902 says, and changes no value that it was given."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep_hosts.evaluation.case_state import CaseState
from purestep_hosts.evaluation.json_patch import PatchError, PatchOperation, pointer_tokens, shown_pointer

Members = dict[str, Any]


def after(document: Any, *operations: Members) -> Any:
    """Return a document after operations as they are written."""
    made = [
        PatchOperation(**{"source" if name == "from" else name: value for name, value in each.items()})
        for each in operations
    ]
    return CaseState(document).after(made, {})[0]


@pytest.mark.parametrize(
    ("document", "operation", "expected"),
    [
        ({"foo": "bar"}, {"op": "add", "path": "/baz", "value": "qux"}, {"baz": "qux", "foo": "bar"}),
        ({"foo": ["bar", "baz"]}, {"op": "add", "path": "/foo/1", "value": "qux"}, {"foo": ["bar", "qux", "baz"]}),
        ({"foo": ["bar"]}, {"op": "add", "path": "/foo/-", "value": ["a"]}, {"foo": ["bar", ["a"]]}),
        ({"baz": "qux", "foo": "bar"}, {"op": "remove", "path": "/baz"}, {"foo": "bar"}),
        ({"foo": ["bar", "qux", "baz"]}, {"op": "remove", "path": "/foo/1"}, {"foo": ["bar", "baz"]}),
        ({"baz": "qux"}, {"op": "replace", "path": "/baz", "value": "boo"}, {"baz": "boo"}),
        ({"a": {"b": 1}, "c": {}}, {"op": "move", "from": "/a/b", "path": "/c/d"}, {"a": {}, "c": {"d": 1}}),
        ({"foo": ["all", "grass", "cows"]}, {"op": "move", "from": "/foo/0", "path": "/foo/2"},
         {"foo": ["grass", "cows", "all"]}),
        ({"a": [1]}, {"op": "copy", "from": "/a", "path": "/b"}, {"a": [1], "b": [1]}),
        ({"foo": 1}, {"op": "add", "path": "/child", "value": {"inner": {}}}, {"child": {"inner": {}}, "foo": 1}),
        ({"/": 9, "~1": 10}, {"op": "test", "path": "/~01", "value": 10.0}, {"/": 9, "~1": 10}),
        ({"a": 1}, {"op": "move", "from": "/a", "path": "/a"}, {"a": 1}),
        ({"a": 1}, {"op": "replace", "path": "", "value": {"b": 2}}, {"b": 2}),
        ({"a": 1}, {"op": "test", "path": "/a", "value": {"$any": [1, 2]}}, {"a": 1}),
    ],
)  # fmt: skip
def test_an_operation_does_what_the_rfc_says(document: Any, operation: Members, expected: Any) -> None:
    """The examples of its appendix A, and the ends of each rule; what came in is as it was."""
    before = copy.deepcopy(document)
    assert expected == after(document, operation)
    assert before == document


@pytest.mark.parametrize(
    ("document", "operation", "said"),
    [
        ({"foo": "bar"}, {"op": "add", "path": "/baz/bat", "value": "qux"}, "there is nothing at /baz"),
        ({"foo": "bar"}, {"op": "remove", "path": "/baz"}, "there is nothing at /baz"),
        ({"foo": "bar"}, {"op": "replace", "path": "/baz", "value": 1}, "there is nothing at /baz"),
        ({"foo": ["a"]}, {"op": "add", "path": "/foo/2", "value": 1}, "nothing can be added as '2'"),
        ({"foo": ["a"]}, {"op": "replace", "path": "/foo/-", "value": 1}, "there is nothing at /foo/-"),
        ({"foo": ["a", "b"]}, {"op": "remove", "path": "/foo/01"}, "there is nothing at /foo/01"),
        ({"foo": "text"}, {"op": "add", "path": "/foo/0", "value": 1}, "nothing can be added as '0'"),
        ({"a": {"b": 1}}, {"op": "move", "from": "/a", "path": "/a/b/c"}, "/a cannot be moved into itself"),
        ({"baz": "qux"}, {"op": "test", "path": "/baz", "value": "bar"}, "/baz has another value"),
        ({"a": 1}, {"op": "test", "path": "/a", "value": True}, "/a has another value"),
        ({"a": 1}, {"op": "remove", "path": ""}, "the whole state cannot be removed"),
        ({"a": 1}, {"op": "remove", "path": "a"}, "'a' is no JSON Pointer"),
        ({"~2": 1}, {"op": "remove", "path": "/~2"}, "'/~2' is no JSON Pointer"),
    ],
)
def test_an_operation_that_cannot_be_made_is_said(document: Any, operation: Members, said: str) -> None:
    """What is wrong is named by its place."""
    with pytest.raises(PatchError) as caught:
        after(document, operation)
    assert said in caught.value.message


@given(st.lists(st.text(max_size=5), max_size=6))
def test_a_pointer_is_what_its_names_were(names: list[str]) -> None:
    """Names with every character come back from their pointer."""
    assert tuple(names) == pointer_tokens(shown_pointer(names))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, VALUES, st.data())
def test_a_patch_can_be_taken_back(document: Any, value: Any, data: st.DataObject) -> None:
    """What was added somewhere and removed again leaves the document as it was, and it was never changed itself."""
    whole, before = {"root": document}, copy.deepcopy(document)
    path = ["root"]
    place = document
    while isinstance(place, dict | list) and place and data.draw(st.booleans()):
        name = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        path, place = [*path, str(name)], place[name]
    if isinstance(place, list):
        path.append("0")
    elif isinstance(place, dict):
        path.append("new name")
    pointer = shown_pointer(path)
    added = after(whole, {"op": "add", "path": pointer, "value": value})
    assert added == after(added, {"op": "test", "path": pointer, "value": value}) or "$" in str(value)
    assert before == document
    if isinstance(place, dict | list):
        assert whole == after(added, {"op": "remove", "path": pointer})
