"""What a model's output is held to while it is generated: a JSON Schema, a grammar or structural tags.

`choose` picks the strongest form that the model's server takes (`models[].supports`); `grammars` makes one grammar of
the tools and the answer's schema from `rules` and `expressions`, and `styles` writes it as GBNF, EBNF or Lark. `spans`
holds the strings of arguments to what stands in the conversation.
"""

from .choose import constraint_for, constraint_of_answer, constraint_of_schema
from .spans import copied_rules, span_texts, with_copied
