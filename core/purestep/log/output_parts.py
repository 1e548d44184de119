"""Parts of a tool output that the log holds whole: how a host answers a call that reads on in one."""

from msgspec import UNSET, Struct

from ..checks import output_text
from ..errors import PurestepError
from ..json_text import clean_text, decode_json
from ..values import OutputPart, ToolResultEvent, converted
from .replayer import read_line


class PartResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool result without its call's id: the text of a part, or why there is none."""

    ok: bool
    output: str | None = None
    error: str | None = None
    error_kind: str | None = None


class PartInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A log, or the part of it that holds the line, and the part of the output asked for."""

    log: str
    part: OutputPart


def read_part(log: str | bytes, part: OutputPart) -> PartResult:
    """Return the result of a call that a decision answers from the log; pure.

    log: the run's log, or lines of it. part: the `part` of the call in `invoke_tool`. A log without that line gives a
    result that says so, never an exception.
    """
    try:
        event = _event(log, part.seq)
    except PurestepError:
        event = None
    if event is None:
        return PartResult(ok=False, error="the log of the output is not at hand here", error_kind="io")
    said = event.output if event.ok is True and event.output is not UNSET else event.error or ""
    text = output_text(said)
    return PartResult(ok=True, output=text[part.begin : part.end])


def _event(log: str | bytes, seq: int) -> ToolResultEvent | None:
    line = _line(clean_text(log).encode() if isinstance(log, str) else bytes(log), b'{"seq":%d,' % seq)
    event = read_line(seq, line) if line else None
    return event if isinstance(event, ToolResultEvent) else None


def _line(data: bytes, start: bytes) -> bytes:
    """Return the first line that begins so; nothing where no line does."""
    at = 0 if data.startswith(start) else data.find(b"\n" + start) + 1
    if not data.startswith(start, at):
        return b""
    end = data.find(b"\n", at)
    return data[at:] if end < 0 else data[at:end]


def part_from_json(data: bytes) -> PartResult:
    """Return the result for `{"log", "part"}`. Error codes: `invalid_json`, `invalid_input`."""
    given: PartInput = converted(PartInput, decode_json(data), "invalid_input")
    return read_part(given.log, given.part)
