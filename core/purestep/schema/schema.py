"""Compiled schemas and the one question asked of them: is this value valid, and if not, why?

The native validator accepts quickly. What it does not accept, the portable validator judges, and it alone finds
issues and turns floats such as 3.0 into integers; so the verdict, the issues and the value that comes back are the
same on every host, with or without the native library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ..bounds import MAX_CHECK_STEPS, MAX_CHECKED_DEPTH
from .budget import Budget, OverBudgetError, compile_budget
from .compile import compile_subschemas
from .explain import explain, over_budget
from .issues import Issue
from .keywords import CompileOptions, Formats, Unknown
from .portable import Verdicts
from .subschemas import SchemaRules, parts
from .unevaluated import unevaluated_parts

if TYPE_CHECKING:
    from .native import NativeValidator

NativeBuilder = Callable[[tuple[SchemaRules, ...]], "NativeValidator | None"]
"""Builds a validator that accepts only valid values; gives None for a schema without a native form."""

_NO_DOCUMENTS: Final[Mapping[str, object]] = MappingProxyType({})


class Schema:
    """A schema ready to check values; made by `compile_schema`."""

    __slots__ = ("_build_native", "_native", "_subschemas")

    def __init__(self, subschemas: tuple[SchemaRules, ...], build_native: NativeBuilder | None) -> None:
        self._subschemas = subschemas
        self._build_native = build_native
        self._native: NativeValidator | None = None

    def check(self, value: object, steps: int = MAX_CHECK_STEPS) -> tuple[object, tuple[Issue, ...]]:
        """Judge a decoded JSON value in at most so many steps.

        Gives the value and no issues when it is valid, with floats such as 3.0 made integers where the schema
        wants an integer rather than any number; else the value as it came and 1 to 20 issues in a fixed order.
        The value itself is never changed. A check that needs more steps gives one issue, `schema_budget`.
        """
        native = self._native if self._build_native is None else self._built()
        # It counts no steps, so it judges only what the portable validator judges within them.
        if native is not None and native.fits_in(steps, value) and native.accepts(value):
            return value, ()
        return self.portable_check(value, steps)

    def portable_check(self, value: object, steps: int = MAX_CHECK_STEPS) -> tuple[object, tuple[Issue, ...]]:
        """Judge a value as `check` does, by the portable validator alone."""
        budget = Budget(steps)
        issues = explain(self._subschemas, value, budget)
        try:
            return (value, issues) if issues else (_with_integers(self._subschemas, value, budget), ())
        except OverBudgetError:
            return value, (over_budget(budget),)

    def native_accepts(self, value: object) -> bool | None:
        """Whether the native validator accepts the value; None when this schema or this host has none."""
        native = self._built()
        return None if native is None else native.accepts(value)

    def native_fits_in(self, steps: int, value: object) -> bool:
        """Whether `check` asks the native validator about the value, with so many steps."""
        native = self._built()
        return native is not None and native.fits_in(steps, value)

    def _built(self) -> NativeValidator | None:
        """Return the native validator, built when it is first needed: many schemas are compiled and never asked."""
        build = self._build_native
        if build is not None:
            self._native, self._build_native = build(self._subschemas), None
        return self._native


def compile_schema(
    schema: object,
    path: str = "",
    *,
    unknown: Unknown = "refuse",
    formats: Formats = "annotate",
    documents: Mapping[str, object] = _NO_DOCUMENTS,
    native: bool = True,
    budget: Budget | None = None,
) -> Schema:
    """Compile a decoded JSON Schema (2020-12, a dict or a bool).

    path: the JSON pointer of the schema in the document it came from; errors count from there.
    unknown: whether keywords that are not known, and other dialects in `$schema`, are refused, because a misspelt
    keyword would let everything pass, or ignored, as the specification has it for schemas of others.
    formats: whether `format` only annotates or also asserts; one that is not in `FORMATS` always only annotates.
    documents: further schemas that references may name, by their URIs; nothing is ever fetched. The 2020-12
    metaschema is among them.
    native: whether the native validator may be used. Its library is then loaded here, so that no check imports
    anything; a schema that is checked once is judged sooner without it.
    budget: the steps that are left, for schemas that are compiled together; by default one schema has all of them.
    Raises SchemaError with one of `SCHEMA_ERROR_CODES`.
    """
    options = CompileOptions(unknown=unknown, formats=formats, budget=budget or compile_budget())
    subschemas = compile_subschemas(schema, path, options, documents)
    return Schema(subschemas, _native_builder() if native else None)


def _native_builder() -> NativeBuilder | None:
    try:  # A host without the library still has the portable validator.
        from .native import build  # noqa: PLC0415 - half of what an import of the core would cost
    except ImportError:
        return None
    return build


# --- integers written as floats: JSON Schema accepts 3.0 as an integer, most programs do not -----------------

_Place = tuple[int, str | int]
"""The address of an array or object, and an index or name in it."""

_ROOT: Final[_Place] = (0, "")


def _with_integers(subschemas: tuple[SchemaRules, ...], value: object, budget: Budget) -> object:
    """Return a valid value with floats made integers wherever the schema wants an integer and not any number.

    A value that is valid as it stands, with no float accepted as an integer, comes back unchanged.
    """
    if Verdicts(subschemas, budget, strict=True).accepts(0, value, 0):
        return value
    return _rebuilt(value, _ROOT, _float_places(subschemas, value, budget))


def _float_places(subschemas: tuple[SchemaRules, ...], value: object, budget: Budget) -> set[_Place]:
    """Return the places of floats where an integer is wanted, along the branches that accept them."""
    verdicts = Verdicts(subschemas, budget)
    found: set[_Place] = set()
    pending, seen = [(0, value, _ROOT, 0)], {(0, _ROOT)}
    while pending:
        index, part, place, depth = pending.pop()
        budget.spend(2)
        rules = subschemas[index]
        if isinstance(part, float) and _wants_integer(rules):
            found.add(place)
        inner = [
            (each.index, each.value, _place(part, each.token), depth + 1)
            for each in (*parts(rules, part, budget), *unevaluated_parts(verdicts, rules, part, depth))
            if each.role != "name"
        ]
        inner += [(each, part, place, depth) for each in _accepting_in_place(verdicts, rules, part, depth)]
        for step in inner:
            if (step[0], step[2]) not in seen:
                seen.add((step[0], step[2]))
                pending.append(step)
    return found


def _place(container: object, token: str | int) -> _Place:
    return id(container), token  # pure: addresses are only compared, while the value is alive


def _wants_integer(rules: SchemaRules) -> bool:
    return rules.types is not None and "integer" in rules.types and "number" not in rules.types


def _accepting_in_place(verdicts: Verdicts, rules: SchemaRules, value: object, depth: int) -> list[int]:
    found = verdicts.conjuncts(rules, value, depth)
    for branches in (rules.any_of or (), rules.one_of or ()):
        found += [branches[place] for place in verdicts.accepting(branches, value, depth, stop_after=1)]
    return found


def _rebuilt(value: object, place: _Place, places: set[_Place], levels: int = MAX_CHECKED_DEPTH) -> object:
    """Return a copy of the value with integers at the places, none of which lies below `levels` more levels."""
    if place in places and isinstance(value, float):
        return int(value)
    if levels and isinstance(value, list):
        return [_rebuilt(item, _place(value, token), places, levels - 1) for token, item in enumerate(value)]
    if levels and isinstance(value, dict):
        return {name: _rebuilt(item, _place(value, name), places, levels - 1) for name, item in value.items()}
    return value
