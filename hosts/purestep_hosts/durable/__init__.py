"""Runs that outlive their process: an agent whose runs are workflows of DBOS, in SQLite or PostgreSQL.

Types and how data flows:

    DurableRuns ── start ──> workflow of DBOS, one for each user message ── ExchangeWorkflow
         │                                                                    │ yields as in `effects`:
         ├─ approve ──> message to the workflow ──────────────────────────────┤ AskPerson ── recv, for days
         │                                                                    ├ AskModel  ── step
         └─ status, wait, log <── LogTable <── lines of the run ──────────────┤ Record    ── transaction
                                                                              └ RunCalls  ── a step for each call

A step's outcome is a checkpoint in the database. After a kill the workflow runs from its beginning: steps give their
checkpoints, the core makes the same decisions of them, for it is pure, and the log must come out as it is stored. Where
the checkpoints end, the run goes on. A call that had begun by then, and has no checkpoint, may have had its effect: it
is not made again, the core is told (`resumed`) and decides, as in every host. Nothing here looks at what a model said.
"""

from purestep_hosts.durable.runs import DurableRuns
from purestep_hosts.stored_runs import DurableError, DurableStatus

__all__ = ["DurableError", "DurableRuns", "DurableStatus"]
