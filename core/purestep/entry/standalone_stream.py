"""The streaming filter as a JSON function: a value goes in, the next one and its events come out."""

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..errors import PurestepError
from ..lazy import lazy_decoder
from ..steps import read_input
from ..values import RunState, StreamEvent
from .standalone import specs_of
from .stream import Stream, close_stream, feed, open_stream, stream_of


class StreamInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`state` or `dialect` (and `tools`) opens a filter, `stream` and `chunk` feed it, `stream` alone closes it.

    `reasoning` belongs to `dialect`; `truncated` may be said at any time up to the end.
    """

    state: RunState | UnsetType = UNSET
    dialect: str | UnsetType = UNSET
    tools: list[dict[str, Any]] | UnsetType | None = UNSET
    stream: Stream | UnsetType = UNSET
    chunk: str | UnsetType = UNSET
    reasoning: Literal["opened"] | UnsetType | None = UNSET
    truncated: bool = False


class StreamOutput(Struct, frozen=True, kw_only=True):
    """The filter to hand back, null once it is closed, and what can be shown now."""

    stream: Stream | None
    events: tuple[StreamEvent, ...] = ()


_DECODER: Final = lazy_decoder(StreamInput)


def stream_standalone(data: bytes) -> StreamOutput:
    """Open, feed or close a filter. Error codes: `invalid_input`, `unknown_agent`, `unknown_dialect`."""
    given = read_input(StreamInput, _DECODER.decode, data)
    if sum(part is not UNSET for part in (given.state, given.dialect, given.stream)) != 1:
        raise PurestepError("invalid_input", "expected one of state, dialect and stream")
    if given.stream is UNSET and given.chunk is not UNSET:
        raise PurestepError("invalid_input", "expected stream beside chunk; open one first", "/chunk")
    if given.dialect is UNSET and given.tools is not UNSET:
        raise PurestepError("invalid_input", "expected tools beside dialect; a run has its own", "/tools")
    if given.dialect is UNSET and given.reasoning is not UNSET:
        raise PurestepError("invalid_input", "expected reasoning beside dialect; a run's model says it", "/reasoning")
    if given.stream is UNSET:
        return StreamOutput(stream=_told(_opened(given), given.truncated))
    stream = _told(given.stream, given.truncated)
    if given.chunk is UNSET:
        return StreamOutput(stream=None, events=close_stream(stream))
    following, events = feed(stream, given.chunk)
    return StreamOutput(stream=following, events=events)


def _opened(given: StreamInput) -> Stream:
    if given.state is not UNSET:
        return open_stream(given.state)
    assert given.dialect is not UNSET
    reasoning = None if given.reasoning is UNSET else given.reasoning
    return stream_of(given.dialect, specs_of(given.tools), reasoning=reasoning)


def _told(stream: Stream, truncated: bool) -> Stream:
    return replace(stream, truncated=True) if truncated else stream
