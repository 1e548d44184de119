"""Runs that outlive their process: an agent whose runs are workflows of a Temporal server.

Types and how data flows:

    TemporalRuns ── start ──> workflow of Temporal, one for each user message ── TemporalExchange
         │                                                                    │ yields as in `effects`:
         ├─ approve, cancel ──> update, cancellation ─────────────────────────┤ AskPerson ── waits, for days
         │                                                                    ├ AskModel  ── activity
         └─ status, wait, log <── RunHistory <── lines in the history <───────┤ Record    ── with the next activity
                                                                              └ RunCalls  ── an activity for each call
                                                            TemporalWorker ───── Activities

A worker replays a workflow from its history, and the core makes the same decisions again, for it is pure. An activity's
id holds the head of the log before it, so that other decisions do not pass for the same ones. A call whose worker was
lost is not made again here: the core is told (`resumed`) and decides, as in every host. Nothing here looks at what a
model said.
"""

from purestep_hosts.stored_runs import DurableError, DurableStatus
from purestep_hosts.temporal.runs import TemporalRuns
from purestep_hosts.temporal.worker import TemporalWorker

__all__ = ["DurableError", "DurableStatus", "TemporalRuns", "TemporalWorker"]
