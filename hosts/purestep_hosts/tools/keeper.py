"""Runs one command and outlives neither it nor the host: a program of its own, started by `tools.shell` and `mcp`.

The host holds the other end of stdin. When it dies, however that happens, the pipe ends and the keeper kills the
command with everything that it started; a byte on the pipe asks for the same, after a moment to end in order. On Linux
the keeper is the parent of what the command leaves in the background (`PR_SET_CHILD_SUBREAPER`), and the command dies
should the keeper be killed (`PR_SET_PDEATHSIG`). Elsewhere the command's process group is all that is reached.

`--serve BYTES PROGRAM ARGUMENT...` runs a program that the host talks with, line by line: stdin is the program's own,
and the keeper only watches for its end, after which the program has a moment to end by itself. What the program prints
passes through the keeper, which ends it at a line of more than BYTES: the host keeps a line until it is whole. What
is nested too deep in a line is passed on as null, so that the line can be read.

It ends as the command ended: with its status, or by the signal that killed it. It imports nothing but the standard
library, so that it starts in a few hundredths of a second.
"""

import os
import re
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, NoReturn

_PDEATHSIG: Final = 1
_CHILD_SUBREAPER: Final = 36
_GRACE_S: Final = 0.5
"""How long a command may take to end after SIGTERM."""

_MAX_ROUNDS: Final = 500
"""How often the rest is looked for; each round kills every process found, so only one that cannot be killed is left."""

