"""Dialects: how calls and answers are written in text, each one value of plain functions.

`dialect` says what a dialect is; `registry` keeps them by name, and more can be registered. `envelope`, `compact`,
`tool_tags` and `bare` are our own, `native` is OpenAI's. `families` makes a dialect of each family of models, and
`auto`, which reads them all: `family_forms` holds how a family writes calls, `family_markers` by which markers they are
found, `drifted_markers` in which other spellings, `prompted_calls` and `unmarked_calls` how calls begin that have no
markers of a family; the room `call_readers` reads what is between. `stray_markup` looks at what is left as an answer.
`canonical` is the fast path.
README.md says how a text is read where two readings are possible.
"""

from .bare import BARE_TEXT
from .compact import spaced_json, tool_line
from .dialect import Dialect, Sample, one_line
from .envelope import content_of, head_end
from .forms import Form, opening_tag, python_literal, quoted, tagged
from .native import read_calls
from .registry import dialect_named, dialect_names, read_output, register_dialect, without_cut_calls

__all__ = [
    "BARE_TEXT",
    "Dialect",
    "Form",
    "Sample",
    "content_of",
    "dialect_named",
    "dialect_names",
    "head_end",
    "one_line",
    "opening_tag",
    "python_literal",
    "quoted",
    "read_calls",
    "read_output",
    "register_dialect",
    "spaced_json",
    "tagged",
    "tool_line",
    "without_cut_calls",
]
