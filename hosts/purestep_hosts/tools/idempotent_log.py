"""A file of JSON lines that stores one entry for each idempotency key."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# A run has a few hundred calls; a larger file was not written by one.
_MAX_BYTES = 16 * 1024 * 1024


class IdempotentLog:
    """Entries in the order in which they were written; several threads and processes may use it at once."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, key: str, value: Any) -> bool:
        """Write an entry unless `key` is there already; returns whether it was written."""
        line = json.dumps({"key": key, "value": value}, ensure_ascii=True) + "\n"
        with self._open() as descriptor:
            data = _read(descriptor)
            if any(entry["key"] == key for entry in _entries(data)):
                return False
            # An incomplete last line must not merge with this one.
            gap = "" if data.endswith(b"\n") or not data else "\n"
            _write_all(descriptor, (gap + line).encode(), len(data))
            os.fsync(descriptor)
        return True

    def values(self) -> list[Any]:
        """Return the values in the order in which they were written."""
        with self._open() as descriptor:
            return [entry["value"] for entry in _entries(_read(descriptor))]

    def __contains__(self, key: object) -> bool:
        with self._open() as descriptor:
            return any(entry["key"] == key for entry in _entries(_read(descriptor)))

    @contextmanager
    def _open(self) -> Iterator[int]:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(self._path, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield descriptor
        finally:
            os.close(descriptor)


def _write_all(descriptor: int, line: bytes, size: int) -> None:
    """Write the complete line or leave the file unchanged: a full disk can write a part of it without an error."""
    try:
        while line:
            line = line[os.write(descriptor, line) :]
    except OSError:
        os.ftruncate(descriptor, size)
        raise


def _read(descriptor: int) -> bytes:
    data = os.pread(descriptor, _MAX_BYTES + 1, 0)
    if len(data) > _MAX_BYTES:
        raise OSError(0, f"the record has more than {_MAX_BYTES} bytes")
    return data


def _entries(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the complete entries; an incomplete last line is skipped."""
    for line in data.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and {"key", "value"} <= entry.keys():
            yield entry
