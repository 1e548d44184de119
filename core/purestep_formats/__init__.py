"""What others write and read: calls of model families, grammars, replies of servers, and logs in their protocols.

`replies` reads: it puts a reply together from its chunks, says what an error means, and ends in one observation.
`projections` writes: it gives a log as AG-UI events, AI SDK messages, OpenTelemetry spans or OpenAI's messages.
`families` has the dialects of model families, with `call_readers` for what stands in their markers, and `grammars`
writes what outputs are held to.

Neither decides anything. All that a step does is in `purestep`, which imports nothing of this package; this package
imports from the front doors of its rooms. The JSON functions `project_log`, `receive_model_reply` and
`read_model_fault` are in `purestep`, with the others, and load this package when one of them is first called.
"""

from .projections import (
    Projection,
    ProjectionForm,
    close_projection,
    feed_projection,
    open_projection,
    project,
    project_from_json,
    stream_projection,
)
from .replies import (
    FAULT_HEADERS,
    MAX_ERROR_BODY_CHARS,
    MAX_REPLY_LINE_BYTES,
    Reply,
    ReplyEnd,
    close_reply,
    fault_from_json,
    feed_reply,
    open_reply,
    read_fault,
    reply_from_json,
)

__all__ = [
    "FAULT_HEADERS",
    "MAX_ERROR_BODY_CHARS",
    "MAX_REPLY_LINE_BYTES",
    "Projection",
    "ProjectionForm",
    "Reply",
    "ReplyEnd",
    "close_projection",
    "close_reply",
    "fault_from_json",
    "feed_projection",
    "feed_reply",
    "open_projection",
    "open_reply",
    "project",
    "project_from_json",
    "read_fault",
    "reply_from_json",
    "stream_projection",
]
