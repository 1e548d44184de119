"""The entry point: checks the standard streams, and turns every error into a report and an exit code."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn, TextIO

import msgspec

from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import ErrorReport, UsageError, error_report, wants_traceback
from purestep_hosts.cli.usage_words import in_own_words
from purestep_hosts.extras import CLI
from purestep_hosts.interrupts import threads_are_left
from purestep_hosts.process_memory import protect_secrets
from purestep_hosts.show.streams import sanitized_streams


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and exit with its code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _report_interrupts(as_json="--json" in given)
    protect_secrets()
    _leave(run(given))


def run(arguments: list[str]) -> int:
    """Run the command; every error is reported in one line and becomes an exit code."""
    closed = _open_missing_streams()
    with sanitized_streams():
        return _run(arguments, closed=closed)


def _run(arguments: list[str], *, closed: bool) -> int:
    try:
        _check_arguments(arguments)
        if closed:
            raise UsageError("stdout is closed, so nothing can be shown; leave it open or send it to /dev/null")
        return _invoke(arguments)
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else codes.FAILED
    except (Exception, KeyboardInterrupt) as error:
        if wants_traceback():
            import traceback

            traceback.print_exc()
        return _print_report(error_report(error), as_json="--json" in arguments)


def _report_interrupts(*, as_json: bool) -> None:
    """Have Ctrl-C end the process with its report, at any moment before or after a run, which takes the signal itself.

    No exception: one that is raised within an import may be shown as ignored, and then it is lost.
    """
    found = error_report(KeyboardInterrupt())
    # The terminal has written ^C where the cursor was.
    report = f"{chr(10) if os.isatty(2) else ''}purestep: {found.message}\n".encode()
    output = msgspec.json.encode(_failure(found, found.message)) + b"\n" if as_json else b""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        for descriptor, said in ((2, report), (1, output)):
            with suppress(OSError):
                os.write(descriptor, said)
        os._exit(found.exit_code)

    if signal.getsignal(signal.SIGINT) in {signal.SIG_DFL, signal.default_int_handler}:
        signal.signal(signal.SIGINT, end)


def _invoke(arguments: list[str]) -> int:
    CLI.require()
    import typer

    from purestep_hosts.cli.app import app

    command = typer.main.get_command(app)
    try:
        # To call `app` itself would take Ctrl-C and a closed pipe for an exit that nobody is told of.
        with command.make_context("purestep", list(arguments)) as parsed:
            result = command.invoke(parsed)
    except typer.Exit as left:
        return left.exit_code
    except typer.TyperException as error:
        raise _usage_error(error, arguments) from None
    return result if isinstance(result, int) else codes.DONE


_ASKING = ("purestep run", "purestep prompt")
"""The commands whose argument is a question."""


def _usage_error(error: Exception, arguments: list[str]) -> UsageError:
    """Return the parser's error as one line."""
    said = error.format_message() if hasattr(error, "format_message") else str(error)
    found = getattr(error, "ctx", None)
    command = found.command_path if found is not None else _command_of(arguments)
    quotes = "; put a text of several words in quotes" if "unexpected extra" in said and command in _ASKING else ""
    return UsageError(f"{in_own_words(said)}{quotes}; see {command} --help")


def _command_of(arguments: list[str]) -> str:
    """Return the command that arguments begin with, of which an error does not always tell."""
    from purestep_hosts.cli.app import app

    names = [command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands]
    known = {name.replace("_", "-") for name in names}
    return " ".join(["purestep", *(name for name in arguments[:1] if name in known)])


def _print_report(found: ErrorReport, *, as_json: bool) -> int:
    from purestep_hosts.mask import Mask
    from purestep_hosts.settings import known_secrets
    from purestep_hosts.show.sanitize import one_line, sanitized_json

    if found.code == "broken_pipe":
        return found.exit_code  # as of any program in a pipe; its reader has what it wanted
    message = Mask(known_secrets()).text(found.message)
    with suppress(OSError, ValueError):
        _print_words(f"purestep: {one_line(message)}")
        if found.resume:
            _print_words(f"The session is saved; continue it with: {found.resume}")
    if as_json:
        with suppress(OSError, ValueError):
            print(sanitized_json(_failure(found, message)), flush=True)
    return found.exit_code


def _print_words(text: str) -> None:
    """Print a line on stderr; a terminal breaks it between words."""
    if sys.stderr.isatty():
        from purestep_hosts.show.wrapping import wrapped

        text = "\n".join(wrapped(text, os.get_terminal_size(2).columns or 80))
    print(text, file=sys.stderr, flush=True)


def _failure(found: ErrorReport, message: str) -> dict[str, Any]:
    failure = {"code": found.code, "message": message}
    return {"ok": False, "answer": None, "failure": failure, "session": found.session}


def _check_arguments(arguments: list[str]) -> None:
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise UsageError("an argument is not UTF-8; give it in UTF-8, or the query on stdin with -") from None


def _open_missing_streams() -> bool:
    """Open /dev/null for every standard stream that was closed, and return whether stdout was closed.

    Otherwise the next file opened would take the closed descriptor and receive what is printed.
    """
    closed = sys.stdout is None
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False))
        elif isinstance(stream, io.TextIOWrapper) and number:
            # A terminal without UTF-8 shows escapes instead of ending the run.
            # What goes to a program is UTF-8, as JSON has to be.
            encoding = "utf-8" if number == 1 and not stream.isatty() else None
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    return closed


def _leave(code: int) -> NoReturn:
    """Exit with the code; a stream whose reader has closed, or whose disk is full, must not change it at shutdown."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
    if threads_are_left():
        os._exit(code)
    sys.exit(code)
