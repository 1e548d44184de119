"""Arithmetic as people write it, read to expressions."""

import pytest

from purestep.carry import clause_of
from purestep.carry.arithmetic import continued, expressions_of
from purestep_tools import calculate

READ = {
    "((1 + 2) * 3": "((1 + 2) * 3)",
    "2 * (3 + 4)": "2 * (3 + 4)",
    "(3 + 4)": "(3 + 4)",
    "3 + 4) now": "3 + 4",
    "7 added to 8": "7 + 8",
    "the difference between 10 and 3": "10 - 3",
    "divide 100 by 4": "100 / 4",
    "add 1, 2, and 3": "1 + 2 + 3",
    "add 3 and 4 apples 5": "3 + 4",
    "8 percent of 50": "50 * 8 / 100",
    "take 2 from 9": "9 - 2",
    "2 ^ 3": "2 ** 3",
    "twenty five times four": "25 * 4",
    "two thousand three hundred plus 1": "2300 + 1",
    "5 - -3": "5 - -3",
    "1.5 x 2": "1.5 * 2",
    "6 : 3": "6 / 3",
    "Summe von 3 und 4": "3 + 4",
    "subtrahiere 3 von 10": "10 - 3",
    "20 Prozent von 45": "45 * 20 / 100",
    "17 mal 3": "17 * 3",
    "¿Cuánto es 17 más 25?": "17 + 25",
    "100 dividido entre 4": "100 / 4",
    "Calcula 12 por 8 menos 3": "12 * 8 - 3",
    "el 15 por ciento de 80": "80 * 15 / 100",
    "Combien font 17 fois 25 ?": "17 * 25",
    "20 % de 45": "45 * 20 / 100",
}


@pytest.mark.parametrize(("text", "expression"), READ.items(), ids=list(READ))
def test_it_is_read(text: str, expression: str) -> None:
    """The longest expression is the one meant, and the calculator takes it."""
    clause = clause_of(text)
    found = expressions_of(clause.text, clause.spans, clause.language)
    assert found[:1] == (expression,)
    assert calculate(expression) is not None


@pytest.mark.parametrize("text", ["", "17", "page 3 of the book 4", "3 apples 4 pears", "-", "( 3", "1 " * 100])
def test_what_is_no_arithmetic_gives_none(text: str) -> None:
    """Numbers beside each other are no sum."""
    clause = clause_of(text)
    assert not expressions_of(clause.text, clause.spans, clause.language)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("add 5", "9.6 + 5"),
        ("then add 5.", "9.6 + 5"),
        ("and then multiply by 3", "9.6 * 3"),
        ("times 3", "9.6 * 3"),
        ("divided by 4", "9.6 / 4"),
        ("subtract 8", "9.6 - 8"),
        ("por 3", "9.6 * 3"),
        ("plus 1 for luck", None),
        ("buy 5", None),
        ("add 5 and 6", None),
        ("add milk", None),
    ],
)
def test_arithmetic_that_goes_on_with_a_result(text: str, expression: str | None) -> None:
    """One sign and one number, and nothing else that the sign could belong to."""
    clause = clause_of(text)
    assert expression == continued(text, clause.spans, clause.language, "9.6")
    assert continued(text, clause.spans, clause.language, "a.txt 6 bytes") is None
