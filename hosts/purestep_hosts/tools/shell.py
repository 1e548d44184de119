"""The shell tool: one command in its own process group, with limits on time and output, without the host's environment.

It needs approval by default. `keeper` runs the command: what it started in the background is stopped when it ends, and
all of it when the host does. The command finds the call's idempotency key in the variable PURESTEP_KEY.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
from contextlib import suppress
from typing import IO, Any

from purestep import Example
from purestep_hosts.tools import keeper
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.tool import RunningCall, Tool, ToolFailure, hints, parameters, text

_BASIC_ENVIRONMENT = ("PATH", "HOME", "LANG", "TERM")
_MAX_COMMAND_CHARS = 8000
# Kept of each of the two pipes. A byte that is no text becomes a character of three: both still fit a result.
_MAX_KEPT_BYTES = 160 * 1024
# How often a silent command is checked, in seconds.
_POLL_S = 0.1
# How long the keeper may take to end a command: it gives it half a second after SIGTERM.
_TERMINATION_WAIT_S = 1.5
# Isolated, and without site-packages: a command starts in a few hundredths of a second.
_KEEPER = (sys.executable, "-I", "-S", keeper.__file__)


def tool(config: ToolConfig) -> Tool:
    """Return the shell tool; commands run in `config.root`, or in the host's folder without one."""
    environment = _environment(config.pass_environment)

    def run(params: dict[str, Any], call: RunningCall) -> str:
        command = bounded_text(params, "command", max_chars=_MAX_COMMAND_CHARS)
        if "\0" in command:
            raise ToolFailure("command holds a zero byte", "invalid_arguments")
        process = subprocess.Popen(
            # As UTF-8, also where the locale has another encoding: a model's words fit in no other.
            [*_KEEPER, command.encode("utf-8", "surrogateescape")],
            cwd=config.root,
            env={**environment, "PURESTEP_KEY": call.key},
            stdin=subprocess.PIPE,
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
            _read_until_end(process, call, out, err)
        finally:
            # One that has ended by itself has a result, also if it was to be stopped.
            ended = process.poll() is not None
            _stop(process)
    if not ended:
        text = "the command did not end in time and was stopped; it may have had its effect"
        raise ToolFailure(_report(text, out, err), "interrupted")
    if process.returncode:
        raise ToolFailure(_report(f"the command ended with {_status(process.returncode)}", out, err))
    if out.is_cut or err.is_cut:
        text = f"the command ran, and printed more than {_MAX_KEPT_BYTES} bytes: have it print a part, or write a file"
        raise ToolFailure(_report(text, out, err), "interrupted")
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

    @property
    def is_cut(self) -> bool:
        """Whether more was printed than is kept."""
        return self._size > len(self.data)

    def text(self) -> str:
        text = self.data.decode("utf-8", "replace")
        more = self._size - len(self.data)
        return f"{text}\n[cut: {more} bytes more were printed]" if more else text


def _read_until_end(process: subprocess.Popen[bytes], call: RunningCall, *pipes: _KeptOutput) -> None:
    """Read until the command has ended or no time is left."""
    with selectors.DefaultSelector() as selector:
        for kept in pipes:
            selector.register(kept.pipe, selectors.EVENT_READ, kept)
        while remaining := call.remaining_s():
            ready = selector.select(min(_POLL_S, remaining))
            for event, _ in ready:
                if not event.data.read():
                    selector.unregister(event.fileobj)
            if not ready and process.poll() is not None:
                return


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Have the keeper stop the command, if it runs."""
    assert process.stdin is not None
    if process.poll() is None:
        with suppress(OSError):
            os.write(process.stdin.fileno(), b"t")
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TERMINATION_WAIT_S)
    process.kill()


def _status(code: int) -> str:
    return f"status {code}" if code > 0 else f"signal {-code}"


def _report(what: str, out: _KeptOutput, err: _KeptOutput) -> str:
    parts = [what]
    if err.data:
        parts.append(f"[stderr]\n{err.text().rstrip()}")
    if out.data:
        parts.append(f"[stdout]\n{out.text().rstrip()}")
    return "\n".join(parts)
