"""The program in a child of a process that has already imported it: a command costs its own work alone.

`ForkingStarter` starts that process, which runs this file; for each command it forks a child with the folder,
environment and streams of the command, and runs `purestep_hosts.cli` there as `python -m` would. Nothing of one command
is left for the next, because the parent runs none. What is about the start itself, a terminal, secrets of the
environment, signals or input takes a process of its own instead.
"""

import gc
import json
import os
import runpy
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

PRELOADED: Final = (
    "purestep_hosts.cli.entry",
    "purestep_hosts.cli.listing",
    "purestep_hosts.cli.logs",
    "purestep_hosts.cli.running",
    "purestep_hosts.models.scripted",
    "purestep.schema.native",
)
"""Modules that bring what scripted runs and the commands that read logs import, and no model library."""
MOST_BYTES: Final = 100_000
"""Of a command, so that it fits into one message of a socket."""


# --- the process that forks ---------------------------------------------------------------------------------------


def _serve(link: socket.socket) -> dict[str, Any]:
    """Fork for each command until the tests are over; return the command in the child that is to run it."""
    while True:
        message, streams, _, _ = socket.recv_fds(link, 2 * MOST_BYTES, 3)
        if not message:
            os._exit(0)
        if (child := os.fork()) == 0:
            link.close()
            for descriptor, stream in enumerate(streams):
                os.dup2(stream, descriptor)
                os.close(stream)
            command: dict[str, Any] = json.loads(message)
            return command
        for stream in streams:
            os.close(stream)
        link.send(str(child).encode())
        _, status = os.waitpid(child, 0)
        link.send(str(os.waitstatus_to_exitcode(status)).encode())


def _preload() -> None:
    for module in PRELOADED:
        __import__(module)
    from typer.main import get_command

    from purestep_hosts.cli.app import app

    # The reader of options brings half of what a short command would import; nothing runs.
    get_command(app).commands["run"].make_context("run", ["Go", "--max-turns", "1"])
    gc.collect()
    gc.freeze()  # a child has no need to copy what it never looks at


def _main() -> None:
    _preload()
    command = _serve(socket.socket(fileno=int(sys.argv[1])))
    os.chdir(command["folder"])
    os.environ.clear()
    os.environ.update(command["environment"])
    sys.path[0] = command["folder"]
    sys.argv = ["purestep", *command["arguments"]]
    runpy.run_module("purestep_hosts.cli", run_name="__main__", alter_sys=True)


# --- the side of the tests ----------------------------------------------------------------------------------------


class ForkingStarter:
    """Runs commands in forks of one process; `environment` is what that process is started with."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            # Pipes, as a command's streams are: Python's own streams above them are made for one or the other.
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()], env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip

    def close(self) -> None:
        """End the process."""
        self._link.close()
        self._process.communicate()

    def run(
        self, arguments: tuple[str, ...], folder: Path, environment: dict[str, str], timeout_s: float
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end with an empty stdin; what takes longer is killed and raises TimeoutExpired."""
        message = json.dumps({"arguments": arguments, "folder": str(folder), "environment": environment}).encode()
        with Path(os.devnull).open("rb") as nothing:
            out, err = _Captured(), _Captured()
            socket.send_fds(self._link, [message], [nothing.fileno(), out.writable, err.writable])
        child = int(self._link.recv(64))
        out.begin()
        err.begin()
        self._link.settimeout(timeout_s)
        try:
            code = int(self._link.recv(64))
        except TimeoutError:
            os.kill(child, 9)
            self._link.settimeout(None)
            self._link.recv(64)
            raise subprocess.TimeoutExpired(arguments, timeout_s) from None
        self._link.settimeout(None)
        return subprocess.CompletedProcess(arguments, code, out.text(timeout_s), err.text(timeout_s))


class _Captured:
    """What is written into one end of a pipe, which whoever holds it may do longer than the command itself runs."""

    def __init__(self) -> None:
        self._readable, self.writable = os.pipe()
        self._data = b""
        self._reader = threading.Thread(target=self._read, daemon=True)

    def begin(self) -> None:
        """Leave the writable end to the command, and read."""
        os.close(self.writable)
        self._reader.start()

    def _read(self) -> None:
        with open(self._readable, "rb") as pipe:
            self._data = pipe.read()

    def text(self, timeout_s: float) -> str:
        """Return everything, once nobody can write any more."""
        self._reader.join(timeout_s)
        assert not self._reader.is_alive(), "something that the command left behind holds its stream"
        # As subprocess does in its text mode.
        return self._data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


if __name__ == "__main__":
    _main()
