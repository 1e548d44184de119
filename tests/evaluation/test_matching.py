"""Values are compared with expected ones."""

from typing import Any

import pytest
from msgspec import UNSET

from purestep_hosts.evaluation.matching import first_difference, same_arguments, same_value, stands_in


@pytest.mark.parametrize(
    ("wanted", "value", "same"),
    [
        (2, 2.0, True),
        (1, True, False),
        ("a", "A", False),
        ({"$text": "Water the plants"}, ' "water  the plants." ', True),
        ({"$letters": "April 1, 2024"}, "april 1 2024", True),
        ({"$letters": "April 1, 2024"}, "april 2 2024", False),
        ({"$any": [1, "x"]}, "x", True),
        ({"$contains": "late"}, "I am late", True),
        ({"$contains": ["late", "12"]}, "late by 112", False),
        ({"$pattern": "^[A-Z]{3}$"}, "EUR", True),
        ({"$pattern": "^[A-Z]{3}$"}, 3, False),
        ({"$schema": {"type": "integer", "minimum": 3}}, 2, False),
        ({"$result": 1}, 412, True),
        ({"$result": 1}, "412", True),
        ({"$result": 2}, 412, False),
        ({"a": [1, {"$any": [2]}]}, {"a": [1, 2]}, True),
        ({"a": {"$optional": [1]}}, {}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"$other": 1}, {"$other": 1}, True),
        (None, None, True),
        ([1], [1, 1], False),
    ],
)
def test_a_value_is_the_expected_one(wanted: Any, value: Any, same: bool) -> None:
    """Each way to say what is expected, with a value that is it or is not."""
    assert same == same_value(wanted, value, [412])


def test_defaults_may_be_given_or_left_out() -> None:
    """An argument that is its parameter's default makes no difference."""
    assert same_arguments({"a": 1}, {"a": 1, "unit": "m"}, {"unit": "m"}, ())
    assert same_arguments({"a": 1, "unit": "m"}, {"a": 1}, {"unit": "m"}, ())
    assert not same_arguments({"a": 1}, {"a": 1, "unit": "km"}, {"unit": "m"}, ())
    assert not same_arguments({"a": 1}, {"a": 1, "unit": "m"}, {}, ())


@pytest.mark.parametrize(
    ("text", "answer", "stands"),
    [
        ("42", "It is 42.", True),
        ("42", "It is 142", False),
        ("42", "42.5", False),
        ("1042", "1,042", True),
        ("EUR", "eur", False),
    ],
)
def test_a_number_stands_as_a_whole(text: str, answer: str, stands: bool) -> None:
    """A part of a number does not count, and capital letters do."""
    assert stands == stands_in(text, answer)


@pytest.mark.parametrize(
    ("wanted", "value", "difference"),
    [
        ({"a": [1, {"b/c": 2}]}, {"a": [1, {"b/c": 3}]}, ("/a/1/b~1c", 2, 3)),
        ({"a": [1]}, {"a": [1, 2]}, ("/a/1", UNSET, 2)),
        ({"a": 1, "b": 2}, {"a": 1}, ("/b", 2, UNSET)),
        ({"a": {"$any": [1, 2]}}, {"a": {"x": 1}}, ("/a", {"$any": [1, 2]}, {"x": 1})),
        ({"a": {"$optional": [1]}, "b": 1}, {"b": 2}, ("/b", 1, 2)),
        ({"a": {"$optional": [1]}}, {}, None),
        ({"a": 2.0}, {"a": 2}, None),
        ([1], {"a": 1}, ("", [1], {"a": 1})),
    ],
)
def test_the_first_difference_is_named(wanted: Any, value: Any, difference: tuple[str, Any, Any] | None) -> None:
    """By its place and both values; one that matches more is one value."""
    assert difference == first_difference(wanted, value)
