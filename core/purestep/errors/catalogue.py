"""The one public error class, and the catalogue of its codes.

Errors are the host's mistakes. A model's mistake is never an error: it becomes a correction or a failed run (see
`agent/corrections.py`).
"""

from typing import Any, Final

from ..bounds import MAX_ERROR_CHARS

CATALOGUE: Final[dict[str, str]] = {
    "invalid_json": "the text is not JSON",
    "invalid_utf8": "the bytes are not UTF-8",
    "invalid_input": "the JSON does not have the documented shape",
    "input_too_large": "a fixed bound was passed (bounds.py)",
    "too_deep": "JSON is nested deeper than the fixed bound",
    "unsupported_version": "the state or log was written by another schema version",
    "invalid_state": "the state contradicts itself: it was not made by this core, or was changed",
    "invalid_agent": "the agent definition does not have the documented shape",
    "unknown_agent": "the state names a definition that this process has not been given",
    "agent_mismatch": "the definition given is not the one that the run has",
    "unknown_dialect": "no dialect of that name is registered",
    "unknown_policy": "the definition names a policy, or a version of one, that is not registered",
    "policy_failed": "a policy raised, or gave something else than its hook gives; the step was not made",
    "dialect_failed": "a function of a dialect failed, or gave something else than its form; the step was not made",
    "duplicate_tool": "two tools have the same name",
    "unsupported_keyword": "a JSON Schema keyword that is not supported",
    "invalid_schema": "a JSON Schema keyword with a value it cannot have",
    "unresolvable_ref": "a $ref that leads nowhere inside the schema",
    "schema_too_large": "a JSON Schema over the fixed bounds",
    "unsupported_pattern": "a regular expression outside the supported subset",
    "missing_run_id": "a run whose tools act, or ask for approval, begins without an id of its own",
    "wrong_phase": "the observation does not fit what the run is waiting for",
    "unknown_run": "no run of this tree has that id, or it has ended",
    "unknown_call": "no pending call has that id",
    "duplicate_result": "the call has its result already, or is named twice",
    "not_approved": "the call waits for approval and must not have been run",
    "duplicate_approval": "the call is named twice, or does not wait for approval",
    "stale_approval": "the approval names a key that is not the pending call's",
    "invalid_arguments": "the edited arguments do not fit the tool's parameters",
    "invalid_log": "a log line cannot be read",
    "log_mismatch": "a derived log line is not what its facts lead to",
    "head_mismatch": "the log's hash chain does not end in the given head",
    "internal_error": "a defect of the core itself",
}
"""Code to meaning. Codes are stable: they are renamed only with a new schema version."""


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_ERROR_CHARS else f"{text[:MAX_ERROR_CHARS]}..."


class PurestepError(Exception):
    """A mistake of the host: what was expected, what came, what to do.

    Attributes: `code` (a key of CATALOGUE), `message` (a sentence for people), `path` (JSON pointer into the
    input, "" for the whole), `detail` (what else the code tells, such as the name and the version of a policy).
    """

    def __init__(self, code: str, message: str, path: str = "", detail: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = _shortened(message)
        self.path = _shortened(path)
        self.detail = detail or {}

    def below(self, path: str) -> "PurestepError":
        """Return the error with its place in the value in which what it is about stands at this path."""
        told = self.message.removeprefix(f"{self.path}: ") if self.path else self.message
        message = self.message if told == self.message else f"{path}{self.path}: {told}"
        return PurestepError(self.code, message, path + self.path, self.detail)

    def as_data(self) -> dict[str, Any]:
        """Return the error as the JSON-ready value that crosses the boundary."""
        return {"error": {"code": self.code, "message": self.message, "path": self.path, **self.detail}}
