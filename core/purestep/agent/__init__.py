"""A definition made ready for steps: schemas compiled, prompts, examples and constraints built once.

`Agent` is the compiled definition; it is cached by its digest, so that a small state can name it. `guardrails` and
`postconditions` judge outputs and answers; `corrections` holds every sentence that the core says to a model.
"""

from . import corrections
from .agent import BARE_AGENT, Agent, Offer, agent_by_digest, agent_from_source, compile_agent, keep_agent
from .carried_prompt import CarriedQuestion, carried_messages, grounded_spec
from .guardrails import (
    ANSWER_CHECKS,
    OUTPUT_CHECKS,
    Rejection,
    answer_text,
    is_empty,
    is_placeholder,
    is_planning,
    judge_output,
    output_text,
)
from .output_reader import READ_OUTPUT
from .postconditions import judge
from .tools import CompiledTool

__all__ = [
    "ANSWER_CHECKS",
    "BARE_AGENT",
    "OUTPUT_CHECKS",
    "READ_OUTPUT",
    "Agent",
    "CarriedQuestion",
    "CompiledTool",
    "Offer",
    "Rejection",
    "agent_by_digest",
    "agent_from_source",
    "answer_text",
    "carried_messages",
    "compile_agent",
    "corrections",
    "grounded_spec",
    "is_empty",
    "is_placeholder",
    "is_planning",
    "judge",
    "judge_output",
    "keep_agent",
    "output_text",
]
