"""The grammar of the compact dialect: one call with its arguments in their order, one question or one answer."""

from typing import Any

from purestep.dialects import spaced_json
from purestep.schema import with_pointers
from purestep.values import Tools, ToolSpec

from .expressions import EMPTY, Alt, Expression, Literal, Ref, Seq
from .grammars import Grammar
from .rules import GrammarRules
from .styles import COPIED, SPACED, TOLD, Style, copied


def grammar_of_decisions(tools: Tools, answer_schema: Any, *, copies: bool = False) -> Grammar:
    """Return the grammar of an output: a call, or a question or an answer unless the answer's schema is False.

    copies: strings of arguments refer to the rule of copied text, and an answer's text to that of copied figures, which
    `with_copied` makes for each conversation.
    """
    rules, style = GrammarRules(SPACED), copied(SPACED) if copies else SPACED
    parts = [_call(spec, rules, style) for spec in tools.values()]
    if answer_schema is not False or not parts:
        parts.append(_said("ask", SPACED.ref("string")))
        parts.append(_said("answer", _answer(answer_schema, rules, copies)))
    if copies:  # what stands open until the conversation is known
        rules.named |= {COPIED: EMPTY, TOLD: EMPTY}
    return Grammar(root=Alt(tuple(parts)) if len(parts) > 1 else parts[0], rules=rules.named)


def _call(spec: ToolSpec, rules: GrammarRules, style: Style) -> Expression:
    schema = with_pointers(spec.parameters)
    arguments = rules.of_schema({"type": "object", **schema}, schema, style)
    return Seq((Literal('{"tool": ' + spaced_json(spec.name) + ', "args": '), rules.add(arguments), Literal("}")))


def _answer(schema: Any, rules: GrammarRules, copies: bool) -> Expression:
    if schema is None:
        return Ref(TOLD) if copies else SPACED.ref("string")
    return rules.of_schema(schema, schema, SPACED)


def _said(key: str, value: Expression) -> Expression:
    return Seq((Literal('{"' + key + '": '), value, Literal("}")))
