"""The JSON functions of `purestep_formats`, which is imported by the first call of one of them.

The core imports nothing of that package, so that `import purestep` does not load it. A host that knows its functions
by name still finds all of them in `purestep`. They are written out, because a `__getattr__` of the package would give a
type to every name that somebody misspells.
"""

from importlib import import_module
from typing import Any

from ..json_text import encode, to_bytes
from .error_data import guarded


def project_log(input_json: str | bytes) -> str:
    """Return a log in another form: `{"form", "log"}` to `{"events"}`; pure.

    form: `ag-ui`, `ai-sdk`, `ai-sdk-messages`, `otel` or `openai`. A torn last line is left out: `torn_bytes` says how
    long it is. In parts: `{"form"}` opens a projection, `{"projection", "log"}` feeds it whole lines, `{"projection",
    "stream"}` what a streaming filter gave, and `{"projection"}` closes it; each gives `{"events", "projection"}`. The
    projection is a value: hand back the one that came last.
    """
    return guarded(_called, "project_from_json", input_json)


def fold_rates(input_json: str | bytes) -> str:
    """Fold logs into rates of success by model, way of asking and kind of request; pure.

    `{"log"}` begins with the whole lines of a log, `{"fold", "log"}` goes on with further ones, and both return
    `{"fold"}`; `{"fold", "profile"?, "right"?}` ends the log and returns `{"profile"}` with what it adds; `right` says
    whether its answers are, where the host knows that. Both are values: the
    fold of a log with a damaged line is left out by going on with the profile of before. Without a profile it is the
    first log.
    """
    return guarded(_called, "fold_rates_from_json", input_json)


def receive_model_reply(input_json: str | bytes) -> str:
    """Put a model's reply together while it comes: returns `{"reply", "events", "text", "is_over", "is_settled"}`.

    input_json: `{"state", "model"}` (of a run, delta form; or nothing, to filter nothing) opens a reply, `{"reply",
    "chunks"}` feeds it chunks of a chat completion, each as its JSON text, and `{"reply", "text", "end"}` closes it
    with all the texts that the feedings gave and how it ended, and gives `{"observation", "events"}`. The reply is a
    value: hand back the one that came last.
    """
    return guarded(_called, "reply_from_json", input_json)


def read_model_fault(input_json: str | bytes) -> str:
    """Return the `model_error` for a request that failed: `{"type": "reply_end", "kind", "status", "headers", "body"}`.

    The other members are those of `ReplyEnd`.
    """
    return guarded(_called, "fault_from_json", input_json)


def _called(function: str, input_json: str | bytes) -> bytes:
    value: Any = getattr(import_module("purestep_formats"), function)(to_bytes(input_json))
    return encode(value)
