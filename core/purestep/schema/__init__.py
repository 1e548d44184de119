"""JSON Schema 2020-12 for tool arguments and answers: the same verdicts and the same issues on every host."""

from .coercion import Change, coerce, render_change
from .compile import Formats, Unknown
from .formats import FORMATS
from .issues import ISSUE_CODES, SCHEMA_ERROR_CODES, Issue, SchemaError
from .patterns import Pattern, compile_pattern
from .pointers import subschema_at, with_pointers
from .render import render
from .schema import Schema, compile_schema

__all__ = [
    "FORMATS",
    "ISSUE_CODES",
    "SCHEMA_ERROR_CODES",
    "Change",
    "Formats",
    "Issue",
    "Pattern",
    "Schema",
    "SchemaError",
    "Unknown",
    "coerce",
    "compile_pattern",
    "compile_schema",
    "render",
    "render_change",
    "subschema_at",
    "with_pointers",
]
