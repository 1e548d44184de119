"""The prompt of a model that is carried: fresh, short, and only about what is to be decided now.

It begins alike for the same tools, so a server's cache of keys and values serves from one question to the next.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from ..carry import Grounded
from ..dialects import Dialect
from ..json_text import encode
from ..values import AgentDefinition, Message, Sampling, ToolSpec
from .prompt import answer_format, made_example
from .turns import answered, asked, call_turns


class CarriedQuestion(Struct, frozen=True, kw_only=True):
    """What a carried model is asked: the part of the request at hand, results it may need, and feedback.

    `earlier`: questions and answers before this one.
    """

    text: str
    results: Sequence[tuple[str, str, bool]] = ()
    feedback: str = ""
    earlier: Sequence[tuple[str, str]] = ()


def carried_messages(
    definition: AgentDefinition, dialect: Dialect, tools: Mapping[str, ToolSpec], question: CarriedQuestion
) -> tuple[Message, ...]:
    """Give the messages that ask for a call of one of the tools, or for an answer where there are none."""
    cites = definition.citations is not None and bool(question.results) and not tools
    if not cites:
        definition = replace(definition, citations=None)  # nothing is shown that could be cited
    role = definition.instructions or ("" if tools else _ROLE)
    parts = (role, dialect.instruct(tools), answer_format(definition) if not tools else "")
    system = "\n\n".join(part for part in parts if part)
    messages = [Message(role="system", content=system)] if system else []
    if not dialect.native_tools:
        messages += _shots(dialect, tools, _CITED if cites else _TALK if definition.answer_schema is None else ())
    if not tools:
        for before, said in question.earlier:
            messages += [asked(before), answered(said, dialect)]
    results = [dialect.result(tool, text, ok) for tool, text, ok in reversed(question.results)]
    messages.append(asked("\n".join([*results, question.text, *([question.feedback] if question.feedback else [])])))
    return tuple(messages)


def _shots(dialect: Dialect, tools: Mapping[str, ToolSpec], talk: Sequence[tuple[str, str]]) -> list[Message]:
    """Give a call of each tool as turns; without tools answers in plain words."""
    if not tools:
        return [turn for query, said in talk for turn in (asked(query), answered(said, dialect))]
    turns = []
    for spec in tools.values():
        turns += call_turns(spec, spec.examples[0] if spec.examples else made_example(spec), dialect)
    return turns


_ROLE: Final = "You are a helpful assistant. Answer in one or two short sentences."
_TALK: Final = (
    ("What can you do?", "I can answer questions and use the tools that I have."),
    (
        "Why do leaves fall in autumn?",
        "Trees drop their leaves in autumn to save water while it is cold and dark.",
    ),
    ("Hello!", "Hello! What can I do for you?"),
)
"""Shown before a question that asks for no tool; a small model that copies the last answer says nothing wrong."""

_CITED: Final = (
    (
        "Result of find_parcel: [1] posted on Monday\nResult of find_shop: [2] open until 18:00\n"
        "Where is my parcel, and how long are you open?",
        "Your parcel was posted on Monday [1]. We are open until 18:00 [2].",
    ),
)
"""Shown instead where an answer has to cite the results before the question."""

SHOWN_ANSWERS: Final = ((_TALK[1][1], frozenset({"leaves"})), (_CITED[0][1], frozenset({"parcel"})))
"""The answers above that say something, with what they are about."""


def talk_sampling(definition: AgentDefinition) -> Raw | UnsetType:
    """Give the sampling of an answer in the model's own words: small models repeat a phrase without end.

    A definition that names a penalty, or the form of its answers, is left as it is.
    """
    given = definition.sampling or Sampling()
    named = (given.frequency_penalty, given.presence_penalty, given.repeat_penalty, definition.answer_schema)
    if all(value is None for value in named):
        given = replace(given, frequency_penalty=_TALK_PENALTY)
    return Raw(encode(given)) if given != Sampling() else UNSET


_TALK_PENALTY: Final = 0.3
"""The least in tenths at which the bundled model ended all of 20 replies, 4 of which repeat a phrase without it."""


def grounded_spec(spec: ToolSpec, grounded: Grounded, *, drop_others: bool) -> ToolSpec:
    """Give a tool whose arguments are held to their candidates.

    drop_others: without the arguments that the words say nothing of.
    """
    given: dict[str, Any] = spec.parameters.get("properties", {})
    properties = {}
    for name, schema in given.items():
        values = grounded.values.get(name)
        if values:
            properties[name] = {**_kept(schema), "enum": list(values)}
        elif name in grounded.values or not drop_others:
            properties[name] = schema
    required = list(grounded.values) if drop_others else spec.parameters.get("required", [])
    parameters = {**spec.parameters, "properties": properties, "required": required}
    return replace(spec, parameters=parameters)


def _kept(schema: Any) -> dict[str, Any]:
    return {key: schema[key] for key in ("description",) if key in schema} if isinstance(schema, dict) else {}
