"""Checks: what a definition demands of a tool's output and of an answer.

Theory of operation. A definition lists checks on a tool, for its outputs, and at its root, for the answer. Each has
one form: a name (`named`), a schema, a pattern, a tool of the host that judges (`host_tools`), or `any` and `not` of
others. `compile_checks` makes each of them a function of what is judged, and `first_rejection` asks them in the
definition's order: the first that says no gives the verdict, with its name and a reason. Tools of the host are asked
last, since each costs a call; the step function makes these calls, as it makes the model's.

Source: agent.rs (plausibility of outputs, planning without action, tool obligation, observations before the answer).
"""

from .citations import CitedText, cited_sentences, marks_of
from .compiled import CheckSource, CompiledCheck, compile_checks
from .host_tools import ToolCheck, check_failed, check_ranker, inner_tool_names, params_of, ranking_by, refusal
from .judged import AnswerFacts, Judged, Rejection, is_empty, output_text
from .named import ANSWER_CHECKS, LOOKS_BACK, OUTPUT_CHECKS, echo_signature, is_placeholder
from .sections import observed_answer
from .verdicts import first_rejection, judge_output, use_names
