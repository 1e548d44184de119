"""Sessions on disk: a folder for each run, with its log.

    session.json   query, agent, model and folder; written once, never an API key
    log.jsonl      the events, exactly as the core wrote them, append-only
    head           the hash of the log after the last append

An append is one write, forced to disk before the call returns; the head follows it. So a crash at any
moment keeps every finished append, leaves at most one incomplete one (removed when the session is opened), and a
head that is at most one append older than the log. `open` detects an edited log: no line of it hashes to the head.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from purestep_hosts.extras import CLI

_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9]{3}-[0-9a-f]{6}", re.ASCII)
_INFO, _LOG, _HEAD = "session.json", "log.jsonl", "head"
# The core refuses a longer history; a file past it was not written by a session.
_MAX_LOG_BYTES = 512 * 1024 * 1024


class SessionError(Exception):
    """A session cannot be used; `code` is stable, `message` says what to do.

    Codes: `session_not_found`, `session_locked`, `session_damaged`, `log_damaged`, `log_changed`,
    `log_not_writable`, `bad_log_text`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The metadata of a session; in a list, `problem` says what is wrong with a damaged one."""

    id: str
    created_ms: int = 0
    query: str = ""
    agent_digest: str = ""
    model: str = ""
    root: str = ""
    problem: str | None = None


class SessionLog(msgspec.Struct, frozen=True, kw_only=True):
    """A session's log: its complete lines, and how many bytes of an incomplete one follow."""

    text: str
    torn_bytes: int


class SessionStore:
    """All sessions under one folder."""

    def __init__(self, root: Path | None = None) -> None:
        """Use `root`, or the user's data folder; it is created with the first session.

        Raises MissingExtraError without `root` when the extra `cli` is not installed.
        """
        self.root = root or _user_folder()

    def create(
        self, *, query: str, agent_digest: str, model: str, root: Path | None = None, created_ms: int | None = None
    ) -> Session:
        """Create a session and open it; `created_ms` is since 1970, by default the current time."""
        moment = time.time_ns() // 1_000_000 if created_ms is None else created_ms
        info = SessionInfo(
            id=_new_id(moment),
            created_ms=moment,
            query=query,
            agent_digest=agent_digest,
            model=model,
            root=str(root.resolve()) if root else "",
        )
        folder = self.root / info.id
        staging = self.root / f".{info.id}"
        try:
            staging.mkdir(mode=0o700, parents=True)
            _write(staging / _INFO, msgspec.json.encode(info))
            _write(staging / _LOG, b"")
            _write(staging / _HEAD, b"")
            staging.rename(folder)
            _sync_folder(self.root)
        except OSError as error:
            shutil.rmtree(staging, ignore_errors=True)
            raise _not_writable(self.root, error) from None
        return Session(folder, info)

    def open(self, session_id: str) -> Session:
        """Open a session to continue it.

        An incomplete last line is removed (see `Session.cut_bytes`). Raises SessionError: `session_not_found`,
        `session_damaged`, `session_locked`, `log_damaged` (names the line), `log_changed`.
        """
        folder = self._folder(session_id)
        return Session(folder, _info(folder))

    def read(self, session_id: str) -> SessionLog:
        """Return a session's log without opening or changing it; raises SessionError."""
        data = _read_log(self._folder(session_id) / _LOG)
        whole = _whole_bytes(data)
        return SessionLog(text=data[:whole].decode(), torn_bytes=len(data) - whole)

    def head(self, session_id: str) -> str:
        """Return the recorded hash of a session's log, empty for an empty log; raises SessionError."""
        return _read_head(self._folder(session_id))

    def list(self) -> list[SessionInfo]:
        """Return all sessions, newest first; damaged ones have a `problem`."""
        if not self.root.is_dir():
            return []
        ids = (entry.name for entry in self.root.iterdir() if _ID.fullmatch(entry.name))
        return [self._described(session_id) for session_id in sorted(ids, reverse=True)]

    def _described(self, session_id: str) -> SessionInfo:
        folder = self.root / session_id
        try:
            info = _info(folder)
        except SessionError as error:
            return SessionInfo(id=session_id, problem=error.message)
        try:
            data = _read_log(folder / _LOG)
            _check_chain(data[: _whole_bytes(data)], _read_head(folder), session_id)
        except SessionError as error:
            return msgspec.structs.replace(info, problem=error.message)
        return info

    def _folder(self, session_id: str) -> Path:
        folder = self.root / session_id
        # The pattern also keeps ids such as ../x from leaving the root.
        if not _ID.fullmatch(session_id) or not folder.is_dir():
            raise SessionError("session_not_found", f"There is no session {session_id!r} in {self.root}.")
        return folder


