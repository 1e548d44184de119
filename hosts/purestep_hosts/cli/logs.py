"""Finds a log and its recorded head."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.regular_files import NotRegular, open_regular

_LOG, _HEAD = "log.jsonl", "head"
_PIECE_BYTES: Final = 1024 * 1024


class FoundLog:
    """A log to be read, as often as it takes: iterating over it yields the bytes that it has when it is found.

    What a file gets meanwhile is not looked at, and counted in `bytes_after`; one that is shortened or changed raises
    UsageError.
    """

    def __init__(
        self, name: str, source: Path | bytes | None, *, head: str | None = None, folder: Path | None = None
    ) -> None:
        """Take a log by its place.

        name: for messages. source: a file, its bytes, or None for stdin, which is read once. head: that recorded next
        to it, if any. folder: that of its session. Raises OSError for what is no file.
        """
        self.name, self.head, self.folder = name, head, folder
        self.bytes_after = 0
        self._source = source
        self._size = len(source) if isinstance(source, bytes) else None
        if isinstance(source, Path):
            with open_regular(source) as file:
                self._found = os.fstat(file.fileno())
            self._size = self._found.st_size

    @property
    def place(self) -> Path | None:
        """The file that it is read from, whatever links lead there; None for what is read from stdin."""
        return self._source.resolve() if isinstance(self._source, Path) else None

    @property
    def data(self) -> bytes:
        """All of it at once."""
        return b"".join(self)

    def __iter__(self) -> Iterator[bytes]:
        if isinstance(self._source, bytes):
            yield self._source[: self._size]
        elif self._source is None:
            while piece := sys.stdin.buffer.read(_PIECE_BYTES):
                yield piece
        else:
            yield from self._pieces_of(self._source)

    def _pieces_of(self, path: Path) -> Iterator[bytes]:
        assert self._size is not None
        left = self._size
        try:
            with open_regular(path) as file:
                while left and (piece := file.read(min(_PIECE_BYTES, left))):
                    left -= len(piece)
                    yield piece
                now = os.fstat(file.fileno())
                is_endless = not now.st_size and bool(file.read(1))
        except OSError as error:
            raise UsageError(f"{self.name} cannot be read ({error.strerror})") from None
        before, self.bytes_after = self._found, now.st_size - self._found.st_size
        is_same = (now.st_dev, now.st_ino) == (before.st_dev, before.st_ino)
        is_changed = now.st_mtime_ns != before.st_mtime_ns and self.bytes_after <= 0
        if left or is_endless or is_changed or not is_same:
            raise UsageError(f"{self.name} was changed while it was read; stop what writes it, or give a copy of it")

    def up_to(self, line: int) -> FoundLog:
        """Return the log up to a line, counted from 1; raises UsageError for one that it has not."""
        lines = offset = 0
        piece = b""
        for piece in self:
            breaks = piece.count(b"\n")
            if lines + breaks >= line:
                return self._cut(offset + _after_break(piece, line - lines))
            lines, offset = lines + breaks, offset + len(piece)
        if piece and not piece.endswith(b"\n"):
            lines += 1
        if lines != line:
            raise UsageError(f"{self.name} has no line {line}; it has {lines}")
        return self._cut(offset)

    def _cut(self, size: int) -> FoundLog:
        part = FoundLog(self.name, self._source, folder=self.folder)
        part._size = size
        return part


def _after_break(piece: bytes, count: int) -> int:
    """Return where the line after the first `count` line breaks begins."""
    at = 0
    for _ in range(count):
        at = piece.index(b"\n", at) + 1
    return at


def find_log(log: str, sessions: Path | None, *, is_read_once: bool = False) -> FoundLog:
    """Return the log that a path, a session's name (`session_names`), or `-` for stdin names; raises UsageError.

    is_read_once: what comes from stdin may be read as it comes; else all of it is kept.
    """
    if log == "-":
        return FoundLog("stdin", None if is_read_once else sys.stdin.buffer.read())
    path = Path(log)
    if path.is_dir():
        return _of_file(path / _LOG, f"{path} is a folder without {_LOG}; give a log file or a session's folder")
    if path.exists():
        return _of_file(path, "")
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


def _of_file(path: Path, without: str) -> FoundLog:
    """Return the log of a file; `without` says what to do where there is none."""
    folder = path.resolve().parent if path.name == _LOG else None
    try:
        head = _head_beside(path)  # first: a log that is being written may be ahead of it, and not after it
        return FoundLog(str(path), path, head=head, folder=folder)
    except FileNotFoundError as error:
        raise UsageError(without or f"{path} cannot be read ({error.strerror})") from None
    except NotRegular as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; give - and send the log on stdin") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from None


def _head_beside(path: Path) -> str | None:
    """Return the head of a session's log, None for a log outside of a session."""
    try:
        return (path.parent / _HEAD).read_text("ascii").strip() or None if path.name == _LOG else None
    except (OSError, UnicodeDecodeError):
        return None
