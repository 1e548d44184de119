"""The command `chat`: a conversation of many exchanges, typed on a terminal or read from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing

from purestep_hosts.cli import codes
from purestep_hosts.cli.chat_commands import NEW, QUIT, is_command
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.options import AgentChoice, RunOptions
from purestep_hosts.cli.running import SessionRun
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.loop import Run
from purestep_hosts.show.rows import Row


def chat(choice: AgentChoice, options: RunOptions) -> int:
    """Run an exchange for each query; returns 0 at a terminal, else the exit code of the last exchange."""
    with Interrupts() as interrupts, closing(SessionRun(choice, options, interrupts)) as session_run:
        lines = typed_lines(session_run, interrupts) if sys.stdin.isatty() else piped_lines(interrupts)
        if options.resume is not None:
            with session_run.existing_run(options.resume) as (run, stopped):
                code = session_run.exchange(run, lambda: stopped.resume(run, session_run.ask))
                code = _exchanges(session_run, run, lines, code)
            return _conversations(session_run, lines) or code
        return _conversations(session_run, lines)


def _conversations(session_run: SessionRun, lines: Iterator[str]) -> int:
    """Run a session for the lines up to the end, or to a line that begins a new one."""
    code: int = codes.DONE
    for first in lines:
        if first == NEW:
            continue
        with session_run.new_run(first) as run:
            code = session_run.exchange(run, lambda run=run, query=first: session_run.ask(run, query))  # type: ignore[misc]
            code = _exchanges(session_run, run, lines, code)
    return code


def _exchanges(session_run: SessionRun, run: Run, lines: Iterator[str], code: int) -> int:
    for line in lines:
        if line == NEW:
            session_run.screen.say(Row("new", "the next question begins a new conversation", "quiet"))
            break
        code = session_run.exchange(run, lambda query=line: session_run.ask(run, query))  # type: ignore[misc]
    return codes.DONE if sys.stdin.isatty() else code


def piped_lines(interrupts: Interrupts) -> Iterator[str]:
    """Yield the queries of a stdin that is not a terminal: its lines, without blank ones."""
    while line := _piped_line(interrupts):
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            raise UsageError("a line of stdin is not UTF-8; convert it, for instance with iconv") from None
        if text in QUIT:
            return
        if text:
            yield text


def _piped_line(interrupts: Interrupts) -> bytes:
    interrupts.forget()
    with interrupts.raising():
        return sys.stdin.buffer.readline()


def typed_lines(session_run: SessionRun, interrupts: Interrupts) -> Iterator[str]:
    """Yield the questions that a person types, and `/new`; Ctrl-D or /quit ends, Ctrl-C drops the line."""
    import readline  # noqa: F401 (gives input() its line editing)

    session_run.screen.say(Row("chat", "Ctrl-D or /quit ends, /help lists the commands", "quiet"))
    while True:
        interrupts.forget()
        try:
            with interrupts.raising():
                text = input("> ").strip()
        except KeyboardInterrupt:
            print(file=sys.stderr)
            continue
        except EOFError:
            print(file=sys.stderr)
            return
        if text in QUIT:
            return
        if text and (text == NEW or not is_command(text)):
            yield text
        elif text:
            session_run.command(text)
