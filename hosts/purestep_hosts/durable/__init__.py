"""Runs that outlive their process: an agent whose runs are workflows of DBOS, in SQLite or PostgreSQL.

Types and how data flows:

    DurableRuns, the service ── RunOrders ──> workflow of DBOS, one for each order ── Exchange
         │                        │                                                  │ drives the effects of `effects`:
         │                        └─ an order: query, answers, cancellation          ├ Record    ── a row of the log
         │                                                                           ├ AskModel, RunCalls
         └─ status, wait, log <── RunTable, LogTable <── rows of the run ────────────┘ AskPerson ── the workflow ends

A row of the log is the checkpoint of a step: it is written before its decision is carried out. After a kill the
workflow runs again and goes on after the last row. A call that was handed out by then may have had its effect: it is
not made again, the core is told (`resumed`) and decides, as in every host. A run that waits for a person is rows in a
table and nothing else; the answer is the next order. Nothing here looks at what a model said.
"""

from purestep_hosts.durable.runs import DurableRuns
from purestep_hosts.stored_runs import DurableError, DurableStatus

__all__ = ["DurableError", "DurableRuns", "DurableStatus"]
