"""The readers of calls: the text of a block, which the scanner has found, to the calls in it or the problem with it.

`json_calls` reads calls as JSON, in every shape that models write, with `call_keys` and `call_shape` for the names and
the shapes of their members; `python_calls` what Python writes; `marked_calls` a name and JSON between special tokens;
`gemma_calls` and `harmony_calls` what their names say. `tagged_calls` is the reader for all markers around which a
model may write what it likes: `tags` has the spellings of the tags around raw values as one table, `tag_values` says
which of them are a call's own, and `typed_text` gives a raw value its type.

A reader takes a `Block` and the tools, and returns a `BlockResult`. None of them raises, and none is more than linear.
"""

from .call_keys import ARGUMENTS, NAMES, WRAPPERS, parameter_schemas, plain_name
from .gemma_calls import PAIRS, read_gemma
from .harmony_calls import BEGUN_HEADER, answers, has_answer_message, read_harmony, read_thought, shows, shows_begun
from .json_calls import (
    CUT,
    FAULTS,
    NAMELESS,
    UNFIT,
    arguments_of,
    beside_arguments,
    calls_of,
    named_call,
    no_object,
    read_block,
    read_damaged,
    strict_arguments,
    unsure,
    unsure_with_bracket,
)
from .marked_calls import (
    ACTION_CALLS,
    DEEPSEEK_CALLS,
    FLOWERS_CALLS,
    KIMI_CALLS,
    KIMI_ENDS,
    LOW_BAR,
    PLAMO_CALLS,
    SOLAR_CALLS,
    read_mistral,
    read_name_first,
)
from .python_calls import parse_calls, read_bare_python
from .tagged_calls import WRAPPING, read_any_form, read_tags, trimmed
from .tags import ANGLED, BY_NAME, SOLAR_TAGS, STRAY_BY_NAME, XTML, TagSyntax
from .typed_text import typed_value

__all__ = [
    "ACTION_CALLS",
    "ANGLED",
    "ARGUMENTS",
    "BEGUN_HEADER",
    "BY_NAME",
    "CUT",
    "DEEPSEEK_CALLS",
    "FAULTS",
    "FLOWERS_CALLS",
    "KIMI_CALLS",
    "KIMI_ENDS",
    "LOW_BAR",
    "NAMELESS",
    "NAMES",
    "PAIRS",
    "PLAMO_CALLS",
    "SOLAR_CALLS",
    "SOLAR_TAGS",
    "STRAY_BY_NAME",
    "UNFIT",
    "WRAPPERS",
    "WRAPPING",
    "XTML",
    "TagSyntax",
    "answers",
    "arguments_of",
    "beside_arguments",
    "calls_of",
    "has_answer_message",
    "named_call",
    "no_object",
    "parameter_schemas",
    "parse_calls",
    "plain_name",
    "read_any_form",
    "read_bare_python",
    "read_block",
    "read_damaged",
    "read_gemma",
    "read_harmony",
    "read_mistral",
    "read_name_first",
    "read_tags",
    "read_thought",
    "shows",
    "shows_begun",
    "strict_arguments",
    "trimmed",
    "typed_value",
    "unsure",
    "unsure_with_bracket",
]
