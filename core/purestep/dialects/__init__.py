"""Dialects: how calls and answers are written in text, each one value of plain functions.

`base` says what a dialect is; `registry` keeps them by name, and more can be registered. `families` holds the forms of
the families of models, `auto` reads any of them. `envelope`, `tool_tags`, `bare` and `native` are our own and OpenAI's.
README.md says how what a model wrote is read where two readings are possible.
"""

from .base import Dialect, Sample
from .envelope_stream import content_of, head_end
from .forms import Form, opening_tag, python_literal, quoted, tagged
from .native import read_calls
from .registry import dialect_named, dialect_names, read_output, register_dialect
from .typed_text import allowed_values

__all__ = [
    "Dialect",
    "Form",
    "Sample",
    "allowed_values",
    "content_of",
    "dialect_named",
    "dialect_names",
    "head_end",
    "opening_tag",
    "python_literal",
    "quoted",
    "read_calls",
    "read_output",
    "register_dialect",
    "tagged",
]
