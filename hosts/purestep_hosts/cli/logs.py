"""Finds a log and its recorded head."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from purestep_hosts.cli.error_report import UsageError

_LOG, _HEAD = "log.jsonl", "head"


class FoundLog(msgspec.Struct, frozen=True, kw_only=True):
    """A log's bytes, its name for messages, the session's folder and the head recorded next to it, if any."""

    name: str
    data: bytes
    head: str | None = None
    folder: Path | None = None


def find_log(log: str, sessions: Path | None) -> FoundLog:
    """Return the log that a path, a session's name (`session_names`), or `-` for stdin names; raises UsageError."""
    if log == "-":
        return FoundLog(name="stdin", data=sys.stdin.buffer.read())
    path = Path(log)
    if path.is_dir():
        return _of_file(path / _LOG, f"{path} is a folder without {_LOG}; give a log file or a session's folder")
    if path.exists():
        return _of_file(path, f"{path} cannot be read as a file")
    from purestep_hosts.session_log import SessionError
    from purestep_hosts.session_names import named_session
    from purestep_hosts.sessions import SessionStore

    store = SessionStore(sessions)
    try:
        folder = store.root / named_session(store, log)
    except SessionError as error:
        if error.code != "session_not_found":
            raise UsageError(error.message) from None
        raise UsageError(
            f"{log!r} is neither a file nor a session in {store.root}; purestep sessions lists them"
        ) from None
    return _of_file(folder / _LOG, f"session {folder.name} has no {_LOG}")


def _of_file(path: Path, otherwise: str) -> FoundLog:
    if not path.is_file():
        raise UsageError(otherwise)
    try:
        folder = path.resolve().parent if path.name == _LOG else None
        return FoundLog(name=str(path), data=path.read_bytes(), head=_head_beside(path), folder=folder)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from None


def _head_beside(path: Path) -> str | None:
    """Return the head of a session's log, None for a log outside of a session."""
    try:
        return (path.parent / _HEAD).read_text("ascii").strip() or None if path.name == _LOG else None
    except (OSError, UnicodeDecodeError):
        return None


def cut_at(found: FoundLog, at: int | None) -> FoundLog:
    """Return a log up to a line, counted from 1; all of it for None. Raises UsageError for a line that there is not."""
    if at is None:
        return found
    lines = found.data.removesuffix(b"\n").split(b"\n")
    if not 0 < at <= len(lines):
        raise UsageError(f"{found.name} has no line {at}; it has {len(lines)}")
    return msgspec.structs.replace(found, data=b"".join([line + b"\n" for line in lines[:at]]), head=None)
