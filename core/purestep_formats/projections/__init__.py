"""Projections: a log in the forms that other programs read.

Each is a pure fold. `lines` takes a log line by line and keeps, in a `Walk`, which calls are open and what waits for a
verdict; it tells a form what happened once that is certain, and the form appends what it makes of it. `openai_chat`,
`otel` and `ui_messages` are forms; `stream_form` is the course of a stream, written down by `ag_ui` and `ai_sdk`.
`projection` holds a fold as a value, and as the JSON function.

Ids are parts of the log's hash chain and times are its own, so the same log gives the same values everywhere. An
output that was rejected is in no form an answer or a result, and a run that failed ends as one.
"""

from .lines import checked_events
from .projection import (
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
from .walk import asked_model
