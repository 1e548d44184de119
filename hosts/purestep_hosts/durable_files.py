"""Files that survive a crash: written whole, forced to disk, replaced in one act."""

from __future__ import annotations

import os
from pathlib import Path


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the bytes; raises OSError, after which some may be written."""
    while data:
        data = data[os.write(descriptor, data) :]


def write(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, and force it to disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        write_all(descriptor, data)
        sync(descriptor)
    finally:
        os.close(descriptor)


def replace(path: Path, data: bytes) -> None:
    """Replace a file atomically: readers see the old or the new content, also after a crash."""
    temporary = path.with_name(f".{path.name}.tmp")
    write(temporary, data)
    temporary.replace(path)


def sync(descriptor: int) -> None:
    """Force what was written to disk."""
    # macOS has no fdatasync.
    getattr(os, "fdatasync", os.fsync)(descriptor)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
