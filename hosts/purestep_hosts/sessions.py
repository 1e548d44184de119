"""Sessions on disk: a folder for each run, with its log.

    session.json   query, agent, model and folder, and who made it; written once, never an API key
    agent.json     the agent definition, for a session that died before its first append
    log.jsonl      the events, exactly as the core wrote them, append-only
    head           the hash of the log after the last append

An append is one write, forced to disk before the call returns; the head follows it. So a crash at any
moment keeps every finished append, leaves at most one incomplete one (removed when the session is opened), and a
head that is at most one append older than the log, or lost; `open` derives it again. It detects an edited log: no line
of it hashes to the head.

A session is its user's own (`SessionInfo.is_own`) if the user owns its files and `session.json` holds the seal that
only this user's key makes. One that came from another user or another machine is not, and runs nothing unasked.
"""

from __future__ import annotations

import fcntl
import hmac
import os
import re
import secrets
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from purestep import decode_as
from purestep_hosts.attachments import FolderAttachments
from purestep_hosts.durable_files import replace, sync, sync_folder, write, write_all
from purestep_hosts.extras import CLI
from purestep_hosts.session_log import (
    AGENT_FILE,
    HEAD_FILE,
    INFO_FILE,
    LOG_FILE,
    SessionError,
    chain,
    check_chain,
    read_head,
    read_log,
    whole_bytes,
)
from purestep_hosts.state_folder import seal

__all__ = ["Session", "SessionError", "SessionInfo", "SessionLog", "SessionStore", "chain"]

_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9]{3}-[0-9a-f]{6}", re.ASCII)


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The metadata of a session; in a list, `problem` says what is wrong with a damaged one."""

    id: str
    created_ms: int = 0
    query: str = ""
    agent_digest: str = ""
    model: str = ""
    root: str = ""
    skills: tuple[str, ...] = ()
    seal: str = ""
    problem: str | None = None

    def sealed(self) -> Self:
        """Return the metadata with this user's seal."""
        return msgspec.structs.replace(self, seal=self._seal())

    def is_own(self, folder: Path) -> bool:
        """Return whether this user made the session that lies in `folder`, with this metadata."""
        try:
            owners = {path.lstat().st_uid for path in (folder, folder / INFO_FILE, folder / LOG_FILE)}
        except OSError:
            return False
        return owners == {os.getuid()} and bool(self.seal) and hmac.compare_digest(self.seal, self._seal())

    def _seal(self) -> str:
        return seal(self.id, str(self.created_ms), self.query, self.agent_digest, self.model, self.root, *self.skills)


def own_info(folder: Path) -> SessionInfo | None:
    """Return the metadata of a session's folder if this user made the session; None of any other folder."""
    try:
        info = _info(folder)
    except SessionError:
        return None
    return info if info.is_own(folder) else None


class SessionLog(msgspec.Struct, frozen=True, kw_only=True):
    """A session's log: its complete lines, and how many bytes of an incomplete one follow."""

    text: str
    torn_bytes: int


