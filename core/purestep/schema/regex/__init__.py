"""Regular expressions for `pattern` that cannot hang: a subset of ECMA-262 in time linear in the text.

`syntax` parses a pattern into a tree and refuses what has no linear form; `automaton` compiles the tree and searches.
"""

from .automaton import STEPS_A_SEARCH, Pattern, compile_pattern
from .syntax import parse

__all__ = ["STEPS_A_SEARCH", "Pattern", "compile_pattern", "parse"]
