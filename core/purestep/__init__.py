"""purestep: an agent decision core. One pure step function; hosts do everything else.

The JSON functions (`run_agent_step` and its companions) are the same on every host; the typed form (`start`,
`step`) is for Python. Nothing here performs I/O, reads a clock, draws a random number or keeps a run's data.
"""

from .alone import check_json, read_text
from .api import (
    check_value,
    core_info,
    create_agent_state,
    load_agent,
    read_model_output,
    replay_log,
    replay_log_lines,
    run_agent_step,
    run_agent_step_lines,
    stream_model_output,
    verify_log,
)
from .compiled import Agent
from .dialects import Dialect, register_dialect
from .errors import CATALOGUE, PurestepError
from .state import RunState
from .steps import Step
from .stream import close_stream, feed, open_stream
from .typed import current_decision, start, step
from .wire import (
    Approval,
    ApprovalCall,
    Approvals,
    CallModel,
    Cancel,
    Decision,
    Done,
    Failed,
    InvokeTool,
    Message,
    ModelError,
    ModelOutput,
    NativeCall,
    NativeFunction,
    Observation,
    RequestApproval,
    ToolCall,
    ToolResult,
    ToolResults,
    Usage,
    UserMessage,
)

__version__ = "0.1.0"

__all__ = [
    "CATALOGUE",
    "Agent",
    "Approval",
    "ApprovalCall",
    "Approvals",
    "CallModel",
    "Cancel",
    "Decision",
    "Dialect",
    "Done",
    "Failed",
    "InvokeTool",
    "Message",
    "ModelError",
    "ModelOutput",
    "NativeCall",
    "NativeFunction",
    "Observation",
    "PurestepError",
    "RequestApproval",
    "RunState",
    "Step",
    "ToolCall",
    "ToolResult",
    "ToolResults",
    "Usage",
    "UserMessage",
    "check_json",
    "check_value",
    "close_stream",
    "core_info",
    "create_agent_state",
    "current_decision",
    "feed",
    "load_agent",
    "open_stream",
    "read_model_output",
    "read_text",
    "register_dialect",
    "replay_log",
    "replay_log_lines",
    "run_agent_step",
    "run_agent_step_lines",
    "start",
    "step",
    "stream_model_output",
    "verify_log",
]