class SessionStore:
    """All sessions under one folder."""

    def __init__(self, root: str | os.PathLike[str] | None = None) -> None:
        """Use `root`, or the user's data folder; it is created with the first session.

        Raises MissingExtraError without `root` when the extra `cli` is not installed.
        """
        self.root = Path(root) if root else _user_folder()
        self.is_named = bool(root)
        """Whether the folder was given, so that who looks for a session has to give it again."""

    def create(
        self,
        *,
        query: str,
        agent_digest: str | None,
        model: str,
        definition: bytes = b"",
        root: Path | None = None,
        skills: Sequence[Path] = (),
        created_ms: int | None = None,
        is_own: bool = True,
    ) -> Session:
        """Create a session and open it; `created_ms` is since 1970, by default the current time.

        is_own: whether this user made all that it will hold; without that it has no seal, and runs nothing unasked.
        """
        moment = time.time_ns() // 1_000_000 if created_ms is None else created_ms
        info = SessionInfo(
            id=new_id(moment),
            created_ms=moment,
            query=query,
            agent_digest=agent_digest or "",
            model=model,
            root=str(root.resolve()) if root else "",
            skills=tuple([str(place.resolve()) for place in skills]),
        )
        info = info.sealed() if is_own else info
        folder = self.root / info.id
        staging = self.root / f".{info.id}"
        try:
            staging.mkdir(mode=0o700, parents=True)
            write(staging / INFO_FILE, msgspec.json.encode(info))
            if definition:
                write(staging / AGENT_FILE, definition)
            write(staging / LOG_FILE, b"")
            write(staging / HEAD_FILE, b"")
            staging.rename(folder)
            sync_folder(self.root)
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
        data = read_log(self._folder(session_id) / LOG_FILE)
        whole = whole_bytes(data)
        return SessionLog(text=data[:whole].decode(), torn_bytes=len(data) - whole)

    def head(self, session_id: str) -> str:
        """Return the recorded hash of a session's log, empty for an empty log or where it is lost."""
        return read_head(self._folder(session_id))

    def ids(self) -> list[str]:
        """Return the ids of all sessions, newest first, without looking into them."""
        if not self.root.is_dir():
            return []
        return sorted((entry.name for entry in self.root.iterdir() if _ID.fullmatch(entry.name)), reverse=True)

    def info(self, session_id: str) -> SessionInfo:
        """Return a session's metadata; raises SessionError: `session_not_found`, `session_damaged`."""
        return _info(self._folder(session_id))

    def list(self) -> list[SessionInfo]:
        """Return all sessions, newest first; damaged ones have a `problem`."""
        return [self._described(session_id) for session_id in self.ids()]

    def _described(self, session_id: str) -> SessionInfo:
        folder = self.root / session_id
        try:
            info = _info(folder)
        except SessionError as error:
            return SessionInfo(id=session_id, problem=error.message)
        try:
            data = read_log(folder / LOG_FILE)
            check_chain(data[: whole_bytes(data)], read_head(folder), session_id)
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
            self._log = os.open(folder / LOG_FILE, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
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
        if self._log < 0:
            raise SessionError("log_not_writable", f"Session {self.info.id} is closed: its run has outlived its block.")
        size = os.fstat(self._log).st_size
        try:
            write_all(self._log, log.encode())
            sync(self._log)
            replace(self.folder / HEAD_FILE, head.encode("ascii"))
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._log, size)
            raise _not_writable(self.folder, error) from None

    def text(self) -> str:
        """Return the log's text."""
        return read_log(self.folder / LOG_FILE).decode()

    def definition(self) -> bytes:
        """Return the agent definition that the session was made for; raises SessionError."""
        try:
            return (self.folder / AGENT_FILE).read_bytes()
        except OSError:
            text = f"Session {self.info.id} holds no event and no {AGENT_FILE}; ask its query anew."
            raise SessionError("session_damaged", text) from None

    def clear(self) -> None:
        """Empty the log: of a first append that a crash cut off, nothing was acted on."""
        os.ftruncate(self._log, 0)
        sync(self._log)
        replace(self.folder / HEAD_FILE, b"")

    @property
    def attachments(self) -> FolderAttachments:
        """What keeps the images and files of the run, beside its log."""
        return FolderAttachments(self.folder)

    @property
    def run_id(self) -> str:
        """The run's id, which is the session's."""
        return self.info.id

    @property
    def head(self) -> str:
        """The recorded hash of the log."""
        return read_head(self.folder)

    def remove(self) -> None:
        """Remove a session in which nothing was logged, open or closed; one with a log stays."""
        with suppress(OSError):
            if (self.folder / LOG_FILE).stat().st_size == 0:
                shutil.rmtree(self.folder)

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
        data = read_log(self.folder / LOG_FILE)
        whole = whole_bytes(data)
        head = read_head(self.folder)
        last = check_chain(data[:whole], head, self.info.id)
        if whole < len(data):
            os.ftruncate(self._log, whole)
            sync(self._log)
        if head != last:
            replace(self.folder / HEAD_FILE, last.encode("ascii"))
        return len(data) - whole


def _user_folder() -> Path:
    with CLI:
        import platformdirs

    return Path(platformdirs.user_data_dir("purestep")) / "sessions"


def new_id(created_ms: int) -> str:
    """Return a new id, which sorts by its time; created_ms: since 1970."""
    seconds, ms = divmod(created_ms, 1000)
    stamp = datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d-%H%M%S")
    return f"{stamp}-{ms:03d}-{secrets.token_hex(3)}"


def _info(folder: Path) -> SessionInfo:
    try:
        info = decode_as((folder / INFO_FILE).read_bytes(), SessionInfo)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        text = f"Session {folder.name} has no readable {INFO_FILE}; its log may still be read."
        raise SessionError("session_damaged", text) from None
    if info.id != folder.name:
        raise SessionError("session_damaged", f"Session {folder.name} calls itself {info.id}; it was moved.")
    return info


def _not_writable(place: Path, error: OSError) -> SessionError:
    text = f"{place} cannot be written ({error.strerror or error}). Make room or choose another folder."
    return SessionError("log_not_writable", text)
