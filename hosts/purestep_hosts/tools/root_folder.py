"""Opens files inside one folder only, safe against path traversal and symbolic links.

A path is first resolved and must be below the root. It is then opened part by part from the root without following
links, so the kernel refuses a link that was created between the check and the opening.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from purestep_hosts.tools.tool import ToolFailure

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class RootFolder:
    """The folder that tools may use, without its hidden files."""

    def __init__(self, folder: Path, hidden: tuple[str, ...]) -> None:
        self._folder = os.path.realpath(folder)
        self._hidden = tuple(pattern.casefold() for pattern in hidden)

    def shows(self, name: str) -> bool:
        """Return whether tools may see a file of this name."""
        return not any(fnmatchcase(name.casefold(), pattern) for pattern in self._hidden)

    @contextmanager
    def open(self, path: str, flags: int) -> Iterator[int]:
        """Open `path` (relative to the root) and yield the descriptor; raises ToolFailure or OSError."""
        parts = self._parts(path)
        with self._parent(parts, create=False) as (folder, name), _opened(name, flags, folder) as descriptor:
            yield descriptor

    @contextmanager
    def parent(self, path: str) -> Iterator[tuple[int, str]]:
        """Yield the parent folder of `path`, created if missing, and the last name."""
        parts = self._parts(path)
        if not parts:
            raise ToolFailure("the path names the root folder itself", "invalid_arguments")
        with self._parent(parts, create=True) as found:
            yield found

    def _parts(self, path: str) -> list[str]:
        """Return the names from the root to `path`, links resolved; raises ToolFailure outside of it."""
        if "\0" in path:
            raise ToolFailure("the path holds a zero byte", "invalid_arguments")
        real = os.path.realpath(os.path.join(self._folder, path))
        relative = os.path.relpath(real, self._folder)
        parts = [] if relative == "." else relative.split(os.sep)
        if parts[:1] == [".."]:
            raise ToolFailure(f"{path} is outside of the folder that may be used", "invalid_arguments")
        if not all(map(self.shows, (*parts, os.path.basename(path)))):
            raise ToolFailure(f"{path} may not be used", "invalid_arguments")
        return parts

    @contextmanager
    def _parent(self, parts: list[str], *, create: bool) -> Iterator[tuple[int, str]]:
        descriptor = os.open(self._folder, _FOLDER)
        try:
            for part in parts[:-1]:
                if create:
                    _make_folder(part, descriptor)
                inner = _open_at(part, _FOLDER, descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor, parts[-1] if parts else "."
        finally:
            os.close(descriptor)


@contextmanager
def _opened(name: str, flags: int, folder: int) -> Iterator[int]:
    # Without O_NONBLOCK, opening a named pipe would wait for a writer.
    descriptor = _open_at(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _open_at(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ToolFailure(f"{name} became a link while it was opened", "invalid_arguments") from None
        raise


def _make_folder(name: str, folder: int) -> None:
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        return
