"""The prompt: system text, one example of every tool as chat turns, constraints; the same definition, the same bytes.

Examples stand as real turns in the dialect's own form: with a small model that is the difference between
output that never and output that always parses.
"""

from collections.abc import Callable
from typing import Any

from .checks import output_text
from .definition import AgentDefinition
from .dialects import Dialect, Sample
from .jsonio import encode_sorted
from .jsontext import BLANK
from .reading import ReadCall
from .samples import sample_arguments
from .toolspec import Example, ToolSpec
from .wire import Message

ToolSpecs = dict[str, ToolSpec]


def preamble(
    definition: AgentDefinition, dialect: Dialect, specs: ToolSpecs, fits: Callable[[str, dict[str, Any]], bool]
) -> tuple[Message, ...]:
    """Give the leading messages of every transcript: the system text, then the examples' turns.

    fits: tells whether arguments fit the tool of that name; an example made here that does not is not shown.
    """
    parts = (definition.instructions, dialect.instruct(specs), _answer_format(definition))
    system = "\n\n".join(part for part in parts if part)
    messages = [Message(role="system", content=system)] if system else []
    if not dialect.native_tools:
        for spec in specs.values():
            made = made_example(spec)
            examples = spec.examples or ((made,) if fits(spec.name, made.arguments) else ())
            messages += _example_turns(spec, examples, dialect)
    return tuple(messages)


def _answer_format(definition: AgentDefinition) -> str:
    if definition.answer_schema is None:
        return ""
    schema = encode_sorted(definition.answer_schema).decode()
    return f"The final answer's content must be JSON that fits this schema:\n{schema}"


def _example_turns(spec: ToolSpec, examples: tuple[Example, ...], dialect: Dialect) -> list[Message]:
    turns: list[Message] = []
    for example in examples:
        call = ReadCall(tool=spec.name, params=example.arguments)
        turns.append(Message(role="user", content=example.query))
        turns.append(Message(role="assistant", content=dialect.write(Sample(calls=(call,)))))
        if example.answer is not None:
            result = result_text(spec.name, output_text(example.result), True)
            turns.append(Message(role="user", content=result))
            turns.append(Message(role="assistant", content=dialect.write(Sample(answer=example.answer))))
    return turns


def made_example(spec: ToolSpec) -> Example:
    """Make an example from a tool's schema, for a spec that brings none."""
    arguments = sample_arguments(spec.parameters)
    about = spec.description.partition(".")[0].strip(BLANK) or f"Use {spec.name}"
    given = ", ".join(f"{key} = {output_text(value)}" for key, value in arguments.items())
    return Example(query=f"{about} ({given})" if given else about, arguments=arguments)


def result_text(tool: str, text: str, ok: bool) -> str:
    """Give a tool result as the user message of a dialect without a tool role."""
    return f"Result of {tool}: {text}" if ok else f"Error of {tool}: {text}"


def native_tools(specs: ToolSpecs) -> list[dict[str, Any]]:
    """Give the tools in OpenAI's shape."""
    return [
        {
            "type": "function",
            "function": {"name": spec.name, "description": spec.description, "parameters": spec.parameters},
        }
        for spec in specs.values()
    ]


def response_format(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Give a schema as OpenAI's and llama.cpp's response_format."""
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema}}
