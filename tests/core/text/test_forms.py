"""Values in texts: known by their form, and found in linear time."""

import pytest

from purestep.text import Kind, spans_of
from tools.growth import is_linear


def numbers_in(text: str) -> list[object]:
    """The values of a text that are numbers, in their order."""
    return [span.value for span in spans_of(text) if span.kind == "number"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('"a b"', "quote"),
        ("\u201ca\u201d", "quote"),
        ("\u201ea\u201c", "quote"),
        ("\u00aba\u00bb", "quote"),
        ("`a`", "quote"),
        ("'a'", "quote"),
        ("HTTP://a", "url"),
        ("www.abc", "url"),
        ("shop.example.de/x", "url"),
        ("a@b.c", "email"),
        ("2026-03-18T10:30Z", "datetime"),
        ("2026-03-18", "date"),
        ("18.3.2026", "date"),
        ("3/18/2026", "date"),
        ("10:30", "time"),
        ("a/b", "path"),
        ("C:\\a\\b", "path"),
        ("~/notes", "path"),
        ("notes.txt", "path"),
        ("12", "number"),
    ],
)
def test_a_value_alone_is_found(text: str, kind: Kind) -> None:
    """Each is of the kind whose form it has."""
    assert kind == spans_of(text)[0].kind


def test_numbers_are_read_in_each_way_that_they_may_be_meant() -> None:
    """Separators stand for thousands or for a fraction, and a list may be one number; codes are none."""
    text = "1.500 and 3,5 or -7 in INV2024 for 12345678901234567890"

    assert [{1.5, 1500}, {3, 3.5, 5}, {-7}] == [set(numbers_in(each)) for each in ("1.500", "3,5", "-7")]
    assert {1.5, 1500, 3, 3.5, 5, -7} == set(numbers_in(text))


def test_numbers_in_other_values_are_none_of_the_text() -> None:
    """Those of a date, an address or a time belong to these."""
    text = "At 10:30 on 2024-05-03 see https://a.example/7 or mail 5@b.example, 4 times."

    assert [4] == numbers_in(text)


def test_a_value_in_quotes_is_a_value_too() -> None:
    """The quote is one, and what stands in it."""
    found = spans_of('Open "https://a.example/b" now.')

    assert [("quote", "https://a.example/b"), ("url", "https://a.example/b")] == [
        (each.kind, each.value) for each in found
    ]


@pytest.mark.parametrize(
    "unit",
    [
        "a-", "a.", "a/", "a@", "a_", "1-", "1.", "1/", "1:", "1,", "1e", "-1", "-", ".", "/", "@", "'", '"', "a", "1",
        "a'", "www.", "http://", "\u201e", "\u201c", "\u00ab", "`", "A:\\",
        "../", "~/", "1.1.", "_", "\u00e4", "\u00e4.",
    ],
)  # fmt: skip
def test_values_are_found_in_linear_time(unit: str) -> None:
    """Whatever is repeated, and whatever stands after it."""
    assert is_linear(lambda text: spans_of(f"{text} x."), unit)
