"""Projections as a JSON function: a value goes in, the next one and what it adds come out."""

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from purestep.errors import PurestepError
from purestep.lazy import lazy_decoder
from purestep.steps import read_input
from purestep.values import StreamEvent

from ..bounds import MAX_PROJECTION_DEPTH
from .projection import (
    Projection,
    close_projection,
    feed_projection,
    open_projection,
    projected,
    stream_projection,
)


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


_DECODER: Final = lazy_decoder(ProjectionInput)


def project_from_json(data: bytes) -> ProjectionOutput:
    """Project a log, whole or in parts. Error codes: those of `project`, `invalid_input`."""
    given = read_input(ProjectionInput, _DECODER.decode, data, MAX_PROJECTION_DEPTH)
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


def _fed(projection: Projection | UnsetType, given: ProjectionInput) -> ProjectionOutput:
    assert projection is not UNSET  # the caller has looked
    if given.log is not UNSET:
        following, events = feed_projection(projection, given.log)
    elif given.stream is not UNSET:
        following, events = stream_projection(projection, given.stream)
    else:
        following, events = close_projection(projection)
    return ProjectionOutput(events=events, projection=following)
