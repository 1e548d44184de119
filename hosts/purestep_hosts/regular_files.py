"""Files that a user names: opened without waiting, and only where they are files.

Opening a pipe waits until somebody writes to it, and reading a device may have no end. What is to be kept as it is,
such as an image, must also hold as many bytes as its folder says: a file that grows meanwhile, or one that a system
makes up as it is read, does not.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class NotRegular(OSError):
    """What a path names is no file with an end; `strerror` says what it is."""


def open_regular(path: Path) -> BufferedReader:
    """Return a file opened for reading; raises OSError, NotRegular for a pipe, a socket or a device."""
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        raise NotRegular(0, "it is a socket, not a file") from None
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise NotRegular(0, f"it is {'a pipe' if stat.S_ISFIFO(mode) else 'a device'}, not a file")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: Path, most: int) -> bytes:
    """Return the bytes of a file, `most` and one more where there are more; raises OSError as `open_regular` does."""
    with open_regular(path) as file:
        return file.read(most + 1)


def read_settled(path: Path, most: int) -> bytes:
    """Return the bytes of a file as `read_regular` does; raises NotRegular too where its size says another number."""
    with open_regular(path) as file:
        data = file.read(most + 1)
        said = os.fstat(file.fileno()).st_size
    if len(data) != min(said, most + 1):
        raise NotRegular(0, f"its size says {said:,} bytes, and {len(data):,} were read; give a copy of it")
    return data
