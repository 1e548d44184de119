"""Turns what a model server says about a failure into a `model_error` that a person can act on."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from purestep_hosts.models.port import model_error

# Enough for the reason in a server's error, too little for a page of HTML or a stack trace.
MAX_DETAIL_CHARS = 300
_OVERFLOW = {"exceed_context_size_error", "context_length_exceeded"}


def server_fault(status: int, body: object, *, server: str, secret: str = "") -> dict[str, Any]:
    """Return the observation for an error reply.

    `status` is the HTTP status, `body` the decoded reply (or None), `server` the name to show,
    `secret` the key to keep out of the message should the server repeat it.
    """
    error = _error_of(body)
    if _OVERFLOW & {error.get("type"), error.get("code")}:
        return _overflow(error)
    detail = _detail(error.get("message"), secret)
    match status:
        case 401 | 403:
            said = "refused the API key" if secret else "wants an API key, and none is set"
            advice = "Check OPENAI_API_KEY (or LLM_API_KEY)."
            return model_error("unavailable", f"{server} {said} ({status}). {advice}", retryable=False)
        case 404:
            advice = "Check the base URL (it usually ends in /v1) and the model's name."
            text = f"{server} found no such address or model (404){detail}. {advice}"
            return model_error("unavailable", text, retryable=False)
        case 408 | 504:
            text = f"{server} ran out of time ({status}){detail}. Try again or raise the time limit."
            return model_error("timeout", text, retryable=True)
        case 429:
            return _rate_limit(error, f"{server} takes no more requests now (429){detail}.")
        case _ if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            text = f"{server} failed ({status}){detail}. Try again later or look at its log."
            return model_error("unavailable", text, retryable=True)
    text = f"{server} refused the request ({status}){detail}. Check the model and its options."
    return model_error("refused", text, retryable=False)


def _error_of(body: object) -> dict[str, Any]:
    """Return the error object, wherever the server put it: OpenAI nests it, others do not."""
    if not isinstance(body, dict):
        return {}
    inner = body.get("error", body)
    fields = inner if isinstance(inner, dict) else {"message": inner}
    return {name: fields[name] for name in fields if isinstance(fields[name], str | int)}


def _overflow(error: dict[str, Any]) -> dict[str, Any]:
    used, window = error.get("n_prompt_tokens"), error.get("n_ctx")
    numbers = f" of {used} tokens" if used else ""
    limit = f" of {window} tokens" if window else ""
    text = f"The prompt{numbers} does not fit the model's window{limit}. Shorten it or use a larger window."
    return model_error("overflow", text, retryable=False)


def _rate_limit(error: dict[str, Any], text: str) -> dict[str, Any]:
    if error.get("code") == "insufficient_quota":
        return model_error("rate_limit", f"{text} The account has no quota left.", retryable=False)
    return model_error("rate_limit", f"{text} Wait a moment and try again.", retryable=True)


def _detail(message: object, secret: str) -> str:
    if not isinstance(message, str) or not message.strip():
        return ""
    line = " ".join(message.split())
    # Cleaned before the key is looked for: an invisible character inside must not hide it.
    clean = "".join(ch for ch in line if ch.isprintable())
    shown = (clean.replace(secret, "[key]") if secret else clean)[:MAX_DETAIL_CHARS]
    return f": {shown.rstrip('.')}"
