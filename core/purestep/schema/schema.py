"""Compiled schemas and the one question asked of them: is this value valid, and if not, why?

The native validator accepts quickly. What it does not accept, the portable validator judges, and it alone finds issues;
so the verdict and the issues are the same on every host, with or without the native library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ..bounds import MAX_CHECK_STEPS
from ..regex import Budget, compile_budget
from .compile import compile_subschemas
from .explain import explain
from .issues import Issue
from .keywords import CompileOptions, Formats, Unknown
from .subschemas import SchemaRules

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

    @property
    def native(self) -> NativeValidator | None:
        """The native validator, built when it is first needed: many schemas are compiled and never asked."""
        build = self._build_native
        if build is not None:
            self._native, self._build_native = build(self._subschemas), None
        return self._native

    def check(self, value: object, steps: int = MAX_CHECK_STEPS) -> tuple[Issue, ...]:
        """Judge a decoded JSON value in at most so many steps: no issues when it is valid, else 1 to 20 in fixed order.

        A float of integral value is an integer. A check that needs more steps gives one issue, `schema_budget`.
        """
        native = self._native if self._build_native is None else self.native
        # It counts no steps, so it judges only what the portable validator judges within them.
        if native is not None and native.fits_in(steps, value) and native.accepts(value):
            return ()
        return self.portable_check(value, steps)

    def portable_check(self, value: object, steps: int = MAX_CHECK_STEPS) -> tuple[Issue, ...]:
        """Judge a value as `check` does, by the portable validator alone."""
        return explain(self._subschemas, value, Budget(steps))


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
    Raises SchemaError: `invalid_schema`, `unsupported_keyword`, `unsupported_pattern`, `unresolvable_ref`,
    `schema_too_large`.
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
