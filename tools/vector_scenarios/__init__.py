"""The scenarios of the conformance vectors, as data, by subject; each names its definition.

The vectors stand in their files in the order of `DELTA` and `WHOLE`. Skills, tools that judge and information flow have
scenarios in modules of their own beside this package.
"""

from .attached import ATTACHED, ATTACHED_AGENTS
from .calls import CALLS
from .carried import CARRIED
from .changed import CHANGED
from .claims import CLAIMS
from .definitions import AGENTS as OTHER_AGENTS
from .ends import ENDS
from .judged import JUDGED
from .observations import ADD_CALL, Scenario, call, failure, final, native, results, said, user
from .outputs import OUTPUTS
from .projected import FORMS, PROJECTED, STREAMED, WRONG
from .prompts import PROMPTS
from .recorded import RECORDED
from .referred import REFERRED
from .rules import RULE_AGENTS, RULES
from .said_before import HISTORIES, SAID_BEFORE
from .specs import ADD, FIND
from .steered import STEERED
from .whole import WHOLE

DELTA: dict[str, Scenario] = {
    **CLAIMS, **CARRIED, **PROMPTS, **OUTPUTS, **CALLS, **JUDGED, **RULES, **ENDS, **STEERED, **SAID_BEFORE,
    **CHANGED, **REFERRED, **RECORDED, **ATTACHED,
}  # fmt: skip
AGENTS = {**OTHER_AGENTS, **RULE_AGENTS, **ATTACHED_AGENTS}

__all__ = [
    "ADD",
    "ADD_CALL",
    "AGENTS",
    "DELTA",
    "FIND",
    "FORMS",
    "HISTORIES",
    "PROJECTED",
    "STREAMED",
    "WHOLE",
    "WRONG",
    "Scenario",
    "call",
    "failure",
    "final",
    "native",
    "results",
    "said",
    "user",
]
