"""The other doors to the core: the whole-state form, the streaming filter, and reading or checking without a run.

`whole_state` carries a run in one JSON text, as programs for agent.rs do; `stream` filters an output while it is
generated, `stream_standalone` the same as a JSON function; `standalone` reads a model's text and checks a value
without a run. The delta form needs no door of its own: see `purestep.steps` and `purestep.typed`.
"""

from . import whole_state
from .standalone import check_alone, check_json, read_alone, read_text
from .stream import Stream, close_stream, feed, open_stream
from .stream_standalone import stream_alone

__all__ = [
    "Stream",
    "check_alone",
    "check_json",
    "close_stream",
    "feed",
    "open_stream",
    "read_alone",
    "read_text",
    "stream_alone",
    "whole_state",
]
