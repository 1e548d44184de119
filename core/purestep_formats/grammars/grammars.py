"""Constraints in a host's language, made from the tools and the dialect's form.

GBNF (llama.cpp), EBNF (XGrammar, WebLLM), Lark (llguidance) and structural tags (XGrammar, WebLLM, vLLM).
Sources: the documents of those projects; tests hold each to its own parser.
"""

from typing import Any, Final, assert_never

from msgspec import Struct

from purestep.dialects import Form
from purestep.schema import allowed_values
from purestep.values import Tools, ToolSpec

from ..bounds import MAX_INDEX_DIGITS
from ..written_forms import opening_tag, tagged
from .expressions import EMPTY, Alt, CharacterClass, Expression, Literal, Many, Ref, Seq, Until, reachable
from .rules import GrammarRules
from .styles import COPIED, JSON, PYTHON, copied, pairs


class Grammar(Struct, frozen=True, kw_only=True):
    """What a whole output may be, and the rules that it refers to."""

    root: Expression
    rules: dict[str, Expression]


def grammar_of_schema(schema: Any) -> Grammar:
    """Return the grammar of JSON that fits a schema."""
    rules = GrammarRules()
    root = rules.of_schema(schema, schema)
    return Grammar(root=root, rules=rules.named)


def grammar_of_form(form: Form, tools: Tools, answer_schema: Any = None, *, copies: bool = False) -> Grammar:
    """Return the grammar of an output in a family's form: calls, or an answer unless its schema is False.

    copies: strings of arguments, in JSON or as Python writes them, refer to the rule of copied text.
    """
    rules = GrammarRules()
    answer = _text(form) if answer_schema is None else rules.of_schema(answer_schema, answer_schema)
    if not tools:
        return Grammar(root=answer, rules=rules.named)
    inner = {spec.name: rules.add(_arguments(form, spec.parameters, rules, copies)) for spec in tools.values()}
    first = rules.add(Alt(tuple(_call(form, form.open, name, args) for name, args in inner.items())))
    later = rules.add(Alt(tuple(_call(form, form.between, name, args) for name, args in inner.items())))
    calls = Seq((first, Many(later), Literal(form.close)))
    if copies:
        rules.named[COPIED] = EMPTY  # stands open until the conversation is known
    return Grammar(root=calls if answer_schema is False else Alt((calls, answer)), rules=rules.named)


def _text(form: Form) -> Expression:
    """Return text that does not begin as a call does."""
    first = (form.open or form.begin)[:1]
    anything = Many(CharacterClass("^\\x00"))
    if first == "{":
        return Seq((CharacterClass("^{\\x00"), anything))
    return Seq((CharacterClass(f"^\\{first}\\x00" if first in "[]^-\\" else f"^{first}\\x00"), anything))


def _call(form: Form, lead: str, name: str, arguments: Expression) -> Expression:
    # One literal as far as it goes: a lexer that has a choice between two takes the longer, not the right one.
    head, index, tail = (lead + form.begin.replace("{name}", name)).partition("{index}")
    number: Expression = (
        Seq((CharacterClass("0-9"), Many(CharacterClass("0-9"), most=MAX_INDEX_DIGITS - 1))) if index else EMPTY
    )
    return Seq((Literal(head), number, Literal(tail), arguments, Literal(form.end)))


def _arguments(form: Form, schema: Any, rules: GrammarRules, copies: bool) -> Expression:
    if form.arguments == "json":
        return rules.of_schema({"type": "object", **schema}, schema, copied(JSON) if copies else JSON)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required", ()) if isinstance(schema, dict) else ()
    given = properties if isinstance(properties, dict) else {}
    members = [(_member(form, key, value, schema, rules, copies), key in required) for key, value in given.items()]
    separator = {"tags": EMPTY, "python": Literal(", "), "pairs": Literal(",")}[form.arguments]
    return rules.members(members, separator)


def _member(form: Form, key: str, schema: Any, root: Any, rules: GrammarRules, copies: bool) -> Expression:
    if form.arguments == "tags":
        return _tagged(form, key, schema, root, rules)
    style = PYTHON if form.arguments == "python" else pairs(form.quote)
    rules.named |= style.rules
    value = rules.of_schema(schema, root, copied(style) if copies else style)
    return Seq((Literal(f"{key}{'=' if style is PYTHON else ':'}"), value))


def _tagged(form: Form, key: str, schema: Any, root: Any, rules: GrammarRules) -> Expression:
    """Return an argument in tags: text without quotes, all else as JSON, as the reader types it."""
    types, choices = allowed_values(schema, root)
    if choices:
        return Alt(tuple(Literal(tagged(form, key, value)) for value in choices))
    text = Seq((Literal(opening_tag(form, key, True)), rules.add(Until(form.tag[1]))))
    data = (Literal(opening_tag(form, key, False)), rules.of_schema(schema, root, JSON), Literal(form.tag[1]))
    if types and "string" not in types:
        return Seq(data)
    # Where the tag says which of the two it holds, a value that may be either is held to its kind.
    told_apart = "{string}" in form.tag[0] and list(types) != ["string"]
    return Alt((text, Seq(data))) if told_apart else text


