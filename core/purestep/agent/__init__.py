"""A definition made ready for steps: schemas compiled, prompts, examples and constraints built once.

`Agent` is the compiled definition; it is cached by its digest, so that a small state can name it. `guardrails` and
`postconditions` judge outputs and answers; `corrections` holds every sentence that the core says to a model.
"""

from . import corrections
from .agent import BARE_AGENT, Agent, agent_by_digest, agent_from_source, compile_agent, keep_agent
from .answer_numbers import unsaid_number
from .approval_rules import held_to_rules
from .check_names import checks_of_answer, checks_of_output
from .check_tools import CHECK, CheckCall, CheckRule, check_calls, misfit, refusal
from .choice_prompt import NO_TOOL, scored_choices, scoring_messages
from .citations import CitedText, cited_sentences, marks_of, without_marks, wrong_citations
from .grounds import fitting_values, grounded_spec
from .guardrails import (
    ANSWER_CHECKS,
    OUTPUT_CHECKS,
    Rejection,
    is_empty,
    is_placeholder,
    is_planning,
    judge_output,
    output_text,
)
from .observations import lacks_observations
from .offers import Offer, choice_problem
from .output_reader import READ_OUTPUT
from .postconditions import judge, judge_answer
from .references import Judged, named_values, named_values_fit
from .skill_tools import READ_SKILL
from .tools import CompiledTool
from .ways import LEVELS, leads_to, next_dialect, next_level
from .worked_examples import sample_words
