"""The command `run`: one question, or a session that goes on; and the words that stdin holds."""

from __future__ import annotations

import sys
from contextlib import closing

from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.options import AgentChoice, RunOptions
from purestep_hosts.cli.piped import piped_data
from purestep_hosts.cli.session_run import SessionRun
from purestep_hosts.interrupts import Interrupts


def run_once(query: str | None, choice: AgentChoice, options: RunOptions) -> int:
    """Run one query, or resume a session; returns the exit code."""
    if options.resume is None:
        if query is None:
            raise UsageError("a QUERY is missing; give one, or - to read it from stdin")
        text = given_query(query)
        with Interrupts() as interrupts:
            data = () if query == "-" else piped_data(choice, interrupts, quiet=options.quiet)
            with closing(SessionRun(choice, options, interrupts)) as session_run, session_run.new_run(text) as run:
                return session_run.exchange(run, lambda: session_run.ask(run, text, data))
    follow_up = None if query is None else given_query(query)
    with (
        Interrupts() as interrupts,
        closing(SessionRun(choice, options, interrupts)) as session_run,
        session_run.existing_run(options.resume) as (run, stopped),
    ):
        return session_run.exchange(
            run, lambda: stopped.resume_and_ask(run, follow_up, session_run.ask, session_run.give_late)
        )


def given_query(query: str) -> str:
    """Return the query, read from stdin for `-`; raises UsageError if it is empty or not UTF-8."""
    text = stdin_text() if query == "-" else query
    if not text.strip():
        raise UsageError("the query is empty; give the words to send to the agent")
    return text.removesuffix("\n")


def stdin_text() -> str:
    """Return all of stdin; raises UsageError if it is not UTF-8."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        where = f"byte {error.start + 1}"
        raise UsageError(f"stdin is not UTF-8 ({where}); convert it, for instance with iconv") from None
