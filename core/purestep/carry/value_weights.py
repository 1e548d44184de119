"""What values in the words of a request add to a tool that takes them, and the most that they can add."""

from collections.abc import Mapping
from typing import Final

from .clauses import Clause, kinds_in
from .grounding import Grounded
from .sources import Parameter

VALUE_WEIGHTS: Final = {
    "url": 2500, "email": 1200, "expression": 2500, "path": 1500, "date": 500, "time": 400, "datetime": 500,
    "code": 900, "number": 300,
}  # fmt: skip
"""What a value in the words adds to a tool that takes one."""
FORM_WEIGHT: Final = 1500
"""What a value adds that has the form of an argument's `pattern`, where no common word and no small number has it."""


def most_by_values(parameters: Mapping[str, tuple[Parameter, ...]]) -> dict[str, tuple[tuple[str, int], ...]]:
    """Give by kind the most that values of it in a request can add to each tool that takes some."""
    most: dict[str, dict[str, int]] = {}
    for tool, each in parameters.items():
        for parameter in each:
            weight = VALUE_WEIGHTS.get(parameter.source, 0) + (FORM_WEIGHT if _tells_by_form(parameter) else 0)
            kinds = {"expression": ("number",), "code": ("code", "number")}.get(parameter.source, (parameter.source,))
            for kind in kinds:
                added = most.setdefault(kind, {})
                added[tool] = added.get(tool, 0) + weight
    return {kind: tuple(added.items()) for kind, added in most.items()}


def _tells_by_form(parameter: Parameter) -> bool:
    """Tell whether an identifier is known by its argument's pattern; dates and the like are known anyway."""
    return parameter.form is not None and parameter.source == "code"


def by_values(parameters: tuple[Parameter, ...], clause: Clause, grounded: Grounded) -> int:
    """Give what the values of the part at hand add to a tool that takes them."""
    kinds = kinds_in(clause)
    total = 0
    for parameter in parameters:
        if not grounded.values.get(parameter.name):
            continue
        if (
            parameter.source == "expression"
            or parameter.source in kinds
            or (parameter.source == "code" and "number" in kinds)
        ):
            weight = VALUE_WEIGHTS.get(parameter.source, 0)
            total += weight if parameter.required else weight // 2
            total += FORM_WEIGHT if _tells_by_form(parameter) else 0
    return total


__all__ = ["by_values", "most_by_values"]
