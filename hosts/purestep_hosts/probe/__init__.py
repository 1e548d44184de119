"""Finds out how a model is best asked: a small suite of tasks, run in each way that the core knows.

Theory of operation. `suite.json` holds the tasks, the tools and the fixed world that the tools answer from, so that
each run of the suite asks the same. `combinations` lists the ways to ask: dialect, constraint, carry level. `measure`
runs tasks through the core with one of them and counts; `profile_of` gives the best one as an entry of an agent file.
Nothing here reads what a model wrote: the core does, and `wrong` looks at the calls that ran and at the answer.
"""

from purestep_hosts.probe.combinations import Combination, combinations, dialect_for
from purestep_hosts.probe.measuring import Measured, Probed, measure
from purestep_hosts.probe.profile import best_of, profile_of
from purestep_hosts.probe.suite import Suite, Task, probe_suite, wrong
from purestep_hosts.probe.toolbox import ProbeToolbox, Ran

__all__ = [
    "Combination",
    "Measured",
    "ProbeToolbox",
    "Probed",
    "Ran",
    "Suite",
    "Task",
    "best_of",
    "combinations",
    "dialect_for",
    "measure",
    "probe_suite",
    "profile_of",
    "wrong",
]
