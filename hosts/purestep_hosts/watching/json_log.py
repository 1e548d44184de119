"""The service's log as JSON, a line for each line of a run and for each message: for what collects logs.

A line of a run has its kind, the run's id and its `seq`, so that it can be found in the run's own log, and names and
counts. What people, models and tools said is not in it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from purestep import events
from purestep_hosts.mask import Mask
from purestep_hosts.watching.watching import WatchedRun

MAX_CHARS: Final = 8192
"""Of a message or a traceback: collectors cut lines at 16 KiB and more."""
MAX_NAME_CHARS: Final = 200
"""Of a name that a server chose, such as that of a model."""

_NAMES: Final = (
    "tool_name", "skill", "call_id", "ok", "error_kind", "approved", "by", "policy", "cause", "attempt", "verdict",
    "check", "code", "retryable", "what", "to", "wait_ms", "model", "finish_reason", "cost", "question",
)  # fmt: skip
"""Members of lines that are names, counts and answers, and no text."""
_USAGE: Final = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens")


class JsonLog:
    """Writes a line of JSON for each line that is told of a run."""

    def __init__(self, write: Callable[[str], object]) -> None:
        """write: takes a line with its end, in any thread."""
        self._write = write

    def began(self, run: WatchedRun) -> None:
        """Write nothing: the lines say it."""

    def told(self, run: WatchedRun, lines: Sequence[events.Event], spans: Sequence[dict[str, Any]]) -> None:
        """Write the lines."""
        self._write("".join([_written(run_entry(run.run_id, line)) for line in lines]))

    def ended(self, run: WatchedRun) -> None:
        """Write nothing."""

    def close(self) -> None:
        """Write nothing."""


def run_entry(run_id: str, line: events.Event) -> dict[str, Any]:
    """Return what is written of a line; one of an agent's run has the ids of the calls down to that as `below`."""
    if isinstance(line, events.ChildLine):
        inner = run_entry(run_id, events.event_below(line))
        below = f"{line.call_id}/{inner['below']}" if "below" in inner else line.call_id
        return {**inner, "seq": line.seq, "below": below}
    kind = line.__struct_config__.tag
    level = "warning" if isinstance(line, events.RunFailed | events.ModelErrorEvent) else "info"
    at = line.at if isinstance(line.at, int) else None
    entry: dict[str, Any] = {"time": _time(at), "level": level, "event": kind, "run": run_id, "seq": line.seq}
    for name in _NAMES:
        value = getattr(line, name, None)
        if isinstance(value, str | int) and value != "":
            entry[name] = value[:MAX_NAME_CHARS] if isinstance(value, str) else value
    usage = getattr(line, "usage", None)
    if usage is not None:
        entry |= {name: value for name in _USAGE if (value := getattr(usage, name)) is not None}
    return entry


class JsonFormatter(logging.Formatter):
    """Writes the messages of loggers in the same form, with secrets masked."""

    def __init__(self, mask: Mask) -> None:
        super().__init__()
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line."""
        entry = {
            "time": _time(int(record.created * 1000)),
            "level": record.levelname.lower(),
            "event": "message",
            "logger": record.name,
            "message": self._shown(record.getMessage()),
        }
        if record.exc_info:
            entry["traceback"] = self._shown(self.formatException(record.exc_info))
        return _written(entry).removesuffix("\n")

    def _shown(self, text: str) -> str:
        return self._mask.text(text)[-MAX_CHARS:]


def json_logging(mask: Mask) -> JsonLog:
    """Have all loggers of the process write JSON to stderr, and return what writes of runs there too."""
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(JsonFormatter(mask))
    logging.basicConfig(level=logging.WARNING, handlers=[output], force=True)

    def write(text: str) -> None:
        output.acquire()
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        finally:
            output.release()

    return JsonLog(write)


def _time(at: int | None) -> str | None:
    if at is None:
        return None
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _written(entry: dict[str, Any]) -> str:
    return msgspec.json.encode(entry).decode() + "\n"
