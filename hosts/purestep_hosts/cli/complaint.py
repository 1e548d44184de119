"""What goes wrong, as one line for people and an exit code."""

from __future__ import annotations

import os

import msgspec

from purestep_hosts.cli import codes

DEBUG = "PURESTEP_DEBUG"


class UsageProblem(Exception):
    """The command cannot do what it was asked; `message` says what was expected, what came and what to do."""

    code = "usage"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Unfinished(Exception):
    """An error stopped a run between two steps, and `resume` takes it up again. The error is the cause."""

    def __init__(self, session: str, resume: str) -> None:
        super().__init__(session)
        self.session = session
        self.resume = resume


class Complaint(msgspec.Struct, frozen=True, kw_only=True):
    """An error as it is told: its stable code, one line, the exit code, the session that it left behind."""

    code: str
    message: str
    exit_code: int
    session: str | None = None
    resume: str | None = None


def complaint(error: BaseException) -> Complaint:
    """Return what to tell about an error; one that nobody foresaw is a defect and says so."""
    if isinstance(error, Unfinished):
        found = complaint(error.__cause__ or error)
        return msgspec.structs.replace(found, session=error.session, resume=error.resume)
    code, message = getattr(error, "code", None), getattr(error, "message", None)
    match error:
        case KeyboardInterrupt():
            return Complaint(code="cancelled", message="cancelled", exit_code=codes.CANCELLED)
        case BrokenPipeError():
            return Complaint(
                code="broken_pipe", message="the program that read stdout has closed it", exit_code=codes.FAILED
            )
        case _ if isinstance(code, str) and isinstance(message, str):
            where = getattr(error, "path", None)
            place = f" (at {where})" if where else ""
            return Complaint(code=code, message=f"{message}{place}", exit_code=codes.OF_ERROR.get(code, codes.USAGE))
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            return Complaint(code="io", message=f"{place}{error.strerror or error}", exit_code=codes.FAILED)
    return Complaint(
        code="internal_error",
        message=f"this is a defect in purestep ({type(error).__name__}: {error}); "
        f"run it again with {DEBUG}=1 for the traceback, and report it",
        exit_code=codes.FAILED,
    )


def wants_traceback() -> bool:
    """Tell whether the user asked for tracebacks."""
    return os.environ.get(DEBUG, "") not in ("", "0")
