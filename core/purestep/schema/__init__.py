"""JSON Schema 2020-12 for tool arguments and answers: the same verdicts and the same issues on every host."""

from purestep.schema.coercion import Change, coerce, render_change
from purestep.schema.compile import Formats, Unknown
from purestep.schema.formats import FORMATS
from purestep.schema.issues import ISSUE_CODES, SCHEMA_ERROR_CODES, Issue, SchemaError
from purestep.schema.pointers import subschema_at, with_pointers
from purestep.schema.render import render
from purestep.schema.schema import Schema, compile_schema

__all__ = [
    "FORMATS",
    "ISSUE_CODES",
    "SCHEMA_ERROR_CODES",
    "Change",
    "Formats",
    "Issue",
    "Schema",
    "SchemaError",
    "Unknown",
    "coerce",
    "compile_schema",
    "render",
    "render_change",
    "subschema_at",
    "with_pointers",
]
