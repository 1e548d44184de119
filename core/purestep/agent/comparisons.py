"""Comparisons of a postcondition: the values that JSON Pointers name, and how two of them relate.

Numbers count as the shortest decimals that denote them, so 0.1 is what its writer meant, and none is rounded.
"""

from typing import Any, Final

from msgspec import UNSET, Struct

from ..json_text import excerpt_of
from ..schema import Budget, decimal_of
from ..values import Comparison, Constant, Relation
from .references import Judged, Reference, Roots, excerpt_at, points_to_nothing, read_reference, value_at


class CompiledComparison(Struct, frozen=True):
    """A comparison with its pointers read."""

    left: Reference
    relation: Relation
    right: Reference | Constant


def read_comparison(given: Comparison, path: str, roots: Roots) -> CompiledComparison:
    """Return a comparison of the definition with its pointers read; raises `invalid_agent`."""
    right = given.right
    return CompiledComparison(
        read_reference(given.left, f"{path}/left", roots),
        given.relation,
        right if isinstance(right, Constant) else read_reference(right, f"{path}/right", roots),
    )


def unrelated(comparison: CompiledComparison, judged: Judged, steps: int) -> str | None:
    """Return why two values do not relate as they should; None when they do. Raises OverBudgetError."""
    left, right = value_at(comparison.left, judged), comparison.right
    if left is UNSET:
        return points_to_nothing(comparison.left, judged)
    other = right.value if isinstance(right, Constant) else value_at(right, judged)
    if isinstance(right, Reference) and other is UNSET:
        return points_to_nothing(right, judged)
    if _relates(left, comparison.relation, other, Budget(steps)):
        return None
    shown = excerpt_of(other) if isinstance(right, Constant) else excerpt_at(right, other)
    said = f"{excerpt_at(comparison.left, left)} is not {_WORDS[comparison.relation]} {shown}"
    comparable = comparison.relation in ("equal", "not_equal") or _order(left, other) is not None
    return said if comparable else f"{said}: only two numbers or two texts have an order"


_WORDS: Final[dict[Relation, str]] = {
    "equal": "equal to",
    "not_equal": "different from",
    "less": "less than",
    "at_most": "at most",
    "more": "more than",
    "at_least": "at least",
}

_SIGNS: Final[dict[Relation, tuple[int, ...]]] = {
    "less": (-1,),
    "at_most": (-1, 0),
    "more": (1,),
    "at_least": (0, 1),
}
"""The orders that a relation allows: -1 where the left is the lesser one."""


_STEPS_OF_A_PART: Final = 4
"""Steps of two parts that are compared: two numbers are brought to one power of ten."""


def _relates(left: Any, relation: Relation, right: Any, budget: Budget) -> bool:
    if relation in ("equal", "not_equal"):
        return _equal(left, right, budget) == (relation == "equal")
    return _order(left, right) in _SIGNS[relation]


def _order(left: Any, right: Any) -> int | None:
    """Return -1, 0 or 1 for the lesser, an equal or the greater left; None for values without an order."""
    if _is_number(left) and _is_number(right):
        return _number_order(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0


def _number_order(left: int | float, right: int | float) -> int:
    if isinstance(left, int) and isinstance(right, int):
        return (left > right) - (left < right)
    (digits, exponent), (other_digits, other_exponent) = decimal_of(left), decimal_of(right)
    least = min(exponent, other_exponent)
    one: int = digits * 10 ** (exponent - least)
    other: int = other_digits * 10 ** (other_exponent - least)
    return (one > other) - (one < other)


def _equal(left: Any, right: Any, budget: Budget) -> bool:
    """Whether two JSON values are equal: 1 is 1.0, true is not 1, members have no order."""
    budget.spend(_STEPS_OF_A_PART)
    if _is_number(left) and _is_number(right):
        return _number_order(left, right) == 0
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_equal(left[name], right[name], budget) for name in left)
    if isinstance(left, list):
        pairs = zip(left, right, strict=False)
        return len(left) == len(right) and all(_equal(one, other, budget) for one, other in pairs)
    return bool(left == right)
