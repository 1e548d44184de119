"""The values that cross the boundary and the values that are stored: frozen, tagged, strict about unknown members.

`wire` holds observations, decisions and messages; `state` the state of a run; `events` the lines of the log; `reading`
what a model's output says; `stream_events` what a streaming filter emits; `definition` and `toolspec` what an agent is.
`shapes` says why a JSON value is not one of them. Nothing here decides anything.

A value is a tree of JSON values, so no cycle can run through it; `gc=False` spares the collector every one of them.
"""

from . import events
from .checks import Check, Checks
from .completed import HostParts, ModelProfile, completed_definition, host_parts
from .content import (
    AttachedPart,
    Content,
    ContentPart,
    Data,
    DataText,
    FilePart,
    ImagePart,
    PartKind,
    TextPart,
    joined_content,
    kind_of,
    parts_of,
    text_of,
    with_text,
)
from .definition import (
    Adapter,
    AgentDefinition,
    CarryLevel,
    ModelSpec,
    Price,
    read_definition,
)
from .events import (
    AgentChangedEvent,
    ApprovalEvent,
    ApprovalRequestEvent,
    Cancelled,
    CorrectionEvent,
    Decided,
    Derived,
    DerivedLine,
    Event,
    Fact,
    FinalAnswer,
    LogLine,
    ModelErrorEvent,
    ModelResponse,
    ResumedEvent,
    RunFailed,
    RunStarted,
    SkillEnded,
    SkillStarted,
    Switched,
    ToolCallEvent,
    ToolResultEvent,
    UserMessageEvent,
    VerdictEvent,
    cancelled_of,
    chain,
    decode_event,
    decode_events,
    error_event_of,
    response_of,
)
from .explanation import (
    CitedSentence,
    ExplainedAnswer,
    ExplainedCall,
    ExplainedCorrection,
    ExplainedFailure,
    ExplainedOutput,
    Explanation,
)
from .negotiation import DEFAULT_RULES, FAULT_OF, FAULTS, Fault, Negotiated, NegotiationRule
from .options import NegotiationOptions, NoOptions, RedactionSpec, SecretKind, SummaryOptions
from .reading import (
    READABLE,
    REASONING_LISTS,
    REASONING_TEXTS,
    Problem,
    ReadCall,
    Reading,
    fatal_problem,
    ignored_text,
    parse_error,
    reasoning_beside,
    repaired,
    truncated,
)
from .retries import most_retries, retry_wait_ms
from .sent import OutputCut, Sent, SentAttachment, SentPart, ShortenedMessage
from .shapes import shape_error
from .skills import SkillEntry, SkillFault, SkillProgress
from .state import (
    Carried,
    Citable,
    CutOutput,
    Evidence,
    ExchangeState,
    ExchangeUse,
    Failure,
    JudgedAnswer,
    KnownValue,
    Pending,
    Phase,
    QueuedMessage,
    Recent,
    RunProgress,
    RunState,
    Summing,
    WindowState,
    new_state,
)
from .stream_events import StreamCall, StreamEvent, StreamReasoning, StreamRetract, StreamStop, StreamText
from .tool_shapes import in_own_shape
from .toolspec import (
    OPEN,
    Annotations,
    ApprovalRule,
    Example,
    OneTool,
    SkillSpec,
    ToolChoice,
    Tools,
    ToolSpec,
    labels_of,
)
from .wire import (
    Act,
    ActStatus,
    AgentChanged,
    Approval,
    ApprovalCall,
    Approvals,
    ArgumentOrigin,
    CallModel,
    Cancel,
    Citation,
    Count,
    Decision,
    Done,
    Failed,
    Inconclusive,
    InvokeSkill,
    InvokeTool,
    Message,
    Millis,
    ModelError,
    ModelOutput,
    NativeCall,
    NativeFunction,
    Observation,
    OutputPart,
    OutputReference,
    Parameter,
    RequestApproval,
    RequestParameters,
    ResponseId,
    Resumed,
    ScoredChoice,
    Tagged,
    ToolCall,
    ToolResult,
    ToolResults,
    Usage,
    UserMessage,
    own_decision,
    own_message,
    prompt_messages,
    returned_extra,
    sent_message,
)