_RESET: Final = (signal.SIGPIPE, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


_PIECE_BYTES: Final = 65_536
"""Read at once: what a pipe holds."""


MOST_LEVELS: Final = 150
"""Of arrays and objects inside one another in a message: the readers of JSON that hosts use refuse 200, and with them
the whole message; what is deeper than 64 is refused by itself."""

_MARKS: Final = re.compile(rb'[\\"\[\]{}\n]')


class LevelledJson:
    """Passes JSON on in pieces, with null in the place of what is nested too deep."""

    def __init__(self, *, has_lines: bool) -> None:
        """Begin a body; has_lines: each line is a message of its own."""
        self._has_lines = has_lines
        self._levels = 0
        self._is_text = False
        self._at = 0
        self._escaped = -1

    def passed(self, piece: bytes) -> bytes:
        """Return what of a piece is passed on."""
        kept: list[bytes] = []
        begin = 0 if self._levels <= MOST_LEVELS else len(piece)
        for found in _MARKS.finditer(piece):
            at, mark = found.start(), found[0]
            if mark == b"\n":
                self._is_text = False
                if self._has_lines:
                    begin = begin if self._levels <= MOST_LEVELS else at
                    self._levels = 0
            elif self._is_text:
                if self._at + at == self._escaped:
                    continue
                if mark == b"\\":
                    self._escaped = self._at + at + 1
                self._is_text = mark != b'"'
            elif mark == b'"':
                self._is_text = True
            elif mark in b"[{":
                self._levels += 1
                if self._levels == MOST_LEVELS + 1:
                    kept += [piece[begin:at], b"null"]
                    begin = len(piece)
            elif mark in b"]}" and self._levels:
                self._levels -= 1
                if self._levels == MOST_LEVELS:
                    begin = at + 1
        self._at += len(piece)
        kept.append(piece[begin:])
        return b"".join(kept)


def main(command: Sequence[str], *, max_line_bytes: int = 0) -> NoReturn:
    """Run the command and end as it did; one that serves, which has such a bound, has the host's stdin."""
    serves = max_line_bytes > 0
    _prctl(_CHILD_SUBREAPER, 1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    if not serves and select.select([0], [], [], 0)[0]:
        _end_as(signal.SIGTERM)  # the host has died, or has asked for the end, before there was anything to end
    keeper = os.getpid()
    lines, own_stdout = os.pipe() if serves else (-1, 1)
    child = os.fork()
    if child == 0:
        _become(command, keeper, own_stdout, serves=serves)
    if not serves:
        status = _wait(child, reader)
        _kill_rest(child)
        _end_as(status)
    os.close(own_stdout)
    # A thread: a host that does not read for a while must not keep the keeper from seeing its end.
    passing = threading.Thread(target=_pass_lines, args=(lines, child, max_line_bytes), daemon=True)
    passing.start()
    status = _wait_serving(child, reader)
    _kill_rest(child)
    passing.join(_GRACE_S)
    _end_as(status)


def _pass_lines(lines: int, child: int, max_line_bytes: int) -> None:
    """Pass on what the program prints; kills it at a line past the bound, and once nobody reads any more."""
    size, levelled = 0, LevelledJson(has_lines=True)
    try:
        while piece := os.read(lines, _PIECE_BYTES):
            line_end = piece.rfind(b"\n")
            size = size + len(piece) if line_end < 0 else len(piece) - line_end - 1
            if size > max_line_bytes:
                print(f"it printed a line of more than {max_line_bytes} bytes", file=sys.stderr, flush=True)
                break
            piece = levelled.passed(piece)
            while piece:
                piece = piece[os.write(1, piece) :]
    except OSError:
        pass
    else:
        if size <= max_line_bytes:
            return  # the program has closed its stdout, and may still have to end
    _kill(child, signal.SIGKILL)


def _become(command: Sequence[str], keeper: int, stdout: int, *, serves: bool) -> NoReturn:
    try:
        signal.set_wakeup_fd(-1)
        for number in (*_RESET, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        _prctl(_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == keeper:
            if serves:
                os.dup2(stdout, 1)
            else:
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.execvp(command[0], list(command))
    finally:
        os._exit(127)


def _wait(child: int, reader: int) -> int:
    """Return the command's status once it has ended by itself or was ended."""
    watched = [0, reader]
    deadline: float | None = None
    while (status := _reap(child)) is None:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select(watched, [], [], left)
        if reader in ready:
            os.read(reader, 512)
        elif 0 in ready:
            watched.remove(0)
            asked = os.read(0, 1)
            _kill(child, signal.SIGTERM if asked else signal.SIGKILL)
            deadline = time.monotonic() + (_GRACE_S if asked else 0)
        elif not ready:
            _kill(child, signal.SIGKILL)
            deadline = time.monotonic() + _GRACE_S
    return status


def _wait_serving(child: int, reader: int) -> int:
    """Return the program's status; once stdin has ended it may end by itself, then gets SIGTERM, then SIGKILL."""
    watched = select.poll()
    watched.register(0, 0)  # its end is reported, its data are the program's
    watched.register(reader, select.POLLIN)
    signals = [signal.SIGTERM, signal.SIGKILL]
    deadline: float | None = None
    while (status := _reap(child)) is None:
        left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
        ready = [descriptor for descriptor, _ in watched.poll(left)]
        if reader in ready:
            os.read(reader, 512)
        elif 0 in ready:
            watched.unregister(0)
            deadline = time.monotonic() + _GRACE_S
        elif not ready:
            _kill(child, signals.pop(0) if signals else signal.SIGKILL)
            deadline = time.monotonic() + _GRACE_S
    return status


def _reap(child: int) -> int | None:
    """Take the status of every process that has ended; returns the command's."""
    found = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            found = ended[1] if ended[0] == child else found
    return found


def _kill(child: int, number: int) -> None:
    """Signal a command that is not reaped yet: its group, or itself while it has none of its own."""
    try:
        os.killpg(child, number)
    except ProcessLookupError:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(child, number)
    except PermissionError:
        pass


def _kill_rest(child: int) -> None:
    """Kill what the command has left behind, group by group and then one by one as they become the keeper's own."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    for _ in range(_MAX_ROUNDS):
        for process in _children():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(0.002)


def _children() -> Iterator[int]:
    """Yield the processes whose parent the keeper is, where /proc tells."""
    own = str(os.getpid()).encode()
    with suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # The name of the program, in brackets, may hold anything.
                if file.read().rpartition(b")")[2].split()[1] == own:
                    yield int(name)


def _end_as(status: int) -> NoReturn:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform != "linux":
        return
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        main(sys.argv[3:], max_line_bytes=int(sys.argv[2]))
    main(("/bin/sh", "-c", sys.argv[1]))
