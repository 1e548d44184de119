"""What a skill is: a contract with schemas of its input and output, guardrails, and named ways to fail."""

from collections.abc import Callable
from typing import Any, Final, Literal

from msgspec import Struct

from ..values import Example, Message, SkillFault

FaultKind = Literal[
    "EmptyInput", "InvalidTarget", "MalformedOutput", "SchemaViolation", "HallucinationDetected", "UnknownSkill"
]

CAUSES: Final[dict[str, str]] = {
    "MalformedOutput": "parse_error",
    "SchemaViolation": "answer_schema",
    "HallucinationDetected": "guardrail",
}
"""The faults of an output, which one correction may mend, and the cause that the correction names."""


class SkillQuestion(Struct, frozen=True, kw_only=True):
    """What the model is asked, and the schema that its output is held to while it is written."""

    messages: tuple[Message, ...]
    constraint: dict[str, Any]


class Skill(Struct, frozen=True, kw_only=True):
    """A contract: what goes in, what comes out, and how the model is asked.

    parameters, output_schema: JSON Schemas; that of the output depends on the arguments. check_input: what is wrong
    with the arguments, by kind. decide: the output where the core needs no model for it, else None. ask: the question
    to the model. judge: the guardrails; the output in its final form,
    or what is wrong with it. remind: how an output has to look, said once more after a fault.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    check_input: Callable[[dict[str, Any]], SkillFault | None]
    output_schema: Callable[[dict[str, Any]], dict[str, Any]]
    decide: Callable[[dict[str, Any]], dict[str, Any] | None]
    ask: Callable[[dict[str, Any]], SkillQuestion]
    judge: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any] | SkillFault]
    remind: Callable[[dict[str, Any]], str]
    examples: tuple[Example, ...] = ()
    """Calls that a model is shown where the skill is offered to it."""
