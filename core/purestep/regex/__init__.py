"""Regular expressions for `pattern` that cannot hang: a subset of ECMA-262 in time linear in the text.

`syntax` parses a pattern into a tree and refuses what has no linear form; `automaton` compiles the tree and searches.
`budget` counts the steps of that and of all work beside it, so that it ends after the same work on every host.
"""

from .automaton import STEPS_A_SEARCH, Pattern, compile_pattern
from .budget import SHORT, Budget, OverBudgetError, compile_budget
from .syntax import PatternError, parse
