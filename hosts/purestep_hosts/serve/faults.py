"""Errors of the service as answers: a code that programs read, a message for people, and the status of the code."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
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
    """A request cannot be answered; `code` is stable, `message` says what was expected and what to do.

    run: the run that the request has begun, or may have.
    """

    def __init__(self, code: str, message: str, run: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.run = run


class ServiceFault(Struct, frozen=True, omit_defaults=True):
    """The body of an answer that is an error; `run` names the run that the request has begun, or may have."""

    error: str
    message: str
    run: str = ""


STATUS: Final = {
    "unauthorized": 401,
    "forbidden_host": 403,
    "forbidden_origin": 403,
    "not_found": 404,
    "run_not_found": 404,
    "method_not_allowed": 405,
    "slow_body": 408,
    "agent_mismatch": 409,
    "not_awaited": 409,
    "run_active": 409,
    "stale_approval": 409,
    "wrong_phase": 409,
    "body_too_large": 413,
    "unsupported_content_type": 415,
    "key_reused": 422,
    "internal_error": 500,
    "run_broken": 500,
    "run_damaged": 500,
    "run_goes_on": 503,
    "storage_failed": 503,
    "stopping": 503,
    "too_many_runs": 503,
}
"""By code; one that is not here is 400, input that cannot be used."""

# What the store says names its folders, which are no client's business.
_OF_STORE: Final = {
    "session_not_found": ("run_not_found", "expected the id of a run of yours; there is none with this id"),
    "session_locked": ("run_active", "the run goes on in another process; wait for its end"),
    "log_not_writable": ("storage_failed", "the service cannot write to its disk; try again later"),
}
_RETRY_AFTER_S: Final = {"storage_failed": 10, "run_goes_on": 10}
"""By code, of those with the status 503; of the others 5."""
_LOGGED: Final = frozenset({"run_broken", "run_damaged", "run_goes_on", "storage_failed"})
"""What an operator has to know of, with its cause; a defect is logged with its traceback."""
_UNAVAILABLE: Final = 503

_logger: Final = logging.getLogger("purestep_hosts.serve")

_MAX_SHOWN_CHARS: Final = 60
"""Of what a client sent, where a sentence repeats it."""

_IN_BODY: Final = {"/observation/approvals": "/approvals", "/observation/tool_choice": "/tool_choice"}
"""What of a step's input a client has sent, and where that is in its body."""
_NOT_WAITING: Final = (
    "expected no approvals: no call of this run waits for one, since it was answered before or the run has ended; "
    "GET /runs/RUN says where the run stands"
)

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
            return ServiceFault(error.code, error.message, error.run)
        case PurestepError():
            return fault_of(as_sent(error, _IN_BODY))
    return ServiceFault("internal_error", "this is a defect in the service; its log says more")


def shown(text: str) -> str:
    """Return what a client sent as a sentence shows it, in quotes."""
    return json.dumps(text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}...")


def as_sent(error: PurestepError, places: Mapping[str, str]) -> ServiceError:
    """Return what the core refuses as an error of the body that it came in.

    places: where in the body a client has sent what a path of the step's input begins with.
    """
    if error.code == "wrong_phase":
        return ServiceError(error.code, _NOT_WAITING)
    found = [place + error.path.removeprefix(name) for name, place in places.items() if error.path.startswith(name)]
    if not found:
        return ServiceError(error.code, error.message)
    place, (pointer, _, said) = found[0], error.message.partition(": ")
    is_placed = pointer == "/" or (pointer.startswith("/") and place.endswith(pointer))
    return ServiceError(error.code, f"{place}: {said if is_placed else error.message}")


def reported(error: BaseException) -> ServiceFault:
    """Return what a client reads of an exception, and log what an operator has to know."""
    fault = fault_of(error)
    if fault.error == "internal_error":
        _logger.error("%s in the service", type(error).__name__, exc_info=error)
    elif fault.error in _LOGGED:
        cause = error.__cause__ or error
        about = f" (run {fault.run})" if fault.run else ""
        _logger.error("%s%s: %s", fault.error, about, getattr(cause, "message", None) or cause)
    return fault


def goes_on(run_id: str, failed: str) -> ServiceError:
    """Return the error for a client that waits for a run that was accepted; failed: what the storage said instead."""
    text = (
        f"run {run_id} was accepted and goes on when it can be stored again ({failed.partition(';')[0]}); "
        f"GET /runs/{run_id} later, and do not begin it again"
    )
    return ServiceError("run_goes_on", text, run_id)


def fault_answer(fault: ServiceFault, headers: dict[str, str] | None = None) -> Response:
    """Return an error as an answer."""
    given = dict(headers or {})
    if fault.error == "unauthorized":
        given["WWW-Authenticate"] = "Bearer"
    if fault.run:
        given["Run"] = fault.run
    status = STATUS.get(fault.error, 400)
    if status == _UNAVAILABLE:
        given["Retry-After"] = str(_RETRY_AFTER_S.get(fault.error, 5))
    return Response(msgspec.json.encode(fault), status, given, "application/json")
