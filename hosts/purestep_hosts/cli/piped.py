"""What is piped into a question: data that comes along with it, and counts as nobody's words."""

from __future__ import annotations

import os
import select
import stat
import sys
from typing import Final

from purestep import DataText
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.wiring import settings_for
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.show.rows import Row

MAX_PIPED_BYTES: Final = 256 * 1024
"""Some 64,000 tokens, which is more than most windows; of a longer text a person knows best which part matters."""

PIPED: Final = "stdin"
"""What the model is told that the data is called."""

FIRST_BYTE_S: Final = 3.0
"""How long an open pipe is waited for: a program that was started with one may never write to it."""


def piped_data(choice: AgentChoice, interrupts: Interrupts, *, quiet: bool = False) -> tuple[DataText, ...]:
    """Return what was piped in.

    quiet: whether only failures and questions are told. Raises UsageError for data that is too long or not UTF-8.
    """
    with interrupts.raising():
        data = _piped_bytes(quiet=quiet)
    if not data.strip():
        return ()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1}"
        raise UsageError(f"what is piped in is not UTF-8 ({where}); convert it, for instance with iconv") from None
    if not quiet and choice.script is None and settings_for(choice).kind == "built_in":
        advice = "name a larger one with --model or --base-url"
        _warn("note", f"the built-in model is too small for questions about piped text; {advice}")
    return (DataText(text=text.removesuffix("\n"), name=PIPED),)


def _warn(label: str, text: str) -> None:
    stderr_printer().row(Row(label, text, "warning"))


def _piped_bytes(*, quiet: bool) -> bytes:
    """Return what a file or pipe on stdin holds; nothing for a terminal, a device, and a pipe that stays silent."""
    descriptor = sys.stdin.fileno()
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
            return b""
        if not select.select([descriptor], [], [], FIRST_BYTE_S)[0]:
            silent = f"is open, and nothing came in {FIRST_BYTE_S:g} s"
            if not quiet:
                _warn("stdin", f"{silent}: the question goes without it; < FILE has no such wait")
            return b""
    data = sys.stdin.buffer.read(MAX_PIPED_BYTES + 1)
    if len(data) > MAX_PIPED_BYTES:
        advice = "pass the part that matters, for instance with tail -c 8000"
        raise UsageError(f"more than {MAX_PIPED_BYTES:,} bytes are piped in; {advice}")
    return data
