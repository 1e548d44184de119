"""Explores a definition, with agents or without."""

import time

from .case import Case
from .exploration import Exploration, Explored, Sampling
from .trees import TreeExploration


def explore(case: Case, most_states: int, sampling: Sampling) -> Explored:
    """Explore a case until that many states are known; raises `Violation` for the first promise that does not hold."""
    began = time.process_time()
    exploration = (TreeExploration if case.below else Exploration)(case, sampling)
    exploration.run(most_states)
    exploration.counts.seconds = time.process_time() - began
    return exploration.counts
