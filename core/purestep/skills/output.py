"""The value of a skill's output: the JSON object in a model's text, held to the output schema.

A code fence, prose around the object and reasoning before it are read past. What would have to be guessed, such as a
missing bracket, is refused: the model is asked once more instead.
"""

from typing import Any, Final

from ..bounds import MAX_ENVELOPE_CANDIDATES
from ..dialects import dialect_named, read_output
from ..json_text import BLANK, UNREADABLE, diagnose, find_json, read_json
from ..schema import compile_schema, render
from ..values import ModelOutput, SkillFault

_NO_OBJECT: Final = "expected one JSON object"


def object_in(output: ModelOutput, *, opened: bool) -> dict[str, Any] | SkillFault:
    """Return the first JSON object of an output; a fault where there is none that can be read as written.

    opened: the chat template opened the reasoning, so nothing before its closing tag counts.
    """
    text = _answer(output, opened)
    if text is None:
        return SkillFault("MalformedOutput", f"{_NO_OBJECT}; no answer came")
    at, other = 0, None
    for _ in range(MAX_ENVELOPE_CANDIDATES):
        found = find_json(text, at)
        if found is None:
            break
        if found.missing:
            return SkillFault("MalformedOutput", f"{_NO_OBJECT}; it ends before it is closed")
        stretch = text[found.start : found.end]
        value = read_json(stretch)
        if isinstance(value, dict):
            return value
        other = other or ((diagnose(stretch) or "it cannot be read") if value is UNREADABLE else "a list came")
        at = found.end
    return SkillFault("MalformedOutput", f"{_NO_OBJECT}; {other or 'none came'}")


def _answer(output: ModelOutput, opened: bool) -> str | None:
    """Return the text without its reasoning; None where the output is no text."""
    if output.content is None or output.tool_calls:
        return None
    reading = read_output(dialect_named("bare"), output.content, None, opened=opened)
    return None if reading.content is None else reading.content.strip(BLANK)


def fault_of_schema(value: dict[str, Any], schema: dict[str, Any]) -> SkillFault | None:
    """Return what of a value does not fit the output schema, or None."""
    issues = compile_schema(schema, native=False).check(value)
    return SkillFault("SchemaViolation", "; ".join([render(issue) for issue in issues])) if issues else None
