"""A projection: a form, and where its fold over a log stands. A value: feeding one gives the next."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, get_args

from msgspec import UNSET, Struct, UnsetType, to_builtins

from purestep.errors import PurestepError
from purestep.json_text import encode
from purestep.lazy import lazy_decoder
from purestep.log import cache_audit, whole_lines
from purestep.schema import pointer_token
from purestep.steps import read_input
from purestep.values import StreamEvent

from ..bounds import MAX_PROJECTION_DEPTH
from .lines import take_lines
from .openai_chat import OpenAIChat
from .otel import Spans
from .stream_form import StreamForm
from .ui_messages import UIMessages
from .walk import Walk

ProjectionForm = Literal["ag-ui", "ai-sdk", "ai-sdk-messages", "otel", "openai"]
"""The names of the forms."""

_OPENED: Final[dict[str, Callable[[], Any]]] = {
    "ag-ui": lambda: StreamForm(protocol="ag-ui"),
    "ai-sdk": lambda: StreamForm(protocol="ai-sdk"),
    "ai-sdk-messages": UIMessages,
    "otel": Spans,
    "openai": OpenAIChat,
}
assert tuple(_OPENED) == get_args(ProjectionForm)


_CACHE: Final = "cache"
"""A form of whole logs alone: what was sent stands in the steps, which are made again for it."""


class Projection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the projection of a log into a form stands: plain data, bounded by what one exchange may hold."""

    walk: Walk
    fold: StreamForm | UIMessages | Spans | OpenAIChat


_DECODER: Final = lazy_decoder(Projection)


def open_projection(form: str) -> Projection:
    """Return the projection of a log that is still empty. form: one of `ProjectionForm`; else `invalid_input`."""
    if form not in _OPENED:
        raise PurestepError(
            "invalid_input", f"expected one of {', '.join(_OPENED)}; or with a whole log, cache", "/form"
        )
    return Projection(walk=Walk(), fold=_OPENED[form]())


def feed_projection(projection: Projection, lines: str | bytes) -> tuple[Projection, list[dict[str, Any]]]:
    """Return the next projection, and what further lines of the log add to the form; pure.

    lines: whole ones, such as the `log` of a step. Error codes: `invalid_log`, also for a line that is cut off;
    `log_mismatch`, `unsupported_version`.
    """
    whole, torn = whole_lines(lines)
    if torn:
        raise PurestepError("invalid_log", f"expected whole lines; the last one is cut off ({torn} bytes)")
    following, events = _own(projection), list[dict[str, Any]]()
    take_lines(following.walk, following.fold, whole, events)
    return following, events


def stream_projection(projection: Projection, events: Sequence[StreamEvent]) -> tuple[Projection, list[dict[str, Any]]]:
    """Return the next projection, and what to show of an output that is not in the log yet; pure.

    events: what the streaming filter gave. Forms that are no stream show nothing before the log has it.
    """
    following, shown = _own(projection), list[dict[str, Any]]()
    if isinstance(following.fold, StreamForm):
        following.fold.streamed(following.walk, events, shown)
    return following, shown


def open_spans(projection: Projection) -> list[dict[str, Any]]:
    """Return the spans that have begun where the log stands and are not over, without an end; of other forms none.

    Each comes again, under its id, from the `feed_projection` that ends it. A call that waits for a person has not
    begun, and a model's span begins and ends with its output.
    """
    fold = projection.fold
    return fold.opened(projection.walk) if isinstance(fold, Spans) else []


def close_projection(projection: Projection) -> tuple[Projection, list[dict[str, Any]]]:
    """Return what is still missing where the log, or a stream of it, ends here; feeding may go on after it; pure.

    That is the end of a stream whose run waits for a person, the message that nothing follows yet, and an agent's span
    without an end. Where the log goes on, that span comes again once it is over, with the same id.
    """
    following, events = _own(projection), list[dict[str, Any]]()
    following.fold.close(following.walk, events)
    return following, events


def project(log: str | bytes, form: str) -> list[dict[str, Any]]:
    """Return a log in another form: AG-UI events, AI SDK chunks or messages, spans, or OpenAI messages; pure.

    form: one of `ProjectionForm`, or `cache`, which gives its requests as `cache_audit` compares them. The same log
    gives the same values everywhere; ids come from its hash chain. A torn last line is left out. Error codes:
    `invalid_input`, `invalid_log` and `log_mismatch` (both name the line), `unsupported_version`.
    """
    return projected(log, form)[0]


def projected(log: str | bytes, form: str) -> tuple[list[dict[str, Any]], int]:
    """Return a log in another form, and the length of its torn last line."""
    whole, torn = whole_lines(log)
    if form == _CACHE:
        return [to_builtins(each) for each in cache_audit(log)], torn
    projection, events = open_projection(form), list[dict[str, Any]]()
    take_lines(projection.walk, projection.fold, whole, events)
    projection.fold.close(projection.walk, events)
    return events, torn


def _own(projection: Projection) -> Projection:
    """Return an equal projection that may be changed before it is handed out."""
    return _DECODER.decode(encode(projection))


# --- as a JSON function -----------------------------------------------------------------------------------


class ProjectionInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`form` and `log` project a whole log, `form` alone opens a projection.

    `projection` and `log` feed it further lines, `projection` and `stream` what a filter gave, `projection` alone
    closes it.
    """

    form: str | UnsetType = UNSET
    projection: Projection | UnsetType = UNSET
    log: str | UnsetType = UNSET
    stream: tuple[StreamEvent, ...] | UnsetType = UNSET


class ProjectionOutput(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the input adds to the form, and the projection to hand back; of a whole log, the bytes of a torn line."""

    events: list[dict[str, Any]]
    projection: Projection | UnsetType = UNSET
    torn_bytes: int = 0


_INPUT_DECODER: Final = lazy_decoder(ProjectionInput)


def project_from_json(data: bytes) -> ProjectionOutput:
    """Project a log, whole or in parts. Error codes: those of `project`, `invalid_input`."""
    given = read_input(ProjectionInput, _INPUT_DECODER.decode, data, MAX_PROJECTION_DEPTH)
    if (given.form is UNSET) == (given.projection is UNSET):
        raise PurestepError("invalid_input", "expected form or projection, and not both")
    if given.stream is not UNSET and (given.projection is UNSET or given.log is not UNSET):
        raise PurestepError("invalid_input", "expected stream beside projection alone", "/stream")
    if given.form is not UNSET:
        return _of_form(given.form, given.log)
    return _fed(given.projection, given)


def _of_form(form: str, log: str | UnsetType) -> ProjectionOutput:
    if log is UNSET:
        return ProjectionOutput(events=[], projection=open_projection(form))
    events, torn = projected(log, form)
    return ProjectionOutput(events=events, torn_bytes=torn)


def _check_endings(walk: Walk, path: str) -> None:
    if walk.acts is not None:
        raise PurestepError("invalid_input", "expected null: acts are told with an ending", f"{path}/acts")
    if walk.question:
        raise PurestepError("invalid_input", "expected false: it is told with an ending", f"{path}/question")
    for call_id, below in walk.below.items():
        _check_endings(below, f"{path}/below{pointer_token(call_id)}")


def _fed(projection: Projection | UnsetType, given: ProjectionInput) -> ProjectionOutput:
    assert projection is not UNSET  # the caller has looked
    _check_endings(projection.walk, "/projection/walk")
    if given.log is not UNSET:
        following, events = feed_projection(projection, given.log)
    elif given.stream is not UNSET:
        following, events = stream_projection(projection, given.stream)
    else:
        following, events = close_projection(projection)
    return ProjectionOutput(events=events, projection=following)
