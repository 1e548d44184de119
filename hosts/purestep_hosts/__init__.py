"""Native hosts for purestep: the command line, models, tools and sessions; `Agent` and `tool` to build on.

The names below are imported with their first use, so that the command starts without them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from purestep_hosts.agents import (
        Agent,
        AgentEvent,
        ApprovalAsked,
        CallProgress,
        CallReturned,
        CallStarted,
        FunctionTool,
        Invocation,
        LateCall,
        LateResult,
        ReasoningPiece,
        RunEnded,
        RunInterrupted,
        RunNotDone,
        RunResult,
        RunStore,
        RunStream,
        RunUsage,
        TextPiece,
        TextRetracted,
        ToolText,
        approved,
        by_embedding,
        cancelled_result,
        due_results,
        late_result,
        refused,
        tool,
    )
    from purestep_hosts.attachments import Attachment, AttachmentError, AttachmentStore, attachment
    from purestep_hosts.models.scripted import ScriptedModel, calls, says
    from purestep_hosts.sessions import Session, SessionError, SessionStore
    from purestep_hosts.tools.later import Later
    from purestep_hosts.tools.tool import ToolFailure

__all__ = [
    "Agent",
    "AgentEvent",
    "ApprovalAsked",
    "Attachment",
    "AttachmentError",
    "AttachmentStore",
    "CallProgress",
    "CallReturned",
    "CallStarted",
    "FunctionTool",
    "Invocation",
    "LateCall",
    "LateResult",
    "Later",
    "ReasoningPiece",
    "RunEnded",
    "RunInterrupted",
    "RunNotDone",
    "RunResult",
    "RunStore",
    "RunStream",
    "RunUsage",
    "ScriptedModel",
    "Session",
    "SessionError",
    "SessionStore",
    "TextPiece",
    "TextRetracted",
    "ToolFailure",
    "ToolText",
    "approved",
    "attachment",
    "by_embedding",
    "calls",
    "cancelled_result",
    "due_results",
    "late_result",
    "refused",
    "says",
    "tool",
]

_ELSEWHERE = {
    "Attachment": "attachments",
    "AttachmentError": "attachments",
    "AttachmentStore": "attachments",
    "Later": "tools.later",
    "ScriptedModel": "models.scripted",
    "Session": "sessions",
    "SessionError": "sessions",
    "SessionStore": "sessions",
    "ToolFailure": "tools.tool",
    "attachment": "attachments",
    "calls": "models.scripted",
    "says": "models.scripted",
}


if not TYPE_CHECKING:  # a `__getattr__` that type checkers see would give a type to every name that somebody misspells

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_ELSEWHERE.get(name, 'agents')}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
