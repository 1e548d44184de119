"""A compiled schema: the native validator says yes quickly, the portable one decides everything else.

The portable validator is the definition of validity. The native one may only be narrower: what it accepts is
valid, what it refuses is judged again. So the verdict, the issues and the value that comes back are the same
on every host, with or without the native library.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from .compile import Choices, Formats, Unknown, compile_nodes
from .explain import explain
from .integers import with_integers
from .issues import Issue
from .nodes import SchemaRules

_NO_DOCUMENTS: Final[Mapping[str, object]] = MappingProxyType({})


class Schema:
    """A schema ready to check values; made by `compile_schema`."""

    __slots__ = ("_native", "_native_built", "_nodes")

    def __init__(self, nodes: tuple[SchemaRules, ...]) -> None:
        self._nodes = nodes
        self._native: Callable[[object], bool] | None = None
        self._native_built = False

    def check(self, value: object) -> tuple[object, tuple[Issue, ...]]:
        """Judge a decoded JSON value.

        Returns the value and no issues when it is valid, with floats such as 3.0 made integers where the
        schema asks for an integer and not for any number; else the value as it came and 1 to 20 issues in a
        fixed order. The value itself is never changed.
        """
        native = self._native if self._native_built else self._built()
        if native is not None and native(value):
            return value, ()
        return self.portable_check(value)

    def portable_check(self, value: object) -> tuple[object, tuple[Issue, ...]]:
        """The same as `check`, by the portable validator alone."""
        issues = explain(self._nodes, value)
        return (value, issues) if issues else (with_integers(self._nodes, value), ())

    def native_accepts(self, value: object) -> bool | None:
        """Whether the native validator takes the value; None when this schema or this host has none."""
        native = self._built()
        return None if native is None else native(value)

    def _built(self) -> Callable[[object], bool] | None:
        if not self._native_built:
            self._native, self._native_built = _native_validator(self._nodes), True
        return self._native


def compile_schema(
    schema: object,
    path: str = "",
    *,
    unknown: Unknown = "refuse",
    formats: Formats = "annotate",
    documents: Mapping[str, object] = _NO_DOCUMENTS,
) -> Schema:
    """Compile a decoded JSON Schema (2020-12, a dict or a bool).

    path: the JSON pointer of the schema in the document it came from; errors count from there.
    unknown: what becomes of keywords that are not known, and of other dialects in `$schema`: refused, because a
    misspelt keyword would let everything pass, or ignored, as the specification has it for schemas of others.
    formats: whether `format` only describes or also judges; those not in `FORMATS` always only describe.
    documents: further schemas that references may name, by their addresses; nothing is ever fetched. The 2020-12
    metaschema is among them.
    Raises SchemaError with one of `SCHEMA_ERROR_CODES`.
    """
    return Schema(compile_nodes(schema, path, Choices(unknown=unknown, formats=formats), documents))


def _native_validator(nodes: tuple[SchemaRules, ...]) -> Callable[[object], bool] | None:
    try:  # A host without the library still has the portable validator.
        from .native import build
    except ImportError:
        return None
    return build(nodes)
