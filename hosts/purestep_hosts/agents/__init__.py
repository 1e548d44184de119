"""Agents in a few lines: typed functions as tools, runs that are awaited, waited for or streamed.

Types and how data flows:

    @tool function ── FunctionTool ─┐                       ┌─ RunResult (status, answer, data, failure, log)
    output_type ───── OutputType ───┼─ Agent ── run ────────┤
    model, definition ──────────────┘    │                  └─ RunStream of AgentEvent, then RunResult
                                         │
              Exchange yields the effects of RunEffects, `async_loop.drive` performs each and sends back what came:
              Record ─> RunLog (memory, RunStore)  AskModel ─> Model   RunCalls ─> ToolCalls   AskPerson ─> approve

An `Agent` is its definition with the means to carry decisions out; it keeps nothing of a run. A run is its log: a
result holds it, a session keeps it on disk, and either goes on later (`after`, `session`), in another process too. A
tool's function gets the model's arguments as its declared types, and an `Invocation` with the program's own
dependencies. What goes wrong in a run is a value: an error result for the model, or `failure` of the result, whose
`answer` and `data` then raise RunNotDone. The core decides; nothing here looks at what a model said.
"""

from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.events import (
    AgentEvent,
    ApprovalAsked,
    CallProgress,
    CallReturned,
    CallStarted,
    ReasoningPiece,
    RunEnded,
    TextPiece,
    TextRetracted,
)
from purestep_hosts.agents.function_tool import FunctionTool, tool
from purestep_hosts.agents.late import LateCall, LateResult, due_results, late_result
from purestep_hosts.agents.parameters import Invocation
from purestep_hosts.agents.result import (
    RunInterrupted,
    RunResult,
    RunUsage,
    approved,
    cancelled_result,
    refused,
)
from purestep_hosts.agents.run_log import RunStore
from purestep_hosts.agents.streaming import RunStream
from purestep_hosts.agents.tool_ranking import ToolText, by_embedding
from purestep_hosts.inner_runs import RunNotDone

__all__ = [
    "Agent",
    "AgentEvent",
    "ApprovalAsked",
    "CallProgress",
    "CallReturned",
    "CallStarted",
    "FunctionTool",
    "Invocation",
    "LateCall",
    "LateResult",
    "ReasoningPiece",
    "RunEnded",
    "RunInterrupted",
    "RunNotDone",
    "RunResult",
    "RunStore",
    "RunStream",
    "RunUsage",
    "TextPiece",
    "TextRetracted",
    "ToolText",
    "approved",
    "by_embedding",
    "cancelled_result",
    "due_results",
    "late_result",
    "refused",
    "tool",
]
