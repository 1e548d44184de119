"""The files of a session's log: its lines, the hash chain over them, and what a crash leaves of both."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from purestep_hosts.regular_files import read_regular

INFO_FILE: Final = "session.json"
AGENT_FILE: Final = "agent.json"
LOG_FILE: Final = "log.jsonl"
HEAD_FILE: Final = "head"
_HASH: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
# The core refuses a longer history; a file past it was not written by a session.
_MAX_LOG_BYTES: Final = 512 * 1024 * 1024


class SessionError(Exception):
    """A session cannot be used; `code` is stable, `message` says what to do.

    Codes: `session_not_found`, `session_locked`, `session_damaged`, `log_damaged`, `log_changed`,
    `log_not_writable`, `bad_log_text`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def chain(lines: Iterable[bytes], head: str = "") -> str:
    """Return the head of the SHA-256 hash chain after `lines` (without their newlines), starting from `head`."""
    for line in lines:
        head = hashlib.sha256(head.encode("ascii") + line).hexdigest()
    return head


def read_log(path: Path) -> bytes:
    """Return a log's bytes; raises SessionError."""
    try:
        data = read_regular(path, _MAX_LOG_BYTES)
    except OSError as error:
        raise SessionError("session_damaged", f"{path} cannot be read ({error.strerror}).") from None
    if len(data) > _MAX_LOG_BYTES:
        raise SessionError("log_damaged", f"{path} is larger than {_MAX_LOG_BYTES} bytes.")
    return data


def read_head(folder: Path) -> str:
    """Return the recorded head; one that is lost, or is no hash, says nothing."""
    try:
        found = (folder / HEAD_FILE).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return found if _HASH.fullmatch(found) else ""


def whole_bytes(data: bytes) -> int:
    """Return the length of the complete lines; raises SessionError for a damaged line before complete ones."""
    good = at = first_bad = 0
    *lines, _torn = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        at += len(line) + 1
        if line.strip() and not _is_object(line):
            first_bad = first_bad or number
        elif not first_bad:
            good = at
        elif line.strip():
            text = f"Line {first_bad} of the log is no JSON object, yet whole lines follow."
            raise SessionError("log_damaged", text)
    return good


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def check_chain(data: bytes, head: str, session_id: str) -> str:
    """Return the head after the log's last line; raises SessionError unless some line hashes to `head`."""
    last, meets = "", not head
    for line in data.split(b"\n"):
        if line:
            last = chain([line], last)
            meets = meets or last == head
    if meets:
        return last
    text = f"The log of session {session_id} was changed after it was written: its hashes miss the head."
    raise SessionError("log_changed", text)
