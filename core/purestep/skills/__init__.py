"""Skills: contracts with schemas of input and output and guardrails, executed as nested model calls.

Theory of operation. A skill (`skill`) says what goes in, what comes out, how the model is asked and what an output is
held to; `extract` is the built-in one. `nested_call` executes it: a small state, which holds the input and what was
refused, and the decision read off it. The core decides what it can by itself, and then no model is asked; else it gives
`call_model`, reads the JSON object in what comes (`output`), holds it to the schema and to the guardrails, and asks
once more where it does not fit. The second misfit fails with its kind.
"""

from .nested_call import (
    SKILLS,
    SkillObservation,
    SkillState,
    SkillStep,
    begin_skill,
    is_consistent,
    step_skill,
    unknown_skill,
)
from .skill import Skill
