"""Comparisons of a postcondition: the values that JSON Pointers name, and how two of them relate.

Numbers count as the shortest decimals that denote them, so 0.1 is what its writer meant, and none is rounded.
"""

from typing import Any, Final, Literal

from msgspec import UNSET, Struct

from ..errors import PurestepError
from ..json_text import excerpt_of
from ..schema import Budget, array_index, decimal_of, is_pointer, pointer_tokens
from ..values import Comparison, Constant, Evidence, Relation


class Reference(Struct, frozen=True):
    """A JSON Pointer of a postcondition: what it begins with, the names and indices after that, and its text."""

    root: Literal["output", "arguments"]
    tokens: tuple[str, ...]
    source: str


class CompiledComparison(Struct, frozen=True):
    """A comparison with its pointers read."""

    left: Reference
    relation: Relation
    right: Reference | Constant


class Judged(Struct, frozen=True, kw_only=True):
    """What is judged: an output with the arguments of its call, or an answer.

    `text`: it as the model reads it. `evidence`: what was said before, where a postcondition looks there.
    """

    what: Literal["output", "answer"]
    output: Any
    text: str
    arguments: dict[str, Any]
    evidence: Evidence | None


def read_reference(source: str, path: str, arguments: tuple[str, ...] | None) -> Reference:
    """Give the pointer that stands at a path of the definition; raises `invalid_agent`.

    arguments: the names of the tool's parameters; None for an answer, which has no arguments.
    """
    roots = ["output"] if arguments is None else ["output", "arguments"]
    root, *tokens = pointer_tokens(source) or [""]
    if not is_pointer(source) or root not in roots:
        allowed = " or ".join(f"/{name}" for name in roots)
        raise PurestepError(
            "invalid_agent", f"expected a JSON Pointer that begins with {allowed}; got {excerpt_of(source)}", path
        )
    if root == "output":
        return Reference("output", tuple(tokens), source)
    if tokens and tokens[0] not in (arguments or ()):
        raise PurestepError("invalid_agent", f"no parameter is named {excerpt_of(tokens[0])}", path)
    return Reference("arguments", tuple(tokens), source)


def read_comparison(given: Comparison, path: str, arguments: tuple[str, ...] | None) -> CompiledComparison:
    """Give a comparison of the definition with its pointers read; raises `invalid_agent`."""
    right = given.right
    return CompiledComparison(
        read_reference(given.left, f"{path}/left", arguments),
        given.relation,
        right if isinstance(right, Constant) else read_reference(right, f"{path}/right", arguments),
    )


def value_at(reference: Reference, judged: Judged) -> Any:
    """Give the value that a pointer names; UNSET where it names none."""
    value = judged.output if reference.root == "output" else judged.arguments
    for token in reference.tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and (index := array_index(token)) is not None and index < len(value):
            value = value[index]
        else:
            return UNSET
    return value


def points_to_nothing(reference: Reference) -> str:
    """Say that a pointer names no value."""
    return f"{reference.source} names nothing that is there"


def unrelated(comparison: CompiledComparison, judged: Judged, steps: int) -> str | None:
    """Give why two values do not relate as they should; None when they do. Raises OverBudgetError."""
    left, right = value_at(comparison.left, judged), comparison.right
    if left is UNSET:
        return points_to_nothing(comparison.left)
    other = right.value if isinstance(right, Constant) else value_at(right, judged)
    if isinstance(right, Reference) and other is UNSET:
        return points_to_nothing(right)
    if _relates(left, comparison.relation, other, Budget(steps)):
        return None
    shown = excerpt_of(other) if isinstance(right, Constant) else f"{right.source} ({excerpt_of(other)})"
    said = f"{comparison.left.source} ({excerpt_of(left)}) is not {_WORDS[comparison.relation]} {shown}"
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
    """Give -1, 0 or 1 for the lesser, an equal or the greater left; None for values without an order."""
    if _is_number(left) and _is_number(right):
        return _number_order(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value - value == 0


def _number_order(left: int | float, right: int | float) -> int:
    (digits, exponent), (other_digits, other_exponent) = decimal_of(left), decimal_of(right)
    least = min(exponent, other_exponent)
    one: int = digits * 10 ** (exponent - least)
    other: int = other_digits * 10 ** (other_exponent - least)
    return (one > other) - (one < other)


def _equal(left: Any, right: Any, budget: Budget) -> bool:
    """Tell whether two JSON values are equal: 1 is 1.0, true is not 1, members have no order."""
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
