"""Finds out how a model is best asked: a small suite of tasks, run in each way that the core knows.

Theory of operation. `suite` holds the tasks, and the tools with the fixed world that they answer from, so that each run
asks the same. `ways` lists how to ask: dialect, constraint, carry level. A `Probe` is a value that says which run is
due; a host makes the run with the core and hands its log back, from which `judging` takes the outcome. `comparing`
gives the table's rows and the best way as a profile for agent files. Nothing here performs I/O or asks a model.
"""

from purestep_tools.probe.comparing import Measured, best_of
from purestep_tools.probe.judging import Probed, RanCall, wrong
from purestep_tools.probe.probe import NextRun, Probe, as_data, begin_probe, from_data
from purestep_tools.probe.suite import TASKS, TOOLS, ExpectedCall, Task, tool_outcome
from purestep_tools.probe.ways import FAMILIES, ProbeWay, dialect_for, ways_for

__all__ = [
    "FAMILIES",
    "TASKS",
    "TOOLS",
    "ExpectedCall",
    "Measured",
    "NextRun",
    "Probe",
    "ProbeWay",
    "Probed",
    "RanCall",
    "Task",
    "as_data",
    "begin_probe",
    "best_of",
    "dialect_for",
    "from_data",
    "tool_outcome",
    "ways_for",
    "wrong",
]
