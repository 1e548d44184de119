"""All exit codes, and the tables that map the core's failure and error codes to them."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
FAILED: Final = 1
USAGE: Final = 2
GUARDRAIL: Final = 3
DENIED: Final = 4
LIMIT: Final = 5
MISMATCH: Final = 6
MODEL: Final = 7
CANCELLED: Final = 130
TERMINATED: Final = 143

MEANING: Final = {
    DONE: "done",
    FAILED: "another failure; the message says which",
    USAGE: "wrong usage or configuration",
    GUARDRAIL: "a check rejected the result",
    DENIED: "a person or the policy denied a call that the model insisted on",
    LIMIT: "a limit was reached: turns, budget or deadline",
    MISMATCH: "a log or receipt is damaged or was changed",
    MODEL: "the model failed or is not available",
    CANCELLED: "cancelled, also by Ctrl-C",
    TERMINATED: "ended by SIGTERM; a run can be resumed",
}

OF_FAILURE: Final = {
    "answer_refused": GUARDRAIL,
    "guardrail": GUARDRAIL,
    "postcondition": GUARDRAIL,
    "obligation": GUARDRAIL,
    "tool_choice": GUARDRAIL,
    "denied": DENIED,
    "max_turns": LIMIT,
    "budget": LIMIT,
    "deadline": LIMIT,
    "model_error": MODEL,
    "cancelled": CANCELLED,
}
"""By the code of the core's `failed`; a code that is not here is FAILED."""

OF_ERROR: Final = {
    "invalid_log": MISMATCH,
    "log_mismatch": MISMATCH,
    "unsupported_version": MISMATCH,
    "log_damaged": MISMATCH,
    "log_changed": MISMATCH,
    "bad_log": MISMATCH,
    "anchor_mismatch": MISMATCH,
    "signature_invalid": MISMATCH,
    "signer_mismatch": MISMATCH,
    "timestamp_invalid": MISMATCH,
    "bad_receipt": MISMATCH,
    "unsupported_receipt": MISMATCH,
    "receipt_mismatch": MISMATCH,
    "receipt_from_future": MISMATCH,
    "newer_core": MISMATCH,
    "timestamp_failed": FAILED,
    "signing_failed": FAILED,
    "log_not_writable": FAILED,
    "internal_error": FAILED,
    "model_load": MODEL,
    "model_download": MODEL,
    "model_list": MODEL,
    "model_error": MODEL,
    "MalformedOutput": GUARDRAIL,
    "SchemaViolation": GUARDRAIL,
    "HallucinationDetected": GUARDRAIL,
}
"""By the code of an error that ends a command; one that is not here is USAGE."""


def table() -> str:
    """Return the codes as lines for a help text."""
    return "\n".join(f"  {code:>3}  {meaning}" for code, meaning in MEANING.items())
