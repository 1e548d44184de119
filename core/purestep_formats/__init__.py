"""What others write and read: calls of model families, grammars, replies of servers, and logs in their protocols.

`replies` reads: it puts a reply together from its chunks, says what an error means, and ends in one observation.
`projections` writes: it gives a log as AG-UI events, AI SDK messages, OpenTelemetry spans or OpenAI's messages.
`rates` counts: it folds logs into how often models succeed. `families` has the dialects of model families, with
`call_readers` for what stands in their markers, and `grammars` writes what outputs are held to.

Neither decides anything. All that a step does is in `purestep`, which imports nothing of this package; this package
imports from the front doors of its rooms. The JSON functions `project_log`, `fold_rates`, `receive_model_reply` and
`read_model_fault` are in `purestep`, with the others, and load this package when one of them is first called.
"""

from purestep.values import RateProfile, RateRow, rate_interval

from .projections import (
    Projection,
    ProjectionForm,
    close_projection,
    feed_projection,
    open_projection,
    open_spans,
    project,
    project_from_json,
    stream_projection,
)
from .rates import RateFold, close_rates, feed_rates, fold_rates_from_json, open_rates, rates_of
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
    "RateFold",
    "RateProfile",
    "RateRow",
    "Reply",
    "ReplyEnd",
    "close_projection",
    "close_rates",
    "close_reply",
    "fault_from_json",
    "feed_projection",
    "feed_rates",
    "feed_reply",
    "fold_rates_from_json",
    "open_projection",
    "open_rates",
    "open_reply",
    "open_spans",
    "project",
    "project_from_json",
    "rate_interval",
    "rates_of",
    "read_fault",
    "reply_from_json",
    "stream_projection",
]
