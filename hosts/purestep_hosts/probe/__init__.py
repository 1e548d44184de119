"""Runs the suite of `purestep_tools.probe` with a model of this host: `measured` makes the runs that are due.

The tasks, the ways to ask, the judge and the choice of the best way are pure and shared with the page.
"""

from purestep_hosts.probe.measuring import ProbeTools, measured

__all__ = ["ProbeTools", "measured"]
