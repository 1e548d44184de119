"""What a model's output is held to while it is generated: a JSON Schema, a grammar or structural tags.

That is decided by the dialect and by what the definition says its host takes (`models[].supports`). A dialect whose
whole output is JSON goes first by JSON Schema, but the compact one by a grammar, which also says where its spaces are.
A family's form is kept by structural tags, which leave text free until a call begins, else by a grammar of the whole
output. What writes grammars is in `purestep_formats`, and imported once a model is held to one.
"""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

from msgspec import Struct

from .dialects import Dialect
from .schema import strict_schema
from .values import Tools


class Constraint(Struct, frozen=True, kw_only=True):
    """What a model's output is held to: OpenAI's member `response_format`, or a grammar as text; or nothing."""

    response_format: dict[str, Any] | None = None
    grammar: str | None = None


FREE: Final = Constraint()


@cache  # pure: a module is the same at every import
def _grammars() -> Any:
    return import_module("purestep_formats.grammars")


def constraint_for(
    dialect: Dialect,
    tools: Tools,
    answer_schema: Any,
    supports: tuple[str, ...] | None,
    *,
    answers: bool = True,
    copies: bool = False,
) -> Constraint:
    """Return the constraint of a model call.

    supports: what the server takes, None when that is not known. answers: whether an answer is allowed beside calls.
    copies: whether strings of arguments are to be copied from the conversation, where a grammar can hold them to it.
    """
    if dialect.stream == "compact" and supports is not None and not _GRAMMARS.isdisjoint(supports):
        held = answer_schema if answers else False
        decisions = _grammars().grammar_of_decisions(tools, held, copies=copies and "grammar" in supports)
        return _by_grammar(decisions, supports)
    schema = dialect.constrain(tools, answer_schema if answers else False)
    if schema is not None:
        return constraint_of_schema(dialect.name, schema, supports)
    if dialect.form is None or supports is None:
        return FREE
    form = dialect.form
    if not answers:
        answer_schema = False
    copies = copies and "grammar" in supports and takes_copies(dialect)
    free_tags = "structural_tag" in supports and form.arguments == "json"
    if free_tags and tools and answer_schema is None and not copies:
        return Constraint(response_format=_grammars().structural_tag(form, tools))
    constraint = _by_grammar(_grammars().grammar_of_form(form, tools, answer_schema, copies=copies), supports)
    if constraint is FREE and not answers and free_tags:
        return Constraint(response_format=_grammars().structural_tag(form, tools, answers=False))
    return constraint


_GRAMMARS: Final = frozenset({"grammar", "lark", "ebnf"})


def takes_copies(dialect: Dialect) -> bool:
    """Whether a grammar of a dialect may hold strings of arguments to the conversation: calls write them as JSON does.

    Text between tags, and strings between marks, end at no sign that a word of the conversation could not hold.
    """
    return dialect.stream == "compact" or (dialect.form is not None and dialect.form.arguments in ("json", "python"))


def constraint_of_answer(answer_schema: Any, supports: tuple[str, ...] | None, *, tools: bool) -> Constraint:
    """Return the constraint of a native dialect's answer, whose calls stand beside it.

    tools: the server is given tools too, so a grammar, which is of the whole output, has no place.
    """
    if not isinstance(answer_schema, dict) or (supports is None and answer_schema.get("type") != "object"):
        return FREE  # OpenAI's servers take objects alone
    if tools and not (supports is None or "json_schema" in supports or "tools_with_json_schema" in supports):
        return FREE
    return constraint_of_schema("answer", answer_schema, None if tools else supports)


def constraint_of_schema(name: str, schema: dict[str, Any], supports: tuple[str, ...] | None) -> Constraint:
    """Return the constraint of an output that is one JSON value; `supports` as in `constraint_for`."""
    if supports is None or "json_schema" in supports:
        return Constraint(response_format=_response_format(name, schema))
    return _by_grammar(_grammars().grammar_of_schema(schema), supports)


def _by_grammar(grammar: Any, supports: tuple[str, ...]) -> Constraint:
    if "grammar" in supports:
        return Constraint(grammar=_grammars().gbnf(grammar))
    if "lark" in supports:
        return Constraint(grammar=_grammars().lark(grammar))
    if "ebnf" in supports:
        return Constraint(response_format={"type": "grammar", "grammar": _grammars().gbnf(grammar)})
    return FREE


def _response_format(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema as OpenAI's and llama.cpp's response_format."""
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema}}


def in_strict_form(constraint: Constraint) -> Constraint:
    """Return a constraint by a schema in OpenAI's strict form, where the schema has one."""
    form = constraint.response_format
    if form is None or form["type"] != "json_schema":
        return constraint
    schema = strict_schema(form["json_schema"]["schema"])
    if schema is None:
        return constraint
    strict = {**form["json_schema"], "schema": schema, "strict": True}
    return Constraint(response_format={"type": "json_schema", "json_schema": strict})


def span_texts(text: str) -> tuple[str, ...]:
    """Return the parts of a text that arguments are copied from: all of it, or the words at either end."""
    parts: tuple[str, ...] = _grammars().span_texts(text)
    return parts


def with_copied(grammar: str, texts: Sequence[str], told: str) -> str:
    """Return a grammar with its rules of copied text made of these texts; told: what answers take figures from too."""
    completed: str = _grammars().with_copied(grammar, texts, told)
    return completed
