"""Errors of the service as answers: a code that programs read, a message for people, and the status of the code."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from purestep import PurestepError
from purestep_hosts.attachments import AttachmentError
from purestep_hosts.extras import SERVE
from purestep_hosts.sessions import SessionError

with SERVE:
    from starlette.responses import Response


class ServiceError(Exception):
    """A request cannot be answered; `code` is stable, `message` says what was expected and what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ServiceFault(Struct, frozen=True):
    """The body of an answer that is an error."""

    error: str
    message: str


STATUS: Final = {
    "unauthorized": 401,
    "forbidden_host": 403,
    "forbidden_origin": 403,
    "not_found": 404,
    "run_not_found": 404,
    "method_not_allowed": 405,
    "slow_body": 408,
    "agent_mismatch": 409,
    "run_active": 409,
    "stale_approval": 409,
    "wrong_phase": 409,
    "body_too_large": 413,
    "unsupported_content_type": 415,
    "internal_error": 500,
    "run_broken": 500,
    "run_damaged": 500,
    "storage_failed": 500,
    "stopping": 503,
    "too_many_runs": 503,
}
"""By code; one that is not here is 400, input that cannot be used."""

# What the store says names its folders, which are no client's business.
_OF_STORE: Final = {
    "session_not_found": ("run_not_found", "expected the id of a run of yours; there is none with this id"),
    "session_locked": ("run_active", "the run goes on in another process; wait for its end"),
    "log_not_writable": ("storage_failed", "the service cannot write its log; nothing was done, try again later"),
}
_DAMAGED: Final = ("run_damaged", "the log of this run is damaged, so it cannot go on; begin a new run")


def fault_of(error: BaseException) -> ServiceFault:
    """Return what a client reads of an exception; of an unexpected one nothing but that it is a defect."""
    match error:
        case SessionError(code=code):
            return ServiceFault(*_OF_STORE.get(code, _DAMAGED))
        case AttachmentError(code="attachment_not_writable"):
            return ServiceFault(*_OF_STORE["log_not_writable"])
        case AttachmentError():
            return ServiceFault(error.code, error.message)
        case ServiceError():
            return ServiceFault(error.code, error.message)
        case PurestepError():
            place = f" (at {error.path})" if error.path else ""
            return ServiceFault(error.code, f"{error.message}{place}")
    return ServiceFault("internal_error", "this is a defect in the service; its log says more")


def fault_answer(fault: ServiceFault, headers: dict[str, str] | None = None) -> Response:
    """Return an error as an answer."""
    given = dict(headers or {})
    if fault.error == "unauthorized":
        given["WWW-Authenticate"] = "Bearer"
    status = STATUS.get(fault.error, 400)
    return Response(msgspec.json.encode(fault), status, given, "application/json")
