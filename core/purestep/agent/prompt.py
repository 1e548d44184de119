"""The prompt: system text and, for a carried model, examples as chat turns; the same definition, the same bytes.

Examples stand as real turns in the dialect's own form: with a small model that is the difference between output that
never and output that always parses. None is a call of a tool that may act: a model may repeat what it is shown.
"""

from collections.abc import Mapping
from typing import Any, Final

from ..checks import observed_answer, output_text, use_names
from ..dialects import Dialect, Sample, one_line
from ..json_text import BLANK, encode_sorted
from ..schema import plain_schema, with_pointers
from ..values import AgentDefinition, Example, Message, ReadCall, ToolSpec
from .corrections import numbered
from .examples import sample_arguments
from .skill_tools import READ_SKILL, written_skills
from .tools import CompiledTool

ToolSpecs = dict[str, ToolSpec]


def preamble(
    definition: AgentDefinition, dialect: Dialect, tools: Mapping[str, CompiledTool], *, examples: bool
) -> tuple[Message, ...]:
    """Return the leading messages of every transcript: the system text, then the turns of examples if any are sent."""
    specs = {name: tool.spec for name, tool in tools.items()}
    parts = (definition.instructions, dialect.instruct(specs), _written(definition), answer_format(definition))
    system = "\n\n".join(part for part in parts if part)
    messages = [Message(role="system", content=system)] if system else []
    if examples and not dialect.native_tools and not dialect.is_taught:
        for tool in tools.values():
            if tool.reads:
                messages += _tool_turns(tool, dialect, definition)
        if tools and _may_answer_freely(definition):
            messages += [_asked(PLAIN_QUERY), _answered(PLAIN_ANSWER, dialect)]
    return tuple(messages)


def _written(definition: AgentDefinition) -> str:
    """Return what is said of written skills: their names and descriptions; their text is read on use."""
    skills = written_skills(definition)
    if not skills:
        return ""
    lines = [f"- {skill.name}: {one_line(skill.description)}" for skill in skills]
    return "\n".join([f"Before a task that one of these skills is about, read the skill with {READ_SKILL}:", *lines])


PLAIN_QUERY: Final = "What is the capital of Italy?"
PLAIN_ANSWER: Final = "The capital of Italy is Rome."
"""Shown last: a small model that has only seen tools used finds one for every question."""


def _may_answer_freely(definition: AgentDefinition) -> bool:
    """Whether an answer in plain words, without a tool, is one that the definition takes."""
    names = use_names(definition.checks)
    chosen = definition.tool_choice in ("auto", "none")
    return definition.answer_schema is None and "obligation" not in names and chosen


def answer_format(definition: AgentDefinition) -> str:
    """Return the words that hold a final answer to its schema, or to its sections, if the definition has such."""
    if definition.answer_schema is None:
        cites = wants_citations(definition)
        return " ".join([*([OBSERVATIONS] if wants_observations(definition) else ()), *([CITATIONS] if cites else ())])
    schema = encode_sorted(definition.answer_schema).decode()
    return f"The final answer's content must be JSON that fits this schema:\n{schema}"


OBSERVATIONS: Final = (
    "After you have used a tool, a final answer has two sections: first OBSERVATIONS, with facts from the tools' "
    "results, then FINAL ANSWER, which answers the request."
)
"""What a definition with the check `observations` says to the model."""


CITATIONS: Final = (
    "Each result has a number, such as [1]. In a final answer after tool use, cite the results that a sentence rests "
    "on by their numbers, as in: The sum is 42 [1]. Write numbers, dates, addresses and quotes as the result has them."
)
"""What a definition with the check `citations` says to the model."""


def wants_observations(definition: AgentDefinition) -> bool:
    """Whether an answer after tool use has to have its two sections."""
    return "observations" in use_names(definition.checks)


def wants_citations(definition: AgentDefinition) -> bool:
    """Whether an answer after tool use has to cite its results."""
    return "citations" in use_names(definition.checks)


def _tool_turns(tool: CompiledTool, dialect: Dialect, definition: AgentDefinition) -> list[Message]:
    """Return the examples of a tool as turns."""
    examples = tool.spec.examples or _made(tool)
    return [turn for example in examples for turn in _turns(tool.spec, example, dialect, definition)]


def _made(tool: CompiledTool) -> tuple[Example, ...]:
    made = made_example(tool.spec)
    return () if tool.parameters.check(made.arguments) else (made,)


def _turns(spec: ToolSpec, example: Example, dialect: Dialect, definition: AgentDefinition) -> list[Message]:
    call = ReadCall(tool=spec.name, params=example.arguments)
    turns = [_asked(example.query), Message(role="assistant", content=dialect.write(Sample(calls=(call,))))]
    if example.answer is not None:
        result, answer = output_text(example.result), example.answer
        if wants_citations(definition):
            result, answer = numbered(1, result), f"{answer} [1]"
        if wants_observations(definition):
            answer = observed_answer(output_text(example.result), answer)
        turns += [_asked(dialect.result(spec.name, result, True)), _answered(answer, dialect)]
    return turns


def _asked(content: str) -> Message:
    return Message(role="user", content=content)


def _answered(answer: str, dialect: Dialect) -> Message:
    return Message(role="assistant", content=dialect.write(Sample(answer=answer)))


def made_example(spec: ToolSpec) -> Example:
    """Make an example from a tool's schema, for a spec that brings none."""
    arguments = sample_arguments(spec.parameters)
    about = spec.description.partition(".")[0].strip(BLANK) or f"Use {spec.name}"
    given = ", ".join(f"{key} = {output_text(value)}" for key, value in arguments.items())
    return Example(query=f"{about} ({given})" if given else about, arguments=arguments)


def native_tools(specs: ToolSpecs, sent: Mapping[str, str], *, plain: bool = False) -> list[dict[str, Any]]:
    """Return the tools in OpenAI's shape.

    sent: the names of those that a server would not take under their own. plain: with the keywords alone that every
    server takes.
    """
    return [
        {
            "type": "function",
            "function": {
                "name": sent.get(spec.name, spec.name),
                "description": spec.description,
                "parameters": plain_schema(spec.parameters) if plain else with_pointers(spec.parameters),
            },
        }
        for spec in specs.values()
    ]
