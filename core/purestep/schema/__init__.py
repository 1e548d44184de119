"""JSON Schema 2020-12 for tool arguments and answers: the same verdicts and the same issues on every host."""

from purestep.schema.issues import ISSUE_CODES, SCHEMA_ERROR_CODES, Issue, SchemaError
from purestep.schema.render import render
from purestep.schema.schema import Schema, compile_schema

__all__ = ["ISSUE_CODES", "SCHEMA_ERROR_CODES", "Issue", "Schema", "SchemaError", "compile_schema", "render"]
