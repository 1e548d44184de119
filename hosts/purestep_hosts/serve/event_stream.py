"""A run as server-sent events, in the form of a protocol: the core's projection of the log and of what is streamed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final, Literal, get_args

import msgspec

import purestep
from purestep_formats import (
    Projection,
    close_projection,
    feed_projection,
    open_projection,
    project,
    stream_projection,
)
from purestep_hosts.agents.events import CallProgress
from purestep_hosts.extras import SERVE
from purestep_hosts.serve.faults import ServiceFault, reported
from purestep_hosts.serve.limits import KEEP_ALIVE_S
from purestep_hosts.serve.live_run import Entry, LiveRun

with SERVE:
    from starlette.responses import StreamingResponse
    from starlette.types import Receive, Scope, Send

StreamForm = Literal["ag-ui", "ai-sdk"]
FORMS: Final[tuple[StreamForm, ...]] = get_args(StreamForm)

_HEADERS: Final = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
_OF_FORM: Final = {"ag-ui": {}, "ai-sdk": {"x-vercel-ai-ui-message-stream": "v1"}}
_ENDING: Final = {"ag-ui": b"", "ai-sdk": b"data: [DONE]\n\n"}
_STARTS: Final = frozenset({"RUN_STARTED", "start"})
_ENDS: Final = frozenset({"RUN_FINISHED", "RUN_ERROR", "finish", "abort"})
_COMMENT: Final = b": still here\n\n"

Shown = Callable[[dict[str, Any]], dict[str, Any]]

_encode: Final = msgspec.json.Encoder().encode


class EventStream:
    """An answer that streams a run; with `is_whole` from its first line, else from the begin of this exchange."""

    def __init__(self, live: LiveRun, form: StreamForm, *, is_whole: bool = False, shown: Shown | None = None) -> None:
        """Read a run. shown: what the client that asked is sent of an event."""
        self._live = live
        self._shown = shown or _same
        self._form: StreamForm = form
        self._is_whole = is_whole
        live.join()  # now: the reader before may leave until this one is called

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream; a client that leaves is counted out."""
        try:
            pieces = _pieces(self._live, self._form, is_whole=self._is_whole, shown=self._shown)
            await _response(pieces, self._form, self._live.run_id)(scope, receive, send)
        finally:
            self._live.leave()


def ended_stream(log: str, form: StreamForm, run_id: str) -> StreamingResponse:
    """Return the events of a run that does not go on now."""

    async def pieces() -> AsyncIterator[bytes]:
        yield _written(project(log, form)) + _ENDING[form]

    return _response(pieces(), form, run_id)


def _response(pieces: AsyncIterator[bytes], form: StreamForm, run_id: str) -> StreamingResponse:
    headers = {**_HEADERS, **_OF_FORM[form], "Run": run_id}
    return StreamingResponse(pieces, headers=headers, media_type="text/event-stream")


async def _pieces(live: LiveRun, form: StreamForm, *, is_whole: bool, shown: Shown) -> AsyncIterator[bytes]:
    projection, before = feed_projection(open_projection(form), live.before)
    projection, paused = close_projection(projection)
    before += paused
    yield _written(map(shown, before if is_whole else _open_part(before)))
    async for batch in live.batches(KEEP_ALIVE_S):
        projection, events = _fed(projection, batch, form)
        yield _written(map(shown, events)) if batch else _COMMENT
    if live.error is not None:
        yield _written([_fault_event(reported(live.error), form)])
    projection, events = close_projection(projection)
    yield _written(map(shown, events)) + _ENDING[form]


def _same(event: dict[str, Any]) -> dict[str, Any]:
    return event


def _open_part(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the part that has no end yet, after the service was stopped in the middle: a stream has to begin."""
    for at in range(len(events) - 1, -1, -1):
        if events[at]["type"] in _ENDS:
            return []
        if events[at]["type"] in _STARTS:
            return events[at:]
    return []


def _fed(projection: Projection, batch: Iterable[Entry], form: StreamForm) -> tuple[Projection, list[dict[str, Any]]]:
    """Feed a projection with entries, those of one kind in a row at once."""
    events: list[dict[str, Any]] = []
    lines: list[str] = []
    streamed: list[purestep.StreamEvent] = []
    for entry in (*batch, None):
        if streamed and (entry is None or isinstance(entry, str | CallProgress)):
            projection, more = stream_projection(projection, streamed)
            events, streamed = events + more, []
        if lines and not isinstance(entry, str):
            projection, more = feed_projection(projection, "".join(lines))
            events, lines = events + more, []
        if isinstance(entry, str):
            lines.append(entry)
        elif isinstance(entry, CallProgress):
            events.append(_progress(entry, form))
        elif entry is not None:
            streamed.append(entry)
    return projection, events


def _progress(told: CallProgress, form: StreamForm) -> dict[str, Any]:
    """Return what a call tells while it runs: the log says nothing of it, so no message keeps it."""
    value = {name: each for name, each in msgspec.to_builtins(told).items() if name != "type"}
    if form == "ai-sdk":
        return {"type": "data-progress", "data": value, "transient": True}
    return {"type": "CUSTOM", "name": "purestep.progress", "value": value}


def _fault_event(fault: ServiceFault, form: StreamForm) -> dict[str, Any]:
    """Return what tells that the stream broke off: the log says nothing of it."""
    if form == "ai-sdk":
        return {"type": "error", "errorText": fault.message}
    return {"type": "RUN_ERROR", "message": fault.message, "code": fault.error}


def _written(events: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(b"data: %b\n\n" % _encode(event) for event in events)
