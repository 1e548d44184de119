"""Dialects: how calls and answers are written in text, each one value of plain functions.

`dialect` says what a dialect is; `registry` keeps them by name, and more can be registered. `envelope`, `compact` and
`bare` are our own, `native` is OpenAI's; those of model families are in `purestep_formats.families`.
`lone_calls` reads a call that is one object, with `call_keys` and `call_shape` for the names and the shapes of its
members.
"""

from . import bare, envelope
from .bare import BARE_TEXT
from .call_keys import ARGUMENTS, NAMES, NAMESPACES, WRAPPERS, parameter_schemas, plain_name
from .call_shape import CallShape, arguments_shape
from .compact import first_sentence, in_taught_order, spaced_json, tool_line
from .dialect import Dialect, Form, Sample, describe_tools, one_line, result_text
from .envelope import content_of, head_end
from .envelope_schema import constrain
from .lone_calls import beside_arguments, guessed, may_be_undone, strict_arguments, unsure
from .native import read_calls
from .registry import dialect_named, dialect_names, first_whole_call, read_output, register_dialect, without_cut_calls
from .skill_form import offers_skills, skill_call
