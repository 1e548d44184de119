"""The shell tool: one command in its own process group, with limits on time and output, without the host's environment.

It needs approval by default. Background processes of a command are stopped when it ends.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from contextlib import suppress
from typing import IO, Any

from purestep import Example
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.tool import RunningCall, Tool, ToolFailure, hints, parameters, text

_BASIC_ENVIRONMENT = ("PATH", "HOME", "LANG", "TERM")
_MAX_COMMAND_CHARS = 8000
# Kept of each of the two pipes. A byte that is no text becomes a character of three: both still fit a result.
_MAX_KEPT_BYTES = 160 * 1024
# How often a silent command is checked, and how long it may take to end after SIGTERM, in seconds.
_POLL_S = 0.1
_TERMINATION_WAIT_S = 0.5


def tool(config: ToolConfig) -> Tool:
    """Return the shell tool; commands run in `config.root`, or in the host's folder without one."""
    environment = _environment(config.pass_environment)

    def run(params: dict[str, Any], call: RunningCall) -> str:
        command = bounded_text(params, "command", max_chars=_MAX_COMMAND_CHARS)
        if "\0" in command:
            raise ToolFailure("command holds a zero byte", "invalid_arguments")
        process = subprocess.Popen(
            ["/bin/sh", "-c", command],
            cwd=config.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        return _outcome(process, call)

    return Tool(
        name="shell",
        description="Run a shell command and get what it prints.",
        parameters=parameters(command=text("the command")),
        run=run,
        annotations=hints(destructive=True, open_world=True),
        approval="ask",
        time_limit_s=config.shell_time_limit_s,
        max_output_chars=config.max_output_chars,
        examples=(
            Example(
                query="Run the command ls src",
                arguments={"command": "ls src"},
                result="main.c\nmain.h",
                answer="The command printed: main.c main.h",
            ),
        ),
    )


def _environment(extra: tuple[str, ...]) -> dict[str, str]:
    names = (*_BASIC_ENVIRONMENT, *extra)
    return {name: os.environ[name] for name in names if name in os.environ}


def _outcome(process: subprocess.Popen[bytes], call: RunningCall) -> str:
    with process:
        out, err = _KeptOutput(process.stdout), _KeptOutput(process.stderr)
        try:
            ended = _read_until_end(process, call, out, err)
        finally:
            _end_group(process)
    if not ended:
        raise ToolFailure(_report("the command did not end in time and was stopped", out, err))
    if process.returncode:
        raise ToolFailure(_report(f"the command ended with {_status(process.returncode)}", out, err))
    return out.text() if not err.data else f"{out.text()}\n[stderr]\n{err.text()}".lstrip("\n")


class _KeptOutput:
    """The start of a pipe's output; the rest is read and dropped, so that the command does not block."""

    def __init__(self, pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        self.pipe = pipe
        self.data = bytearray()
        self._size = 0

    def read(self) -> bool:
        """Read what is available; returns false at the end."""
        piece = os.read(self.pipe.fileno(), 65536)
        self._size += len(piece)
        self.data += piece[: _MAX_KEPT_BYTES - len(self.data)]
        return bool(piece)

    def text(self) -> str:
        text = self.data.decode("utf-8", "replace")
        more = self._size - len(self.data)
        return f"{text}\n[cut: {more} bytes more were printed]" if more else text


def _read_until_end(process: subprocess.Popen[bytes], call: RunningCall, *pipes: _KeptOutput) -> bool:
    """Read until both pipes close or the command ends; returns false if the time limit comes first."""
    with selectors.DefaultSelector() as selector:
        for kept in pipes:
            selector.register(kept.pipe, selectors.EVENT_READ, kept)
        while remaining := call.remaining_s():
            ready = selector.select(min(_POLL_S, remaining))
            for event, _ in ready:
                if not event.data.read():
                    selector.unregister(event.fileobj)
            if not ready and process.poll() is not None:
                return True
    return False


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Stop the remaining processes of the command."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_TERMINATION_WAIT_S)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _status(code: int) -> str:
    return f"status {code}" if code > 0 else f"signal {-code}"


def _report(what: str, out: _KeptOutput, err: _KeptOutput) -> str:
    parts = [what]
    if err.data:
        parts.append(f"[stderr]\n{err.text().rstrip()}")
    if out.data:
        parts.append(f"[stdout]\n{out.text().rstrip()}")
    return "\n".join(parts)
