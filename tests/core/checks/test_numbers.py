"""The numbers of an answer, looked for in what was said (purestep.checks.numbers)."""

import pytest

from purestep.checks.numbers import unsaid_number

SAID = [
    ("It is 1,250.50 EUR.", "1250.5"),
    ("Es sind 1.250,50 EUR.", "1250.5"),
    ("It is $12,000.", '{"total": 12000}'),
    ("A loss of 940.50.", "-940.5"),
    ("That is 12.5 %.", "0.125"),
    ("That is 0.125.", "12.5%"),
    ("1,500 and 2,300", "[1500, 2300]"),
    ("rooms 101,102,103", "101 102 103"),
    ("Due on 15.01.2026.", "2026-01-15"),
    ("Seen in 2026.", "15/01/2026"),
    ("Version 2.3.456.", "2.3.456"),
    ("3 files, due on January 15 at 14:05.", "nothing"),
    ("No number at all.", ""),
    ("Room B204 is free.", ""),
]
UNSAID = [
    ("It is 1,904.50 EUR.", "1940.5", "1,904.50"),
    ("It is 940.5 %.", "940", "940.5"),
    ("101,102 and 999", "101 102", "999"),
    ("Due on 15.01.2027.", "2026-01-15", "2027"),
    ("Call +49 30 123456.", "+49 30 123457", "123456"),
]


@pytest.mark.parametrize(("answer", "text"), SAID)
def test_number_that_stands_in_a_text_is_said(answer: str, text: str) -> None:
    """In whatever notation either has it; small whole numbers are counts."""
    assert None is unsaid_number(answer, ["other 7777", text])


@pytest.mark.parametrize(("answer", "text", "number"), UNSAID)
def test_number_that_stands_nowhere_is_named(answer: str, text: str, number: str) -> None:
    """As the answer writes it."""
    assert number == unsaid_number(answer, ["other 7777", text])
