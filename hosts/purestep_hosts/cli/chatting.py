"""The command `chat`: a conversation of many exchanges, typed on a terminal or read from a pipe."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from types import FrameType
from typing import Final

import purestep
from purestep_hosts.cli import codes
from purestep_hosts.cli.chat_commands import NEW, QUIT, is_command, is_leaving
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.options import AgentChoice, RunOptions
from purestep_hosts.cli.session_run import SessionRun
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.loop import Run
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import sanitize

_PROMPT: Final = "> "


def chat(choice: AgentChoice, options: RunOptions) -> int:
    """Run an exchange for each query; returns 0 at a terminal, else the exit code of the last exchange."""
    with Interrupts() as interrupts, closing(SessionRun(choice, options, interrupts)) as session_run:
        lines = typed_lines(session_run, interrupts) if sys.stdin.isatty() else piped_lines(options, interrupts)
        if options.resume is not None:
            with session_run.existing_run(options.resume) as (run, stopped):
                code = _exchange(session_run, run, lambda: stopped.resume(run, session_run.ask, session_run.give_late))
                code = _exchanges(session_run, run, lines, code)
            return _conversations(session_run, lines) or code
        session_run.new_agent()  # what is wrong with the options is told before a question is typed
        return _conversations(session_run, lines)


def _conversations(session_run: SessionRun, lines: Iterator[str]) -> int:
    """Run a session for the lines up to the end, or to a line that begins a new one."""
    code: int = codes.DONE
    for first in lines:
        if first == NEW:
            continue
        try:
            with session_run.new_run(first) as run:
                code = _asked(session_run, run, first)
                code = _exchanges(session_run, run, lines, code)
        except KeyboardInterrupt:
            # While the model was loaded: nothing was asked yet.
            if not sys.stdin.isatty():
                raise
            session_run.screen.stop_waiting()
            session_run.screen.printer.row(Row("stopped", "nothing was asked", "warning"))
    return code


def _exchanges(session_run: SessionRun, run: Run, lines: Iterator[str], code: int) -> int:
    for line in lines:
        if line == NEW:
            session_run.screen.say(Row("new", "the next question begins a new conversation", "quiet"))
            break
        code = _asked(session_run, run, line)
    return codes.DONE if sys.stdin.isatty() else code


def _asked(session_run: SessionRun, run: Run, query: str) -> int:
    if late := session_run.late_results(run):
        _exchange(session_run, run, lambda: run.give(late))
    return _exchange(session_run, run, lambda: session_run.ask(run, query))


def _exchange(session_run: SessionRun, run: Run, go: Callable[[], purestep.Step]) -> int:
    code = session_run.exchange(run, go, goes_on=sys.stdin.isatty())
    if sys.stdin.isatty() and sys.stderr.isatty():
        session_run.screen.printer.line()
    return code


def piped_lines(options: RunOptions, interrupts: Interrupts) -> Iterator[str]:
    """Yield the queries of a stdin that is not a terminal: its lines, without blank ones; raises UsageError for none.

    A session that is resumed goes on without one.
    """
    has_query = options.resume is not None
    while line := _piped_line(interrupts):
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            raise UsageError("a line of stdin is not UTF-8; convert it, for instance with iconv") from None
        if text in QUIT:
            return
        if text:
            has_query = True
            yield text
    if not has_query:
        raise UsageError("stdin is closed or holds no question; chat in a terminal, or pipe in one question a line")


def _piped_line(interrupts: Interrupts) -> bytes:
    interrupts.forget()
    with interrupts.raising():
        return sys.stdin.buffer.readline()


def typed_lines(session_run: SessionRun, interrupts: Interrupts) -> Iterator[str]:
    """Yield the questions that a person types, and `/new`; Ctrl-D or /quit ends, Ctrl-C drops the line."""
    session_run.open_chat()
    while True:
        interrupts.forget()
        try:
            with interrupts.raising(), _shown_again():
                text = _typed_line().strip()
        except KeyboardInterrupt:
            print(file=sys.stderr)
            continue
        except EOFError:
            print(file=sys.stderr)
            return
        if is_leaving(text):
            return
        if not _is_utf8(text):
            session_run.screen.printer.row(Row("note", "that line is not UTF-8 and was left out", "warning"))
            continue
        if text.lower() == NEW:
            yield NEW
        elif text and not is_command(text):
            yield text
        elif text:
            session_run.command(text)


def _is_utf8(text: str) -> bool:
    """Return whether a typed line could be decoded: other bytes stand in it as what no text can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _typed_line() -> str:
    """Return a line typed after the prompt, which is no part of the answers: with editing where both go to a terminal.

    Raises EOFError.
    """
    if sys.stdout.isatty():
        return input(_PROMPT)
    print(_PROMPT, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


@contextmanager
def _shown_again() -> Iterator[None]:
    """Show the prompt again, with what was typed, when the process goes on after Ctrl-Z."""
    import readline  # also gives input() its line editing

    def show(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            text = f"\r{_PROMPT}{sanitize(readline.get_line_buffer())}"
            os.write(1 if sys.stdout.isatty() else 2, text.encode())

    before = signal.signal(signal.SIGCONT, show)
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)
