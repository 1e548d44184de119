"""JSON Schema 2020-12 for tool arguments and answers: the same verdicts and the same issues on every host.

A schema is compiled once. `references` finds what `$id`, `$anchor`, `$ref` and `$dynamicRef` name, `keywords` reads
each keyword, and `compile` makes frozen rules for every subschema (`subschemas`); `formats` and the room `regex` judge
strings. A value is judged by the portable validator (`portable`, with `assertions` for the keywords that need no
other subschema), which is the definition. `native` only accepts
faster. `explain` says why a value is refused, `unions` which branch was meant, `render` puts an issue into words, and
`coerce` reads scalars such as `"42"` as the type that is wanted; `schema_shape` says what is expected.
"""

from .addresses import array_index, is_pointer, pointer_token, pointer_tokens, value_at
from .coercion import Coercion, coerce, render_coercion
from .formats import FORMATS
from .issues import ISSUE_CODES, Issue, SchemaError
from .keywords import Formats, Unknown
from .placed import pattern_at, schema_at
from .references import subschema_at, with_pointers
from .render import render
from .schema import Schema, compile_schema
from .schema_shape import SchemaShape, allowed_values, type_names
from .sent_forms import plain_schema, strict_schema, without_nulls
