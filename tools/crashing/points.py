"""The boundaries that a process passes, and its end at one of them."""

import os
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from purestep_hosts import durable_files, sessions
from purestep_hosts.tools import idempotent_log

CRASHED: Final = 77
"""The exit code of a process that ended at a boundary."""

_LOST: Final = 0.5
"""How often what was not forced to disk is lost."""


class Points:
    """Counts boundaries in this process, and ends it at the one with a number; 0 for none."""

    def __init__(self, target: int, chance: random.Random) -> None:
        self.passed = 0
        self.target = target
        self.at_end: Callable[[], object] = lambda: None
        """What is done at the boundary where this process ends, before it does."""
        self._chance = chance
        self._unsynced: dict[int, int] = {}
        """The sizes of files before what is not forced to disk, by their descriptors."""

    def reach(self) -> None:
        """Pass a boundary."""
        if self._is_here():
            self._crash()

    def around(self, act: Callable[[], object]) -> None:
        """Act between two boundaries."""
        self.reach()
        act()
        self.reach()

    def write(self, descriptor: int, data: bytes, write: Callable[[bytes], None]) -> None:
        """Write between two boundaries; at a third one only a part is written."""
        self.reach()
        if self._is_here():
            write(data[: self._chance.randrange(len(data) + 1)])
            self._crash()
        self._unsynced.setdefault(descriptor, os.fstat(descriptor).st_size)
        write(data)
        self.reach()

    def sync(self, descriptor: int) -> None:
        """Force a file to disk; nothing of it is lost after that."""
        self._unsynced.pop(descriptor, None)
        self.reach()

    def _is_here(self) -> bool:
        self.passed += 1
        return self.passed == self.target

    def _crash(self) -> None:
        for descriptor, size in list(self._unsynced.items()):  # other threads go on
            with suppress(OSError):  # closed without being forced to disk
                written = os.fstat(descriptor).st_size
                if self._chance.random() < _LOST and written > size:
                    os.ftruncate(descriptor, self._chance.randrange(size, written))
        self.at_end()
        os._exit(CRASHED)


def watch_sink(points: Points) -> None:
    """Have the file of the sink that honours keys pass boundaries, for as long as this process lives."""
    sink = idempotent_log._write_all

    def write_sink(descriptor: int, line: bytes, size: int) -> None:
        points.write(descriptor, line, lambda part: sink(descriptor, part, size))
        points.sync(descriptor)

    idempotent_log._write_all = write_sink


def watch_files(points: Points) -> None:
    """Have the files of sessions pass boundaries, for as long as this process lives."""
    whole, rename = durable_files.write_all, Path.replace

    def write_all(descriptor: int, data: bytes) -> None:
        points.write(descriptor, data, lambda part: whole(descriptor, part))

    def replace(path: Path, target: Path) -> Path:
        points.reach()
        return rename(path, target)

    for module in (durable_files, sessions):
        module.write_all = write_all  # type: ignore[attr-defined]
        module.sync = points.sync  # type: ignore[attr-defined]
    Path.replace = replace  # type: ignore[method-assign,assignment]
