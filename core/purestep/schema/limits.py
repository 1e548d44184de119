"""Every bound of the schema, syntax and suggestion modules, each with the reason for its number."""

from typing import Final

MAX_SCHEMA_NODES: Final = 5_000
"""Subschemas in one schema. The largest tool schemas in the wild hold a few hundred; five thousand still
compile in well under a second."""

MAX_SCHEMA_DEPTH: Final = 64
"""Subschemas inside one another, and references that lead to one another. Real ones stay under fifteen; it is
the depth of the values, so a schema can describe all that it may check."""

MAX_DYNAMIC_ANCHORS: Final = 64
"""Dynamic anchors in all documents of one schema. The published metaschemas need one; each may give every
subschema that it leads to another meaning."""

MAX_VALUE_DEPTH: Final = 64
"""Arrays and objects inside one another in a checked value. Arguments rarely pass ten, and every host,
Pyodide too, has the stack for it."""

MAX_DESCENTS: Final = 200
"""Subschemas entered inside one another during a check: three for each level of the deepest value. Each takes
two Python frames, or three in a union, which leaves a third of the default recursion limit to the caller. The
search for parts that nothing has looked at counts as one more."""

MAX_ISSUES: Final = 20
"""Issues reported for one value. A model corrects a handful at a time; more only fills its window."""

MAX_COERCION_ROUNDS: Final = 8
"""Times a value is read anew and checked again: each round mends up to twenty places, and one shows what is wrong
inside of another seldom more than once."""

MAX_SHOWN_CHARS: Final = 60
"""Characters of a wrong value shown in an issue: enough to recognise it, too few to flood a prompt."""

MAX_SHOWN_CHOICES: Final = 20
"""Allowed values listed in an issue. A longer list is named by its size, and the closest value is
suggested."""

MAX_NATIVE_NODES: Final = 5_000
"""Nodes of a native validator after references are written out in full. Past it the portable validator alone
is cheaper to build."""

MAX_PATTERN_CHARS: Final = 2_048
"""Characters of one regular expression. The longest patterns in published tool schemas (URLs, versions) have
a few hundred."""

MAX_PATTERN_STATES: Final = 10_000
"""Automaton states of one pattern after counted repetitions are written out, so that {1,4096} fits and
{1,9}{1,9}{1,9}{1,9}{1,9} does not."""

MAX_PATTERN_GROUPS: Final = 32
"""Groups inside one another in a pattern. The parser recurses once per group; hand-written patterns use three
or four."""

MAX_PATTERN_LOOKAHEADS: Final = 16
"""Lookaheads in one pattern. Each costs one more pass over the text; password rules, their main use, need
about five."""

MAX_CACHED_MOVES: Final = 4_096
"""Automaton moves remembered per pattern. Patterns in use settle at a few dozen; when full, the memory starts
afresh."""

MAX_TEXT_DEPTH: Final = 128
"""Arrays and objects inside one another in a JSON text: a value of the greatest depth with room for the
envelope around it."""

MAX_INTEGER_DIGITS: Final = 4_300
"""Digits of an integer literal: the limit of CPython's own conversion, which the fast decoder shares."""

MAX_SUGGESTION_CANDIDATES: Final = 256
"""Names compared for one did-you-mean. An agent with more tools than this has a different problem."""

MAX_SUGGESTION_CHARS: Final = 64
"""Characters of a name that are compared: the longest tool name the model APIs allow."""
