"""A definition made ready for steps: schemas compiled, prompts, examples and constraints built once.

`Agent` is the compiled definition; it is cached by its digest, so that a small state can name it. `corrections`
holds every sentence that the core says to a model.
"""

from . import corrections
from .agent import BARE_AGENT, Agent, agent_by_digest, agent_from_source, compile_agent, keep_agent
from .approval_rules import asking_before_acting, held_to_rules
from .choice_prompt import NO_TOOL, scored_choices, scoring_messages
from .grounds import fitting_values, grounded_spec
from .offers import Offer, choice_problem, make_offer
from .output_reader import READ_OUTPUT
from .request_kinds import forms_of, request_kind
from .sent_names import names_by_sent, sent_function
from .skill_tools import READ_SKILL
from .tool_search import FIND_TOOLS, ToolSearch
from .tools import CompiledTool
from .ways import leads_to, next_dialect
from .worked_examples import sample_words
