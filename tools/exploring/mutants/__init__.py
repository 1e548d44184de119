"""Faults that the exploration has to find, by what they break; `python -m tools.exploring.mutant_runs` seeds each."""

from typing import Final

from .acts import ACTS
from .approvals import APPROVALS
from .changes import CHANGES
from .checks import CHECKS
from .effects import EFFECTS
from .flows import FLOWS
from .history import HISTORY
from .late import LATE
from .limits import LIMITS
from .logs import LOGS
from .mutant import Mutant
from .phases import PHASES
from .plans import PLANS
from .rates import RATES
from .requests import REQUESTS
from .results import RESULTS
from .searches import SEARCHES
from .skills import SKILLS
from .steering import STEERING
from .trees import TREES

MUTANTS: Final[tuple[Mutant, ...]] = (
    *APPROVALS,
    *EFFECTS,
    *FLOWS,
    *LIMITS,
    *RESULTS,
    *PHASES,
    *LOGS,
    *CHECKS,
    *SKILLS,
    *STEERING,
    *CHANGES,
    *ACTS,
    *REQUESTS,
    *PLANS,
    *RATES,
    *SEARCHES,
    *HISTORY,
    *TREES,
    *LATE,
)
"""All of them."""

__all__ = ["MUTANTS", "Mutant"]