# --- languages --------------------------------------------------------------------------------------------


def gbnf(grammar: Grammar) -> str:
    """Return the grammar for llama.cpp, or as EBNF for XGrammar, which reads the same language."""
    rules = {"root": grammar.root, **reachable(grammar.root, grammar.rules)}
    return printed_rules(rules)


def printed_rules(rules: dict[str, Expression]) -> str:
    """Return rules as lines of a grammar for llama.cpp."""
    return "".join(f"{name} ::= {_printed(rule)}\n" for name, rule in rules.items())


def lark(grammar: Grammar) -> str:
    """Return the grammar for llguidance."""
    rules = {"start": grammar.root, **reachable(grammar.root, grammar.rules)}
    printed = (f"{_lark_rule(name, rule)}\n" for name, rule in rules.items())
    return "%llguidance {}\n" + "".join(printed)


def structural_tag(form: Form, tools: Tools, *, answers: bool = True) -> dict[str, Any]:
    """Return the structural tags of a form with JSON arguments: each call typed once it begins, and text around calls.

    answers: whether text is allowed; without it the output is calls alone.
    """
    tags = [_call_tag(form, spec) for spec in tools.values()]
    calls = {"type": "tags_with_separator", "tags": tags, "separator": form.between, "at_least_one": True}
    whole = {"type": "tag", "begin": form.open, "content": calls, "end": form.close}
    if not answers:
        return {"type": "structural_tag", "format": whole if form.open else calls}
    trigger = form.open or form.begin.partition("{name}")[0]
    triggered = {"type": "triggered_tags", "triggers": [trigger], "tags": [whole] if form.open else tags}
    return {"type": "structural_tag", "format": triggered}


def _call_tag(form: Form, spec: ToolSpec) -> dict[str, Any]:
    begin, index, tail = form.begin.replace("{name}", spec.name).partition("{index}")
    content: dict[str, Any] = {"type": "json_schema", "json_schema": {"type": "object", **spec.parameters}}
    if index:
        number = {"type": "regex", "pattern": f"[0-9]{{1,{MAX_INDEX_DIGITS}}}"}
        content = {"type": "sequence", "elements": [number, {"type": "const_string", "value": tail}, content]}
    return {"type": "tag", "begin": begin, "content": content, "end": form.end}


_ESCAPED: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _quoted(text: str) -> str:
    return '"' + "".join(_ESCAPED.get(char, char) for char in text) + '"'


def _printed(expression: Expression, *, inner: bool = False) -> str:
    match expression:
        case Literal(text):
            return _quoted(text)
        case CharacterClass(inside):
            return f"[{inside}]"
        case Ref(name):
            return name
        case Until(closer):
            bare = closer.lstrip("\n")
            return f'([^<\\x00] | "<" [^<{bare[1]}\\x00])* {_quoted(closer)}'
        case Seq(parts):
            text = " ".join(_printed(part, inner=True) for part in parts if part != EMPTY) or '""'
        case Alt(parts):
            text = " | ".join(_printed(part, inner=True) for part in parts)
        case Many(part, most):
            return _printed(part, inner=True) + _times(most)
        case _:
            assert_never(expression)
    return f"({text})" if inner else text


def _times(most: int | None) -> str:
    if most is None:
        return "*"
    return "?" if most == 1 else f"{{0,{most}}}"


def _lark_rule(name: str, rule: Expression) -> str:
    if isinstance(rule, Until):
        return f"{name}[suffix={_quoted(rule.closer)}]: /(?s:.*)/"
    return f"{name}: {_lark(rule)}"


def _lark(expression: Expression, *, inner: bool = False) -> str:
    match expression:
        case CharacterClass(inside):
            return f"/[{inside.replace('/', chr(92) + '/')}]/"
        case Seq(parts):
            text = " ".join(_lark(part, inner=True) for part in parts if part != EMPTY) or '""'
        case Alt(parts):
            text = " | ".join(_lark(part, inner=True) for part in parts)
        case Many(part, most) if most != 1 and (regex := _regex(part)) is not None:
            # One lexeme: a parser that chooses among lexemes at every character is slow, and may choose wrong.
            return f"/({regex}){_times(most)}/"
        case Many(part, most):
            return _lark(part, inner=True) + _times(most)
        case _:
            return _printed(expression)
    return f"({text})" if inner else text


_SPECIAL_CHARS: Final = frozenset("\\^$.|?*+()[]{}/")


def _regex(expression: Expression) -> str | None:
    """Return an expression without references as a regular expression, or None."""
    match expression:
        case Literal(text):
            return "".join(f"\\{char}" if char in _SPECIAL_CHARS else char for char in text)
        case CharacterClass(inside):
            return f"[{inside.replace('/', chr(92) + '/')}]"
        case Seq(parts) | Alt(parts):
            inner = [_regex(part) for part in parts]
            if None in inner:
                return None
            return f"({('|' if isinstance(expression, Alt) else '').join(filter(None, inner))})"
        case _:
            return None
