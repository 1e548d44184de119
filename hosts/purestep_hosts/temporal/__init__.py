"""Runs that outlive their process: an agent whose runs are workflows of Temporal."""

from purestep_hosts.stored_runs import DurableError, DurableStatus
from purestep_hosts.temporal.runs import TemporalRuns
from purestep_hosts.temporal.worker import TemporalWorker

__all__ = ["DurableError", "DurableStatus", "TemporalRuns", "TemporalWorker"]
