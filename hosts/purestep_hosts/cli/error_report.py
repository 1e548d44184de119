"""Turns an exception into one line of text and an exit code."""

from __future__ import annotations

import os

import msgspec

from purestep_hosts.cli import codes

DEBUG = "PURESTEP_DEBUG"


class UsageError(Exception):
    """The command cannot do what was asked; `message` says what was expected, what came and what to do."""

    code = "usage"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InterruptedRun(Exception):
    """An error stopped a run between two steps; the command `resume` continues it. `__cause__` is the error."""

    def __init__(self, session: str, resume: str) -> None:
        super().__init__(session)
        self.session = session
        self.resume = resume


class ErrorReport(msgspec.Struct, frozen=True, kw_only=True):
    """An error as it is reported: its stable code, one line, the exit code, and the session to resume."""

    code: str
    message: str
    exit_code: int
    session: str | None = None
    resume: str | None = None


def error_report(error: BaseException) -> ErrorReport:
    """Return the report of an exception; an unexpected one is reported as a defect."""
    if isinstance(error, InterruptedRun):
        found = error_report(error.__cause__ or error)
        return msgspec.structs.replace(found, session=error.session, resume=error.resume)
    code, message = getattr(error, "code", None), getattr(error, "message", None)
    match error:
        case KeyboardInterrupt():
            return ErrorReport(code="cancelled", message="cancelled", exit_code=codes.CANCELLED)
        case BrokenPipeError():
            return ErrorReport(
                code="broken_pipe", message="the program that read stdout has closed it", exit_code=codes.FAILED
            )
        case _ if isinstance(code, str) and isinstance(message, str):
            where = getattr(error, "path", None)
            place = f" (at {where})" if where else ""
            return ErrorReport(code=code, message=f"{message}{place}", exit_code=codes.OF_ERROR.get(code, codes.USAGE))
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            return ErrorReport(code="io", message=f"{place}{error.strerror or error}", exit_code=codes.FAILED)
    return ErrorReport(
        code="internal_error",
        message=f"this is a defect in purestep ({type(error).__name__}: {error}); "
        f"run it again with {DEBUG}=1 for the traceback, and report it",
        exit_code=codes.FAILED,
    )


def wants_traceback() -> bool:
    """Return whether the user asked for tracebacks."""
    return os.environ.get(DEBUG, "") not in ("", "0")
