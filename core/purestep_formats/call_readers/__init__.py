"""The readers of calls in the forms of model families: the text of a block to the calls in it or the problem with it.

`python_calls` reads what Python writes; `marked_calls` a name and JSON between special tokens; `gemma_calls` and
`harmony_calls` what their names say. `tagged_calls` is the reader for all markers around which a model may write what
it likes: `tags` has the spellings of the tags around raw values as one table, `tag_values` says which of them are a
call's own, and `typed_text` gives a raw value its type. `json_calls` reads calls as JSON, in every shape that models
write.

A reader takes a `Block` and the tools, and returns a `BlockResult`. None of them raises, and none is more than linear.
"""

from .gemma_calls import PAIRS, UNTYPED, read_gemma, with_types
from .harmony_calls import BEGUN_HEADER, answers, has_answer_message, read_harmony, read_thought, shows, shows_begun
from .json_calls import (
    FAULTS,
    NAMELESS,
    UNFIT,
    arguments_of,
    calls_of,
    named_alone,
    named_call,
    no_object,
    read_block,
    read_damaged,
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
from .tagged_calls import WRAPPING, on_lines, read_any_form, read_tags, trimmed
from .tags import ANGLED, BY_NAME, INLINE, SOLAR_TAGS, STRAY_BY_NAME, XTML, TagSyntax
from .typed_text import typed_value
