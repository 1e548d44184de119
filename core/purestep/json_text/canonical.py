"""Canonical JSON, digests and idempotency keys.

Canonical means compact, with keys sorted by code point, and with floats of integral value written as integers: a
value that went through another JSON parser (JavaScript's has one number type) keeps its bytes.
"""

from hashlib import sha256
from typing import Any

from ..bounds import CALL_KEY_CHARS, MAX_SAFE_INTEGER, SIGNATURE_CHARS
from .codec import encode_sorted


def plain_numbers(value: Any) -> Any:
    """Return the value with each float of integral value, up to 2**53 in magnitude, as an integer."""
    match value:
        case float() if value.is_integer() and -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
            return int(value)
        case dict():
            return {key: plain_numbers(item) for key, item in value.items()}
        case list():
            return [plain_numbers(item) for item in value]
        case _:
            return value


def digest(value: Any) -> str:
    """Return the SHA-256 of the value's canonical JSON, 64 hex digits."""
    return sha256(encode_sorted(plain_numbers(value))).hexdigest()


def call_signature(tool: str, params: dict[str, Any]) -> str:
    """Return the signature that equal calls share: the SHA-256 of tool and canonical arguments, 64 hex digits."""
    return sha256(encode_sorted((tool, params))).hexdigest()


def call_key(run_id: str, ordinal: int, signature: str) -> str:
    """Return the idempotency key of a call, 32 hex digits.

    ordinal: the call's number in its run, from 1. The same call of the same run has the same key on every host and
    after every restart; two calls of a run never share one, since the ordinal counts up.
    """
    return sha256(f"{run_id}\n{ordinal}\n{signature}".encode()).hexdigest()[:CALL_KEY_CHARS]


def text_signature(text: str) -> str:
    """Return a short digest of a result text, 16 hex digits."""
    return sha256(text.encode()).hexdigest()[:SIGNATURE_CHARS]
