"""Small files of the commands that sign: keys and certificates that are read, anchors and receipts that are new."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.regular_files import read_regular

_MAX_BYTES: Final = 1024 * 1024


def read_small(path: Path, max_bytes: int = _MAX_BYTES) -> bytes:
    """Return the bytes of a key, a certificate, an anchor or a receipt, a file or a pipe; raises UsageError."""
    if str(path) == "-":
        raise UsageError("expected a file; got -, and only a log is read from stdin: give a path, such as /dev/stdin")
    try:
        data = _read_pipe(path, max_bytes) if path.is_fifo() else read_regular(path, max_bytes)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from None
    if len(data) > max_bytes:
        raise UsageError(f"{path} is larger than such a file: {max_bytes:,} bytes")
    return data


def _read_pipe(path: Path, max_bytes: int) -> bytes:
    """Return what comes from a pipe that the user has named, as a shell gives it for <(command)."""
    with path.open("rb") as pipe:
        return pipe.read(max_bytes + 1)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet: what is replaced vouches for nothing any more. Raises UsageError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    except FileExistsError:
        raise UsageError(f"{path} is there already; it is not overwritten, choose another name with -o") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror})") from None
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