class Session:
    """An open session: the only one that may append to its log. Use it in a `with` block."""

    def __init__(self, folder: Path, info: SessionInfo) -> None:
        self.folder = folder
        self.info = info
        try:
            self._log = os.open(folder / _LOG, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError as error:
            text = f"Session {info.id} has no usable log ({error.strerror})."
            raise SessionError("session_damaged", text) from None
        try:
            self._lock()
            self.cut_bytes = self._recover()
        except BaseException:
            self.close()
            raise

    def append(self, log: str, head: str) -> None:
        """Write `log` (complete lines from the core) and then `head`, the state's head after them.

        On return both are on disk. After an error the log is unchanged. Raises SessionError:
        `bad_log_text`, `log_not_writable`.
        """
        if not log:
            return
        if not log.endswith("\n"):
            raise SessionError("bad_log_text", "Log text must end with a newline, as the core gives it.")
        size = os.fstat(self._log).st_size
        try:
            _write_all(self._log, log.encode())
            _sync(self._log)
            _replace(self.folder / _HEAD, head.encode("ascii"))
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._log, size)
            raise _not_writable(self.folder, error) from None

    def text(self) -> str:
        """Return the log's text."""
        return _read_log(self.folder / _LOG).decode()

    @property
    def head(self) -> str:
        """The recorded hash of the log; after a crash it can be one append older than the log."""
        return _read_head(self.folder)

    def close(self) -> None:
        """Close the log and release its lock."""
        if self._log >= 0:
            os.close(self._log)
            self._log = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            text = f"Session {self.info.id} is in use by another process. Wait for it or end it."
            raise SessionError("session_locked", text) from None

    def _recover(self) -> int:
        """Remove an incomplete last line, check the rest against the head, and return the bytes removed."""
        data = _read_log(self.folder / _LOG)
        whole = _whole_bytes(data)
        _check_chain(data[:whole], _read_head(self.folder), self.info.id)
        if whole < len(data):
            os.ftruncate(self._log, whole)
            _sync(self._log)
        return len(data) - whole


def chain(lines: Iterable[bytes], head: str = "") -> str:
    """Return the head of the SHA-256 hash chain after `lines` (without their newlines), starting from `head`."""
    for line in lines:
        head = hashlib.sha256(head.encode("ascii") + line).hexdigest()
    return head


def _user_folder() -> Path:
    with CLI:
        import platformdirs

    return Path(platformdirs.user_data_dir("purestep")) / "sessions"


def _new_id(created_ms: int) -> str:
    seconds, ms = divmod(created_ms, 1000)
    stamp = datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d-%H%M%S")
    return f"{stamp}-{ms:03d}-{secrets.token_hex(3)}"


def _info(folder: Path) -> SessionInfo:
    try:
        info = msgspec.json.decode((folder / _INFO).read_bytes(), type=SessionInfo)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        text = f"Session {folder.name} has no readable {_INFO}; its log may still be read."
        raise SessionError("session_damaged", text) from None
    if info.id != folder.name:
        raise SessionError("session_damaged", f"Session {folder.name} calls itself {info.id}; it was moved.")
    return info


def _read_log(path: Path) -> bytes:
    try:
        if path.stat().st_size > _MAX_LOG_BYTES:
            raise SessionError("log_damaged", f"{path} is larger than {_MAX_LOG_BYTES} bytes.")
        return path.read_bytes()
    except OSError as error:
        raise SessionError("session_damaged", f"{path} cannot be read ({error.strerror}).") from None


def _read_head(folder: Path) -> str:
    try:
        return (folder / _HEAD).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise SessionError("session_damaged", f"Session {folder.name} has no readable head.") from None


def _whole_bytes(data: bytes) -> int:
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


def _check_chain(data: bytes, head: str, session_id: str) -> None:
    """Raise SessionError unless a line of the log hashes to `head`."""
    if not head:
        return
    found = ""
    for line in data.split(b"\n"):
        if line and (found := chain([line], found)) == head:
            return
    text = f"The log of session {session_id} was changed after it was written: its hashes miss the head."
    raise SessionError("log_changed", text)


def _not_writable(place: Path, error: OSError) -> SessionError:
    text = f"{place} cannot be written ({error.strerror or error}). Make room or choose another folder."
    return SessionError("log_not_writable", text)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        _write_all(descriptor, data)
        _sync(descriptor)
    finally:
        os.close(descriptor)


def _replace(path: Path, data: bytes) -> None:
    """Replace a file atomically: readers see the old or the new content, also after a crash."""
    temporary = path.with_name(f".{path.name}.tmp")
    _write(temporary, data)
    temporary.replace(path)


def _sync(descriptor: int) -> None:
    # macOS has no fdatasync.
    getattr(os, "fdatasync", os.fsync)(descriptor)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
