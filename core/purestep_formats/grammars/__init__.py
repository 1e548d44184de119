"""Grammars: what a model's output is held to while it is generated, in the languages of others.

`grammars` makes one grammar of the tools, the dialect's form and the answer's schema from `rules` and `expressions`,
and writes it as GBNF, which XGrammar takes as EBNF, or Lark, or as structural tags; `styles` says how values are
written, `compact_grammar` how the compact dialect's decisions are. `spans` holds the strings of arguments to what
stands in the conversation. Which of them a model is asked with is decided in `purestep.constraints`.
"""

from .compact_grammar import grammar_of_decisions
from .grammars import Grammar, gbnf, grammar_of_form, grammar_of_schema, lark, structural_tag
from .spans import copied_rules, span_texts, with_copied

__all__ = [
    "Grammar",
    "copied_rules",
    "gbnf",
    "grammar_of_decisions",
    "grammar_of_form",
    "grammar_of_schema",
    "lark",
    "span_texts",
    "structural_tag",
    "with_copied",
]
